/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Describes records as tables made from the X-macros of the wire format, so that every decoder,
 * printer and manual uses the same tables.
 */
#ifndef GRT_DESCRIBE_H
#define GRT_DESCRIBE_H

#include <stddef.h>
#include <stdint.h>

#include <linux/grtrace_fields.h>

enum grt_kind {
	GRT_KIND_ID, GRT_KIND_UINT, GRT_KIND_SINT, GRT_KIND_HEX, GRT_KIND_TEXT,
	GRT_KIND_ENGINE, GRT_KIND_ORDER, GRT_KIND_CLOCK, GRT_KIND_ERRCODE,
	GRT_KIND_MEMOP, GRT_KIND_GAUGE, GRT_KIND_TRIGGER,
	GRT_KIND_SPEAKER, GRT_KIND_FATE,	/* values of an enum table */
	GRT_KIND_RSVD,			/* never shown */
	GRT_NR_KINDS
};

enum grt_unit {
	GRT_UNIT_NONE, GRT_UNIT_NS, GRT_UNIT_BYTES, GRT_UNIT_JOBS,
	GRT_UNIT_CREDITS, GRT_UNIT_HZ, GRT_UNIT_EVENTS, GRT_UNIT_UW, GRT_UNIT_MC,
	GRT_NR_UNITS
};

enum grt_class {
	GRT_CLASS_JOB,		/* starts with struct grtrace_job_key */
	GRT_CLASS_KEY,		/* the same without a ring */
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
	const char *st;			/* name of the struct: submit for struct grtrace_submit */
	const char *text;
	uint16_t number, bytes;		/* bytes: size of the struct with its header */
	uint16_t least;			/* of the shortest valid record: without members added later */
	uint8_t class, nr_fields;
	const struct grt_field *fields;	/* fields after the header */
};

/* Text behind the struct, up to the end of the record, padded with NULs. */
struct grt_tail {
	const char *name, *text;
};

/* One value of an enum, one feature or one flag. */
struct grt_value {
	const char *name, *text;
	uint32_t number;	/* value, or number of the bit */
	uint32_t types;		/* flags: mask of the event types that use it */
};

struct grt_table {
	const char *name;
	const struct grt_value *values;
	size_t count;
};

#define GRT_MAX_TYPES	64	/* for tables of a type each */
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

/*
 * A bit per reason of a LOSS whose events are lost; events with the other reasons were left out on
 * request.  Events that were written are lost where a trace lacks them.
 */
#define GRT_LOST_REASONS	(GRTRACE_LOST_FATES | 1u << GRTRACE_FATE_WRITTEN)

/* NULL if the type is not known. */
const struct grt_type *grt_type_by_number(unsigned int number);
const struct grt_type *grt_type_by_name(const char *name);	/* ignores case */
const struct grt_field *grt_field_by_name(const struct grt_type *type, const char *name);
const struct grt_tail *grt_type_tail(const struct grt_type *type);
const char *grt_value_name(const struct grt_table *table, uint64_t number);

/* The table of an enum field, NULL for other fields. */
static inline const struct grt_table *grt_field_enum(const struct grt_field *f)
{
	if (f->kind < GRT_KIND_ENGINE || f->kind >= GRT_KIND_RSVD)
		return NULL;
	return &grt_enums[f->kind - GRT_KIND_ENGINE];
}

/* The value of a field of 1, 2, 4 or 8 bytes; SINT is sign-extended. */
uint64_t grt_field_u64(const struct grt_field *f, const void *record);

/* The bytes of text field @f, or of the tail if @f is NULL; not terminated. */
const char *grt_field_text(const struct grt_type *type, const struct grt_field *f,
			   const struct grtrace_hdr *record, size_t *bytes);

#endif /* GRT_DESCRIBE_H */
