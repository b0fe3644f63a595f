// SPDX-License-Identifier: LGPL-2.1
#include "defs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "cursor.h"
#include "error.h"
#include "stream.h"

struct row {
	const struct grtrace_hdr *hdr;
	uint64_t ts;
	size_t nth;
};

static int add_info(struct grt_defs *defs, const struct grtrace_stream_info *info)
{
	if (info->magic != GRTRACE_STREAM_MAGIC)
		return grt_fail(EBADMSG, "read it on a little-endian machine",
				"the stream of CPU %u has a wrong magic", info->hdr.cpu);
	if (info->version > GRTRACE_FORMAT_VERSION)
		return grt_fail(EBADMSG, "read it with the grtrace that recorded it, or a newer one",
				"the trace has format version %u, this grtrace (%s) reads up to %u",
				info->version, GRT_VERSION, GRTRACE_FORMAT_VERSION);
	if (!defs->has_info) {
		defs->has_info = true;
		defs->info = *info;
		return 1;
	}
	if (!grt_is_one_session(info, &defs->info))
		return grt_fail(EBADMSG, "name one of them with --session",
				"two sessions in one trace: %" PRIu64 " started at %" PRIu64
				" ns, %" PRIu64 " at %" PRIu64 " ns",
				(uint64_t)defs->info.session_id, (uint64_t)defs->info.start_ns,
				(uint64_t)info->session_id, (uint64_t)info->start_ns);
	return 0;
}

uint64_t grt_defs_hash(const struct grtrace_hdr *def)
{
	return XXH64(def + 1, def->size - sizeof(*def), 0);
}

uint64_t grt_defs_key(const struct grtrace_hdr *def, uint64_t hash)
{
	uint64_t id = 0;

	switch (def->type) {
	case GRTRACE_RING:
		id = ((const struct grtrace_ring *)def)->ring;
		break;
	case GRTRACE_PROCESS:
		id = ((const struct grtrace_process *)def)->tgid;
		break;
	case GRTRACE_MACHINE:
		id = ((const struct grtrace_machine *)def)->boot;
		break;
	case GRTRACE_CGROUP:
		id = ((const struct grtrace_cgroup *)def)->cgroup_id;
		return (uint64_t)def->type << 48 ^ XXH64(&id, sizeof(id), 0);
	case GRTRACE_STACK_TEXT:
		return ((const struct grtrace_stack_text *)def)->stack;
	case GRTRACE_POLICY:
	case GRTRACE_CLOCK:
	case GRTRACE_PEER:
	case GRTRACE_STATS:
	case GRTRACE_NOTE:
	case GRTRACE_SNAPSHOT:
		return hash ^ def->ts;	/* every CLOCK and PEER record counts */
	}
	return (uint64_t)def->type << 32 | id;
}

int grt_defs_add(struct grt_defs *defs, const struct grtrace_hdr *def)
{
	uint64_t hash, *latest, key;
	size_t before = grt_map_count(&defs->latest);
	bool is_new;

	if (def->type == GRTRACE_STREAM_INFO)
		return add_info(defs, (const struct grtrace_stream_info *)def);
	hash = grt_defs_hash(def);
	key = grt_defs_key(def, hash);
	latest = grt_map_put(&defs->latest, key);
	if (!latest)
		return grt_fail_memory();
	is_new = grt_map_count(&defs->latest) > before;
	/* METADATA is passed on once, because its text has counters that differ from CPU to CPU. */
	if (!is_new && (*latest == hash || def->type == GRTRACE_METADATA))
		return 0;
	*latest = hash;
	return 1;
}

/* Sort order: STREAM_INFO, then METADATA, then the rest by time. */
static int rank(const struct grtrace_hdr *def)
{
	if (def->type == GRTRACE_STREAM_INFO)
		return 0;
	return def->type == GRTRACE_METADATA ? 1 : 2;
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (rank(x->hdr) != rank(y->hdr))
		return rank(x->hdr) - rank(y->hdr);
	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return x->nth < y->nth ? -1 : x->nth > y->nth;
}

static int sort_rows(const void *data, size_t bytes, struct grt_vec *rows)
{
	struct grt_cursor c = grt_cursor(data, bytes);
	const struct grtrace_hdr *hdr;
	struct row row = { 0 };
	int err;

	while ((hdr = grt_take_record(&c))) {
		row = (struct row){ hdr, hdr->ts, row.nth + 1 };
		err = grt_vec_append(rows, &row, sizeof(row));
		if (err)
			return err;
	}
	if (c.failed)
		grt_warn(NULL, "definitions are corrupt: some names may be missing");
	if (rows->bytes)
		qsort(rows->data, grt_vec_count(rows, struct row), sizeof(row), compare_rows);
	return 0;
}

/* Whether a definition must come before the first event, whatever its time. */
static bool goes_first(const struct grtrace_hdr *def, bool is_first_of_key)
{
	switch (def->type) {
	case GRTRACE_POLICY:
	case GRTRACE_CLOCK:
	case GRTRACE_PEER:
	case GRTRACE_STATS:
		return false;
	}
	return is_first_of_key;
}

int grt_defs_collect(struct grt_defs *defs, const void *data, size_t bytes)
{
	struct grt_vec rows = { 0 };
	int err = sort_rows(data, bytes, &rows);

	for (size_t i = 0; !err && i < grt_vec_count(&rows, struct row); i++) {
		const struct grtrace_hdr *def = grt_vec_at(&rows, struct row, i)->hdr;
		size_t keys = grt_map_count(&defs->latest);
		bool is_first;

		if (!grt_type_by_number(def->type)) {
			defs->unknown++;
			continue;
		}
		err = grt_defs_add(defs, def);
		if (err != 1)
			continue;
		is_first = def->type == GRTRACE_STREAM_INFO || grt_map_count(&defs->latest) > keys;
		err = grt_vec_append(goes_first(def, is_first) ? &defs->first : &defs->later,
				     &def, sizeof(def));
	}
	grt_vec_free(&rows);
	return err < 0 ? err : 0;
}

const struct grtrace_hdr *grt_defs_keep(struct grt_defs *defs, const struct grtrace_hdr *def)
{
	struct grtrace_hdr *copy = malloc(def->size);

	if (!copy || grt_vec_append(&defs->kept, &copy, sizeof(copy))) {
		free(copy);
		return NULL;
	}
	memcpy(copy, def, def->size);
	return copy;
}

void grt_defs_free(struct grt_defs *defs)
{
	grt_vec_free(&defs->first);
	grt_vec_free(&defs->later);
	for (size_t i = 0; i < grt_vec_count(&defs->kept, void *); i++)
		free(*grt_vec_at(&defs->kept, void *, i));
	grt_vec_free(&defs->kept);
	grt_map_free(&defs->latest);
}
