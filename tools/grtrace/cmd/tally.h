/* SPDX-License-Identifier: GPL-2.0 */
/* Counts what a recording shows while it runs. */
#ifndef GRT_TALLY_H
#define GRT_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "account.h"
#include "map.h"
#include "run.h"

struct grt_tally {
	uint64_t events, jobs, processes;
	uint64_t lost;		/* events that are missing and were not dropped on request */
	uint64_t first_ns, last_ns;
	struct grtrace_snapshot snapshot; /* of a flight recorder; hdr.size 0: it is none */
	bool is_lean;		/* ->processes stays 0, so that memory does not grow with what a peer sends */
	struct grt_map seen;	/* tgids */
	struct grt_account *accounts; /* owned, one per lane */
	unsigned int lanes;
};

int grt_tally_create(struct grt_tally *t, unsigned int lanes);
void grt_tally_destroy(struct grt_tally *t);

/* Counts the CPUs with unknown losses after their last account. */
unsigned int grt_tally_uncounted(const struct grt_tally *t);

int grt_tally_run(struct grt_tally *t, unsigned int lane, const struct grt_run *run);

#endif /* GRT_TALLY_H */
