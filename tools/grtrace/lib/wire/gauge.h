/* SPDX-License-Identifier: LGPL-2.1 */
/* Clocks, power and temperature of GPUs, as pictures of them need them. */
#ifndef GRT_GAUGE_H
#define GRT_GAUGE_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#define GRT_NR_GAUGES	4

/* How long a sample is good for: without a next one, the value is not known. */
#define GRT_GAUGE_HOLD_NS	2000000000ull

struct grt_gauge {
	const char *name;	/* of its lanes and tracks */
	const char *unit;	/* for people: W */
	uint32_t per;		/* so many of the record's unit are one */
	int digits;		/* behind the point */
	const char *counter_unit;	/* for programs, as a whole number: mW */
	uint32_t per_counter;
};

/* By enum grtrace_gauge. */
extern const struct grt_gauge grt_gauges[GRT_NR_GAUGES];

/* What a FREQUENCY tells, in the record's unit; false: not known, or a clock that is off. */
bool grt_gauge_value(const struct grtrace_frequency *rec, int64_t *value);

/* Until when it is known, unless there is another record before. */
uint64_t grt_gauge_until(const struct grtrace_frequency *rec);

/* The GPU that it tells of: a pci_address, 0: not known. */
uint32_t grt_gauge_gpu(const struct grtrace_frequency *rec);

#endif /* GRT_GAUGE_H */
