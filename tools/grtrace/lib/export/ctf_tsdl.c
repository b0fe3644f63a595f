// SPDX-License-Identifier: LGPL-2.1
#include "ctf_tsdl.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "column.h"
#include "ctf_event.h"
#include "ctf_job.h"
#include "ctf_stream.h"
#include "describe.h"
#include "error.h"
#include "input.h"
#include "job_words.h"
#include "key_names.h"
#include "quote.h"

static const char head[] =
"typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
"typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
"typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
"typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
"typealias integer { size = 16; align = 8; signed = false; base = 16; } := hex16_t;\n"
"typealias integer { size = 32; align = 8; signed = false; base = 16; } := hex32_t;\n"
"typealias integer { size = 64; align = 8; signed = false; base = 16; } := hex64_t;\n"
"typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n"
"typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n";

/* In quotes; what would not show on a terminal becomes text. */
static void put_string(FILE *f, const char *text)
{
	char shown[512];

	putc('"', f);
	for (grt_quote_text(shown, sizeof(shown), text), text = shown; *text; text++)
		fprintf(f, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
	putc('"', f);
}

/* A name that is a word of TSDL gets a _ in front, which readers take away. */
static const char *before(const char *name)
{
	static const char *const words[] = {
		"align", "callsite", "char", "clock", "const", "double", "enum", "env", "event",
		"float", "floating_point", "int", "integer", "long", "short", "signed", "stream",
		"string", "struct", "trace", "typealias", "typedef", "unsigned", "variant", "void",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(name, words[i]))
			return "_";
	return *name == '_' ? "_" : "";
}

static void put_trace(FILE *f, const struct ctf_tsdl *t)
{
	const uint8_t *u = t->uuid;

	fputs("trace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \"", f);
	for (int i = 0; i < CTF_UUID_BYTES; i++)
		fprintf(f, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", u[i]);
	fputs("\";\n\tbyte_order = le;\n\tpacket.header := struct {\n"
	      "\t\tuint32_t magic;\n\t\tuint8_t uuid[16];\n\t\tuint32_t stream_id;\n\t};\n};\n\n", f);
}

/* Trace Compass takes a trace with this domain and tracer for one of the kernel's own events. */
static void put_env(FILE *f, const struct ctf_tsdl *t)
{
	fputs("env {\n\tdomain = \"kernel\";\n\tsysname = \"Linux\";\n\ttracer_name = \"perf\";\n"
	      "\tconverter = \"grtrace " GRT_VERSION "\";\n", f);
	if (*t->info->host) {
		fputs("\thostname = ", f);
		put_string(f, t->info->host);
		fputs(";\n", f);
	}
	if (*t->info->kernel) {
		fputs("\tkernel_release = ", f);
		put_string(f, t->info->kernel);
		fputs(";\n", f);
	}
	fputs("};\n\n", f);
}

static void put_clock(FILE *f, const struct ctf_tsdl *t)
{
	int64_t s = t->offset_ns / 1000000000, ns = t->offset_ns % 1000000000;

	if (ns < 0) {
		s--;
		ns += 1000000000;
	}
	fprintf(f, "clock {\n\tname = \"%s\";\n\tfreq = 1000000000;\n", t->clock);
	if (t->offset_ns)
		fprintf(f, "\toffset_s = %" PRId64 ";\n\toffset = %" PRId64 ";\n", s, ns);
	fprintf(f, "};\n\ntypealias integer { size = 64; align = 8; signed = false; "
		"map = clock.%s.value; } := time_t;\n\n", t->clock);
}

static void put_enums(FILE *f)
{
	for (size_t i = 0; i < GRT_NR_ENUMS; i++) {
		fprintf(f, "enum %s_t : uint32_t {", grt_enums[i].name);
		for (size_t j = 0; j < grt_enums[i].count; j++)
			fprintf(f, "%s %s = %u", j ? "," : "", grt_enums[i].values[j].name,
				grt_enums[i].values[j].number);
		fputs(" };\n", f);
	}
}

#define LAST_ERRNO	133	/* of Linux, on every machine that grtrace runs on */

static void put_statuses(FILE *f)
{
	char number[32];

	fprintf(f, "enum status_t : int32_t { \"unknown\" = %d, \"ok\" = 0", CTF_UNKNOWN_STATUS);
	for (int32_t i = 1; i <= LAST_ERRNO; i++) {
		const char *name = grt_status_name(-i, number);

		if (*name != '-')
			fprintf(f, ", \"%s\" = -%d", name, i);
	}
	fputs(" };\n", f);
}

/* A label must name one ring: the number tells rings apart that have the same name. */
static int put_rings(FILE *f, const struct grt_names *names)
{
	struct grt_namemap seen = { 0 };
	size_t count = grt_vec_count(&names->rings, struct grt_ring);
	char buf[GRT_WORD_MAX], label[GRT_WORD_MAX + 16];
	int err = grt_namemap_set(&seen, "unknown", 0);

	fputs("enum ring_t : uint32_t { \"unknown\" = 0", f);
	for (uint32_t row = 0; row < count && !err; row++) {
		uint32_t id = grt_names_ring_at(names, row)->id;

		snprintf(label, sizeof(label), "%s", grt_word_ring(buf, names, row));
		if (!*label || grt_namemap_get(&seen, label) != GRT_NONE)
			snprintf(label, sizeof(label), "%s#%u", buf, id);
		err = grt_namemap_set(&seen, label, 0);
		fputs(", ", f);
		put_string(f, label);
		fprintf(f, " = %u", id);
	}
	fputs(" };\n\n", f);
	grt_namemap_free(&seen);
	return err ? grt_fail_memory() : 0;
}

static void put_stream(FILE *f, enum ctf_class class, const char *context)
{
	fprintf(f, "stream {\n\tid = %d;\n\tpacket.context := struct {\n"
		"\t\ttime_t timestamp_begin;\n\t\ttime_t timestamp_end;\n"
		"\t\tuint64_t content_size;\n\t\tuint64_t packet_size;\n"
		"\t\tuint64_t packet_seq_num;\n\t\tuint64_t events_discarded;\n%s\t};\n"
		"\tevent.header := struct { uint16_t id; time_t timestamp; };\n%s};\n\n", class,
		class == CTF_CLASS_CPU ? "\t\tuint32_t cpu_id;\n" : "", context);
}

static void put_streams(FILE *f)
{
	put_stream(f, CTF_CLASS_CPU,
		   "\tevent.context := struct { hex16_t flags; uint64_t gseq; uint64_t cseq; };\n");
	/* A definition holds for all of the trace; here is when it was written. */
	put_stream(f, CTF_CLASS_DEFINITIONS, "\tevent.context := struct { uint64_t ts; };\n");
	put_stream(f, CTF_CLASS_JOBS, "");
}

static void put_field(FILE *f, const struct grt_field *field, const char *name)
{
	fputs("\t\t", f);
	switch (ctf_field_kind(field)) {
	case CTF_NUMBER:
		fprintf(f, "uint%u_t", 8 * field->bytes);
		break;
	case CTF_SIGNED:
		fprintf(f, "int%u_t", 8 * field->bytes);
		break;
	case CTF_HEX:
		fprintf(f, "hex%u_t", 8 * field->bytes);
		break;
	case CTF_STRING:
		fputs("string", f);
		break;
	case CTF_ENUM:
		fprintf(f, "enum %s_t", grt_field_enum(field)->name);
		break;
	case CTF_RING:
		fputs("enum ring_t", f);
		break;
	case CTF_STATUS:
		fputs("enum status_t", f);
		break;
	case CTF_NOTHING:
		return;
	}
	fprintf(f, " %s%s;\t/* %s */\n", before(name), name, field->text);
}

static const char *name_of(const struct grt_field *field, const struct ctf_kernel_event *k)
{
	for (int i = 0; k && i < 2 && k->fields[i].field; i++)
		if (!strcmp(k->fields[i].field, field->name))
			return k->fields[i].name;
	return field->name;
}

/* Begins an event up to its fields. */
static void put_event_head(FILE *f, enum ctf_class class, unsigned int id, const char *prefix,
			   const char *name, const char *text)
{
	fprintf(f, "/* %s */\nevent {\n\tname = \"%s%s\";\n\tid = %u;\n\tstream_id = %d;\n"
		"\tfields := struct {\n", text, prefix, name, id, class);
}

static const char event_tail[] = "\t};\n};\n\n";

static void put_type(FILE *f, const struct grt_type *type)
{
	const struct ctf_kernel_event *k = ctf_kernel_event(type);
	const struct grt_tail *tail = grt_type_tail(type);

	put_event_head(f, ctf_class_of(type), type->number, k ? "" : "grtrace:",
		       k ? k->name : type->name, type->text);
	for (unsigned int i = 0; i < type->nr_fields; i++)
		put_field(f, &type->fields[i], name_of(&type->fields[i], k));
	if (tail)
		fprintf(f, "\t\tstring %s;\t/* %s */\n", tail->name, tail->text);
	for (int i = 0; k && i < 2 && k->fields[i].field; i++)
		fprintf(f, "\t\tstring %s;\t/* its name, - = not known */\n", k->fields[i].comm);
	fputs(event_tail, f);
}

static void put_types(FILE *f)
{
	for (size_t i = 0; i < grt_nr_types; i++)
		if (ctf_has_type(&grt_types[i]))
			put_type(f, &grt_types[i]);
	put_event_head(f, CTF_CLASS_CPU, CTF_CLAMPED, "grtrace:", "CLAMPED",
		       "the next event of this CPU has another time in the trace, which cannot be shown");
	fprintf(f, "\t\tuint64_t ts;\t/* that time, in ns */\n%s", event_tail);
}

static void put_job(FILE *f)
{
	put_event_head(f, CTF_CLASS_JOBS, CTF_JOB_DONE, "grtrace:", "JOB_DONE",
		       "a job is over, or the trace is; columns as in grtrace report --jobs; "
		       "-1 or -: not known");
	for (size_t i = 0; i < grt_nr_columns; i++) {
		const struct grt_column *c = &grt_columns[i];

		fprintf(f, "\t\t%s %s%s;\n", ctf_job_tsdl(c), before(c->name), c->name);
	}
	fputs(event_tail, f);
}

int ctf_tsdl_write(FILE *file, const struct ctf_tsdl *t)
{
	int err;

	fputs("/* CTF 1.8 */\n\n", file);
	fputs(head, file);
	putc('\n', file);
	put_trace(file, t);
	put_env(file, t);
	put_clock(file, t);
	put_enums(file);
	put_statuses(file);
	err = put_rings(file, t->names);
	put_streams(file);
	put_types(file);
	put_job(file);
	return err;
}
