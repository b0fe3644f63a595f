// SPDX-License-Identifier: LGPL-2.1
#include "group_cell.h"

#include "key_names.h"

#define BIT(cell)	(1u << GRT_GROUP_##cell)
#define RING_BITS	(BIT(DEVICE) | BIT(RING) | BIT(ENGINE))
#define PROCESS_BITS	(BIT(PID) | BIT(COMM))

static const uint32_t cells_of[] = {
	[GRT_BY_RING_PROCESS] = RING_BITS | PROCESS_BITS,
	[GRT_BY_RING] = RING_BITS,
	[GRT_BY_DEVICE] = BIT(DEVICE),
	[GRT_BY_ENGINE] = BIT(ENGINE),
	[GRT_BY_PROCESS] = PROCESS_BITS,
	[GRT_BY_CLIENT] = BIT(CLIENT) | PROCESS_BITS,
	[GRT_BY_CTX] = RING_BITS | BIT(CLIENT) | BIT(CTX) | PROCESS_BITS,
};

static const char *const names[] = {
	[GRT_GROUP_DEVICE] = "device", [GRT_GROUP_RING] = "ring", [GRT_GROUP_ENGINE] = "engine",
	[GRT_GROUP_CLIENT] = "client_id", [GRT_GROUP_CTX] = "ctx", [GRT_GROUP_PID] = "pid",
	[GRT_GROUP_COMM] = "comm",
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
	else if (which >= GRT_GROUP_PID && key->process != GRT_NONE)
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
