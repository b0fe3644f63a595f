/* SPDX-License-Identifier: GPL-2.0 */
/* record --alert: a number that must not be exceeded. */
#ifndef GRT_ALERT_H
#define GRT_ALERT_H

#include <stdbool.h>
#include <stdint.h>

struct grt_alert {
	uint64_t most;
	bool is_set, has_fired;
};

/* "lost>N"; NULL is no alert.  0, or -EINVAL with a cause. */
int grt_alert_parse(struct grt_alert *a, const char *text);

/* Says so, once, when @lost is more than was allowed. */
void grt_alert_look(struct grt_alert *a, uint64_t lost);

#endif /* GRT_ALERT_H */
