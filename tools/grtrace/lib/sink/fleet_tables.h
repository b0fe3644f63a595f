/* SPDX-License-Identifier: LGPL-2.1 */
/* The report on several traces: a table of traces, of owners, and of who waited for whom. */
#ifndef GRT_FLEET_TABLES_H
#define GRT_FLEET_TABLES_H

#include "fleet.h"
#include "report_table.h"

enum grt_fleet_table {
	GRT_FLEET_TRACES,
	GRT_FLEET_OWNERS,
	GRT_FLEET_WAITS,
	GRT_NR_FLEET_TABLES
};

/* @top: most rows of owners and waits; 0: all.  @with_all: a last row of traces has the sums of all. */
void grt_fleet_table(struct grt_report_table *t, enum grt_fleet_table table, const struct grt_fleet *f, size_t top,
		     bool with_all);

#endif /* GRT_FLEET_TABLES_H */
