// SPDX-License-Identifier: LGPL-2.1
#include "event.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "event_inside.h"

static const struct grt_event_format *const formats[] = {
	&grt_event_text, &grt_event_csv, &grt_event_json,
};

static const struct grt_event_format *find_format(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

bool grt_event_has_format(const char *format)
{
	return find_format(format);
}

int grt_event_sink_open(struct grt_event_sink **out, const char *format, FILE *to)
{
	const struct grt_event_format *f = find_format(format);
	struct grt_event_sink *sink;
	int err;

	if (!f)
		return grt_fail(EINVAL, "--format text, csv or json", "no format '%s'", format);
	sink = calloc(1, sizeof(*sink));
	if (!sink)
		return grt_fail_memory();
	sink->format = f;
	sink->out = to;
	err = f->begin ? f->begin(sink) : 0;
	if (err) {
		grt_event_sink_close(sink);
		return err;
	}
	*out = sink;
	return 0;
}

void grt_event_sink_close(struct grt_event_sink *sink)
{
	if (!sink)
		return;
	grt_map_free(&sink->rings);
	grt_map_free(&sink->processes);
	grt_vec_free(&sink->names);
	grt_vec_free(&sink->columns);
	grt_vec_free(&sink->cells);
	free(sink);
}

/* Keeps a name; an earlier one of the same id is left behind, they are few. */
static int learn_name(struct grt_event_sink *sink, struct grt_map *map, uint64_t id,
		      const char *name, size_t size)
{
	uint64_t *place = grt_map_put(map, id);
	size_t len = strnlen(name, size);
	char *to;

	if (!place)
		return grt_fail_memory();
	*place = sink->names.bytes;
	to = grt_vec_grow(&sink->names, len + 1);
	if (!to)
		return grt_fail_memory();
	/* For people, on one line: what could break it is shown as '?'. */
	for (size_t i = 0; i < len; i++)
		to[i] = (unsigned char)name[i] < ' ' || name[i] == 0x7f ? '?' : name[i];
	to[len] = '\0';
	return 0;
}

int grt_event_sink_learn(struct grt_event_sink *sink, const struct grtrace_hdr *rec)
{
	const struct grtrace_process *p = (const void *)rec;
	const struct grtrace_ring *r = (const void *)rec;

	if (rec->type == GRTRACE_RING)
		return learn_name(sink, &sink->rings, r->ring, r->name, sizeof(r->name));
	if (rec->type == GRTRACE_PROCESS)
		return learn_name(sink, &sink->processes, p->tgid, p->comm, sizeof(p->comm));
	return 0;
}

void grt_event_sink_print(struct grt_event_sink *sink, const struct grtrace_hdr *rec)
{
	const struct grt_type *type = grt_type_by_number(rec->type);

	if (type)
		sink->format->print(sink, type, rec);
}

const char *grt_event_name(const struct grt_event_sink *sink, const struct grt_map *map,
			   uint64_t id)
{
	const uint64_t *place = grt_map_get(map, id);

	return place ? (const char *)sink->names.data + *place : NULL;
}

void grt_event_value(FILE *out, const struct grt_field *f, const struct grtrace_hdr *rec)
{
	const struct grt_table *values = grt_field_enum(f);
	uint64_t value = grt_field_u64(f, rec);
	const char *name = values ? grt_value_name(values, value) : NULL;

	if (name)
		fputs(name, out);
	else if (f->kind == GRT_KIND_SINT)
		fprintf(out, "%" PRId64, (int64_t)value);
	else if (f->kind == GRT_KIND_HEX)
		fprintf(out, "0x%" PRIx64, value);
	else
		fprintf(out, "%" PRIu64, value);
}

/* A flag's meaning may depend on the type; NULL when it has none there. */
static const char *flag_name(const struct grtrace_hdr *rec, unsigned int bit)
{
	const struct grt_value *v = grt_flags.values;
	uint32_t types = rec->type < 32 ? 1u << rec->type : 0;

	for (size_t i = 0; i < grt_flags.count; i++)
		if (v[i].number == bit && (v[i].types & types || v[i].types == ~0u))
			return v[i].name;
	return NULL;
}

void grt_event_flags(FILE *out, const struct grtrace_hdr *rec, const char *before,
		     const char *sep, const char *after)
{
	const char *name;
	int count = 0;

	for (unsigned int bit = 0; bit < 16; bit++) {
		if (!(rec->flags >> bit & 1))
			continue;
		name = flag_name(rec, bit);
		fputs(count++ ? sep : before, out);
		if (name)
			fputs(name, out);
		else
			fprintf(out, "BIT%u", bit);
	}
	if (count)
		fputs(after, out);
}
