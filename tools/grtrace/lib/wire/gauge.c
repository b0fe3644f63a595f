// SPDX-License-Identifier: LGPL-2.1
#include "gauge.h"

#include "meaning.h"

#define MOST	1000000000000000000	/* sums of values and times fit 128 bits */

const struct grt_gauge grt_gauges[GRT_NR_GAUGES] = {
	[GRTRACE_GAUGE_CORE]	    = { "frequency",	"MHz", 1000000, 0, "Hz", 1 },
	[GRTRACE_GAUGE_MEMORY]	    = { "memory clock", "MHz", 1000000, 0, "Hz", 1 },
	[GRTRACE_GAUGE_POWER]	    = { "power",	"W",   1000000, 1, "mW", 1000 },
	[GRTRACE_GAUGE_TEMPERATURE] = { "temperature",	"°C",  1000,	1, "m°C", 1 },
};

static int64_t limited(uint64_t value)
{
	return value < MOST ? (int64_t)value : MOST;
}

bool grt_gauge_value(const struct grtrace_frequency *rec, int64_t *value)
{
	switch (rec->gauge) {
	case GRTRACE_GAUGE_CORE:
	case GRTRACE_GAUGE_MEMORY:
		*value = limited(rec->freq_hz);
		return *value;
	case GRTRACE_GAUGE_POWER:
		*value = limited(grt_member(rec, power_uw));
		return grt_has_member(rec, power_uw);
	case GRTRACE_GAUGE_TEMPERATURE:
		*value = grt_member(rec, temperature_mc);
		return grt_has_member(rec, temperature_mc);
	default:
		return false;
	}
}

uint64_t grt_gauge_until(const struct grtrace_frequency *rec)
{
	if (!(rec->hdr.flags & GRTRACE_F_UPPER_BOUND) || rec->hdr.ts > UINT64_MAX - GRT_GAUGE_HOLD_NS)
		return UINT64_MAX;
	return rec->hdr.ts + GRT_GAUGE_HOLD_NS;
}

uint32_t grt_gauge_gpu(const struct grtrace_frequency *rec)
{
	return grt_member(rec, pci_address);
}
