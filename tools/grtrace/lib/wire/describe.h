/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * What a record holds, as data: made from the X-macros of the wire format, so
 * every decoder, printer and manual walks the same table.
 */
#ifndef GRT_DESCRIBE_H
#define GRT_DESCRIBE_H

#include <stddef.h>
#include <stdint.h>

#include <linux/grtrace_fields.h>

enum grt_kind {
	GRT_KIND_ID, GRT_KIND_UINT, GRT_KIND_SINT, GRT_KIND_HEX, GRT_KIND_TEXT,
	GRT_KIND_ENGINE, GRT_KIND_ORDER, GRT_KIND_CLOCK, GRT_KIND_ERRCODE,
	GRT_KIND_MEMOP, GRT_KIND_FATE,	/* values of an enum table */
	GRT_KIND_RSVD,			/* never shown */
	GRT_NR_KINDS
};

enum grt_unit {
	GRT_UNIT_NONE, GRT_UNIT_NS, GRT_UNIT_BYTES, GRT_UNIT_JOBS,
	GRT_UNIT_CREDITS, GRT_UNIT_HZ, GRT_UNIT_EVENTS,
	GRT_NR_UNITS
};

enum grt_class {
	GRT_CLASS_JOB,		/* starts with struct grtrace_job_key */
	GRT_CLASS_KEY,		/* the same without the ring */
	GRT_CLASS_EVENT,
	GRT_CLASS_STREAM,	/* a definition or an account */
};

struct grt_field {
	const char *name, *text;
	uint16_t offset, bytes;
	uint8_t kind, unit;
};

struct grt_type {
	const char *name;		/* SUBMIT */
	const char *st;			/* submit: struct grtrace_submit */
	const char *text;
	uint16_t number, bytes;		/* bytes: of the struct, header included */
	uint16_t least;			/* bytes of the shortest record: without what was added later */
	uint8_t class, nr_fields;
	const struct grt_field *fields;	/* without the header's */
};

/* Text that follows the struct, as far as the record goes, NUL padded. */
struct grt_tail {
	const char *name, *text;
};

/* One row of an enum, of the features or of the flags. */
struct grt_value {
	const char *name, *text;
	uint32_t number;	/* value, or bit */
	uint32_t types;		/* flags: mask of the event types that carry it */
};

struct grt_table {
	const char *name;
	const struct grt_value *values;
	size_t count;
};

extern const struct grt_type grt_types[];
extern const size_t grt_nr_types;
extern const struct grt_field grt_hdr_fields[];
extern const size_t grt_nr_hdr_fields;
extern const struct grt_table grt_features, grt_flags;

/* Tables of all enums, in the order of enum grt_kind from GRT_KIND_ENGINE. */
#define GRT_NR_ENUMS	(GRT_KIND_RSVD - GRT_KIND_ENGINE)
extern const struct grt_table grt_enums[GRT_NR_ENUMS];

extern const char *const grt_kind_names[GRT_NR_KINDS];
extern const char *const grt_unit_names[GRT_NR_UNITS];

/* NULL when not known. */
const struct grt_type *grt_type_by_number(unsigned int number);
const struct grt_type *grt_type_by_name(const char *name);	/* any case */
const struct grt_field *grt_field_by_name(const struct grt_type *type, const char *name);
const struct grt_tail *grt_type_tail(const struct grt_type *type);
const char *grt_value_name(const struct grt_table *table, uint64_t number);

/* The enum table of a field, NULL if it is no enum. */
static inline const struct grt_table *grt_field_enum(const struct grt_field *f)
{
	if (f->kind < GRT_KIND_ENGINE || f->kind >= GRT_KIND_RSVD)
		return NULL;
	return &grt_enums[f->kind - GRT_KIND_ENGINE];
}

/* A number of 1, 2, 4 or 8 bytes; SINT is sign extended. */
uint64_t grt_field_u64(const struct grt_field *f, const void *record);

/* The bytes of a text field or, with @f NULL, of the tail; not terminated. */
const char *grt_field_text(const struct grt_type *type, const struct grt_field *f,
			   const struct grtrace_hdr *record, size_t *bytes);

#endif /* GRT_DESCRIBE_H */
