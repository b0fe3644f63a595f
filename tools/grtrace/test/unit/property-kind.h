/* SPDX-License-Identifier: GPL-2.0 */
/* Changes of a trace, and what must be true afterwards. */
#ifndef PROPERTY_KIND_H
#define PROPERTY_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "property-check.h"

/* One trial, determined by its seed. */
struct property_trial {
	uint64_t seed;
	struct property_faults faults;
	struct property_share share;
	bool was_refused;	/* the trace is too damaged to be read */
	char what[1024];		/* the changes, in words */
};

struct subject;

struct property_kind {
	const char *name;
	void (*run)(struct property_trial *t, struct subject *s);
	unsigned int floor_pct;	/* least share of known values that must stay known */
};

/* Seeds depend on their order: add new ones at the end. */
extern const struct property_kind property_kinds[];
extern const uint32_t property_nr_kinds;

/* Seeds per kind: kind N has those from N times this number on. */
#define PROPERTY_SEEDS	1000000u

void property_try(struct property_trial *t, uint64_t seed);

#endif /* PROPERTY_KIND_H */
