// SPDX-License-Identifier: LGPL-2.1
/* Memory of GPUs for people: what stands out in sentences, then the tables; and for programs. */
#include <inttypes.h>
#include <stdlib.h>

#include "error.h"
#include "job_words.h"
#include "memory_sink.h"
#include "number.h"
#include "screen.h"

static void say_totals(FILE *f, const struct grt_memory *m)
{
	const struct grt_memory_process *p = &m->all;
	char n[GRT_NUMBER_MAX];

	fprintf(f, "MEMORY in %s: ", grt_format_ns(n, m->window.to_ns - m->window.from_ns));
	fprintf(f, "%s created", grt_format_bytes(n, p->created.bytes));
	fprintf(f, " in %s %s", grt_format_count(n, p->created.events),
		grt_plural(p->created.events, "object", "objects"));
	if (!p->has_blind_device) {
		fprintf(f, ", %s destroyed", grt_format_bytes(n, p->destroyed.bytes));
		if (grt_memory_is_whole(m))
			fprintf(f, ", %s of them live at the end", grt_format_bytes(n, p->live.level.bytes));
	}
	fprintf(f, "; %s moved.\n", grt_format_bytes(n, p->moved.bytes));
}

static void say_unknown(FILE *f, const struct grt_memory *m)
{
	char n[GRT_NUMBER_MAX];

	if (m->all.has_blind_device)
		fputs("No event says that an object ended on a GPU where live bytes are \"-\": there, "
		      "only what was created so far is known.\n", f);
	if (!grt_memory_is_whole(m))
		fprintf(f, "Events of memory may be missing from %s on: live bytes are not known from "
			"there on, and no rates.\n",
			m->blind_ns <= m->window.from_ns ? "the begin" :
			grt_format_ns(n, m->blind_ns - grt_model_totals(m->model)->first_ns));
	if (m->all.has_untold_ends)
		fputs("Some objects ended without an event that says so: they count as live until "
		      "their number was given again.\n", f);
	if (m->earlier.events)
		fprintf(f, "%s more %s destroyed that the trace does not see created.\n",
			grt_format_count(n, m->earlier.events),
			grt_plural(m->earlier.events, "object was", "objects were"));
	if (m->lacks_rebinds)
		fputs("Some objects have too many address spaces to follow: there may be more rebinds.\n", f);
}

static void say_leaks(FILE *f, const struct grt_memory *m)
{
	char word[GRT_WORD_MAX], n[GRT_NUMBER_MAX];
	uint64_t bytes;

	for (size_t i = 0; i < grt_memory_processes(m); i++) {
		const struct grt_memory_process *p = grt_memory_process_at(m, i);

		if (!grt_memory_leaks(m, p, &bytes))
			continue;
		fprintf(f, "! %s may leak memory: its live bytes grew in each tenth of the time and "
			"never fell back, ", grt_word_memory_process(word, m, p));
		fprintf(f, "by %s in all; ", grt_format_bytes(n, bytes));
		fprintf(f, "%s are live at the end.\n", grt_format_bytes(n, p->live.level.bytes));
	}
}

/* Prints what @say says in lines that fit the terminal. */
static void fold(const struct grt_job_out *o, const struct grt_memory *m,
		 void (*say)(FILE *f, const struct grt_memory *m))
{
	char *text = NULL;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);

	if (!f) {
		grt_fail_memory();
		return;
	}
	say(f, m);
	if (!fclose(f))
		grt_text_fold(o->file, text, o->width, 1);
	free(text);
}

static void say_none(const struct grt_job_out *o, const struct grt_memory *m)
{
	fprintf(o->file, "\nno events of memory %s\n", m->others ? "of this process" :
		m->synthetic ? "but those written by hand" : o->has_span ? "in the selected time" :
		"in this trace");
	if (!o->files)
		return;
	if (m->others || o->has_span)
		fprintf(o->file, "hint: grtrace report --memory --all%s\n", o->files);
	else if (m->synthetic)
		fprintf(o->file, "hint: grtrace report --memory --synthetic%s\n", o->files);
	else
		fprintf(o->file, "hint: grtrace report --events%s    # which events it has\n", o->files);
}

static void hint_leak(const struct grt_job_out *o, const struct grt_memory *m)
{
	uint64_t bytes;

	for (size_t i = 0; i < grt_memory_processes(m) && o->files; i++) {
		const struct grt_memory_process *p = grt_memory_process_at(m, i);

		if (!grt_memory_leaks(m, p, &bytes))
			continue;
		fprintf(o->file, "\nhint: grtrace dump --type memory --filter 'op == CREATE && tgid == %"
			PRIu32 "'%s    # what it created\n", p->tgid, o->files);
		return;
	}
}

void grt_memory_text(struct grt_job_out *o, const struct grt_memory *m)
{
	grt_headline(o);
	if (!m->events) {
		say_none(o, m);
		return;
	}
	putc('\n', o->file);
	fold(o, m, say_leaks);
	fold(o, m, say_totals);
	fold(o, m, say_unknown);
	for (size_t i = 0; i < grt_nr_memory_makers; i++) {
		struct grt_report_table t;

		if (!grt_memory_makers[i].in_text)
			continue;
		grt_memory_makers[i].make(&t, o, m);
		t.width = o->width;
		if (grt_report_rows(&t)) {
			putc('\n', o->file);
			grt_report_print_text(&t, o->file, o->na, grt_bold(o), grt_plain(o));
		}
		grt_report_free(&t);
	}
	hint_leak(o, m);
}

static void print_csv(struct grt_job_out *o, const struct grt_memory *m)
{
	for (size_t i = 0; i < grt_nr_memory_makers; i++) {
		struct grt_report_table t;

		if (i)
			putc('\n', o->file);
		grt_memory_makers[i].make(&t, o, m);
		grt_report_print_csv(&t, o->file, o->na);
		grt_report_free(&t);
	}
}

static void print_json(struct grt_job_out *o, const struct grt_memory *m)
{
	struct grt_json j = { .file = o->file };

	grt_json_open(&j, NULL, '{');
	for (size_t i = 0; i < grt_nr_memory_makers; i++) {
		struct grt_report_table t;

		grt_memory_makers[i].make(&t, o, m);
		grt_report_print_json(&t, &j);
		grt_report_free(&t);
	}
	grt_json_close(&j, '}');
	putc('\n', o->file);
}

void grt_memory_print(struct grt_job_out *o, const struct grt_memory *m, const struct grt_job_sink *sink)
{
	if (sink == &grt_job_text)
		grt_memory_text(o, m);
	else if (sink == &grt_job_csv)
		print_csv(o, m);
	else
		print_json(o, m);
}
