/* SPDX-License-Identifier: GPL-2.0 */
/* All results of a report on a trace, independent of the row numbers of a model. */
#ifndef PROPERTY_VIEW_H
#define PROPERTY_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "idle.h"
#include "job.h"
#include "rollup.h"
#include "vec.h"

/* A part of a merged trace: what came from one boot, with its old numbers. */
struct property_lens {
	uint64_t boot;
	int64_t shift_ns;	/* shift that was added to its times */
	const char *prefix;	/* in front of its devices' names; "" = none */
	const char *others;	/* prefix of other devices; NULL = there are none */
};

/* Names are numbers of property_name(), 0 = not known. */
struct property_job {
	uint64_t ctx, seqno;
	uint32_t ring, client, tid, credits, flags;
	int32_t status;
	bool has_status;
	uint16_t stages;
	uint8_t stamps;
	uint64_t client_id, dep_ctx, dep_seqno, hw_done_ns;
	uint64_t at_ns[GRT_NR_STAMPS], stage_ns[GRT_NR_STAGES];
	uint32_t first_charge, nr_charges;
};

struct property_charge {
	uint32_t client;
	uint8_t reason;
	uint64_t ns;
};

/* Time of a ring or device: busy, then idle by cause. */
#define PROPERTY_NR_USES	(GRT_NR_IDLES + 1)

struct property_use {
	uint32_t name, device;
	bool is_device, is_fifo, is_live;
	uint64_t ns[PROPERTY_NR_USES];
	uint64_t jobs, unknown_jobs;
	uint64_t unexplained_ns;	/* of the unknown: nothing ran */
};

struct property_idle {
	uint32_t ring, client;
	uint64_t ctx;		/* a foreign fence */
	uint8_t cause;
	uint64_t ns;
};

struct property_blame {
	uint32_t victim, culprit;
	uint8_t reason;
	uint64_t ns;
};

struct property_view {
	struct grt_vec jobs;	/* of struct property_job: by ctx and seqno */
	struct grt_vec charges, uses, idles, blames;
	uint64_t group_jobs[GRT_NR_GROUPS], all_jobs, outcome_jobs;
	uint64_t lost[GRTRACE_NR_FATES], uncounted, events, wall_ns, first_ns, last_ns;
	bool is_cut;
	bool lacks_rings;	/* a slice of some rings: what the device did is not known */
	unsigned int warnings;
};

/* Reads the file as report does.  @lens: NULL = all.  0, or the error of the reader. */
int property_view_read(struct property_view *v, char *path, const struct property_lens *lens);
void property_view_free(struct property_view *v);

const struct property_job *property_find_job(const struct property_view *v, uint64_t ctx,
					     uint64_t seqno);

/* The number of a name, and the name of a number.  Valid until property_forget_names(). */
uint32_t property_name(const char *name);
const char *property_name_at(uint32_t name);
void property_forget_names(void);

#endif /* PROPERTY_VIEW_H */
