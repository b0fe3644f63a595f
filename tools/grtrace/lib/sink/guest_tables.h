/* SPDX-License-Identifier: LGPL-2.1 */
/* What a host did for the jobs of its guest, as tables. */
#ifndef GRT_GUEST_TABLES_H
#define GRT_GUEST_TABLES_H

#include "guest_jobs.h"
#include "report_table.h"

/* A row for each part of the time of a job. */
void grt_guest_parts(struct grt_report_table *t, const struct grt_guest_jobs *g);

/* A row for each pair. */
void grt_guest_pairs(struct grt_report_table *t, const struct grt_guest_jobs *g);

#endif /* GRT_GUEST_TABLES_H */
