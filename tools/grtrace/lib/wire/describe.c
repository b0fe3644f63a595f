// SPDX-License-Identifier: LGPL-2.1
#include "describe.h"

#include <string.h>
#include <strings.h>

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

#define ROW(ev, member, at, kind, unit, text)					\
	{ #member, text, offsetof(struct grtrace_##ev, member),			\
	  sizeof(((struct grtrace_##ev *)0)->member), GRT_KIND_##kind, GRT_UNIT_##unit },

#define FIELDS(ev, LIST) static const struct grt_field ev##_fields[] = { LIST(ROW) };
GRTRACE_FIELD_LISTS(FIELDS)

const struct grt_field grt_hdr_fields[] = { GRTRACE_HDR_FIELDS(ROW) };
const size_t grt_nr_hdr_fields = COUNT(grt_hdr_fields);

/* The size of the first version of each struct that has grown since. */
#define SHORTER(st, member) struct grtrace_##st *: offsetof(struct grtrace_##st, member),
#define LEAST(st) _Generic((struct grtrace_##st *)0,				\
	GRTRACE_ADDED(SHORTER) default: sizeof(struct grtrace_##st))

#define TYPE(NAME, st, nr, class, text)						\
	{ #NAME, #st, text, nr, sizeof(struct grtrace_##st), LEAST(st),		\
	  GRT_CLASS_##class, COUNT(st##_fields), st##_fields },
const struct grt_type grt_types[] = { GRTRACE_TYPES(TYPE) };
const size_t grt_nr_types = COUNT(grt_types);
_Static_assert(COUNT(grt_types) <= GRT_MAX_TYPES, "room for all");

_Static_assert(GRTRACE_NR_EVENTS == 0
#define ONE(...) + 1
	       GRTRACE_EVENT_TYPES(ONE), "events are numbered without gaps");

/* The index of each struct in grt_types. */
enum {
#define POSITION(NAME, st, nr, class, text) AT_##st,
	GRTRACE_TYPES(POSITION)
	NR_TYPES
};

static const struct grt_tail tails[NR_TYPES] = {
#define TAIL(st, name, text) [AT_##st] = { #name, text },
	GRTRACE_TAILS(TAIL)
};

#define VALUE(NAME, nr, text) { #NAME, text, nr, 0 },
#define FATE(NAME, member, nr, CLASS, text) { #NAME, text, nr, 0 },
#define FLAG(NAME, bit, types, text) { #NAME, text, bit, types },

static const struct grt_value engines[] = { GRTRACE_ENGINES(VALUE) };
static const struct grt_value orders[] = { GRTRACE_ORDERS(VALUE) };
static const struct grt_value clocks[] = { GRTRACE_CLOCKS(VALUE) };
static const struct grt_value errors[] = { GRTRACE_ERRORS(VALUE) };
static const struct grt_value memory_ops[] = { GRTRACE_MEMORY_OPS(VALUE) };
static const struct grt_value gauges[] = { GRTRACE_GAUGES(VALUE) };
static const struct grt_value triggers[] = { GRTRACE_TRIGGERS(VALUE) };
static const struct grt_value speakers[] = { GRTRACE_SPEAKERS(VALUE) };
static const struct grt_value fates[] = { GRTRACE_FATES(FATE) };
static const struct grt_value features[] = { GRTRACE_FEATURES(VALUE) };
static const struct grt_value flags[] = { GRTRACE_FLAGS(FLAG) };

const struct grt_table grt_enums[GRT_NR_ENUMS] = {
	[GRT_KIND_ENGINE - GRT_KIND_ENGINE] = { "engine", engines, COUNT(engines) },
	[GRT_KIND_ORDER - GRT_KIND_ENGINE] = { "order", orders, COUNT(orders) },
	[GRT_KIND_CLOCK - GRT_KIND_ENGINE] = { "clock", clocks, COUNT(clocks) },
	[GRT_KIND_ERRCODE - GRT_KIND_ENGINE] = { "error", errors, COUNT(errors) },
	[GRT_KIND_MEMOP - GRT_KIND_ENGINE] = { "memory", memory_ops, COUNT(memory_ops) },
	[GRT_KIND_GAUGE - GRT_KIND_ENGINE] = { "gauge", gauges, COUNT(gauges) },
	[GRT_KIND_TRIGGER - GRT_KIND_ENGINE] = { "trigger", triggers, COUNT(triggers) },
	[GRT_KIND_SPEAKER - GRT_KIND_ENGINE] = { "speaker", speakers, COUNT(speakers) },
	[GRT_KIND_FATE - GRT_KIND_ENGINE] = { "fate", fates, COUNT(fates) },
};
const struct grt_table grt_features = { "feature", features, COUNT(features) };
const struct grt_table grt_flags = { "flag", flags, COUNT(flags) };

const char *const grt_kind_names[GRT_NR_KINDS] = {
	[GRT_KIND_ID] = "id", [GRT_KIND_UINT] = "uint", [GRT_KIND_SINT] = "sint",
	[GRT_KIND_HEX] = "hex", [GRT_KIND_TEXT] = "text", [GRT_KIND_ENGINE] = "engine",
	[GRT_KIND_ORDER] = "order", [GRT_KIND_CLOCK] = "clock",
	[GRT_KIND_ERRCODE] = "error", [GRT_KIND_MEMOP] = "memory",
	[GRT_KIND_GAUGE] = "gauge", [GRT_KIND_TRIGGER] = "trigger", [GRT_KIND_SPEAKER] = "speaker",
	[GRT_KIND_FATE] = "fate", [GRT_KIND_RSVD] = "reserved",
};

const char *const grt_unit_names[GRT_NR_UNITS] = {
	[GRT_UNIT_NONE] = "", [GRT_UNIT_NS] = "ns", [GRT_UNIT_BYTES] = "bytes",
	[GRT_UNIT_JOBS] = "jobs", [GRT_UNIT_CREDITS] = "credits",
	[GRT_UNIT_HZ] = "Hz", [GRT_UNIT_EVENTS] = "events",
	[GRT_UNIT_UW] = "uW", [GRT_UNIT_MC] = "m°C",
};

const struct grt_type *grt_type_by_number(unsigned int number)
{
	if (number >= GRTRACE_STREAM_BASE)
		number = number - GRTRACE_STREAM_BASE + GRTRACE_NR_EVENTS;
	else if (number >= GRTRACE_NR_EVENTS)
		return NULL;
	return number < NR_TYPES ? &grt_types[number] : NULL;
}

const struct grt_type *grt_type_by_name(const char *name)
{
	for (size_t i = 0; i < NR_TYPES; i++)
		if (!strcasecmp(grt_types[i].name, name))
			return &grt_types[i];
	return NULL;
}

const struct grt_tail *grt_type_tail(const struct grt_type *type)
{
	const struct grt_tail *tail = &tails[type - grt_types];

	return tail->name ? tail : NULL;
}

const struct grt_field *grt_field_by_name(const struct grt_type *type, const char *name)
{
	for (size_t i = 0; i < type->nr_fields; i++)
		if (!strcmp(type->fields[i].name, name))
			return &type->fields[i];
	return NULL;
}

const char *grt_value_name(const struct grt_table *table, uint64_t number)
{
	for (size_t i = 0; i < table->count; i++)
		if (table->values[i].number == number)
			return table->values[i].name;
	return NULL;
}

uint64_t grt_field_u64(const struct grt_field *f, const void *record)
{
	const struct grtrace_hdr *hdr = record;
	const char *at = (const char *)record + f->offset;
	uint64_t value = 0;

	/* Little endian: the low bytes come first, whatever the width. */
	if (f->bytes <= sizeof(value) && f->offset + f->bytes <= hdr->size)
		memcpy(&value, at, f->bytes);
	if (f->kind == GRT_KIND_SINT && f->bytes < 8 && value >> (8 * f->bytes - 1))
		value |= ~0ull << (8 * f->bytes);
	return value;
}

const char *grt_field_text(const struct grt_type *type, const struct grt_field *f,
			   const struct grtrace_hdr *record, size_t *bytes)
{
	size_t at = f ? f->offset : type->bytes;
	const char *text = (const char *)record + at;

	*bytes = strnlen(text, f ? f->bytes : record->size - at);
	return text;
}
