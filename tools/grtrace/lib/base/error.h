/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The library returns -errno and records what happened here; only commands
 * print it.  One record per thread, kept until the next failure.
 */
#ifndef GRT_ERROR_H
#define GRT_ERROR_H

/*
 * Records a cause, lower case and without a full stop, and a hint: what to do
 * next, NULL if nothing is known.  Returns -@err.
 */
int grt_fail(int err, const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same with ": strerror(errno)" appended; returns -errno. */
int grt_fail_errno(const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

int grt_fail_memory(void);

const char *grt_cause(void);	/* "" when nothing failed */
const char *grt_hint(void);	/* NULL when there is none */

/*
 * Something that does not stop the work, but that the user must know.  Goes to
 * the handler, nowhere without one.  Callers say each thing once.
 */
typedef void grt_warn_fn(const char *hint, const char *text);
void grt_warn_to(grt_warn_fn *handler);
void grt_warn(const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* GRT_ERROR_H */
