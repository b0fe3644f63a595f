// SPDX-License-Identifier: LGPL-2.1
#include "names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <xxhash.h>

#include "error.h"

/* A damaged trace can name four billion rings; rings beyond this limit are not known. */
#define MAX_RINGS	65536

/*
 * "From @since_ns on, this process was called that".  The aliases of a tgid are a search tree by
 * time; of two with one time, the later row counts.  The tree is a treap: the weight of a node
 * comes from its number, and no node weighs less than the nodes below it.
 */
struct alias {
	uint64_t since_ns;
	uint32_t process;	/* row */
	uint32_t older, newer;	/* below it; GRT_NONE: none */
};

/* A process with more names than this has them in an index. */
#define FEW_NAMES	16

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
	grt_namemap_free(&n->rings_called);
	grt_keymap_free(&n->aliases_of);
	grt_keymap_free(&n->row_of_name);
	grt_keymap_free(&n->last_rows);
	grt_stack_names_free(&n->stacks);
	grt_cgroup_names_free(&n->cgroups);
	grt_machine_names_free(&n->machines);
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
	int err = 0;

	if (row == GRT_NONE)
		return 0;
	ring = grt_vec_at(&n->rings, struct grt_ring, row);
	ring->hw_ring = rec->hw_ring ? rec->hw_ring : rec->ring;
	ring->engine = rec->engine < GRTRACE_NR_ENGINES ? rec->engine : GRTRACE_ENGINE_OTHER;
	ring->order = rec->order;
	ring->credit_limit = rec->credit_limit;
	ring->is_defined = true;
	if (*ring->name)
		err = grt_namemap_add(&n->rings_called, ring->name, -1);
	copy_text(ring->name, sizeof(ring->name), rec->name, sizeof(rec->name));
	if (!err && *ring->name)
		err = grt_namemap_add(&n->rings_called, ring->name, 1);
	copy_text(ring->device, sizeof(ring->device), rec->device, sizeof(rec->device));
	copy_text(ring->driver, sizeof(ring->driver), rec->driver, sizeof(rec->driver));
	return err;
}

static bool is_same(const struct grt_process *a, const struct grt_process *b)
{
	return a->tgid == b->tgid && a->start_ns == b->start_ns &&
	       a->cgroup == b->cgroup && !strcmp(a->comm, b->comm);
}

/* Two numbers that stand for all of @p. */
static void hash_name(const struct grt_process *p, uint64_t hash[2])
{
	const uint64_t key[] = { p->tgid, p->start_ns, p->cgroup,
				 XXH64(p->comm, strlen(p->comm), 0) };

	hash[0] = XXH64(key, sizeof(key), 0);
	hash[1] = XXH64(key, sizeof(key), 1);
}

static int index_name(struct grt_names *n, uint32_t row)
{
	uint64_t hash[2];

	hash_name(process_at(n, row), hash);
	return grt_keymap_put(&n->row_of_name, hash[0], hash[1], row);
}

static uint32_t find_indexed(const struct grt_names *n, const struct grt_process *p)
{
	uint64_t hash[2];
	uint32_t row;

	hash_name(p, hash);
	row = grt_keymap_get(&n->row_of_name, hash[0], hash[1]);
	return row != GRT_NONE && is_same(process_at(n, row), p) ? row : GRT_NONE;
}

/*
 * The row like @p in the circle of @start, GRT_NONE: there is none.  @count: how many rows it
 * looked at, at most one more than FEW_NAMES.
 */
static uint32_t find_name(const struct grt_names *n, uint32_t start, const struct grt_process *p,
			  unsigned int *count)
{
	uint32_t row = start;

	do {
		if (is_same(process_at(n, row), p))
			return row;
		row = process_at(n, row)->sibling;
	} while (++*count <= FEW_NAMES && row != start);
	return *count > FEW_NAMES ? find_indexed(n, p) : GRT_NONE;
}

/* The circle of @start now has more than FEW_NAMES names: puts all of them into the index. */
static int index_all(struct grt_names *n, uint32_t start)
{
	uint32_t row = start;
	int err;

	do {
		err = index_name(n, row);
		row = process_at(n, row)->sibling;
	} while (!err && row != start);
	return err;
}

/* Keys of last_rows: the last row of a process, and that of all processes of its tgid. */
#define ANY_START	(1ull << 32)

/* Row @row is the latest of its process and of its tgid. */
static int set_last(struct grt_names *n, uint32_t row)
{
	const struct grt_process *p = process_at(n, row);
	int err;

	grt_keymap_del(&n->last_rows, p->tgid, p->start_ns);
	grt_keymap_del(&n->last_rows, p->tgid | ANY_START, 0);
	err = grt_keymap_put(&n->last_rows, p->tgid, p->start_ns, row);
	return err ? err : grt_keymap_put(&n->last_rows, p->tgid | ANY_START, 0, row);
}

/* Puts row @new behind the last row of the tgid of @start, so that the circle is in the order of rows. */
static int join_circle(struct grt_names *n, uint32_t start, uint32_t new)
{
	uint32_t last = grt_keymap_get(&n->last_rows, process_at(n, start)->tgid | ANY_START, 0);
	int err = 0;

	/* A tgid with one row, as most have, is not in the map. */
	if (last == GRT_NONE) {
		last = start;
		err = set_last(n, start);
	}
	process_at(n, new)->sibling = process_at(n, last)->sibling;
	process_at(n, last)->sibling = new;
	return err ? err : set_last(n, new);
}

/* Makes row @p, or finds the one like it; @start: another row of its tgid, or GRT_NONE. */
static uint32_t process_row(struct grt_names *n, uint32_t start, const struct grt_process *p)
{
	uint32_t new = grt_vec_count(&n->processes, struct grt_process);
	uint32_t row = GRT_NONE;
	unsigned int count = 0;
	struct grt_process *to;
	int err = 0;

	if (start != GRT_NONE)
		row = find_name(n, start, p, &count);
	if (row != GRT_NONE)
		return row;
	to = grt_vec_grow(&n->processes, sizeof(*to));
	if (!to)
		return GRT_NONE;
	*to = *p;
	to->sibling = new;
	if (start == GRT_NONE)
		return new;
	err = join_circle(n, start, new);
	if (!err && count == FEW_NAMES)
		err = index_all(n, start);
	else if (!err && count > FEW_NAMES)
		err = index_name(n, new);
	return err ? GRT_NONE : new;
}

/* A random weight for the tree of aliases, so that no crafted trace makes the tree deep. */
static uint64_t weight_of(uint32_t i)
{
	static uint64_t seed;

	if (!seed) {
		memcpy(&seed, (const void *)getauxval(AT_RANDOM), sizeof(seed));
		seed |= 1;
	}
	return (i + seed) * 0x9e3779b97f4a7c15ull ^ seed * (i | 1ull);
}

/* Nodes of tree @i that begin by @ns become *@older, the others *@newer. */
static void split(struct grt_names *n, uint32_t i, uint64_t ns, uint32_t *older, uint32_t *newer)
{
	while (i != GRT_NONE) {
		struct alias *a = alias_at(n, i);

		if (a->since_ns <= ns) {
			*older = i;
			older = &a->newer;
			i = a->newer;
		} else {
			*newer = i;
			newer = &a->older;
			i = a->older;
		}
	}
	*older = *newer = GRT_NONE;
}

/* Inserts alias @new into the tree of @root. */
static void insert(struct grt_names *n, uint32_t *root, uint32_t new)
{
	struct alias *a = alias_at(n, new);
	uint32_t i;

	while (*root != GRT_NONE && weight_of(*root) >= weight_of(new))
		root = alias_at(n, *root)->since_ns <= a->since_ns ? &alias_at(n, *root)->newer :
								     &alias_at(n, *root)->older;
	i = *root;
	*root = new;
	split(n, i, a->since_ns, &a->older, &a->newer);
}

static int add_alias(struct grt_names *n, uint64_t since_ns, const struct grt_process *p)
{
	uint32_t root = grt_keymap_get(&n->aliases_of, p->tgid, 0), old_root = root;
	uint32_t start = root == GRT_NONE ? GRT_NONE : alias_at(n, root)->process;
	uint32_t row = process_row(n, start, p);
	uint32_t new = grt_vec_count(&n->aliases, struct alias);
	struct alias *a;

	if (row == GRT_NONE)
		return -ENOMEM;
	a = grt_vec_grow(&n->aliases, sizeof(*a));
	if (!a)
		return -ENOMEM;
	*a = (struct alias){ since_ns, row, GRT_NONE, GRT_NONE };
	insert(n, &root, new);
	if (root == old_root)
		return 0;
	grt_keymap_del(&n->aliases_of, p->tgid, 0);
	return grt_keymap_put(&n->aliases_of, p->tgid, 0, root);
}

int grt_names_process(struct grt_names *n, const struct grtrace_process *rec)
{
	struct grt_process p = { .tgid = rec->tgid, .pidns = rec->pidns };

	p.cgroup = grt_cgroup_names_row(&n->cgroups, rec->cgroup_id);
	if (p.cgroup == GRT_NONE && rec->cgroup_id)
		return grt_fail_memory();
	if (rec->hdr.size >= sizeof(*rec))
		p.start_ns = rec->start_ns;
	copy_text(p.comm, sizeof(p.comm), rec->comm, sizeof(rec->comm));
	return add_alias(n, rec->hdr.ts, &p);
}

/* The row that counts at @ns: of the latest alias by then, or else of the first. */
static uint32_t row_at(const struct grt_names *n, uint32_t i, uint64_t ns)
{
	uint32_t latest = GRT_NONE, first = GRT_NONE;

	while (i != GRT_NONE) {
		const struct alias *a = alias_at(n, i);
		bool is_by_then = a->since_ns <= ns;

		*(is_by_then ? &latest : &first) = a->process;
		i = is_by_then ? a->newer : a->older;
	}
	/* A row may be written a little after the first event that needs it. */
	return latest != GRT_NONE ? latest : first;
}

uint32_t grt_names_process_row(struct grt_names *n, uint32_t tgid, uint64_t ts_ns)
{
	uint32_t i = grt_keymap_get(&n->aliases_of, tgid, 0);

	if (i == GRT_NONE) {
		struct grt_process p = { .tgid = tgid, .cgroup = GRT_NONE };

		if (!tgid)
			memcpy(p.comm, "kernel", sizeof("kernel"));
		if (add_alias(n, 0, &p))
			return GRT_NONE;
		i = grt_keymap_get(&n->aliases_of, tgid, 0);
	}
	return row_at(n, i, ts_ns);
}

uint32_t grt_names_process_find(const struct grt_names *n, uint32_t tgid, uint64_t ts_ns)
{
	return row_at(n, grt_keymap_get(&n->aliases_of, tgid, 0), ts_ns);
}

uint32_t grt_names_process_last(const struct grt_names *n, uint32_t process)
{
	const struct grt_process *p = process_at(n, process);
	uint32_t last = grt_keymap_get(&n->last_rows, p->tgid, p->start_ns);

	return last == GRT_NONE ? process : last;
}

const char *grt_names_driver(const struct grt_names *n, const char *device)
{
	for (size_t i = 0; *device && i < grt_vec_count(&n->rings, struct grt_ring); i++)
		if (!strcmp(grt_names_ring_at(n, i)->device, device))
			return grt_names_ring_at(n, i)->driver;
	return "";
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
	grt_machine_names_metadata(&n->machines, text);
	return 0;
}
