// SPDX-License-Identifier: LGPL-2.1
/* The format files of all events, as /sys/kernel/tracing/events has them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_dat_events.h"

static void put_head(FILE *f, const char *name, unsigned int id)
{
	fprintf(f, "name: %s\nID: %u\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n", name, id);
}

static void put_field(FILE *f, const char *type, const char *name, unsigned int offset,
		      unsigned int bytes)
{
	fprintf(f, "\tfield:%s %s;\toffset:%u;\tsize:%u;\tsigned:%d;\n", type, name, offset, bytes,
		*type == 's' || *type == 'c');
}

/* --- events that are no records: X(type, member, in brackets) --- */

#define SWITCH_FIELDS(X)			\
	X("char", prev_comm, "[16]")		\
	X("s32", prev_pid, "")			\
	X("s32", prev_prio, "")			\
	X("s64", prev_state, "")		\
	X("char", next_comm, "[16]")		\
	X("s32", next_pid, "")			\
	X("s32", next_prio, "")			\
	X("u32", flags, "")			\
	X("u32", prev_tid, "")			\
	X("u32", next_tid, "")

#define WAKEUP_FIELDS(X)			\
	X("char", comm, "[16]")			\
	X("s32", pid, "")			\
	X("s32", prio, "")			\
	X("s32", target_cpu, "")		\
	X("u32", tid, "")			\
	X("u32", flags, "")

#define RUN_FIELDS(X)				\
	X("u64", ctx, "")			\
	X("u64", seqno, "")			\
	X("u32", ring, "")			\
	X("u32", tgid, "")			\
	X("char", comm, "[16]")			\
	X("u32", is_inferred, "")		\
	X("__data_loc char[]", ring_name, "")

#define GAP_FIELDS(X)				\
	X("u32", ring, "")			\
	X("__data_loc char[]", ring_name, "")

#define JOB_FIELDS(X)				\
	X("u64", ctx, "")			\
	X("u64", seqno, "")			\
	X("u32", ring, "")			\
	X("u32", tgid, "")			\
	X("u32", tid, "")			\
	X("s32", status, "")			\
	X("char", comm, "[16]")			\
	X("u32", known, "")			\
	X("u32", flags, "")			\
	X("__data_loc char[]", ring_name, "")

#define X(type, member, array)								\
	put_field(f, type, #member array, offsetof(struct STRUCT, member),		\
		  sizeof(((struct STRUCT *)0)->member));

#define STRUCT grt_dat_switch
static void put_switch(FILE *f)
{
	SWITCH_FIELDS(X)
	fprintf(f, "\nprint fmt: \"prev_comm=%%s prev_pid=%%d prev_prio=%%d prev_state=%%s ==> "
		"next_comm=%%s next_pid=%%d next_prio=%%d\", REC->prev_comm, REC->prev_pid, "
		"REC->prev_prio, REC->prev_state ? "
		"__print_flags(REC->prev_state, \"|\", {1, \"S\"}, {2, \"D\"}, {4, \"T\"}, "
		"{8, \"t\"}, {16, \"X\"}, {32, \"Z\"}, {64, \"P\"}, {128, \"I\"}) : \"R\", "
		"REC->next_comm, REC->next_pid, REC->next_prio\n");
}
#undef STRUCT

#define STRUCT grt_dat_wakeup
static void put_wakeup(FILE *f)
{
	WAKEUP_FIELDS(X)
	fprintf(f, "\nprint fmt: \"comm=%%s pid=%%d prio=%%d target_cpu=%%03d\", REC->comm, REC->pid, "
		"REC->prio, REC->target_cpu\n");
}
#undef STRUCT

static void put_print(FILE *f)
{
	put_field(f, "unsigned long", "ip", offsetof(struct grt_dat_print, ip), 8);
	put_field(f, "u32", "tgid", offsetof(struct grt_dat_print, tgid), 4);
	put_field(f, "u32", "tid", offsetof(struct grt_dat_print, tid), 4);
	put_field(f, "u32", "flags", offsetof(struct grt_dat_print, flags), 4);
	put_field(f, "char", "buf[]", offsetof(struct grt_dat_print, buf), 0);
	fprintf(f, "\nprint fmt: \"%%s\", REC->buf\n");
}

#define STRUCT grt_dat_run
static void put_run(FILE *f)
{
	RUN_FIELDS(X)
	fprintf(f, "\nprint fmt: \"ctx=%%llu seqno=%%llu ring=%%u(%%s) tgid=%%u(%%s) start=%%s\", "
		"REC->ctx, REC->seqno, REC->ring, __get_str(ring_name), REC->tgid, REC->comm, "
		"REC->is_inferred ? \"inferred\" : \"seen\"\n");
}
#undef STRUCT

#define STRUCT grt_dat_gap
static void put_gap(FILE *f)
{
	GAP_FIELDS(X)
	fprintf(f, "\nprint fmt: \"ring=%%u(%%s) no job is known to run\", REC->ring, "
		"__get_str(ring_name)\n");
}
#undef STRUCT

static void put_recording(FILE *f)
{
	put_field(f, "__data_loc char[]", "text", offsetof(struct grt_dat_recording, text), 4);
	fprintf(f, "\nprint fmt: \"%%s\", __get_str(text)\n");
}

/* An unknown number is "-"; a precision of 0 prints nothing for the number 0. */
static void put_maybe(FILE *f, const char *member, unsigned int known)
{
	fprintf(f, ", (REC->known & %u) ? (REC->%s ? \"\" : \"0\") : \"-\", REC->%s", known, member,
		member);
}

#define STRUCT grt_dat_job
static void put_job(FILE *f)
{
	JOB_FIELDS(X)
#define STAMP(NAME, name)								\
	put_field(f, "u64", #name "_ns", offsetof(struct grt_dat_job, at_ns[GRT_AT_##NAME]), 8);
	GRT_STAMPS(STAMP)
#undef STAMP
	for (int i = 0; i < GRT_NR_STAGES; i++)
		put_field(f, "u64", grt_stage_name(i), offsetof(struct grt_dat_job, stage_ns[i]), 8);
	fprintf(f, "\nprint fmt: \"ctx=%%llu seqno=%%llu ring=%%u(%%s) tgid=%%u(%%s) tid=%%u "
		"status=%%s%%.0d");
	for (int i = 0; i < GRT_NR_STAGES; i++)
		fprintf(f, " %s=%%s%%.0llu", grt_stage_name(i));
	fprintf(f, "%%s%%s\", REC->ctx, REC->seqno, REC->ring, __get_str(ring_name), "
		"REC->tgid, REC->comm, REC->tid");
	put_maybe(f, "status", GRT_DAT_HAS_STATUS);
	for (int i = 0; i < GRT_NR_STAGES; i++)
		put_maybe(f, grt_stage_name(i), 1u << i);
	fprintf(f, ", REC->flags ? \" flags=\" : \"\", __print_flags(REC->flags, \"|\"");
#define FLAG(NAME, word, bit, text) fprintf(f, ", {%u, \"" #word "\"}", 1u << (bit));
	GRT_JOB_FLAGS(FLAG)
#undef FLAG
	fprintf(f, ")\n");
}
#undef STRUCT
#undef X

/* --- records --- */

static const char *type_of(const struct grt_field *f)
{
	static const char *const types[2][9] = {
		{ [1] = "u8", [2] = "u16", [4] = "u32", [8] = "u64" },
		{ [1] = "s8", [2] = "s16", [4] = "s32", [8] = "s64" },
	};

	return f->kind == GRT_KIND_TEXT ? "char" : types[f->kind == GRT_KIND_SINT][f->bytes];
}

static void put_record_fields(FILE *f, const struct grt_dat_shape *shape)
{
	const unsigned int less = sizeof(struct grtrace_hdr) - sizeof(struct grt_dat_common);

	for (unsigned int i = 0; i < shape->type->nr_fields; i++) {
		const struct grt_field *field = &shape->type->fields[i];
		char name[64];

		snprintf(name, sizeof(name), field->kind == GRT_KIND_TEXT ? "%s[%u]" : "%s",
			 field->name, field->bytes);
		put_field(f, type_of(field), name, field->offset - less, field->bytes);
	}
	put_field(f, "u32", "flags", shape->flags_at, 4);
	if (shape->ts_at)
		put_field(f, "u64", "recorded_ns", shape->ts_at, 8);
	if (shape->ring_at)
		put_field(f, "__data_loc char[]", "ring_name", shape->ring_at, 4);
	if (shape->text_at)
		put_field(f, "__data_loc char[]", grt_type_tail(shape->type)->name, shape->text_at,
			  4);
	if (shape->names_at)
		put_field(f, "__data_loc char[]", "exact_names", shape->names_at, 4);
}

/* Whether the value of this field is not known in records with the flag NO_STATUS. */
static bool may_be_unknown(const struct grt_dat_shape *shape, const struct grt_field *field)
{
	return shape->type->number < 32 && !strcmp(field->name, "status") &&
	       (1u << 1 | 1u << 5 | 1u << 8 | 1u << 11) >> shape->type->number & 1;
}

static void put_conversion(FILE *f, const struct grt_dat_shape *shape,
			   const struct grt_field *field)
{
	fprintf(f, "%s=", field->name);
	if (field->kind == GRT_KIND_TEXT || grt_field_enum(field))
		fprintf(f, "%%s");
	else if (may_be_unknown(shape, field))
		fprintf(f, "%%s%%.0d");
	else if (field->kind == GRT_KIND_SINT)
		fprintf(f, field->bytes == 8 ? "%%lld" : "%%d");
	else if (field->kind == GRT_KIND_HEX)
		fprintf(f, "0x%%llx");
	else
		fprintf(f, "%%llu");
	if (field->offset == shape->ring && shape->ring)
		fprintf(f, "(%%s)");
}

static void put_argument(FILE *f, const struct grt_dat_shape *shape, const struct grt_field *field)
{
	const struct grt_table *values = grt_field_enum(field);

	if (values) {
		fprintf(f, ", __print_symbolic(REC->%s", field->name);
		for (size_t i = 0; i < values->count; i++)
			fprintf(f, ", {%u, \"%s\"}", values->values[i].number,
				values->values[i].name);
		fputc(')', f);
	} else if (may_be_unknown(shape, field)) {
		fprintf(f, ", (REC->flags & %u) ? \"-\" : (REC->status ? \"\" : \"0\"), REC->status",
			GRTRACE_F_NO_STATUS);
	} else {
		fprintf(f, ", REC->%s", field->name);
	}
	if (field->offset == shape->ring && shape->ring)
		fprintf(f, ", __get_str(ring_name)");
}

/* The names of the flags that this type of record may carry. */
static void put_flags(FILE *f, const struct grt_type *type)
{
	uint32_t mask = type->number < 32 ? 1u << type->number : 0;

	fprintf(f, ", REC->flags ? \" flags=\" : \"\", __print_flags(REC->flags, \"|\"");
	for (size_t i = 0; i < grt_flags.count; i++)
		if (grt_flags.values[i].types == ~0u || grt_flags.values[i].types & mask)
			fprintf(f, ", {%u, \"%s\"}", 1u << grt_flags.values[i].number,
				grt_flags.values[i].name);
	if (grt_type_tail(type))
		fprintf(f, ", {%u, \"GOES_ON\"}", GRT_DAT_GOES_ON);
	fputc(')', f);
}

static void put_record(FILE *f, const struct grt_dat_shape *shape)
{
	const struct grt_type *type = shape->type;
	const struct grt_tail *tail = grt_type_tail(type);
	unsigned int nr = 0;

	put_record_fields(f, shape);
	fprintf(f, "\nprint fmt: \"");
	for (unsigned int i = 0; i < type->nr_fields; i++) {
		if (type->fields[i].kind == GRT_KIND_RSVD)
			continue;
		fputs(nr++ ? " " : "", f);
		put_conversion(f, shape, &type->fields[i]);
		}
	if (tail)
		fprintf(f, "%s%s=%%s", nr ? " " : "", tail->name);
	fprintf(f, "%%s%%s\"");
	for (unsigned int i = 0; i < type->nr_fields; i++)
		if (type->fields[i].kind != GRT_KIND_RSVD)
			put_argument(f, shape, &type->fields[i]);
	if (tail)
		fprintf(f, ", __get_str(%s)", tail->name);
	put_flags(f, type);
	fputc('\n', f);
}

/* --- the sections of the file --- */

static const struct kind {
	const char *system, *name;
	enum grt_dat_id id;
	void (*put)(FILE *f);
} kinds[] = {
	{ "ftrace", "print", GRT_DAT_PRINT, put_print },
	{ "sched", "sched_switch", GRT_DAT_SWITCH, put_switch },
	{ "sched", "sched_wakeup", GRT_DAT_WAKEUP, put_wakeup },
	{ "grtrace", "ring_runs", GRT_DAT_RUN, put_run },
	{ "grtrace", "ring_gap", GRT_DAT_GAP, put_gap },
	{ "grtrace", "finished_job", GRT_DAT_JOB, put_job },
	{ "grtrace", "recording", GRT_DAT_RECORDING, put_recording },
};

#define NR_KINDS	(sizeof(kinds) / sizeof(kinds[0]))

int grt_dat_put_sized(struct grt_vec *to, const void *text, size_t bytes, size_t size_bytes)
{
	uint64_t size = bytes;
	int err = grt_vec_append(to, &size, size_bytes);

	return err ? err : grt_vec_append(to, text, bytes);
}

/* The format of kind @kind, or of a record with @shape. */
static int put_format(struct grt_vec *to, const struct kind *kind,
		      const struct grt_dat_shape *shape)
{
	char *text = NULL;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);
	int err;

	if (!f)
		return -ENOMEM;
	if (kind) {
		put_head(f, kind->name, kind->id);
		kind->put(f);
	} else {
		put_head(f, shape->type->st, GRT_DAT_FIRST_RECORD + (shape->type - grt_types));
		put_record(f, shape);
	}
	err = fclose(f) ? -ENOMEM : grt_dat_put_sized(to, text, bytes, 8);
	free(text);
	return err;
}

static int put_system(struct grt_vec *to, const char *system)
{
	bool has_records = !strcmp(system, "grtrace");
	size_t count_at = to->bytes;
	struct grt_dat_shape shape;
	uint32_t count = 0;
	int err = grt_vec_append(to, &count, sizeof(count));

	for (size_t i = 0; i < NR_KINDS && !err; i++) {
		if (strcmp(kinds[i].system, system))
			continue;
		err = put_format(to, &kinds[i], NULL);
		count++;
	}
	for (size_t i = 0; has_records && i < grt_nr_types && !err; i++) {
		if (!grt_dat_shape(&shape, &grt_types[i]))
			continue;
		err = put_format(to, NULL, &shape);
		count++;
	}
	if (!err)
		memcpy((char *)to->data + count_at, &count, sizeof(count));
	return err;
}

int grt_dat_put_formats(struct grt_vec *to)
{
	static const char *const systems[] = { "sched", "grtrace" };
	const uint32_t count = sizeof(systems) / sizeof(systems[0]);
	int err = put_system(to, "ftrace");

	if (!err)
		err = grt_vec_append(to, &count, sizeof(count));
	for (size_t i = 0; i < count && !err; i++) {
		err = grt_vec_append(to, systems[i], strlen(systems[i]) + 1);
		if (!err)
			err = put_system(to, systems[i]);
	}
	return err;
}
