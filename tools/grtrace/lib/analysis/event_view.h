/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Single events, with the names of their ring and process.  A record without a ring or a
 * process has those of the latest SUBMIT of its fence context.
 */
#ifndef GRT_EVENT_VIEW_H
#define GRT_EVENT_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "column.h"
#include "map.h"
#include "names.h"

struct grt_type;

/* The rings, processes and contexts of the records so far.  Zeroed memory is an empty one. */
struct grt_event_names {
	struct grt_names names;
	struct grt_map contexts;	/* context -> row + 1 of owners */
	struct grt_vec owners;
};

/* An event as filters and sinks see it. */
struct grt_event_view {
	const struct grtrace_hdr *rec;
	const struct grt_type *type;
	const struct grt_ring *ring;		/* NULL: none, or not known */
	const struct grt_process *process;	/* NULL: none, or not known */
	uint32_t pid;		/* where @has_pid; also where @process is NULL */
	bool has_pid;
};

/* Learns from a record.  Call it before grt_event_view() of that record.  0 or -errno. */
int grt_event_names_learn(struct grt_event_names *n, const struct grtrace_hdr *rec);
/* For a trace without end: forgets who submits to contexts, once there are more than @most. */
void grt_event_names_forget_contexts(struct grt_event_names *n, size_t most);
void grt_event_names_free(struct grt_event_names *n);

/* False when its type is not known.  @view is valid until the next record is learnt. */
bool grt_event_view(struct grt_event_view *view, struct grt_event_names *n,
		    const struct grtrace_hdr *rec);

/* Whether the record is about this job, or about a job that depends on it. */
bool grt_event_is_of_job(const struct grt_event_view *view, uint64_t ctx, uint64_t seqno);

/* The columns that a filter of events may use: the header's, and the fields of all types. */
const struct grt_column *grt_event_columns(size_t *count);

/* Finds @word, in any case, among the names of a column's values; NULL if it is none. */
const char *grt_event_value_find(const struct grt_column *c, const char *word);

/* All names of a column's values, with blanks between. */
void grt_event_value_list(const struct grt_column *c, char *to, size_t bytes);

/* @flag is a number of grt_flags: one bit has different meanings in different types. */
bool grt_event_has_flag(const struct grtrace_hdr *rec, unsigned int flag);
int grt_event_flag_find(const char *name);	/* -1: no such flag */

#endif /* GRT_EVENT_VIEW_H */
