/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records the marks that programs write to trace_marker of tracefs.
 */
#ifndef _GRTRACE_MARKS_H
#define _GRTRACE_MARKS_H

#ifdef GRTRACE_OUT_OF_TREE
#include <linux/kprobes.h>

/*
 * The function behind trace_marker: its second and third argument are the text and its length
 * (6.1 to 7.3 kernel/trace/trace.c).  A table of functions has its address, so the compiler keeps
 * it as it is.
 */
#define GRT_MARKS_SYMBOL	"tracing_mark_write"

/* The kprobe's handler. */
int grt_marks_on_write(struct kprobe *kp, struct pt_regs *regs);

static inline void grt_marks_begin(void) { }
static inline void grt_marks_end(void) { }
#else
/* In a pair, around a session.  Both sleep. */
void grt_marks_begin(void);
void grt_marks_end(void);
#endif

#endif
