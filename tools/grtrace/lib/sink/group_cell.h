/* SPDX-License-Identifier: LGPL-2.1 */
/* The cells that identify a row of a group, the same for all formats. */
#ifndef GRT_GROUP_CELL_H
#define GRT_GROUP_CELL_H

#include "column.h"
#include "summary.h"

enum grt_group_cell {
	GRT_GROUP_DEVICE, GRT_GROUP_RING, GRT_GROUP_ENGINE, GRT_GROUP_CLIENT, GRT_GROUP_CTX,
	GRT_GROUP_PID, GRT_GROUP_COMM,
	/* Of cgroups and their owners; behind the sums in CSV. */
	GRT_GROUP_HOST, GRT_GROUP_CGROUP_ID, GRT_GROUP_OWNER,
#define GRT_X(NAME, name) GRT_GROUP_##NAME,
	GRT_CGROUP_TEXTS(GRT_X)
#undef GRT_X
	GRT_NR_GROUP_CELLS
};

const char *grt_group_cell_name(enum grt_group_cell which);

/* The cell is unknown if the group does not use that key. */
void grt_group_cell(struct grt_cell *cell, const struct grt_summary *s, enum grt_group group,
		    const struct grt_rollup_row *row, enum grt_group_cell which);
bool grt_group_has(enum grt_group group, enum grt_group_cell which);

/* How busy a FIFO ring was; NULL for other groups and rings. */
const struct grt_ring_use *grt_group_use(const struct grt_summary *s, enum grt_group group,
					 const struct grt_rollup_row *row);

#endif /* GRT_GROUP_CELL_H */
