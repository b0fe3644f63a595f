// SPDX-License-Identifier: LGPL-2.1
#include "group_cell.h"

#include "key_names.h"

#define BIT(cell)	(1u << GRT_GROUP_##cell)
#define RING_BITS	(BIT(DEVICE) | BIT(RING) | BIT(ENGINE))
#define PROCESS_BITS	(BIT(PID) | BIT(COMM))
#define OWNER_BITS	(BIT(OWNER) | BIT(NAMESPACE) | BIT(POD) | BIT(CONTAINER) | BIT(SLURM_JOB) | BIT(UNIT))

static const uint32_t cells_of[] = {
	[GRT_BY_RING_PROCESS] = RING_BITS | PROCESS_BITS,
	[GRT_BY_RING] = RING_BITS,
	[GRT_BY_DEVICE] = BIT(DEVICE),
	[GRT_BY_ENGINE] = BIT(ENGINE),
	[GRT_BY_PROCESS] = PROCESS_BITS,
	[GRT_BY_CLIENT] = BIT(CLIENT) | PROCESS_BITS,
	[GRT_BY_CTX] = RING_BITS | BIT(CLIENT) | BIT(CTX) | PROCESS_BITS,
	[GRT_BY_CGROUP] = BIT(HOST) | BIT(CGROUP_ID) | BIT(PATH) | OWNER_BITS,
	[GRT_BY_POD] = OWNER_BITS,
};

static const char *const names[] = {
	[GRT_GROUP_DEVICE] = "device", [GRT_GROUP_RING] = "ring", [GRT_GROUP_ENGINE] = "engine",
	[GRT_GROUP_CLIENT] = "client_id", [GRT_GROUP_CTX] = "ctx", [GRT_GROUP_PID] = "pid",
	[GRT_GROUP_COMM] = "comm", [GRT_GROUP_HOST] = "host",
	[GRT_GROUP_CGROUP_ID] = "cgroup_id", [GRT_GROUP_OWNER] = "owner",
#define GRT_X(NAME, name) [GRT_GROUP_##NAME] = #name,
	GRT_CGROUP_TEXTS(GRT_X)
#undef GRT_X
};

const char *grt_group_cell_name(enum grt_group_cell which)
{
	return names[which];
}

bool grt_group_has(enum grt_group group, enum grt_group_cell which)
{
	return cells_of[group] >> which & 1;
}

static void set_u64(struct grt_cell *cell, uint64_t value)
{
	cell->kind = GRT_CELL_U64;
	cell->number = value;
}

static void set_ring(struct grt_cell *cell, const struct grt_ring *ring, enum grt_group_cell which)
{
	if (which == GRT_GROUP_DEVICE)
		cell->text = ring->device;
	else if (which == GRT_GROUP_RING)
		cell->text = grt_ring_name(ring, cell->buf);
	else
		cell->text = ring->is_defined ? grt_engine_name(ring->engine) : "";
	if (*cell->text)
		cell->kind = GRT_CELL_TEXT;
}

static void set_process(struct grt_cell *cell, const struct grt_process *p,
			enum grt_group_cell which)
{
	if (which == GRT_GROUP_PID) {
		set_u64(cell, p->tgid);
	} else if (*p->comm) {
		cell->kind = GRT_CELL_TEXT;
		cell->text = p->comm;
	}
}

static void set_text(struct grt_cell *cell, const char *text)
{
	cell->text = text;
	if (*text)
		cell->kind = GRT_CELL_TEXT;
}

/* What of a place is the owner, and not only the one cgroup that stands for all of them. */
static bool belongs_to_owner(const struct grt_cgroup *c, enum grt_group_cell which)
{
	switch (which) {
	case GRT_GROUP_CONTAINER:
		return c->workload.owner == GRT_OWNER_CONTAINER;
	case GRT_GROUP_SLURM_JOB:
		return c->workload.owner == GRT_OWNER_SLURM_JOB;
	case GRT_GROUP_UNIT:
		return c->workload.owner == GRT_OWNER_UNIT;
	default:
		return true;
	}
}

static void set_cgroup(struct grt_cell *cell, const struct grt_names *n, enum grt_group group,
		       uint32_t row, enum grt_group_cell which)
{
	const struct grt_cgroup *c = grt_cgroup_names_at(&n->cgroups, row);

	if (which == GRT_GROUP_HOST)
		set_text(cell, grt_machine_names_of_cgroup(&n->machines, c->id)->host);
	else if (which == GRT_GROUP_CGROUP_ID)
		set_u64(cell, c->id);
	else if (which == GRT_GROUP_OWNER)
		set_text(cell, c->text ? grt_owner_name(c->workload.owner) : "");
	else if (group == GRT_BY_CGROUP || belongs_to_owner(c, which))
		set_text(cell, grt_cgroup_text(&n->cgroups, c, which - GRT_GROUP_PATH + GRT_CGROUP_PATH));
}

void grt_group_cell(struct grt_cell *cell, const struct grt_summary *s, enum grt_group group,
		    const struct grt_rollup_row *row, enum grt_group_cell which)
{
	const struct grt_names *n = grt_model_names(s->model);
	const struct grt_rollup_key *key = &row->key;

	cell->kind = GRT_CELL_UNKNOWN;
	if (!grt_group_has(group, which))
		return;
	if (which == GRT_GROUP_CLIENT && key->client_id)
		set_u64(cell, key->client_id);
	else if (which == GRT_GROUP_CTX)
		set_u64(cell, key->ctx);
	else if (which <= GRT_GROUP_ENGINE && key->ring != GRT_NONE)
		set_ring(cell, grt_names_ring_at(n, key->ring), which);
	else if (which >= GRT_GROUP_HOST && key->cgroup)
		set_cgroup(cell, n, group, key->cgroup - 1, which);
	else if (which >= GRT_GROUP_PID && which <= GRT_GROUP_COMM && key->process != GRT_NONE)
		set_process(cell, grt_names_process_at(n, key->process), which);
}

const struct grt_ring_use *grt_group_use(const struct grt_summary *s, enum grt_group group,
					 const struct grt_rollup_row *row)
{
	if (group != GRT_BY_RING || row->key.ring == GRT_NONE ||
	    grt_names_ring_at(grt_model_names(s->model), row->key.ring)->order !=
	    GRTRACE_ORDER_FIFO)
		return NULL;
	return grt_model_ring_use(s->model, row->key.ring);
}
