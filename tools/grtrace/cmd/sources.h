/* SPDX-License-Identifier: GPL-2.0 */
/* Where record takes events from: the module, BPF programs, or tracefs. */
#ifndef GRT_SOURCES_H
#define GRT_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct grt_live;
struct record;

struct grt_record_source {
	const char *name;
	bool sums_up;	/* has --summary */
	bool has_events;	/* has -e */
	bool has_stacks;	/* has --stacks */
	uint32_t ring_rows;	/* as in struct grt_kept */
	/* Opens what shows that it works here; records nothing.  0 or -errno with a cause. */
	int (*open)(struct record *r);
	/* Begins the session.  0 or -errno with a cause. */
	int (*start)(struct record *r);
	/* Opens the streams, which the caller closes. */
	int (*streams)(struct record *r, struct grt_live **live);
	/* Called again and again while it records; 0 or -errno.  May be NULL. */
	int (*look)(struct record *r, uint64_t now_ns);
	/* Ends the session if it is ours: then the streams end. */
	int (*stop)(struct record *r);
	/* Frees what open() and start() made; after a failure, ends the session, too. */
	void (*release)(struct record *r);
	/*
	 * Of a flight recorder in the kernel; NULL: there is none, the streams go on.  Takes a snapshot
	 * now, -EBUSY if one is held; says whether one is held (1 or 0); gives it up, so that the next one
	 * can be taken.  The streams are those of the snapshot that is held, or of the next one.  -errno
	 * with a cause.
	 */
	int (*snapshot)(struct record *r);
	int (*has_snapshot)(struct record *r);
	int (*release_snapshot)(struct record *r);
	/* Writes counters as name=value lines.  Their length or -errno with a cause. */
	ssize_t (*stats)(struct record *r, char *to, size_t room);
	/* Warns if the recording will lack something.  May be NULL. */
	void (*warn)(const struct record *r);
	/* Prints the rest of the line that begins with the name of the source. */
	void (*describe)(const struct record *r);
};

/* The module is the only one that other commands than record know. */
extern const struct grt_record_source grt_module_source, grt_bpf_source, grt_tracefs_source;

/*
 * Opens the source called @name as r->source; "auto" or NULL takes the first that works.  Returns 0; or an
 * exit code, after it printed what each source lacks.
 */
int grt_source_choose(struct record *r, const char *name);

#define GRT_NR_SOURCES	3

/* How a source does on this machine. */
struct grt_source_trial {
	const char *name;
	bool works;
	char why[160], hint[160];	/* if it does not; @hint may be "" */
};

/* Opens each source, the best one first, and closes it again: nothing is recorded. */
void grt_sources_try(struct grt_source_trial trials[GRT_NR_SOURCES]);

/* The option --source, of commands that record. */
#define OPT_SOURCE(var)									\
	OPT_STRING(0, "source", var, "NAME",						\
		   "module, or bpf or tracefs, which need no module; auto is the first that works")

#endif /* GRT_SOURCES_H */
