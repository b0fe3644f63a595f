/* SPDX-License-Identifier: GPL-2.0 */
/* The records of annotate.bpf.c, which travel in the buffers of capture.h. */
#ifndef GRT_NOTE_H
#define GRT_NOTE_H

#include <linux/grtrace.h>
#include <linux/types.h>

enum grt_note_type { GRT_NOTE_ENTER, GRT_NOTE_EXIT };

/*
 * A thread enters or leaves an ioctl.  In @hdr, type is a grt_note_type, gseq is the number of
 * events that this CPU had lost before, and cseq is 0.
 */
struct grt_note {
	struct grtrace_hdr hdr;
	__u32 tgid;
	__u32 tid;
	union {
		struct {
			__u32 cmd;
			__u32 device;	/* its number, major above 20 bits; 0: none */
		} enter;
		__u64 enter_ns;		/* EXIT: when the thread entered; 0: not known */
	};
	__u64 value;			/* ENTER: the argument; EXIT: the result */
	char comm[16];
};

#endif /* GRT_NOTE_H */
