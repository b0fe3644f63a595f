/* SPDX-License-Identifier: LGPL-2.1 */
/* The text that grtrace serve answers with: all metrics of a trace, or of a session that runs. */
#ifndef GRT_METRICS_PAGE_H
#define GRT_METRICS_PAGE_H

#include <stdint.h>

#include "metrics.h"
#include "openmetrics.h"

/* What the process that answers says about itself. */
struct grt_metrics_own {
	const char *source;		/* "bpf", or the name of a file */
	uint64_t cpu_ns, memory_bytes;
	uint64_t start_real_ns;		/* when it began, CLOCK_REALTIME */
};

/* Writes all families into the empty @o.  0 or -errno with a cause. */
int grt_metrics_page(struct grt_om *o, struct grt_metrics *m, const struct grt_metrics_own *own);

#endif /* GRT_METRICS_PAGE_H */
