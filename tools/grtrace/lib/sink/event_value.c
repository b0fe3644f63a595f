// SPDX-License-Identifier: LGPL-2.1
/* Prints values of an event's fields; used by all formats. */
#include <inttypes.h>
#include <string.h>

#include "event_private.h"

bool grt_event_knows(const struct grt_field *f, const struct grtrace_hdr *rec)
{
	return !(rec->flags & GRTRACE_F_NO_STATUS) || strcmp(f->name, "status");
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

/* The name of a flag, which may depend on the type; NULL if the type does not use it. */
static const char *flag_name(const struct grtrace_hdr *rec, unsigned int bit)
{
	const struct grt_value *v = grt_flags.values;
	uint32_t types = rec->type < 32 ? 1u << rec->type : 0;

	for (size_t i = 0; i < grt_flags.count; i++)
		if (v[i].number == bit && (v[i].types & types || v[i].types == ~0u))
			return v[i].name;
	return NULL;
}

void grt_event_flags(FILE *out, const struct grtrace_hdr *rec, const char *before, const char *sep,
		     const char *after)
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
