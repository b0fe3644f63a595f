/* SPDX-License-Identifier: LGPL-2.1 */
/* The state of an export to Perfetto's format, and its parts. */
#ifndef GRT_PERFETTO_PRIVATE_H
#define GRT_PERFETTO_PRIVATE_H

#include "export.h"
#include "perfetto_event.h"
#include "perfetto_ring.h"

/* Jobs that others may have waited for are remembered; of more, the oldest are forgotten. */
#define GRT_PF_RECENT	65536

struct grt_pf_done {
	uint64_t ctx, seqno;
	uint64_t event_id;	/* of its work on the GPU; 0: it has none */
	uint64_t track;		/* where it is drawn; 0: nowhere */
	uint64_t last_ns;
};

/* Waits of threads whose job is not over yet; of more, the oldest gets no arrow. */
#define GRT_PF_WAITING	256

struct grt_pf_wait {
	uint64_t ctx, seqno, from_ns, to_ns;
	uint32_t tid;
};

/* What is known of threads; of more threads, all is forgotten. */
#define GRT_PF_THREADS	65536

struct grt_pf_thread {
	uint32_t tid, tgid;		/* @tgid 0: not known */
	uint32_t command, cpu;
	uint64_t ioctl_ns, submit_ns;	/* latest ioctl, and the last SUBMIT in it; 0: none */
	uint64_t state_ns;		/* 0: not on a CPU, and does not wait for one */
	uint64_t wait_ns, wait_ctx, wait_seqno;	/* 0: it waits for no fence */
	uint64_t losses;		/* how many there were when it was seen */
	bool is_running;
};

struct grt_pf {
	struct grt_export *x;	/* not owned */
	const struct grt_names *names;
	struct grt_pf_out out;
	struct grt_pf_rings rings;
	uint64_t mono_ns, boot_ns;	/* of the latest snapshot of clocks */
	bool has_clock;			/* there was one */
	struct grt_blank_clock blanks;

	uint64_t jobs, event_id;	/* they count on */
	struct grt_pf_done *recent;	/* owned: a ring buffer of GRT_PF_RECENT */
	struct grt_keymap recent_rows;
	uint64_t nr_recent;
	struct grt_pf_wait waiting[GRT_PF_WAITING];
	uint32_t nr_waiting;

	struct grt_keymap in_flight;	/* jobs to the ring that counts them, see perfetto_count.c */
	struct grt_vec threads;		/* struct grt_pf_thread */
	struct grt_keymap thread_rows;
	struct grt_pf_lanes losses;
	uint64_t nr_losses;
	uint64_t slept_to_ns;
};

/* A job that is over. */
void grt_pf_job(struct grt_pf *p, const struct grt_job *job);

/* The job with this key if it was written, and not long ago; else NULL. */
const struct grt_pf_done *grt_pf_done(const struct grt_pf *p, uint64_t ctx, uint64_t seqno);
void grt_pf_remember(struct grt_pf *p, const struct grt_pf_done *job);

/* How many jobs are queued and in flight. @is_shown: the time of the record is exported. */
void grt_pf_count_job(struct grt_pf *p, const struct grtrace_hdr *rec, bool is_shown);

/* Events are missing: what is in flight is not known. */
void grt_pf_count_anew(struct grt_pf *p, uint64_t ns);

/* Events of threads and CPUs. */
void grt_pf_thread_event(struct grt_pf *p, const struct grtrace_hdr *rec, bool is_shown);

/* The track of thread @tid, of process @tgid if that is known. */
uint64_t grt_pf_thread_of(struct grt_pf *p, uint32_t tgid, uint32_t tid);

/* The job is over, with this event of a GPU or 0: writes the waits for it. */
void grt_pf_put_waits(struct grt_pf *p, uint64_t ctx, uint64_t seqno, uint64_t event_id);

/* Writes what is known of threads, and forgets it.  @is_over: the trace is over. */
void grt_pf_end_threads(struct grt_pf *p, bool is_over);

#endif /* GRT_PERFETTO_PRIVATE_H */
