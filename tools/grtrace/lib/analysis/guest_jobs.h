/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * What a host did for the jobs of a virtual machine, in a merged trace of both.
 *
 * The driver of a virtio GPU numbers its fences, and QEMU's log has these numbers: in the imported log, each fence is
 * a job of a ring whose driver is "qemu".  In guests up to Linux 6.1 the fence's number is also that of the job.
 * Later jobs have numbers of their own.  Then jobs that have a fence are paired with fences in their order, but only
 * if exactly one such pairing fits all commands and times; these pairs are inferred.
 */
#ifndef GRT_GUEST_JOBS_H
#define GRT_GUEST_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "hist.h"
#include "vec.h"

struct grt_job;
struct grt_model;

/* A job of the guest, and the host's work for it: ns of the merged trace. */
struct grt_guest_pair {
	uint64_t ctx, seqno;		/* of the guest's job */
	uint64_t fence_ctx, fence;	/* of the host's job; its number is the fence */
	uint64_t queued_ns;		/* the guest's driver put the command into the virtqueue */
	uint64_t begun_ns;		/* the emulator began with it */
	uint64_t handed_ns;		/* the renderer had it */
	uint64_t done_ns;		/* the renderer was done, and the guest was told */
	uint64_t seen_ns;		/* the guest's driver saw that */
	uint64_t host_jobs;		/* jobs that the emulator gave to GPUs of the host from @begun_ns to @done_ns */
	uint64_t host_exec_ns;		/* how long these ran; valid if @is_exec_known */
	bool is_exec_known;
	bool is_inferred;		/* paired by order and command, not by number */
};

/* Parts of a pair's time: X(NAME, name, text). */
#define GRT_GUEST_PARTS(X)							\
	X(TO_HOST,   to_host,	"until the host began with it")			\
	X(HANDED,    handed,	"until the host's renderer had it")		\
	X(ON_HOST,   on_host,	"until the renderer was done")			\
	X(TO_GUEST,  to_guest,	"until the guest saw that")			\
	X(WHOLE,     whole,	"all of these")

enum grt_guest_part {
#define GRT_X(NAME, name, text) GRT_GUEST_##NAME,
	GRT_GUEST_PARTS(GRT_X)
#undef GRT_X
	GRT_NR_GUEST_PARTS
};

struct grt_guest_jobs {
	/* Filled in by the caller, the rest is 0. */
	uint64_t guest;			/* boot of the guest in the merged trace */
	bool has_numbers;		/* jobs of the guest have the numbers of their fences */
	bool has_clock;			/* its clock was compared with the host's: */
	uint64_t within_ns;		/* its times are off by no more */

	struct grt_vec pairs;		/* of struct grt_guest_pair, by time of the fence */
	struct grt_hist parts[GRT_NR_GUEST_PARTS];	/* of pairs whose times are possible */
	uint64_t jobs;			/* of the guest with a fence */
	uint64_t fences;		/* of the host */
	uint64_t impossible;		/* pairs with a cause after its effect: the clocks are off */
	/*
	 * A command reaches the host after it was queued, and is seen to be done after it was: the guest's times may
	 * be later by this much, from @least_ns to @most_ns, and no pair is impossible.  Valid with a pair.
	 */
	int64_t least_ns, most_ns;

	struct grt_vec guest_jobs, host_fences, host_jobs;	/* private */
};

/* Takes a job of the merged trace.  0 or -errno with a cause. */
int grt_guest_jobs_add(struct grt_guest_jobs *g, const struct grt_job *job, const struct grt_model *model);

/* Makes the pairs.  Add nothing afterwards.  0 or -errno with a cause. */
int grt_guest_jobs_match(struct grt_guest_jobs *g);
void grt_guest_jobs_free(struct grt_guest_jobs *g);

#endif /* GRT_GUEST_JOBS_H */
