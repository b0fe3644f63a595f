/* SPDX-License-Identifier: GPL-2.0 */
/* Who rings were idle for: the truth, and the matching rows of the model. */
#ifndef SIM_IDLE_H
#define SIM_IDLE_H

#include "sim-truth.h"

#define SIM_MAX_IDLE_ROWS	512

struct sim_idle_row {
	uint32_t ring, client;	/* SIM_NONE: a foreign fence, or nobody */
	enum grt_idle cause;
	uint64_t ns;
};

struct sim_idle {
	struct sim_idle_row row[SIM_MAX_IDLE_ROWS];
	uint32_t count;
	/* Time for which the definitions name nobody. */
	uint64_t open_ns[SIM_MAX_RINGS][GRT_NR_IDLES];
};

void sim_idle(struct sim_idle *idle, const struct sim_truth *t, const struct sim *s);

/* Time of a row; 0 if there is none. */
uint64_t sim_idle_ns(const struct sim_idle *idle, const struct sim_idle_row *like);
void sim_idle_add(struct sim_idle *idle, const struct sim_idle_row *what);

#endif /* SIM_IDLE_H */
