// SPDX-License-Identifier: GPL-2.0
#include "tables.h"

#include <stdio.h>
#include <string.h>

#include <linux/grtrace.h>

#include "column.h"
#include "import.h"
#include "job.h"

struct row {
	const char *name, *text;
};

static const struct row engines[] = {
#define ROW(NAME, nr, text) { #NAME, text },
	GRTRACE_ENGINES(ROW)
#undef ROW
	{ 0 }
};

#define WORDS_KEPT	"kept: "
#define WORDS_LEFT_OUT	"left out on request: "
#define WORDS_LOST	"lost: "

static const struct row fates[] = {
#define ROW(NAME, name, nr, CLASS, text) { #name, WORDS_##CLASS text },
	GRTRACE_FATES(ROW)
#undef ROW
	{ 0 }
};

static const struct row flags[] = {
#define ROW(NAME, name, nr, text) { #name, text },
	GRT_JOB_FLAGS(ROW)
#undef ROW
	{ 0 }
};

static const struct row stages[] = {
#define ROW(NAME, name, text) { #name, text },
	GRT_STAGES(ROW)
	GRT_CPU_STAGES(ROW)
#undef ROW
	{ 0 }
};

static const struct row types[] = {
#define ROW(NAME, st, nr, class, text) { #NAME, text },
	GRTRACE_TYPES(ROW)
#undef ROW
	{ 0 }
};

static const char * const column_kinds[] = {
	[GRT_COLUMN_NAME] = "a name",
	[GRT_COLUMN_ENGINE] = "the name of an engine",
	[GRT_COLUMN_NUMBER] = "a number",
	[GRT_COLUMN_STAMP] = "a moment, in ns",
	[GRT_COLUMN_STAGE] = "a length of time, in ns",
	[GRT_COLUMN_STATUS] = "0, or a negative errno",
	[GRT_COLUMN_FLAGS] = "flags, with | between",
	[GRT_COLUMN_LABELS] = "labels of rules, with | between",
	[GRT_COLUMN_RING] = "the name of a ring",
	[GRT_COLUMN_CGROUP] = "the path of a cgroup",
	[GRT_COLUMN_POD] = "the name of a pod, or its UID",
};

static struct row column_at(size_t i)
{
	if (i >= grt_nr_columns)
		return (struct row){ 0 };
	return (struct row){ grt_columns[i].name, column_kinds[grt_columns[i].kind] };
}

static struct row import_at(size_t i)
{
	return (struct row){ grt_import_event_name(i), "" };
}

static const struct table {
	const char *name, *text;
	const struct row *rows;
	struct row (*at)(size_t i);	/* used if there are no @rows */
} tables[] = {
	{ "columns", "columns of a job in CSV and JSON, and fields of filters", .at = column_at },
	{ "engines", "kinds of engines", .rows = engines },
	{ "fates", "what can become of an event", .rows = fates },
	{ "flags", "what a job's flags mean", .rows = flags },
	{ "imports", "events of other tracers that 'grtrace import' understands", .at = import_at },
	{ "stages", "stages of a job", .rows = stages },
	{ "types", "types of records", .rows = types },
};

#define NR_TABLES	(sizeof(tables) / sizeof(tables[0]))

bool print_table(const char *name)
{
	const struct table *t = tables;
	struct row row;

	while (t < tables + NR_TABLES && strcmp(t->name, name))
		t++;
	if (t == tables + NR_TABLES)
		return false;
	for (size_t i = 0; row = t->rows ? t->rows[i] : t->at(i), row.name; i++)
		printf(*row.text ? "%-24s %s\n" : "%s\n", row.name, row.text);
	return true;
}

void print_tables(void)
{
	for (size_t i = 0; i < NR_TABLES; i++)
		printf("  grtrace help %-7s %s\n", tables[i].name, tables[i].text);
}
