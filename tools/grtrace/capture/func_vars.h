/* SPDX-License-Identifier: GPL-2.0 */
/* The arguments of a function of the kernel as C declarations, from its type information. */
#ifndef GRT_FUNC_VARS_H
#define GRT_FUNC_VARS_H

#include <stdio.h>

/* Prints a line for each argument.  0, or -errno with a cause. */
int grt_func_vars_print(const char *function, FILE *to);

#endif /* GRT_FUNC_VARS_H */
