// SPDX-License-Identifier: LGPL-2.1
#include "remap.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "describe.h"
#include "error.h"

/* Fields with these names have these meanings, in every record type. */
static const struct {
	const char *name;
	enum grt_remap_kind kind;
} fields[] = {
	{ "ctx", GRT_REMAP_CTX }, { "dep_ctx", GRT_REMAP_CTX }, { "from_ctx", GRT_REMAP_CTX },
	{ "tgid", GRT_REMAP_PID }, { "tid", GRT_REMAP_PID }, { "prev_tid", GRT_REMAP_PID },
	{ "next_tid", GRT_REMAP_PID }, { "target_cpu", GRT_REMAP_CPU },
	{ "cgroup_id", GRT_REMAP_CGROUP },
	{ "ring", GRT_REMAP_RING }, { "hw_ring", GRT_REMAP_RING },
	{ "hw_done_ns", GRT_REMAP_TIME }, { "signaled_ns", GRT_REMAP_TIME },
	{ "vblank_ns", GRT_REMAP_TIME }, { "submit_ns", GRT_REMAP_TIME },
	{ "commit_ns", GRT_REMAP_TIME }, { "start_ns", GRT_REMAP_TIME },
	{ "end_ns", GRT_REMAP_TIME }, { "complete_ns", GRT_REMAP_TIME },
	{ "window_start_ns", GRT_REMAP_TIME }, { "mono_ns", GRT_REMAP_TIME },
	{ "own_ns", GRT_REMAP_TIME }, { "boot_ns", GRT_REMAP_TIME }, { "from_ns", GRT_REMAP_TIME }, { "to_ns", GRT_REMAP_TIME },
};

#define NR_FIELDS	(sizeof(fields) / sizeof(fields[0]))

/* The fields of each record type that need changes, in any order up to a NULL; found once. */
struct place {
	const struct grt_field *field;
	enum grt_remap_kind kind;
};

static _Thread_local struct place places[GRT_MAX_TYPES][NR_FIELDS + 1];
static _Thread_local bool has_places[GRT_MAX_TYPES];

static const struct place *places_of(const struct grt_type *type)
{
	size_t i = type - grt_types;
	struct place *to = places[i];

	for (size_t f = 0; f < NR_FIELDS && !has_places[i]; f++) {
		to->field = grt_field_by_name(type, fields[f].name);
		to->kind = fields[f].kind;
		to += to->field != NULL;
	}
	if (!has_places[i])
		to->field = NULL;
	has_places[i] = true;
	return places[i];
}

int grt_remap_number(const struct grt_remap *r, enum grt_remap_kind kind, uint64_t *number)
{
	static const struct {
		uint64_t unit;
		const char *text;
	} kinds[] = {
#define GRT_X(NAME, unit, text) { unit, text },
		GRT_REMAPS(GRT_X)
#undef GRT_X
	};

	if (*number / kinds[kind].unit >= r->boots)
		return grt_fail(EBADMSG, NULL, "%s %" PRIu64 " in '%s' is higher than any machine has",
				kinds[kind].text, *number, r->name);
	*number += r->first_boot * kinds[kind].unit;
	return 0;
}

uint64_t grt_remap_time(const struct grt_remap *r, uint64_t ns)
{
	/* Times before the start of all traces become their start. */
	if (r->shift_ns < 0 && ns < -(uint64_t)r->shift_ns)
		return 0;
	return ns + r->shift_ns;
}

static int remap_ring(struct grt_remap *r, uint64_t *number)
{
	uint64_t *ring = grt_map_put(&r->rings, *number);

	if (!ring)
		return grt_fail_memory();
	if (!*ring)
		*ring = ++*r->last_ring;
	*number = *ring;
	return 0;
}

static int remap_field(struct grt_remap *r, void *rec, const struct grt_field *f,
		       enum grt_remap_kind kind)
{
	uint64_t value = grt_field_u64(f, rec);
	int err = 0;

	if (!value)
		return 0;
	if (kind == GRT_REMAP_RING)
		err = remap_ring(r, &value);
	else if (kind == GRT_REMAP_TIME)
		value = grt_remap_time(r, value);
	else
		err = grt_remap_number(r, kind, &value);
	memcpy((char *)rec + f->offset, &value, f->bytes);
	return err;
}

int grt_remap_record(struct grt_remap *r, struct grtrace_hdr *rec)
{
	const struct grt_type *type = grt_type_by_number(rec->type);
	struct grtrace_loss *loss = (void *)rec;
	struct grtrace_machine *machine = (void *)rec;
	struct grtrace_peer *peer = (void *)rec;
	const struct place *place;
	int err = 0;

	if (rec->type == GRTRACE_LOSS && loss->from_ns < r->begin_ns)
		loss->from_ns = r->begin_ns;
	/* The only numbers that count from 0: they are those of the boot itself. */
	if (rec->type == GRTRACE_MACHINE)
		machine->boot += r->first_boot;
	if (rec->type == GRTRACE_PEER)
		peer->boot += r->first_boot;
	rec->ts = grt_remap_time(r, rec->ts);
	if (!type)
		return 0;
	for (place = places_of(type); place->field && !err; place++)
		err = remap_field(r, rec, place->field, place->kind);
	return err;
}
