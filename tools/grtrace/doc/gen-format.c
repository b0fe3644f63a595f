// SPDX-License-Identifier: GPL-2.0
/* Prints the manual of the formats from the tables that the code is made of. */
#include <stdio.h>
#include <string.h>

#include "describe.h"
#include "file.h"

static void heading(const char *text, char line)
{
	printf("%s\n", text);
	for (size_t i = 0; i < strlen(text); i++)
		putchar(line);
	printf("\n\n");
}

static void begin_table(const char *widths, const char *columns)
{
	printf(".. list-table::\n   :header-rows: 1\n   :widths: %s\n\n", widths);
	for (const char *from = columns; ; from++) {
		size_t len = strcspn(from, ",");

		printf("   %c - %.*s\n", from == columns ? '*' : ' ', (int)len, from);
		from += len;
		if (!*from)
			break;
	}
}

static void print_field(const struct grt_field *f)
{
	printf("   * - %u\n     - %u\n     - %s\n     - %s\n     -%s%s\n     - %s\n",
	       f->offset, f->bytes, f->name, grt_kind_names[f->kind],
	       *grt_unit_names[f->unit] ? " " : "", grt_unit_names[f->unit], f->text);
}

#define FIELD_WIDTHS	"6 6 20 10 10 48"
#define FIELD_COLUMNS	"offset,bytes,field,kind,unit,meaning"

static void print_header(void)
{
	heading("The header of every record", '=');
	printf("Every record begins with these %zu bytes. ``size`` counts them too, and is a\n"
	       "multiple of 8: a reader steps over a type that it does not know, and over\n"
	       "fields behind those that it knows.\n\n", sizeof(struct grtrace_hdr));
	begin_table(FIELD_WIDTHS, FIELD_COLUMNS);
	for (size_t i = 0; i < grt_nr_hdr_fields; i++)
		print_field(&grt_hdr_fields[i]);
	printf("\n");
}

static const char *class_text(const struct grt_type *t)
{
	switch (t->class) {
	case GRT_CLASS_JOB:
		return "about a job";
	case GRT_CLASS_KEY:
		return "about a job, without its ring";
	case GRT_CLASS_EVENT:
		return "an event";
	}
	return "about the stream";
}

static void print_type(const struct grt_type *t)
{
	const struct grt_tail *tail = grt_type_tail(t);
	char number[16];

	snprintf(number, sizeof(number), t->number < GRTRACE_STREAM_BASE ? "%u" : "0x%x",
		 t->number);
	heading(t->name, '-');
	printf("Type %s, %s: %s. ``struct grtrace_%s``, %u bytes.\n\n",
	       number, class_text(t),
	       t->text, t->st, t->bytes);
	if (t->least < t->bytes)
		printf("In earlier traces %u bytes: what is behind them counts as 0.\n\n", t->least);
	begin_table(FIELD_WIDTHS, FIELD_COLUMNS);
	for (unsigned int i = 0; i < t->nr_fields; i++)
		print_field(&t->fields[i]);
	if (tail)
		printf("   * - %u\n     - rest\n     - %s\n     - text\n     -\n     - %s\n",
		       t->bytes, tail->name, tail->text);
	printf("\n");
}

static void print_types(void)
{
	heading("Events", '=');
	printf("Bit N of every mask of types is type N.\n\n");
	for (size_t i = 0; i < grt_nr_types; i++) {
		if (grt_types[i].number == GRTRACE_STREAM_BASE)
			heading("Records about the stream", '=');
		print_type(&grt_types[i]);
	}
}

static void print_table(const char *title, const struct grt_table *table, const char *number)
{
	heading(title, '-');
	printf(".. list-table::\n   :header-rows: 1\n   :widths: 10 20 70\n\n");
	printf("   * - %s\n     - name\n     - meaning\n", number);
	for (size_t i = 0; i < table->count; i++)
		printf("   * - %u\n     - %s\n     - %s\n", table->values[i].number,
		       table->values[i].name, table->values[i].text);
	printf("\n");
}

static void print_flags(void)
{
	heading("Flags of a record", '-');
	printf(".. list-table::\n   :header-rows: 1\n   :widths: 6 16 30 48\n\n"
	       "   * - bit\n     - name\n     - types\n     - meaning\n");
	for (size_t i = 0; i < grt_flags.count; i++) {
		const struct grt_value *v = &grt_flags.values[i];

		printf("   * - %u\n     - %s\n     -", v->number, v->name);
		for (unsigned int t = 0; t < GRTRACE_NR_EVENTS && v->types != ~0u; t++)
			if (v->types >> t & 1)
				printf(" %s", grt_types[t].name);
		printf("%s\n     - %s\n", v->types == ~0u ? " all" : "", v->text);
	}
	printf("\n");
}

static void print_enums(void)
{
	static const char *const titles[GRT_NR_ENUMS] = {
		[GRT_KIND_ENGINE - GRT_KIND_ENGINE] = "Engine classes",
		[GRT_KIND_ORDER - GRT_KIND_ENGINE] = "Orders of a ring",
		[GRT_KIND_CLOCK - GRT_KIND_ENGINE] = "Clocks",
		[GRT_KIND_ERRCODE - GRT_KIND_ENGINE] = "Codes of ERROR",
		[GRT_KIND_MEMOP - GRT_KIND_ENGINE] = "Operations of MEMORY",
		[GRT_KIND_GAUGE - GRT_KIND_ENGINE] = "What a FREQUENCY tells of",
		[GRT_KIND_TRIGGER - GRT_KIND_ENGINE] = "Triggers of a SNAPSHOT",
		[GRT_KIND_SPEAKER - GRT_KIND_ENGINE] = "Who said the text of a NOTE",
		[GRT_KIND_FATE - GRT_KIND_ENGINE] = "Fates of an event",
	};

	heading("Values", '=');
	for (unsigned int i = 0; i < GRT_NR_ENUMS; i++)
		print_table(titles[i], &grt_enums[i], "value");
	print_table("Features of STREAM_INFO", &grt_features, "bit");
	print_flags();
}

#define MEMBER(st, member, at, text)						\
	printf("   * - %d\n     - %zu\n     - %s\n     - %s\n", at,		\
	       sizeof(((struct grt_file_##st *)0)->member), #member, text);
#define MEMBERS(title, st, LIST)						\
	do {									\
		heading(title, '-');						\
		printf("``struct grt_file_" #st "``, %zu bytes.\n\n",		\
		       sizeof(struct grt_file_##st));				\
		begin_table("8 8 20 64", "offset,bytes,member,meaning");	\
		LIST(MEMBER)							\
		printf("\n");							\
	} while (0)

static void print_file(void)
{
	heading("The file format .grt", '=');
	printf("A file is a header and chunks behind it, and is only ever appended to. Chunks\n"
	       "hold records verbatim, as the kernel gave them. A file that was closed properly\n"
	       "ends with an INDEX chunk and the trailer that points to it; without a trailer a\n"
	       "reader walks the chunks and takes those that are whole. All sizes are multiples\n"
	       "of 8, all numbers little endian. A reader steps over kinds that it does not know\n"
	       "and over chunks with flags that it does not know.\n\n"
	       "``grtrace record --rotate`` writes several files of one session. Each but the first\n"
	       "begins with the definitions that its events may need and, for each CPU, with a SUBBUF that is a copy\n"
	       "of the last one with the events since then added: its ``index`` is that of the one\n"
	       "copied, its ``cseq`` that of the last event in the file before. Readers take the\n"
	       "losses at the seam from it. No event is in two of the files. Each but the last ends\n"
	       "with STATS: if they count no more losses than the accounts of all CPUs, nothing was\n"
	       "lost before the last WATERMARK, even if a CPU has had no account for some time.\n\n");
	MEMBERS("Header of the file", header, GRT_FILE_HEADER_FIELDS);
	MEMBERS("Header of a chunk", chunk, GRT_FILE_CHUNK_FIELDS);
	heading("Kinds of chunks", '-');
	begin_table("10 20 70", "kind,name,meaning");
#define KIND(NAME, nr, text) printf("   * - %d\n     - %s\n     - %s\n", nr, #NAME, text);
	GRT_CHUNKS(KIND)
	printf("\nA chunk of data holds at most %u bytes.\n\n", GRT_CHUNK_MAX_BYTES);
	MEMBERS("Row of the index", index, GRT_FILE_INDEX_FIELDS);
	MEMBERS("Trailer", trailer, GRT_FILE_TRAILER_FIELDS);
}

static void print_losses(void)
{
	heading("Missing events", '=');
	printf("The fates of a SUBBUF or STREAM_END are an account: they count all events that the CPU\n"
	       "has seen since the session began, up to the record's ``ts``. ``cseq`` of a SUBBUF, and\n"
	       "``last_cseq`` of a STREAM_END, is the number of the last event before it. If a fate grew\n"
	       "by N between two accounts, N events met that fate between them.\n\n"
	       "- BUFFER_FULL: they are missing between the last event before the second account and\n"
	       "  that account. A full buffer takes nothing until a sub-buffer is free, and a new\n"
	       "  sub-buffer begins with an account.\n"
	       "- ``cseq`` is larger than the number of the last event in the trace: the events between\n"
	       "  the two were written, but the trace lacks them. They are missing behind that event.\n"
	       "- All other fates: anywhere between the two accounts.\n\n"
	       "A SUBBUF that begins because the last one had no room left does not count the event\n"
	       "that follows it.\n\n"
	       "Before its first event a CPU has seen nothing. The first SUBBUF of a CPU is an account\n"
	       "of what this trace lacks if its ``index`` and ``cseq`` are 0, or if the trace is a file\n"
	       "whose header has the ``start_ns`` of STREAM_INFO: it began with the session, so that\n"
	       "sub-buffers before that one are missing. Else it tells of times before the trace.\n\n"
	       "Losses behind the last account of a CPU are unknown. STREAM_END is the last account\n"
	       "of a stream. Writing ``flush`` to ``control`` makes the module write a SUBBUF without\n"
	       "events, if events met their fates since the last account: so the recording of a session\n"
	       "that goes on ends with an account for each CPU, unless more events came at once. Where\n"
	       "the last record of a CPU is an event, readers give a LOSS of reason WRITTEN and count 0,\n"
	       "from the last account to the last event: it is unknown how many were lost.\n\n");
	heading("LOSS records in files", '-');
	printf("Importers, slices and merges write LOSS records among the data, and accounts that know of\n"
	       "no other fate than written. Such a LOSS says that ``count`` events are missing between\n"
	       "``from_ns`` and ``to_ns``, 0: nobody knows how many. Its ``ts`` is ``to_ns``, it has no number\n"
	       "among the events, and its ``cpu`` is where they were missed, or where the next event was\n"
	       "when that is not known. In an imported trace, BUFFER_FULL counts what the other tracer lost,\n"
	       "and WRITTEN what was overwritten before it was saved, or cannot be read. In a merged trace,\n"
	       "DISABLED is the time between two sessions, and WRITTEN the time between two recordings of\n"
	       "one session.\n"
	       "Where the traces they were made of leave no loss open at their ends, by a STREAM_END or\n"
	       "an account as the last record of each CPU, slices and merges end with STREAM_END.\n\n");
	heading("Where a trace was recorded", '-');
	printf("The recorder, not the kernel, writes MACHINE and CGROUP: where the stream begins, and behind the\n"
	       "first PROCESS that names a cgroup. The lines of MACHINE are ``host``, ``boot_id`` and, if no path\n"
	       "could be found, ``no_cgroup_paths``, which says why. If there is no ``host``, the\n"
	       "one in the head of the file counts. The first line of CGROUP is the path below\n"
	       "the root of the hierarchy, as in ``/proc/PID/cgroup``; behind it, ``pod``, ``namespace`` and\n"
	       "``container`` are the names that the logs of the kubelet told. A cgroup that was gone when\n"
	       "the recorder read its PROCESS has no CGROUP, and its path is not known. Nothing else is recorded:\n"
	       "readers find the pod, container, Slurm job or unit in the path (``fleet.rst``).\n\n");
	heading("Keys of METADATA that importers and editors write", '-');
	printf("``imported=1``; ``clock_name``, as the other tracer calls its clock; ``keys``, ``exact`` or\n"
	       "``inferred``; ``kernel``, the release, where the file has it. ``slice`` and ``merge`` say what the\n"
	       "trace was made of, ``merge_boots`` how many boots are in it. What an importer does not\n"
	       "know has no key, and no feature bit: without DEPENDENCIES there, no event tells what\n"
	       "jobs wait for.\n\n");
	heading("Times", '-');
	printf("The ``ts`` of the events tells when a stage begins and ends. ``hw_done_ns`` of END is the\n"
	       "timestamp of the hardware's fence, 0 where that is not known; no stage uses it.\n\n"
	       "The ``ts`` of SUSPEND is the time of the wake-up, ``slept_ns`` how long the machine slept.\n"
	       "CLOCK_MONOTONIC stands still meanwhile, so nothing is cut out of ring time. On any other\n"
	       "clock, ring time leaves out the time from ``ts`` - ``slept_ns`` to ``ts``.\n\n"
	       "A FREQUENCY with the flag UPPER_BOUND is a sample: the value changed at its ``ts`` or\n"
	       "since the sample before. It is repeated each second, so after two seconds without one the\n"
	       "value is not known: the GPU slept, or nobody asked. A clock of 0 is off or not known.\n\n");
}

static void print_added(void)
{
	static const char *const rows[][2] = {
		{ "a type of event, below 32; a type of record about the stream",
		  "steps over the record and counts it; reports, ``verify`` and the library tell how many; "
		  "slices and merges leave it out" },
		{ "members after the last one of a record, unless the record ends in a text",
		  "does not look at them" },
		{ "a name for a member that is reserved, and 0 until then", "does not look at it" },
		{ "a value of an enum, but no fate; a key of POLICY",
		  "shows the number, or the key; takes an engine for OTHER, and an order for UNKNOWN" },
		{ "a flag", "shows ``BIT`` and its number" },
		{ "a feature, a ``name=value`` line of METADATA or STATS",
		  "does not look at it" },
		{ "a kind of chunk, a flag of a chunk", "leaves the chunk out, with a warning" },
		{ "members behind the header of the file, whose ``bytes`` grow", "steps over them" },
	};

	printf(".. list-table::\n   :header-rows: 1\n   :widths: 50 50\n\n"
	       "   * - may be added\n     - what an earlier reader does\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		printf("   * - %s\n     - %s\n", rows[i][0], rows[i][1]);
	printf("\n");
}

static void print_frozen(void)
{
	heading("What stays in all versions 1.x", '=');
	printf("Format version 1 is frozen since grtrace 1.0.0. Every grtrace 1.x writes it, and every\n"
	       "grtrace from 1.0.0 on reads it. These do not change:\n\n"
	       "- the number and the meaning of each type, value, flag, feature and kind of chunk;\n"
	       "- the place, the width, the unit and the meaning of each member;\n"
	       "- the size of the shortest record of each type;\n"
	       "- the records that end in a text: they get no more members;\n"
	       "- the fates: readers add them up, so there will be no others;\n"
	       "- the order of records, their counts, and what follows from them: see `Missing events`_;\n"
	       "- the headers of chunks, the index and the trailer of a ``.grt``.\n\n");
	print_added();
	printf("Any other change makes format version %d, or file version %d. An earlier reader refuses\n"
	       "such a trace, with status 4, and says that a newer grtrace reads it.\n\n",
	       GRTRACE_FORMAT_VERSION + 1, GRT_FILE_VERSION + 1);
	printf("A later reader takes each member that an earlier record is too short for as 0, which means\n"
	       "\"not known\" or \"none\". So 0 has to mean that in each member that is added.\n\n"
	       "The tests hold this promise: ``t-format.sh`` compares every number with a list that is kept,\n"
	       "``t-release.sh`` reads traces of grtrace 1.0.0, and the same as a later version might write\n"
	       "them, and ``t-compatible.sh`` gives new traces to the first reader.\n\n");
}

int main(void)
{
	printf(".. SPDX-License-Identifier: GPL-2.0\n"
	       ".. Made by tools/grtrace/doc/gen-format; do not edit.\n\n");
	heading("The formats of grtrace", '=');
	printf("Format version %d. A stream is what one CPU wrote: STREAM_INFO, METADATA, the\n"
	       "RING, PROCESS and POLICY rows known so far, then sub-buffers, each beginning with\n"
	       "SUBBUF, new rows between them, and STREAM_END. A POLICY row stands before the first\n"
	       "sub-buffer with an event that it concerns: it may be later than some events behind\n"
	       "it. Native little endian, 64-bit; the magic of\n"
	       "STREAM_INFO, 0x%016llx, refuses others. Between CPUs the order is (ts, cpu, cseq);\n"
	       "equal times on two CPUs are concurrent. Readers never see SUBBUF and STREAM_END:\n"
	       "they see the LOSS records that follow from them.\n\n"
	       "A .grt may have one stream more: what the recorder sampled in sysfs. Its CPU is the\n"
	       "number in ``cpus`` of STREAM_INFO, which is no CPU, and its events have no gseq.\n\n",
	       GRTRACE_FORMAT_VERSION, (unsigned long long)GRTRACE_STREAM_MAGIC);
	print_frozen();
	print_header();
	print_types();
	print_enums();
	print_losses();
	print_file();
	return fflush(stdout) || ferror(stdout);
}
