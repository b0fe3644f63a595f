// SPDX-License-Identifier: GPL-2.0
/*
 * Prints what format version 1 has, a line for each number that may not change.  t-format.sh
 * compares the lines with those that were kept.
 */
#include <stdio.h>

#include "cursor.h"
#include "describe.h"
#include "file.h"

static const char *class_name(const struct grt_type *t)
{
	static const char *const names[] = {
		[GRT_CLASS_JOB] = "job", [GRT_CLASS_KEY] = "key", [GRT_CLASS_EVENT] = "event",
		[GRT_CLASS_STREAM] = "stream",
	};

	return names[t->class];
}

/* A later version may use a member that is reserved today. */
static void list_field(const char *st, const struct grt_field *f)
{
	const char *unit = grt_unit_names[f->unit];

	if (f->kind != GRT_KIND_RSVD)
		printf("member %s.%s at %u bytes %u %s%s%s\n", st, f->name, f->offset,
		       f->bytes, grt_kind_names[f->kind], *unit ? " " : "", unit);
}

/* A record may become longer: only the size of the shortest one stays. */
static void list_type(const struct grt_type *t)
{
	const struct grt_tail *tail = grt_type_tail(t);

	printf("record %u %s %s %s least %u\n", t->number, t->name, t->st, class_name(t), t->least);
	for (unsigned int i = 0; i < t->nr_fields; i++)
		list_field(t->st, &t->fields[i]);
	if (tail)
		printf("text %s.%s at %u\n", t->st, tail->name, t->bytes);
}

static void list_values(const struct grt_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		printf("%s %u %s\n", table->name, table->values[i].number, table->values[i].name);
}

/* A flag that more types use later has more lines. */
static void list_flag(const struct grt_value *v)
{
	if (v->types == ~0u) {
		printf("flag %u %s of all\n", v->number, v->name);
		return;
	}
	for (unsigned int i = 0; i < GRTRACE_NR_EVENTS; i++)
		if (v->types >> i & 1)
			printf("flag %u %s of %s\n", v->number, v->name,
			       grt_type_by_number(i)->name);
}

static void list_fates(void)
{
	/* Readers sum them: see "What stays" in format.rst. */
	printf("fates %d\n", GRTRACE_NR_FATES);
	for (int i = 0; i < GRTRACE_NR_FATES; i++)
		printf("class of fate %d %s\n", i, GRTRACE_KEPT_FATES >> i & 1 ? "kept" :
		       GRTRACE_LOST_FATES >> i & 1 ? "lost" : "left out");
}

#define MEMBER(st, member, at, text)						\
	printf("file %s.%s at %d bytes %zu\n", #st, #member, at,		\
	       sizeof(((struct grt_file_##st *)0)->member));
#define KIND(NAME, nr, text) printf("chunk %d %s\n", nr, #NAME);

static void list_file(void)
{
	printf("file version %d\n", GRT_FILE_VERSION);
	printf("file magic 0x%llx\n", (unsigned long long)GRT_FILE_MAGIC);
	printf("chunk magic 0x%x\n", GRT_CHUNK_MAGIC);
	printf("trailer magic 0x%llx\n", (unsigned long long)GRT_TRAILER_MAGIC);
	printf("chunk of at most %u bytes\n", GRT_CHUNK_MAX_BYTES);
	printf("late chunks from CPU %d\n", GRT_CHUNK_FIRST_LATE);
	printf("file flag %llu is cut\n", GRT_FILE_IS_CUT);
	printf("file flag %llu goes on\n", GRT_FILE_GOES_ON);
	GRT_CHUNKS(KIND)
	GRT_FILE_HEADER_FIELDS(MEMBER)
	GRT_FILE_CHUNK_FIELDS(MEMBER)
	GRT_FILE_INDEX_FIELDS(MEMBER)
	GRT_FILE_TRAILER_FIELDS(MEMBER)
	printf("file index of %zu bytes\n", sizeof(struct grt_file_index));
	printf("file trailer of %zu bytes\n", sizeof(struct grt_file_trailer));
}

int main(void)
{
	printf("format version %d\n", GRTRACE_FORMAT_VERSION);
	printf("stream magic 0x%llx\n", GRTRACE_STREAM_MAGIC);
	printf("events below 0x%x\n", GRTRACE_STREAM_BASE);
	printf("pci address 1:02:03.4 is 0x%x\n", GRTRACE_PCI_ADDRESS(1u, 2u, 3u << 3 | 4));
	for (size_t i = 0; i < grt_nr_hdr_fields; i++)
		list_field("hdr", &grt_hdr_fields[i]);
	for (size_t i = 0; i < grt_nr_types; i++)
		list_type(&grt_types[i]);
	for (unsigned int i = 0; i < GRT_NR_ENUMS; i++)
		list_values(&grt_enums[i]);
	list_fates();
	list_values(&grt_features);
	for (size_t i = 0; i < grt_flags.count; i++)
		list_flag(&grt_flags.values[i]);
	list_file();
	return fflush(stdout) || ferror(stdout);
}
