/* SPDX-License-Identifier: GPL-2.0 */
/* Invariants of each report, and the allowed differences between two reports of one trace. */
#ifndef PROPERTY_CHECK_H
#define PROPERTY_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "property-view.h"

/* What can be wrong: X(NAME, name, text). */
#define PROPERTY_TOPICS(X)								\
	X(READ,	   read,    "reading, slicing, merging and repair")			\
	X(TOLD,	   told,    "what is missing is told, and how many events that are")	\
	X(TWICE,   twice,   "no job has two rows, and all rows count as many jobs")	\
	X(JOBS,	   jobs,    "stamps, stages and results of jobs")			\
	X(LASTDEP, lastdep, "the dependency of a job that ended last")			\
	X(BLAME,   blame,   "who jobs waited for")					\
	X(RINGS,   rings,   "where the time of rings went")				\
	X(DEVICES, devices, "where the time of devices went")				\
	X(IDLE,	   idle,    "who rings were idle for")

enum property_topic {
#define PROPERTY_X(NAME, name, text) PROPERTY_##NAME,
	PROPERTY_TOPICS(PROPERTY_X)
#undef PROPERTY_X
	PROPERTY_NR_TOPICS
};

/* What is wrong; keeps the first few lines. */
#define PROPERTY_MAX_FAULTS	4

struct property_faults {
	uint32_t count;
	uint32_t topics;	/* a bit per topic with a fault */
	char text[PROPERTY_MAX_FAULTS][256];
};

void __attribute__((format(printf, 3, 4)))
property_object(struct property_faults *f, enum property_topic topic, const char *text, ...);

const char *property_topic_name(enum property_topic topic);

/* How much of the known values is still known. */
struct property_share {
	uint64_t known, all;
};

enum property_rule {
	PROPERTY_LESS,		/* values are the same or unknown; times are not longer */
	PROPERTY_SAME_JOBS,	/* all values of jobs are the same; rows are not smaller */
	PROPERTY_SAME,		/* nothing has changed */
};

/* property-law.c */
void property_check_laws(struct property_faults *f, const struct property_view *v);

/* property-same.c: compares the jobs and rows of @part with those of @whole. */
void property_compare(struct property_faults *f, enum property_rule rule,
		      const struct property_view *part, const struct property_view *whole,
		      struct property_share *share);

#endif /* PROPERTY_CHECK_H */
