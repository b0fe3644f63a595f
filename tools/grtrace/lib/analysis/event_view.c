// SPDX-License-Identifier: LGPL-2.1
#include "event_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "describe.h"
#include "error.h"
#include "key_names.h"

/* Who submitted the latest job of a context, and to which ring. */
struct owner {
	uint64_t seqno;
	uint32_t ring, tgid;
	bool has_moved;		/* the context's jobs went to several rings */
};

static uint64_t field_of(const struct grtrace_hdr *rec, const struct grt_type *type,
			 const char *name)
{
	const struct grt_field *f = grt_field_by_name(type, name);

	return f ? grt_field_u64(f, rec) : 0;
}

static int learn_owner(struct grt_event_names *n, const struct grtrace_submit *s)
{
	uint64_t *row = grt_map_put(&n->contexts, s->ctx);
	struct owner *o;

	if (!row)
		return grt_fail_memory();
	if (*row) {
		o = grt_vec_at(&n->owners, struct owner, *row - 1);
		o->has_moved |= o->ring != s->ring;
	} else {
		o = grt_vec_grow(&n->owners, sizeof(*o));
		if (!o)
			return grt_fail_memory();
		*row = grt_vec_count(&n->owners, struct owner);
		o->has_moved = false;
	}
	o->seqno = s->seqno;
	o->ring = s->ring;
	o->tgid = s->tgid;
	return 0;
}

int grt_event_names_learn(struct grt_event_names *n, const struct grtrace_hdr *rec)
{
	switch (rec->type) {
	case GRTRACE_RING:
		return grt_names_ring(&n->names, (const struct grtrace_ring *)rec);
	case GRTRACE_PROCESS:
		return grt_names_process(&n->names, (const struct grtrace_process *)rec);
	case GRTRACE_SUBMIT:
		return learn_owner(n, (const struct grtrace_submit *)rec);
	default:
		return 0;
	}
}

void grt_event_names_forget_contexts(struct grt_event_names *n, size_t most)
{
	if (grt_vec_count(&n->owners, struct owner) <= most)
		return;
	grt_map_free(&n->contexts);
	grt_vec_free(&n->owners);
}

void grt_event_names_free(struct grt_event_names *n)
{
	grt_names_free(&n->names);
	grt_map_free(&n->contexts);
	grt_vec_free(&n->owners);
	*n = (struct grt_event_names){ 0 };
}

/* The owner of @ctx; NULL: @ctx is 0, or its SUBMIT was not seen. */
static const struct owner *owner_of(const struct grt_event_names *n, uint64_t ctx)
{
	const uint64_t *row = ctx ? grt_map_get(&n->contexts, ctx) : NULL;

	return row ? grt_vec_at(&n->owners, struct owner, *row - 1) : NULL;
}

bool grt_event_view(struct grt_event_view *view, struct grt_event_names *n,
		    const struct grtrace_hdr *rec)
{
	const struct grt_type *type = grt_type_by_number(rec->type);
	const struct owner *owner = NULL;
	uint32_t ring, row;

	*view = (struct grt_event_view){ .rec = rec, .type = type };
	if (!type)
		return false;
	ring = field_of(rec, type, "ring");
	view->has_pid = grt_field_by_name(type, "tgid");
	view->pid = field_of(rec, type, "tgid");
	if (rec->type < GRTRACE_STREAM_BASE && (!ring || !view->has_pid))
		owner = owner_of(n, field_of(rec, type, "ctx"));
	if (owner && !view->has_pid) {
		view->has_pid = true;
		view->pid = owner->tgid;
	}
	if (owner && !ring && (!owner->has_moved ||
			       owner->seqno == field_of(rec, type, "seqno")))
		ring = owner->ring;
	row = ring ? grt_names_ring_row(&n->names, ring) : GRT_NONE;
	if (row != GRT_NONE)
		view->ring = grt_names_ring_at(&n->names, row);
	/* grt_names_process_row() adds rows, and a damaged trace may have millions of pids. */
	if (view->has_pid && grt_keymap_get(&n->names.aliases_of, view->pid, 0) != GRT_NONE) {
		row = grt_names_process_row(&n->names, view->pid, rec->ts);
		view->process = grt_names_process_at(&n->names, row);
	}
	return true;
}

bool grt_event_is_of_job(const struct grt_event_view *view, uint64_t ctx, uint64_t seqno)
{
	static const char *const keys[][2] = { { "ctx", "seqno" }, { "dep_ctx", "dep_seqno" } };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (grt_field_by_name(view->type, keys[i][0]) &&
		    field_of(view->rec, view->type, keys[i][0]) == ctx &&
		    field_of(view->rec, view->type, keys[i][1]) == seqno)
			return true;
	return false;
}

static void set_u64(struct grt_cell *cell, uint64_t value)
{
	cell->kind = GRT_CELL_U64;
	cell->number = value;
}

static void set_name(struct grt_cell *cell, const char *name)
{
	cell->kind = *name ? GRT_CELL_TEXT : GRT_CELL_UNKNOWN;
	cell->text = name;
}

enum header { HDR_TYPE, HDR_CPU, HDR_TS, HDR_FLAGS, HDR_GSEQ, HDR_CSEQ, HDR_RING, HDR_PID, HDR_COMM };

static void get_header(struct grt_cell *cell, const struct grt_view *view, int which)
{
	const struct grt_event_view *ev = view->event;

	switch ((enum header)which) {
	case HDR_TYPE:
		set_name(cell, ev->type->name);
		break;
	case HDR_CPU:
		set_u64(cell, ev->rec->cpu);
		break;
	case HDR_TS:
		set_u64(cell, ev->rec->ts);
		break;
	case HDR_GSEQ:
		set_u64(cell, ev->rec->gseq);
		break;
	case HDR_CSEQ:
		set_u64(cell, ev->rec->cseq);
		break;
	case HDR_PID:
		if (ev->has_pid)
			set_u64(cell, ev->pid);
		break;
	case HDR_COMM:
		if (ev->process)
			set_name(cell, ev->process->comm);
		break;
	case HDR_FLAGS:		/* compared with grt_event_has_flag() */
	case HDR_RING:		/* compared with grt_ring_is() */
		break;
	}
}

static enum grt_column_kind kind_of(const struct grt_field *f)
{
	if (!f || f->kind == GRT_KIND_TEXT)
		return GRT_COLUMN_NAME;
	if (grt_field_enum(f))
		return GRT_COLUMN_ENUM;
	if (f->kind == GRT_KIND_SINT)
		return GRT_COLUMN_SIGNED;
	return f->unit == GRT_UNIT_NS ? GRT_COLUMN_NS : GRT_COLUMN_NUMBER;
}

static void get_field(struct grt_cell *cell, const struct grt_view *view, int which);

#define MAX_COLUMNS	160

/* Adds a column, unless there is one of that name.  Returns the new count. */
static size_t add(struct grt_column *columns, size_t count, const char *name,
		  enum grt_column_kind kind)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(columns[i].name, name))
			return count;
	/* Else a field would silently have no column. */
	if (count == MAX_COLUMNS)
		abort();
	columns[count] = (struct grt_column){ name, get_field, count, kind };
	return count + 1;
}

const struct grt_column *grt_event_columns(size_t *count)
{
	static struct grt_column columns[MAX_COLUMNS] = {
		{ "type", get_header, HDR_TYPE, GRT_COLUMN_ENUM },
		{ "cpu", get_header, HDR_CPU, GRT_COLUMN_NUMBER },
		{ "ts", get_header, HDR_TS, GRT_COLUMN_NS },
		{ "flags", get_header, HDR_FLAGS, GRT_COLUMN_EVENT_FLAGS },
		{ "gseq", get_header, HDR_GSEQ, GRT_COLUMN_NUMBER },
		{ "cseq", get_header, HDR_CSEQ, GRT_COLUMN_NUMBER },
		{ "ring", get_header, HDR_RING, GRT_COLUMN_RING },
		{ "pid", get_header, HDR_PID, GRT_COLUMN_NUMBER },
		{ "comm", get_header, HDR_COMM, GRT_COLUMN_NAME },
	};
	static size_t made;

	if (made) {
		*count = made;
		return columns;
	}
	made = HDR_COMM + 1;
	for (size_t i = 0; i < grt_nr_types; i++) {
		const struct grt_type *type = &grt_types[i];
		const struct grt_tail *tail = grt_type_tail(type);

		for (unsigned int j = 0; j < type->nr_fields; j++)
			if (type->fields[j].kind != GRT_KIND_RSVD)
				made = add(columns, made, type->fields[j].name,
					   kind_of(&type->fields[j]));
		if (tail)
			made = add(columns, made, tail->name, GRT_COLUMN_NAME);
	}
	*count = made;
	return columns;
}

static void copy_text(struct grt_cell *cell, const char *text, size_t bytes)
{
	if (bytes > sizeof(cell->buf) - 1)
		bytes = sizeof(cell->buf) - 1;
	memcpy(cell->buf, text, bytes);
	cell->buf[bytes] = '\0';
	set_name(cell, cell->buf);
}

static void get_field(struct grt_cell *cell, const struct grt_view *view, int which)
{
	const struct grt_event_view *ev = view->event;
	size_t count, bytes;
	const struct grt_column *c = grt_event_columns(&count) + which;
	const struct grt_field *f = grt_field_by_name(ev->type, c->name);
	const struct grt_tail *tail = grt_type_tail(ev->type);
	const char *text;

	if (!f && (!tail || strcmp(tail->name, c->name)))
		return;
	/* Two types may have a field of this name; the first type decides how to compare. */
	if (kind_of(f) != c->kind)
		return;
	if (c->kind == GRT_COLUMN_NAME) {
		text = grt_field_text(ev->type, f, ev->rec, &bytes);
		copy_text(cell, text, bytes);
	} else if (c->kind == GRT_COLUMN_ENUM) {
		text = grt_value_name(grt_field_enum(f), grt_field_u64(f, ev->rec));
		if (text)
			set_name(cell, text);
	} else if (c->kind == GRT_COLUMN_SIGNED) {
		cell->kind = GRT_CELL_S64;
		cell->signed_number = grt_field_u64(f, ev->rec);
	} else {
		set_u64(cell, grt_field_u64(f, ev->rec));
	}
}

/* The names of a column's values; NULL: the column is "type". */
static const struct grt_table *table_of(const struct grt_column *c)
{
	for (size_t i = 0; c->get == get_field && i < grt_nr_types; i++) {
		const struct grt_field *f = grt_field_by_name(&grt_types[i], c->name);

		if (f && grt_field_enum(f))
			return grt_field_enum(f);
	}
	return NULL;
}

const char *grt_event_value_find(const struct grt_column *c, const char *word)
{
	const struct grt_table *table = table_of(c);
	const struct grt_type *type = table ? NULL : grt_type_by_name(word);

	for (size_t i = 0; table && i < table->count; i++)
		if (!strcasecmp(table->values[i].name, word))
			return table->values[i].name;
	return type ? type->name : NULL;
}

void grt_event_value_list(const struct grt_column *c, char *to, size_t bytes)
{
	const struct grt_table *table = table_of(c);
	size_t count = table ? table->count : grt_nr_types, at = 0;

	for (size_t i = 0; i < count && at < bytes; i++)
		at += snprintf(to + at, bytes - at, "%s%s", i ? " " : "",
			       table ? table->values[i].name : grt_types[i].name);
}

bool grt_event_has_flag(const struct grtrace_hdr *rec, unsigned int flag)
{
	const struct grt_value *v = &grt_flags.values[flag];
	uint32_t types = rec->type < 32 ? 1u << rec->type : 0;

	return rec->flags >> v->number & 1 && (v->types & types || v->types == ~0u);
}

int grt_event_flag_find(const char *name)
{
	for (size_t i = 0; i < grt_flags.count; i++)
		if (!strcasecmp(grt_flags.values[i].name, name))
			return i;
	return -1;
}
