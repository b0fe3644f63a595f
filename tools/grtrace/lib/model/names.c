// SPDX-License-Identifier: LGPL-2.1
#include "names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

/* A damaged trace can name four billion rings; those past this are not known. */
#define MAX_RINGS	65536

/* "From @since_ns on, this process was called that": a list per process, newest first. */
struct alias {
	uint64_t since_ns;
	uint32_t process;	/* row */
	uint32_t older;		/* alias before, GRT_NONE at the end */
};

static struct alias *alias_at(const struct grt_names *n, uint32_t i)
{
	return grt_vec_at(&n->aliases, struct alias, i);
}

static struct grt_process *process_at(const struct grt_names *n, uint32_t row)
{
	return grt_vec_at(&n->processes, struct grt_process, row);
}

void grt_names_free(struct grt_names *n)
{
	grt_vec_free(&n->rings);
	grt_vec_free(&n->processes);
	grt_vec_free(&n->aliases);
	grt_keymap_free(&n->ring_rows);
	grt_keymap_free(&n->newest_alias);
	free(n->metadata);
	*n = (struct grt_names){ 0 };
}

uint32_t grt_names_ring_row(struct grt_names *n, uint32_t id)
{
	uint32_t row;
	struct grt_ring *ring;

	if (!id)
		return GRT_NONE;
	if (id < GRT_LOW_RINGS && n->low_rings[id])
		return n->low_rings[id] - 1;
	row = grt_keymap_get(&n->ring_rows, id, 0);
	if (row != GRT_NONE)
		return row;
	row = grt_vec_count(&n->rings, struct grt_ring);
	if (row == MAX_RINGS)
		return GRT_NONE;
	ring = grt_vec_grow(&n->rings, sizeof(*ring));
	if (!ring)
		return GRT_NONE;
	*ring = (struct grt_ring){
		.id = id, .hw_ring = id, .engine = GRTRACE_ENGINE_OTHER,
	};
	if (grt_keymap_put(&n->ring_rows, id, 0, row)) {
		n->rings.bytes -= sizeof(*ring);
		return GRT_NONE;
	}
	if (id < GRT_LOW_RINGS)
		n->low_rings[id] = row + 1;
	return row;
}

static void copy_text(char *to, size_t to_bytes, const char *from, size_t from_bytes)
{
	size_t bytes = strnlen(from, from_bytes);

	if (bytes > to_bytes - 1)
		bytes = to_bytes - 1;
	memcpy(to, from, bytes);
	to[bytes] = '\0';
}

int grt_names_ring(struct grt_names *n, const struct grtrace_ring *rec)
{
	uint32_t row = grt_names_ring_row(n, rec->ring);
	struct grt_ring *ring;

	if (row == GRT_NONE)
		return 0;
	ring = grt_vec_at(&n->rings, struct grt_ring, row);
	ring->hw_ring = rec->hw_ring ? rec->hw_ring : rec->ring;
	ring->engine = rec->engine < GRTRACE_NR_ENGINES ? rec->engine : GRTRACE_ENGINE_OTHER;
	ring->order = rec->order;
	ring->credit_limit = rec->credit_limit;
	ring->is_defined = true;
	copy_text(ring->name, sizeof(ring->name), rec->name, sizeof(rec->name));
	copy_text(ring->device, sizeof(ring->device), rec->device, sizeof(rec->device));
	copy_text(ring->driver, sizeof(ring->driver), rec->driver, sizeof(rec->driver));
	return 0;
}

/* Makes row @p, or finds the one like it: of the tgid that alias @owner is of. */
static uint32_t process_row(struct grt_names *n, uint32_t owner, const struct grt_process *p)
{
	uint32_t start = GRT_NONE, row, new;
	struct grt_process *to;

	if (owner != GRT_NONE) {
		start = row = alias_at(n, owner)->process;
		do {
			to = process_at(n, row);
			if (to->start_ns == p->start_ns && to->cgroup_id == p->cgroup_id &&
			    !strcmp(to->comm, p->comm))
				return row;
			row = to->sibling;
		} while (row != start);
	}
	new = grt_vec_count(&n->processes, struct grt_process);
	to = grt_vec_grow(&n->processes, sizeof(*to));
	if (!to)
		return GRT_NONE;
	*to = *p;
	to->sibling = new;
	if (start != GRT_NONE) {
		to->sibling = process_at(n, start)->sibling;
		process_at(n, start)->sibling = new;
	}
	return new;
}

static int add_alias(struct grt_names *n, uint64_t since_ns, const struct grt_process *p)
{
	uint32_t tgid = p->tgid, i = grt_keymap_get(&n->newest_alias, tgid, 0);
	uint32_t row = process_row(n, i, p);
	uint32_t new = grt_vec_count(&n->aliases, struct alias);
	struct alias *a;

	if (row == GRT_NONE)
		return -ENOMEM;
	a = grt_vec_grow(&n->aliases, sizeof(*a));
	if (!a)
		return -ENOMEM;
	*a = (struct alias){ since_ns, row, i };
	/* Of two names of the same time the later row counts. */
	if (i == GRT_NONE || since_ns >= alias_at(n, i)->since_ns) {
		grt_keymap_del(&n->newest_alias, tgid, 0);
		return grt_keymap_put(&n->newest_alias, tgid, 0, new);
	}
	while (alias_at(n, i)->older != GRT_NONE &&
	       alias_at(n, alias_at(n, i)->older)->since_ns > since_ns)
		i = alias_at(n, i)->older;
	a->older = alias_at(n, i)->older;
	alias_at(n, i)->older = new;
	return 0;
}

int grt_names_process(struct grt_names *n, const struct grtrace_process *rec)
{
	struct grt_process p = { .tgid = rec->tgid, .cgroup_id = rec->cgroup_id };

	if (rec->hdr.size >= sizeof(*rec))
		p.start_ns = rec->start_ns;
	copy_text(p.comm, sizeof(p.comm), rec->comm, sizeof(rec->comm));
	return add_alias(n, rec->hdr.ts, &p);
}

uint32_t grt_names_process_row(struct grt_names *n, uint32_t tgid, uint64_t ts_ns)
{
	uint32_t i = grt_keymap_get(&n->newest_alias, tgid, 0);

	if (i == GRT_NONE) {
		struct grt_process p = { .tgid = tgid };

		if (!tgid)
			memcpy(p.comm, "kernel", sizeof("kernel"));
		if (add_alias(n, 0, &p))
			return GRT_NONE;
		i = grt_keymap_get(&n->newest_alias, tgid, 0);
	}
	/* A row may be written a little after the first event that needs it. */
	while (alias_at(n, i)->since_ns > ts_ns && alias_at(n, i)->older != GRT_NONE)
		i = alias_at(n, i)->older;
	return alias_at(n, i)->process;
}

int grt_names_metadata(struct grt_names *n, const struct grtrace_metadata *rec)
{
	size_t bytes = rec->hdr.size - sizeof(*rec);
	char *text = malloc(bytes + 1);

	if (!text)
		return grt_fail_memory();
	copy_text(text, bytes + 1, (const char *)(rec + 1), bytes);
	free(n->metadata);
	n->metadata = text;
	return 0;
}
