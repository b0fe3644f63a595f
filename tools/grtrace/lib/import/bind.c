// SPDX-License-Identifier: LGPL-2.1
#include "bind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>

#include "error.h"
#include "import_private.h"

#define MAX_FIELDS	24
#define MAX_EVENT_ID	65536

/* How this trace stores an event. */
struct grt_bound {
	bool is_bound;
	const struct grt_event_kind *kind;
	struct tep_event *event;
	unsigned int nr_fields;
	struct bound_field *fields;	/* owned */
};

struct bound_field {
	enum grt_slot_nr slot;
	const struct tep_format_field *field;
	unsigned int index;		/* of an element of an array */
};

int grt_binder_create(struct grt_binder *b, struct tep_handle *tep,
		      const struct grt_event_kind *kinds, size_t nr_kinds)
{
	*b = (struct grt_binder){
		.tep = tep, .kinds = kinds, .nr_kinds = nr_kinds,
		.bounds = calloc(MAX_EVENT_ID, sizeof(*b->bounds)),
	};
	return b->bounds ? 0 : grt_fail_memory();
}

void grt_binder_free(struct grt_binder *b)
{
	for (size_t i = 0; b->bounds && i < MAX_EVENT_ID; i++)
		free(b->bounds[i].fields);
	free(b->bounds);
	b->bounds = NULL;
}

/* Some events store the address of a text, which is of no use: virtio-gpu's before Linux 6.2. */
static bool is_address(enum grt_slot_nr slot, const struct tep_format_field *field)
{
	return grt_slots[slot].kind == GRT_SLOT_TEXT && field->flags & TEP_FIELD_IS_POINTER;
}

/* Parses "slot:field|field slot:field[2]" and keeps the fields that this trace has. */
static void bind_fields(struct grt_bound *b)
{
	const char *at = b->kind->fields;

	b->fields = calloc(MAX_FIELDS, sizeof(*b->fields));
	if (!b->fields)
		grt_fail_memory();
	while (b->fields && *at && b->nr_fields < MAX_FIELDS) {
		size_t len = strcspn(at, ":");
		int slot = grt_slot_named(at, len);
		const struct tep_format_field *field = NULL;
		unsigned int index = 0;

		for (at += len; *at == ':' || *at == '|'; at += len) {
			char name[32];

			len = strcspn(++at, "| ");
			snprintf(name, sizeof(name), "%.*s", (int)len, at);
			if (sscanf(name, "%*[^[][%u]", &index) == 1)
				*strchr(name, '[') = '\0';
			if (!field)
				field = tep_find_field(b->event, name);
		}
		at += *at == ' ';
		if (field && slot >= 0 && !is_address(slot, field))
			b->fields[b->nr_fields++] = (struct bound_field){ slot, field, index };
	}
}

/* Events of others, and those that grtrace export writes, may have the name of one of the module. */
static bool is_module_event(struct tep_event *event)
{
	const struct tep_format_field *flags = tep_find_field(event, "flags");

	return !strcmp(event->system, "grtrace") &&
	       (flags ? flags->size == 2 : tep_find_field(event, "mono_ns") != NULL);
}

static const struct grt_event_kind *kind_of(const struct grt_binder *b, struct tep_event *event)
{
	const struct grt_piece name = { event->name, strlen(event->name) };
	const struct grt_event_kind *kind = grt_event_kind_find(b->kinds, b->nr_kinds, name);

	while (kind && grt_is_module_kind(kind) && !is_module_event(event))
		kind = grt_event_kind_find(kind + 1, b->kinds + b->nr_kinds - kind - 1, name);
	return kind;
}

static struct grt_bound *bound_of(struct grt_binder *b, int id)
{
	struct grt_bound *bound;

	if (id < 0 || id >= MAX_EVENT_ID)
		return NULL;
	bound = &b->bounds[id];
	if (bound->is_bound)
		return bound->event ? bound : NULL;
	bound->is_bound = true;
	bound->event = tep_find_event(b->tep, id);
	if (!bound->event)
		return NULL;
	bound->kind = kind_of(b, bound->event);
	if (bound->kind)
		bind_fields(bound);
	return bound;
}

bool grt_bind_text(struct grt_binder *b, const struct tep_record *record,
		   const struct tep_format_field *f, struct grt_piece *text)
{
	size_t at = f->offset, len = f->size;

	if (f->offset < 0 || f->size < 0 || at + len > (size_t)record->size)
		return false;
	if (f->flags & TEP_FIELD_IS_DYNAMIC) {
		uint32_t loc = tep_read_number(b->tep, (char *)record->data + at, 4);

		at = (loc & 0xffff) + (f->flags & TEP_FIELD_IS_RELATIVE ? at + len : 0);
		len = loc >> 16;
	} else if (!len) {
		len = record->size - at;	/* "char buf[]" */
	}
	if (at > (size_t)record->size || len > record->size - at)
		return false;
	text->at = (char *)record->data + at;
	text->len = strnlen(text->at, len);
	return true;
}

/* Element @index of an array, or a field that is none. */
static bool bind_element(struct grt_binder *b, const struct tep_record *record,
			 const struct tep_format_field *f, unsigned int index, uint64_t *value)
{
	bool is_array = f->flags & TEP_FIELD_IS_ARRAY;
	int bytes = is_array ? (int)f->elementsize : f->size;
	int64_t at = f->offset + (int64_t)index * bytes;

	if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
		return false;
	if (f->offset < 0 || at + bytes > record->size || (is_array && at + bytes > f->offset + f->size))
		return false;
	*value = tep_read_number(b->tep, (char *)record->data + at, bytes);
	if (f->flags & TEP_FIELD_IS_SIGNED && bytes == 4)
		*value = (int64_t)(int32_t)*value;
	return true;
}

bool grt_bind_number(struct grt_binder *b, const struct tep_record *record,
		     const struct tep_format_field *f, uint64_t *value)
{
	return !(f->flags & TEP_FIELD_IS_ARRAY) && bind_element(b, record, f, 0, value);
}

static void fill_slot(struct grt_binder *b, const struct tep_record *record,
		      const struct bound_field *f, struct grt_foreign *ev)
{
	struct grt_piece text;
	uint64_t value;

	if (grt_slots[f->slot].kind != GRT_SLOT_TEXT) {
		if (bind_element(b, record, f->field, f->index, &value))
			grt_foreign_set(ev, f->slot, value);
	} else if (grt_bind_text(b, record, f->field, &text)) {
		grt_foreign_put(ev, f->slot, text.at, text.len);
	}
}

struct tep_event *grt_bind(struct grt_binder *b, struct tep_record *record, struct grt_foreign *ev)
{
	struct grt_bound *bound = bound_of(b, tep_data_type(b->tep, record));

	if (!bound)
		return NULL;
	ev->kind = bound->kind;
	ev->name = (struct grt_piece){ bound->event->name, strlen(bound->event->name) };
	for (unsigned int i = 0; i < bound->nr_fields; i++)
		fill_slot(b, record, &bound->fields[i], ev);
	return bound->event;
}
