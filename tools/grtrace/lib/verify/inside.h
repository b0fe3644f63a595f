/* SPDX-License-Identifier: LGPL-2.1 */
/* Shared by the parts of verify; nobody else includes it. */
#ifndef GRT_VERIFY_INSIDE_H
#define GRT_VERIFY_INSIDE_H

#include <stdbool.h>

#include <linux/grtrace.h>

#include "map.h"
#include "vec.h"
#include "verify.h"

/* Where events of one CPU lie. */
struct piece {
	uint64_t offset, bytes;
	uint32_t file;
};

/* One CPU, in the order in which its bytes were written. */
struct lane {
	uint32_t cpu, file;		/* file: of the record before */
	uint64_t last_ns;
	uint64_t last_cseq, last_gseq, first_gseq;
	uint64_t index;			/* of the sub-buffer in hand */
	uint64_t subbuf_bytes;		/* of it, so far */
	uint64_t events_since;		/* the last account */
	struct grtrace_fates fates;	/* of the last account */
	bool has_cseq, has_gseq, has_account, has_ended;
	bool is_from_start;		/* nothing of this CPU came before this trace */
	struct grt_vec pieces;		/* struct piece */
};

struct verify_file {
	const char *name;		/* the caller's */
	int fd, nth;			/* nth: as the caller named them */
	uint64_t size, start_ns;
	bool is_grt;
};

struct grt_verify {
	struct grt_check checks[GRT_NR_CHECKS];
	uint64_t slack_ns, events, unknown_events;
	struct verify_file *files;	/* owned */
	uint32_t nr_files;
	uint32_t file;			/* in hand */
	uint64_t offset;		/* in it, of the record in hand: for messages */
	struct grt_vec lanes;		/* struct lane *, owned */
	struct grtrace_stream_info info;
	bool has_info, has_unnamed;	/* unnamed: the module had no room for a name */
	uint64_t watermark_ns, last_watermark_ns;
	struct grt_map rings, used_rings, processes, used_processes;
};

/* Counts a violation, and keeps the first one's words and place. */
void grt_problem(struct grt_verify *v, enum grt_check_id id, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The lane of @cpu, made if it is new; NULL without memory. */
struct lane *grt_verify_lane(struct grt_verify *v, uint32_t cpu);

/*
 * Takes one record of @lane, whose size was checked.  0 or -errno with a cause,
 * -EBADMSG for a format that cannot be judged.
 */
int grt_verify_record(struct grt_verify *v, struct lane *lane, const struct grtrace_hdr *hdr);

/* The file in hand, of either format.  0 or -errno with a cause. */
int grt_verify_grt(struct grt_verify *v);
int grt_verify_raw(struct grt_verify *v);

/* After all files: gseq over all CPUs.  0 or -errno with a cause. */
int grt_verify_gseq(struct grt_verify *v);

#endif /* GRT_VERIFY_INSIDE_H */
