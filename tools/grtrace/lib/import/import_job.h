/* SPDX-License-Identifier: LGPL-2.1 */
/* The import of one file, in two passes over it. */
#ifndef GRT_IMPORT_JOB_H
#define GRT_IMPORT_JOB_H

#include "file.h"
#include "import.h"
#include "import_private.h"

/* What is known of a CPU. */
struct grt_import_cpu {
	uint64_t first_ns, end_ns, events;	/* from the first pass */
	uint64_t silent_ns;		/* the same: the longest time without an event */
	uint64_t last_ns;		/* time of the latest event so far */
	uint64_t overwritten;		/* number of events; valid if is_overwritten */
	bool is_overwritten, is_missing;
	uint64_t missing;		/* before its next event; 0: unknown number */
};

struct grt_import_job {
	struct grt_import im;
	const struct grt_import_options *options;
	struct grt_vec cpus;		/* struct grt_import_cpu */
	uint32_t clock;			/* enum grtrace_clock_id */
	char clock_name[32], kernel[64];
	uint64_t begin_ns, end_ns;	/* times of the first and last event of all CPUs */
	uint64_t all;			/* number of events in the first pass */
	bool has_inferred_keys;		/* found in the first pass */
	bool is_overwritten;		/* the buffer of some CPU, which one is not known */
	uint64_t latest_ns;		/* time of the latest event */
	uint64_t unread;		/* unreadable lines since then */
	uint64_t no_events;		/* lines that are none */
	struct grt_line_example unreadable_line, no_event_line;
	struct grtrace_stream_info native;	/* of a file of grtrace export; hdr.size 0: it is none */
	struct grt_vec metadata;	/* the same: its first METADATA */
	struct grt_file_header recording;	/* the same: what the head of the exported file said */
	struct grt_vec defs;		/* its rings and processes */
};

/* A CPU of the file; NULL: there is no such CPU. */
struct grt_import_cpu *grt_import_cpu_at(struct grt_import_job *j, uint32_t cpu);

/* Adds a LOSS. */
void grt_import_put_loss(struct grt_import *im, uint32_t cpu, uint32_t reason, uint64_t count,
			 uint64_t from_ns, uint64_t to_ns);

/* Adds a LOSS for events that are missing on a CPU between its latest event and @to_ns. */
void grt_import_put_missing(struct grt_import_job *j, uint32_t nr, struct grt_import_cpu *cpu, uint64_t to_ns);

/* Adds a LOSS for unreadable lines, which may be of any CPU, between the events around them. */
void grt_import_put_unread(struct grt_import_job *j, uint32_t cpu, uint64_t to_ns);

/* A pass: takes all events of the file.  0 or -errno with a cause. */
int grt_import_read(struct grt_import_job *j, int fd, const char *name);

#endif /* GRT_IMPORT_JOB_H */
