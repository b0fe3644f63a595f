// SPDX-License-Identifier: LGPL-2.1
/*
 * The trace events of grtrace's own module: each mirrors a record, and becomes that record again.
 * Their texts leave out some members, which are then 0: not known.
 */
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "import_private.h"

/* The slots of the members of records. */
static const struct {
	const char *member;
	enum grt_slot_nr slot;
} members[] = {
	{ "ctx", GRT_IN_CTX }, { "seqno", GRT_IN_SEQNO },
	{ "tgid", GRT_IN_PID }, { "tid", GRT_IN_TID }, { "client_id", GRT_IN_CLIENT },
	{ "credits", GRT_IN_CREDITS }, { "hw_credits", GRT_IN_HW_CREDITS },
	{ "queue_depth", GRT_IN_QUEUED },
	{ "num_ibs", GRT_IN_IBS }, { "command", GRT_IN_COMMAND },
	{ "status", GRT_IN_STATUS }, { "hw_done_ns", GRT_IN_STAMP }, { "signaled_ns", GRT_IN_STAMP },
	{ "dep_ctx", GRT_IN_DEP_CTX }, { "dep_seqno", GRT_IN_DEP_SEQNO },
	{ "vmid", GRT_IN_VMID }, { "from_ctx", GRT_IN_FROM_CTX },
	{ "code", GRT_IN_CODE }, { "driver_code", GRT_IN_DRIVER_CODE },
};

static bool is_name(struct grt_piece piece, const char *name)
{
	return strlen(name) == piece.len && !memcmp(name, piece.at, piece.len);
}

/* The number of a name of a table; false if it has none. */
static bool number_of(const struct grt_table *table, struct grt_piece name, uint64_t *number)
{
	for (size_t i = 0; i < table->count; i++)
		if (is_name(name, table->values[i].name)) {
			*number = table->values[i].number;
			return true;
		}
	return false;
}

/* "BLOCKED|POPPED"; "none" is no flag's name. */
static unsigned int flags_of(const struct grt_foreign *ev)
{
	struct grt_piece left = ev->piece[GRT_IN_FLAG_NAMES], name;
	unsigned int flags = 0;
	const char *bar;
	uint64_t bit;

	if (grt_foreign_has(ev, GRT_IN_FLAGS))
		return ev->number[GRT_IN_FLAGS];
	if (!grt_foreign_has(ev, GRT_IN_FLAG_NAMES))
		return 0;
	for (; left.len; left = (struct grt_piece){ bar + 1, left.at + left.len - bar - 1 }) {
		bar = memchr(left.at, '|', left.len);
		name = (struct grt_piece){ left.at, bar ? (size_t)(bar - left.at) : left.len };
		if (number_of(&grt_flags, name, &bit))
			flags |= 1u << bit;
		if (!bar)
			break;
	}
	return flags;
}

static uint64_t value_of(const struct grt_foreign *ev, enum grt_slot_nr slot)
{
	uint64_t number = grt_foreign_has(ev, slot) ? ev->number[slot] : 0;

	/* A code without a name is a number, and a blank is behind it. */
	if (slot == GRT_IN_CODE && grt_foreign_has(ev, GRT_IN_CODE_NAME) &&
	    !number_of(&grt_enums[GRT_KIND_ERRCODE - GRT_KIND_ENGINE], ev->piece[GRT_IN_CODE_NAME],
		       &number))
		number = strtoull(ev->piece[GRT_IN_CODE_NAME].at, NULL, 0);
	/* A text has an error without a name as a positive number. */
	if (slot == GRT_IN_STATUS && (int64_t)number > 0)
		number = -number;
	return number;
}

/* The module names a ring that it does not know "-". */
static uint32_t ring_of(struct grt_import *im, const struct grt_foreign *ev)
{
	uint64_t engine;
	uint32_t ring;

	if (!grt_foreign_has(ev, GRT_IN_RING) || is_name(ev->piece[GRT_IN_RING], "-"))
		return 0;
	ring = grt_ring_of(im, ev);
	if (grt_foreign_has(ev, GRT_IN_ENGINE))
		engine = ev->number[GRT_IN_ENGINE];
	else if (!number_of(&grt_enums[0], ev->piece[GRT_IN_ENGINE_NAME], &engine))
		return ring;
	if (ring && engine < GRTRACE_NR_ENGINES)
		grt_out_ring_engine(&im->rings, ring, engine);
	return ring;
}

/* Tells other events what this one is evidence of. */
static void learn(struct grt_import *im, const struct grt_foreign *ev, unsigned int type,
		  uint32_t ring)
{
	struct grt_ctx_row *row;

	switch (type) {
	case GRTRACE_DEPENDENCY:
		grt_note(im, GRT_FACT_DEPENDENCY);
		row = grt_ctxs_row(&im->ctxs, ev->number[GRT_IN_DEP_CTX]);
		if (row)
			row->is_dep = true;
		return;
	case GRTRACE_SUBMIT:
	case GRTRACE_COMMIT:
		grt_note(im, GRT_FACT_SCHED);
		break;
	case GRTRACE_END:
		grt_note(im, GRT_FACT_END);
		grt_note(im, GRT_FACT_OVER);
		break;
	case GRTRACE_COMPLETE:
		grt_note(im, GRT_FACT_COMPLETE);
		grt_note(im, GRT_FACT_OVER);
		break;
	default:
		return;
	}
	row = grt_ctxs_row(&im->ctxs, ev->number[GRT_IN_CTX]);
	if (!row)
		return;
	row->is_job = true;
	if (ring)
		row->ring = ring;
	if (type == GRTRACE_COMPLETE)
		grt_note_signaled(row, ev->number[GRT_IN_SEQNO]);
}

/* It tells nothing about jobs. */
void grt_on_clock_sync(struct grt_import *im, const struct grt_foreign *ev)
{
	(void)im;
	(void)ev;
}

void grt_on_module(struct grt_import *im, const struct grt_foreign *ev)
{
	const struct grt_type *type = grt_type_by_name(ev->kind->name);
	uint32_t ring = ring_of(im, ev);
	struct grtrace_hdr *rec;
	size_t bytes = type->bytes;

	learn(im, ev, type->number, ring);
	if (type->number == GRTRACE_SUBMIT && !value_of(ev, GRT_IN_IBS) &&
	    !value_of(ev, GRT_IN_COMMAND))
		bytes = type->least;
	rec = grt_out_add(&im->out, ev->cpu, ev->ts, type->number, bytes, flags_of(ev));
	if (!rec)
		return;
	for (unsigned int i = 0; i < type->nr_fields; i++) {
		const struct grt_field *f = &type->fields[i];
		uint64_t number = ring;
		size_t at = 0;

		while (at < sizeof(members) / sizeof(*members) && strcmp(members[at].member, f->name))
			at++;
		if (at < sizeof(members) / sizeof(*members))
			number = value_of(ev, members[at].slot);
		else if (strcmp(f->name, "ring") != 0)
			continue;	/* reserved */
		if (f->offset + f->bytes <= bytes)
			memcpy((char *)rec + f->offset, &number, f->bytes);
	}
	if (type->number == GRTRACE_SUBMIT)
		grt_out_procs_name(&im->procs, ev->number[GRT_IN_PID], ev);
}
