/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The library returns -errno and records the cause here; only commands print it.  Each thread has
 * one record, kept until the next failure.
 */
#ifndef GRT_ERROR_H
#define GRT_ERROR_H

#include <stdbool.h>

/*
 * Records a cause (lower case, no full stop) and a hint that says what to do next, or NULL.
 * Returns -@err.
 */
int grt_fail(int err, const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same with ": strerror(errno)" appended; returns -errno. */
int grt_fail_errno(const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

int grt_fail_memory(void);

/* Whether memory ever ran out in this process: then the output may be incomplete. */
bool grt_was_out_of_memory(void);

const char *grt_cause(void);	/* "" when nothing failed */
const char *grt_hint(void);	/* NULL: no hint */

/*
 * A warning: the work goes on, but the user must know.  It goes to the handler; without a handler
 * it is dropped.  Callers give each warning once.
 */
typedef void grt_warn_fn(const char *hint, const char *text);
grt_warn_fn *grt_warn_to(grt_warn_fn *handler);	/* the one before */
void grt_warn(const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Set by a caller that says by itself where a trace begins late: no warning is needed. */
extern bool grt_late_is_told;

#endif /* GRT_ERROR_H */
