/* SPDX-License-Identifier: LGPL-2.1 */
/* The first screen of a report: the answer, then the evidence, then what to do next. */
#ifndef GRT_SCREEN_H
#define GRT_SCREEN_H

#include "job_sink.h"
#include "job_table.h"

void grt_screen(const struct grt_job_out *o);

/* The worst jobs with their stages, and who held up whom; printed with other tables. */
void grt_screen_top(const struct grt_job_out *o);

/* Prints an empty line and a table, and frees the table. */
void grt_screen_table(const struct grt_job_out *o, struct grt_table *t);

#endif /* GRT_SCREEN_H */
