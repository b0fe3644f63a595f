/* SPDX-License-Identifier: GPL-2.0 */
/* A session of BPF programs, which record the same events as the module's drm_bridge. */
#ifndef GRT_CAPTURE_BPF_H
#define GRT_CAPTURE_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture.h"

struct grt_bpf;
struct grt_capture_choice;
struct grt_live;
struct grt_vec;
struct grtrace_ring;

struct grt_bpf_options {
	uint64_t buffer_bytes;	/* per CPU; 0: what suits the machine */
	uint32_t types;		/* bits of event types to record */
	bool sums_up;		/* no events come out, only grt_bpf_sums() */
	const struct grt_capture_choice *choice;	/* not owned; stays until the close */
	bool has_cpu;		/* CPU events, too: switches, waits, ioctls */
	uint32_t stacks;	/* call stacks of SUBMIT, too: bits of enum grt_bpf_stack */
};

/*
 * Loads the programs, which shows whether the kernel takes them; nothing is attached yet.  0, or
 * -errno with a cause that says what is missing.
 */
int grt_bpf_open(struct grt_bpf **bpf, const struct grt_bpf_options *options);
void grt_bpf_close(struct grt_bpf *b);

/*
 * Attaches the programs: the session begins.  It ends with the process, even if that is killed.
 * 0 or -errno with a cause.
 */
int grt_bpf_start(struct grt_bpf *b);

/*
 * The streams of a session that was started.  Closing them closes @b, too: call grt_bpf_close()
 * only for one that was not started.
 */
struct grt_live *grt_bpf_live(struct grt_bpf *b);

/* Detaches the programs: no more events come, and the streams end.  0 or -errno with a cause. */
int grt_bpf_stop(struct grt_bpf *b);

/* A ring's jobs of a process. */
struct grt_bpf_total {
	const struct grtrace_ring *ring;	/* NULL: not known */
	uint32_t tgid;				/* 0: jobs of the kernel */
	struct grt_bpf_sum sum;
};

/*
 * Appends what was summed up so far, struct grt_bpf_total, in the order of rings and processes.
 * *lost: jobs that found no room.  0 or -errno with a cause.
 */
int grt_bpf_sums(struct grt_bpf *b, struct grt_vec *totals, uint64_t *lost);

/* Writes counters as name=value lines.  Returns their length, less than @room. */
size_t grt_bpf_stats(struct grt_bpf *b, char *to, size_t room);

#endif /* GRT_CAPTURE_BPF_H */
