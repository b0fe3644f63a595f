/* SPDX-License-Identifier: LGPL-2.1 */
/* Student's t distribution: how far a mean of few values may be off by chance. */
#ifndef GRT_STUDENT_H
#define GRT_STUDENT_H

#define GRT_STUDENT_MAX	200	/* more degrees of freedom count as so many: almost normal */

/* The value that is exceeded with probability @tail, 0 to 0.5.  @df is 1 or more. */
double grt_student(unsigned int df, double tail);

/* No libm: the program does without it. */
double grt_square_root(double x);

#endif /* GRT_STUDENT_H */
