/* SPDX-License-Identifier: LGPL-2.1 */
/* The tables of the first screen, a file each. */
#ifndef GRT_SCREEN_PRIVATE_H
#define GRT_SCREEN_PRIVATE_H

#include "screen.h"

void grt_screen_time(const struct grt_job_out *o);
void grt_screen_stages(const struct grt_job_out *o);
void grt_screen_blame(const struct grt_job_out *o);
void grt_screen_findings(const struct grt_job_out *o);
void grt_screen_events(const struct grt_job_out *o);
void grt_screen_event_hints(const struct grt_job_out *o);

/* Whether nothing but the total of jobs is known. */
bool grt_screen_has_latencies_only(const struct grt_job_out *o);

/* Says how many rows are missing, and which option shows them. */
void grt_screen_more(const struct grt_job_out *o, size_t rows, const char *option);

#endif /* GRT_SCREEN_PRIVATE_H */
