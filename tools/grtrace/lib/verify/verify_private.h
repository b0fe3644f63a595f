/* SPDX-License-Identifier: LGPL-2.1 */
/* Shared by the files of verify. */
#ifndef GRT_VERIFY_PRIVATE_H
#define GRT_VERIFY_PRIVATE_H

#include <stdbool.h>

#include <linux/grtrace.h>

#include "map.h"
#include "vec.h"
#include "verify.h"

/* The place of some events of one CPU. */
struct piece {
	uint64_t offset, bytes;
	uint32_t file;
};

/* State of one CPU, whose records are checked in the order they were written. */
struct cpu_state {
	uint32_t cpu, file;		/* file: of the last record */
	uint64_t last_ns;
	uint64_t last_cseq, last_gseq, first_gseq;
	uint64_t index;			/* index of the current sub-buffer */
	uint64_t subbuf_bytes;		/* size of the current sub-buffer so far */
	uint64_t events_since;		/* events since the last account */
	struct grtrace_fates fates;	/* of the last account */
	bool has_cseq, has_gseq, has_account, has_ended;
	bool is_from_start;		/* the trace has this CPU from its first event on */
	struct grt_vec pieces;		/* struct piece */
};

struct verify_file {
	const char *name;		/* the caller's */
	int fd, nth;			/* nth: position on the command line */
	uint64_t size, start_ns;
	bool is_grt;
};

struct grt_verify {
	struct grt_check checks[GRT_NR_CHECKS];
	uint64_t slack_ns, events, unknown_events;
	struct verify_file *files;	/* owned */
	uint32_t nr_files;
	uint32_t file;			/* current file */
	uint64_t offset;		/* offset of the current record, for messages */
	struct grt_vec cpus;		/* struct cpu_state *, owned */
	struct grtrace_stream_info info;
	bool has_info, has_unnamed;	/* unnamed: the module had no room for some names */
	bool is_edited;			/* a slice or a merged trace: gaps in gseq are normal */
	uint64_t watermark_ns, last_watermark_ns;
	struct grt_map rings, used_rings, processes, used_processes, stacks, used_stacks;
	struct grt_map cgroups;		/* id -> hash of its path */
};

/* Counts a violation; keeps text and place of the first one. */
void grt_problem(struct grt_verify *v, enum grt_check_id id, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Returns the state of @cpu; adds one for a new CPU.  NULL without memory. */
struct cpu_state *grt_verify_cpu(struct grt_verify *v, uint32_t cpu);

/*
 * Checks a record, whose size is valid.  0 or -errno with a cause; -EBADMSG for a format version
 * that is not known.
 */
int grt_verify_record(struct grt_verify *v, struct cpu_state *state, const struct grtrace_hdr *hdr);

/* Checks the current file, by its format.  0 or -errno with a cause. */
int grt_verify_grt(struct grt_verify *v);
int grt_verify_raw(struct grt_verify *v);

/* Checks the path of a cgroup.  0 or -ENOMEM with a cause. */
int grt_verify_cgroup(struct grt_verify *v, const struct grtrace_cgroup *rec);

/* After all files: checks gseq over all CPUs.  0 or -errno with a cause. */
int grt_verify_gseq(struct grt_verify *v);

#endif /* GRT_VERIFY_PRIVATE_H */
