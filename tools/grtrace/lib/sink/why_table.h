/* SPDX-License-Identifier: LGPL-2.1 */
/* The chain of a job, as table and as text. */
#ifndef GRT_WHY_TABLE_H
#define GRT_WHY_TABLE_H

#include "report_tables.h"
#include "why.h"

void grt_report_why_roots(struct grt_report_table *s, const struct grt_job_out *o,
			  const struct grt_why *w);
void grt_report_why(struct grt_report_table *s, const struct grt_job_out *o,
		    const struct grt_why *w);
void grt_why_short(const struct grt_job_out *o, const struct grt_why *w);
void grt_why_text(const struct grt_job_out *o, const struct grt_why *w);

#endif /* GRT_WHY_TABLE_H */
