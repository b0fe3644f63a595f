/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Mirrors written records as trace events: grtrace:submit and so on.
 */
#ifndef _GRTRACE_MIRROR_H
#define _GRTRACE_MIRROR_H

#include <linux/jump_label.h>
#include <uapi/linux/grtrace.h>

/* The records that have an event: X(NAME, name). */
#define GRT_MIRRORED(X)			\
	X(SUBMIT, submit)		\
	X(DEPENDENCY, dependency)	\
	X(COMMIT, commit)		\
	X(START, start)			\
	X(END, end)			\
	X(COMPLETE, complete)		\
	X(FENCE_SIGNALED, fence_signaled) \
	X(CTX_SWITCH, ctx_switch)	\
	X(ERROR, error)

/* On while one of these events is enabled. */
DECLARE_STATIC_KEY_FALSE(grt_mirrored);

/* An event gets its first user, or loses its last one.  They sleep; tracepoints call them. */
int grt_mirror_begin(void);
void grt_mirror_end(void);

/* Mirrors a record that has just been written.  Interrupts off, any context but NMI. */
void grt_mirror(const struct grtrace_hdr *rec);

#endif
