/* SPDX-License-Identifier: LGPL-2.1 */
/* The first screen of a report: the answer, then the evidence, then what to type next. */
#ifndef GRT_SCREEN_H
#define GRT_SCREEN_H

#include "job_sink.h"
#include "job_table.h"

void grt_screen(const struct grt_job_out *o);

/* Prints and frees a table, an empty line before it. */
void grt_screen_table(const struct grt_job_out *o, struct grt_table *t);

#endif /* GRT_SCREEN_H */
