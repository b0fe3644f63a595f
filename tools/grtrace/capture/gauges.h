/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What GPUs tell of themselves in sysfs: clocks, power and temperature.  A read may send a message to
 * the firmware of the GPU and wait for the answer.
 */
#ifndef GRT_CAPTURE_GAUGES_H
#define GRT_CAPTURE_GAUGES_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "vec.h"

/* Zeroed memory has no GPU. */
struct grt_gauges {
	struct grt_vec gpus;	/* of struct gpu, in gauges.c */
};

struct grt_gauge_reading {
	uint32_t pci_address;	/* as in struct grtrace_frequency */
	uint32_t gauge;		/* enum grtrace_gauge */
	int64_t value;		/* Hz, uW or thousandths of a degree Celsius */
	unsigned int nr;	/* the same for all readings of one gauge of one GPU, from 0 on */
};

/* Gets each reading right after it was read. */
typedef void grt_gauge_fn(void *arg, const struct grt_gauge_reading *reading);

/*
 * Finds the GPUs below @sysfs, usually "/sys", that have a file to read.  Reads none of them: that could
 * wake a GPU.  0 or -ENOMEM with a cause.
 */
int grt_gauges_find(struct grt_gauges *g, const char *sysfs);
void grt_gauges_free(struct grt_gauges *g);

/* Whether the folder @card of a GPU has a file of this gauge.  Reads none. */
bool grt_gauges_has(const char *card, enum grtrace_gauge gauge);

/* How many gauges there may be at most: above all numbers of readings. */
unsigned int grt_gauges_most(const struct grt_gauges *g);

/* Reads the gauges of all GPUs that are awake.  A gauge that cannot be read now is left out. */
void grt_gauges_read(struct grt_gauges *g, grt_gauge_fn *fn, void *arg);

#endif /* GRT_CAPTURE_GAUGES_H */
