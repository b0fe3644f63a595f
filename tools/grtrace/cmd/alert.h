/* SPDX-License-Identifier: GPL-2.0 */
/* record --alert: warns when too many events are lost. */
#ifndef GRT_ALERT_H
#define GRT_ALERT_H

#include <stdbool.h>
#include <stdint.h>

struct grt_alert {
	uint64_t most;
	const char *again;	/* the command with a larger buffer, for the hint */
	bool is_set, has_fired;
};

/* Parses "lost>N"; NULL means no alert.  0, or -EINVAL with a cause. */
int grt_alert_parse(struct grt_alert *a, const char *text);

/* Warns once when @lost is above the limit. */
void grt_alert_look(struct grt_alert *a, uint64_t lost);

/* At the end: @cpus CPUs may have lost an unknown number of events after their last account. */
void grt_alert_end(struct grt_alert *a, unsigned int cpus);

#endif /* GRT_ALERT_H */
