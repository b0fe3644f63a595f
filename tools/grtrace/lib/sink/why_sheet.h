/* SPDX-License-Identifier: LGPL-2.1 */
/* The chain of a job, as a table and as text. */
#ifndef GRT_WHY_SHEET_H
#define GRT_WHY_SHEET_H

#include "report_sheet.h"
#include "why.h"

void grt_sheet_why(struct grt_sheet *s, const struct grt_job_out *o, const struct grt_why *w);
void grt_why_text(const struct grt_job_out *o, const struct grt_why *w);

#endif /* GRT_WHY_SHEET_H */
