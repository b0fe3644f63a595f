// SPDX-License-Identifier: GPL-2.0
#include "kept.h"

#include <string.h>

#include "cursor.h"
#include "error.h"
#include "task_end.h"

struct kept_row {
	uint64_t key, hash;
	uint64_t over_ns;	/* when it was replaced, or its process was first seen to have ended; 0: neither */
	bool is_replaced;
};

static struct kept_row *row_at(const struct grt_kept *k, size_t i)
{
	return grt_vec_at(&k->rows, struct kept_row, i);
}

static uint64_t key_of(const struct grtrace_hdr *def, uint64_t hash)
{
	uint64_t key = grt_defs_key(def, hash);

	/* Each CPU has its own STREAM_INFO. */
	return def->type == GRTRACE_STREAM_INFO ? key | def->cpu : key;
}

static void replace(struct grt_kept *k, uint32_t nr, uint64_t now_ns)
{
	row_at(k, nr)->is_replaced = true;
	row_at(k, nr)->over_ns = now_ns;
	grt_keymap_del(&k->in_force, row_at(k, nr)->key, 0);
}

/* Replaces the ring that had the row of @def before it. */
static void replace_ring(struct grt_kept *k, const struct grtrace_ring *def, uint64_t now_ns)
{
	struct grtrace_ring gone = { .hdr.type = GRTRACE_RING };
	uint32_t nr;

	gone.ring = def->ring;
	while (k->ring_rows && gone.ring > k->ring_rows) {
		gone.ring -= k->ring_rows;
		nr = grt_keymap_get(&k->in_force, key_of(&gone.hdr, 0), 0);
		if (nr == GRT_NONE)
			continue;
		replace(k, nr, now_ns);
		return;
	}
}

static int add(struct grt_kept *k, const struct grtrace_hdr *def, uint64_t now_ns)
{
	struct kept_row row = { .hash = grt_defs_hash(def) };
	uint32_t nr = grt_vec_count(&k->rows, struct kept_row), latest;

	row.key = key_of(def, row.hash);
	latest = grt_keymap_get(&k->in_force, row.key, 0);
	/* METADATA is kept once, because its text has counters that differ from CPU to CPU. */
	if (latest != GRT_NONE && (row_at(k, latest)->hash == row.hash || def->type == GRTRACE_METADATA))
		return 0;
	if (grt_vec_append(&k->records, def, def->size) || grt_vec_append(&k->rows, &row, sizeof(row)))
		return grt_fail_memory();
	if (latest != GRT_NONE)
		replace(k, latest, now_ns);
	else if (def->type == GRTRACE_RING)
		replace_ring(k, (const void *)def, now_ns);
	return grt_keymap_put(&k->in_force, row.key, 0, nr);
}

int grt_kept_add(struct grt_kept *k, const struct grt_run *run, uint64_t now_ns)
{
	struct grt_cursor c = grt_cursor(run->data, run->bytes);
	const struct grtrace_hdr *def;
	int err = 0;

	while (!err && (def = grt_take_record(&c))) {
		if (def->type == GRTRACE_STREAM_INFO)
			err = grt_defs_add(&k->stream, def);
		err = err < 0 ? err : add(k, def, now_ns);
	}
	return err;
}

/* Notes whether the process has ended: its number may be that of a new one by now. */
static void look_at_process(struct kept_row *row, uint32_t tgid, uint64_t now_ns)
{
	if (row->is_replaced)
		return;
	if (!grt_task_has_ended(tgid))
		row->over_ns = 0;
	else if (!row->over_ns)
		row->over_ns = now_ns;
}

/* Whether an event in memory may need @def.  Only of processes and rings is that known. */
static bool is_named(const struct grt_named *named, const struct grtrace_hdr *def, uint64_t over_ns)
{
	const uint64_t *first_ns;

	if (def->type == GRTRACE_PROCESS)
		first_ns = grt_map_get(&named->tasks, ((const struct grtrace_process *)def)->tgid);
	else if (def->type == GRTRACE_RING)
		first_ns = grt_map_get(&named->rings, ((const struct grtrace_ring *)def)->ring);
	else
		return true;
	return first_ns && *first_ns <= over_ns;
}

static bool is_needed(struct kept_row *row, const struct grtrace_hdr *def, uint64_t now_ns, const struct grt_named *named)
{
	if (def->type == GRTRACE_PROCESS)
		look_at_process(row, ((const struct grtrace_process *)def)->tgid, now_ns);
	if (!row->over_ns || now_ns - row->over_ns < GRT_KEPT_NS)
		return true;
	return named && is_named(named, def, row->over_ns);
}

static int index_again(struct grt_kept *k)
{
	int err = 0;

	grt_keymap_free(&k->in_force);
	for (size_t i = 0; !err && i < grt_vec_count(&k->rows, struct kept_row); i++)
		if (!row_at(k, i)->is_replaced)
			err = grt_keymap_put(&k->in_force, row_at(k, i)->key, 0, i);
	return err;
}

int grt_kept_prune(struct grt_kept *k, uint64_t now_ns, const struct grt_named *named)
{
	struct grt_cursor c = grt_cursor(k->records.data, k->records.bytes);
	size_t i = 0, rows = 0, bytes = 0;
	const struct grtrace_hdr *def;

	for (; (def = grt_take_record(&c)); i++) {
		size_t size = def->size;

		if (!is_needed(row_at(k, i), def, now_ns, named))
			continue;
		*row_at(k, rows++) = *row_at(k, i);
		memmove((char *)k->records.data + bytes, def, size);
		bytes += size;
	}
	k->records.bytes = bytes;
	k->rows.bytes = rows * sizeof(struct kept_row);
	return rows < i ? index_again(k) : 0;
}

void grt_kept_free(struct grt_kept *k)
{
	grt_vec_free(&k->records);
	grt_vec_free(&k->rows);
	grt_keymap_free(&k->in_force);
	grt_defs_free(&k->stream);
}
