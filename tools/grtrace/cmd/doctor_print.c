// SPDX-License-Identifier: GPL-2.0
/* What grtrace doctor found, as text, CSV or JSON. */
#include <stdio.h>
#include <string.h>

#include "doctor.h"
#include "json.h"
#include "quote.h"
#include "trace.h"

#define LABEL_WIDTH	12
#define CERTAINTY_WIDTH	10

static const struct doctor_gpu *gpu_at(const struct doctor *d, size_t i)
{
	return grt_vec_at(&d->gpus, struct doctor_gpu, i);
}

static const struct doctor_check *check_at(const struct doctor *d, size_t i)
{
	return grt_vec_at(&d->checks, struct doctor_check, i);
}

#define NR_GPUS(d)	grt_vec_count(&(d)->gpus, struct doctor_gpu)
#define NR_CHECKS(d)	grt_vec_count(&(d)->checks, struct doctor_check)

static const char *driver_of(const struct doctor_gpu *g)
{
	if (g->driver->name)
		return g->driver->name;
	return *g->gpu.module ? g->gpu.module : *g->gpu.driver ? g->gpu.driver : "-";
}

static const char *sched_of(const struct doctor_gpu *g)
{
	switch (g->queue) {
	case GRT_QUEUE_SCHED:
		return "yes";
	case GRT_QUEUE_UNKNOWN:
		return "unknown";
	default:
		return "no";
	}
}

/* What is to say of all jobs of a driver; NULL: see the facts. */
static const char *no_jobs(const struct doctor_gpu *g)
{
	switch (g->queue) {
	case GRT_QUEUE_NONE:
		return "this driver has no jobs";
	case GRT_QUEUE_SECRET:
		return "the kernel does not see the jobs of this driver";
	case GRT_QUEUE_UNKNOWN:
		return "grtrace knows nothing of this driver, nor whether it uses the DRM scheduler";
	default:
		return NULL;
	}
}

static const char *no_jobs_certainty(const struct doctor_gpu *g)
{
	return grt_certainty_names[g->queue == GRT_QUEUE_UNKNOWN ? GRT_UNKNOWN : GRT_UNSEEN];
}

/* Without jobs, what else is not seen is no news. */
static bool has_fact(const struct doctor_gpu *g, int topic)
{
	return !no_jobs(g) || (!grt_topic_is_of_job[topic] && g->facts[topic].certainty != GRT_UNSEEN);
}

static bool is_bypass_of(const struct doctor *d, const struct doctor_gpu *g, const struct grt_bypass *b)
{
	return g->driver->name && !strcmp(b->driver, g->driver->name) && !no_jobs(g) &&
	       grt_bypass_is_there(&d->look, b, d->about);
}

/* --- text --- */

static void print_row(FILE *f, const char *label, const char *certainty, const char *text,
		      const char *hint)
{
	fprintf(f, "  %-*s%s%-*s%s", LABEL_WIDTH, label, strlen(label) < LABEL_WIDTH ? "" : "  ",
		*text ? CERTAINTY_WIDTH : 0, certainty, *text ? " " : "");
	grt_put_text(f, text);
	if (*hint)
		fprintf(f, "  hint: %s", hint);
	putc('\n', f);
}

/* Whether two facts read the same, so that they share a line. */
static bool is_same(const struct grt_fact *a, const struct grt_fact *b)
{
	return a->certainty == b->certainty && !strcmp(a->text, b->text) && !strcmp(a->hint, b->hint);
}

/* That no source records something needs no more words. */
static bool is_plainly_unseen(const struct grt_fact *f)
{
	return f->certainty == GRT_UNSEEN && !*f->text;
}

/* Lists the topics from @first on whose facts are the same, and ticks them off. */
static void list_same(const struct doctor_gpu *g, int first, bool *is_told, char *to, size_t room)
{
	size_t at = 0;

	*to = '\0';
	for (int topic = first; topic < GRT_NR_TOPICS; topic++) {
		if (is_told[topic] || !has_fact(g, topic) || !is_same(&g->facts[first], &g->facts[topic]))
			continue;
		is_told[topic] = true;
		at += snprintf(to + at, room - at, "%s%s", at ? ", " : "", grt_topic_names[topic]);
	}
}

/* What is not seen comes last. */
static void print_facts(const struct doctor_gpu *g, FILE *f)
{
	bool is_told[GRT_NR_TOPICS] = { false };
	char topics[200], unseen[200] = "";

	for (int topic = 0; topic < GRT_NR_TOPICS; topic++) {
		const struct grt_fact *fact = &g->facts[topic];
		const char *certainty = grt_certainty_names[fact->certainty];

		if (is_told[topic] || !has_fact(g, topic))
			continue;
		list_same(g, topic, is_told, topics, sizeof(topics));
		/* What has no words of its own is of a job: events of the kernel tell it. */
		if (is_plainly_unseen(fact))
			snprintf(unseen, sizeof(unseen), "%s", topics);
		else if (fact->certainty == GRT_EXACT && !*fact->text)
			print_row(f, "jobs", certainty, topics, "");
		else
			print_row(f, topics, certainty, fact->text, fact->hint);
	}
	if (*unseen)
		print_row(f, grt_certainty_names[GRT_UNSEEN], unseen, "", "");
}

static void print_gpu(const struct doctor *d, const struct doctor_gpu *g, FILE *f)
{
	const char *none = no_jobs(g);

	fprintf(f, "GPU %s  %s", grt_shown(g->gpu.address), grt_shown(driver_of(g)));
	if (*g->gpu.product)
		fprintf(f, "  \"%s\"", grt_shown(g->gpu.product));
	if (*g->gpu.pci_id)
		fprintf(f, "  %s", g->gpu.pci_id);
	fprintf(f, "  %s  drm_sched: %s", g->gpu.nodes, sched_of(g));
	if (g->rings > 0)
		fprintf(f, "  %d %s", g->rings, g->rings == 1 ? "ring" : "rings");
	putc('\n', f);
	if (none)
		print_row(f, "jobs", no_jobs_certainty(g), none, "");
	print_facts(g, f);
	for (const struct grt_bypass *b = grt_bypasses; b->driver; b++)
		if (is_bypass_of(d, g, b))
			print_row(f, grt_certainty_names[GRT_UNSEEN], b->text, "", "");
}

static void print_sources(const struct doctor *d, FILE *f)
{
	const char *dot = trace_is_ascii() ? " | " : " · ";

	fputs("source: ", f);
	for (int i = 0; i < GRT_NR_SOURCES; i++)
		fprintf(f, "%s%s%s", i ? dot : "", d->sources[i].name,
			i == d->best ? " (best)" : d->sources[i].works ? " ok" : " no");
	putc('\n', f);
	for (int i = 0; i < GRT_NR_SOURCES; i++)
		if (!d->sources[i].works)
			print_row(f, d->sources[i].name, d->sources[i].why, "", d->sources[i].hint);
}

static void print_text(const struct doctor *d, FILE *f)
{
	for (size_t i = 0; i < NR_GPUS(d); i++)
		print_gpu(d, gpu_at(d, i), f);
	if (NR_GPUS(d))
		fprintf(f, "This is about recordings with the source %s%s.\n", d->sources[d->about].name,
			d->sources[d->about].works ? "" : ", if it worked");
	print_sources(d, f);
	for (size_t i = 0; i < NR_CHECKS(d); i++)
		print_row(f, check_at(d, i)->is_problem ? "problem" : "note", check_at(d, i)->text, "",
			  check_at(d, i)->hint);
}

/* --- CSV: a row for each thing that was found --- */

static void print_cells(FILE *f, const char * const *cells, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i)
			putc(',', f);
		grt_quote_csv(f, cells[i], strlen(cells[i]));
	}
	putc('\n', f);
}

#define CELLS(f, ...) print_cells(f, (const char *[]){ __VA_ARGS__ }, \
				  sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *))

static void print_csv_gpu(const struct doctor *d, const struct doctor_gpu *g, FILE *f)
{
	const char *address = g->gpu.address, *driver = driver_of(g);

	CELLS(f, "gpu", address, driver, "drm_sched", sched_of(g), g->gpu.product, "");
	for (int topic = 0; topic < GRT_NR_TOPICS; topic++) {
		const struct grt_fact *fact = &g->facts[topic];

		if (has_fact(g, topic))
			CELLS(f, "fact", address, driver, grt_topic_names[topic],
			      grt_certainty_names[fact->certainty], fact->text, fact->hint);
	}
	if (no_jobs(g))
		CELLS(f, "fact", address, driver, "jobs", no_jobs_certainty(g), no_jobs(g), "");
	for (const struct grt_bypass *b = grt_bypasses; b->driver; b++)
		if (is_bypass_of(d, g, b))
			CELLS(f, "bypass", address, driver, "", grt_certainty_names[GRT_UNSEEN], b->text, "");
}

static void print_csv(const struct doctor *d, FILE *f)
{
	fputs("what,gpu,driver,name,result,text,hint\n", f);
	for (size_t i = 0; i < NR_GPUS(d); i++)
		print_csv_gpu(d, gpu_at(d, i), f);
	for (int i = 0; i < GRT_NR_SOURCES; i++)
		CELLS(f, "source", "", "", d->sources[i].name,
		      i == d->best ? "best" : d->sources[i].works ? "ok" : "no", d->sources[i].why,
		      d->sources[i].hint);
	for (size_t i = 0; i < NR_CHECKS(d); i++)
		CELLS(f, "check", "", "", "", check_at(d, i)->is_problem ? "problem" : "note",
		      check_at(d, i)->text, check_at(d, i)->hint);
}

/* --- JSON --- */

static void json_gpu(struct grt_json *j, const struct doctor *d, const struct doctor_gpu *g)
{
	grt_json_open(j, NULL, '{');
	grt_json_text(j, "address", g->gpu.address);
	grt_json_text(j, "device", g->gpu.device);
	grt_json_text(j, "driver", driver_of(g));
	grt_json_text(j, "name", g->gpu.product);
	grt_json_text(j, "pci_id", g->gpu.pci_id);
	grt_json_text(j, "nodes", g->gpu.nodes);
	grt_json_text(j, "drm_sched", sched_of(g));
	if (g->rings < 0)
		grt_json_null(j, "rings");
	else
		grt_json_u64(j, "rings", g->rings);
	grt_json_text(j, "no_jobs", no_jobs(g) ? no_jobs(g) : "");	/* why there are none; else null */
	grt_json_open(j, "facts", '[');
	for (int topic = 0; topic < GRT_NR_TOPICS; topic++) {
		if (!has_fact(g, topic))
			continue;
		grt_json_open(j, NULL, '{');
		grt_json_text(j, "name", grt_topic_names[topic]);
		grt_json_text(j, "result", grt_certainty_names[g->facts[topic].certainty]);
		grt_json_text(j, "text", g->facts[topic].text);
		grt_json_text(j, "hint", g->facts[topic].hint);
		grt_json_close(j, '}');
	}
	grt_json_close(j, ']');
	grt_json_open(j, "bypasses", '[');
	for (const struct grt_bypass *b = grt_bypasses; b->driver; b++)
		if (is_bypass_of(d, g, b))
			grt_json_text(j, NULL, b->text);
	grt_json_close(j, ']');
	grt_json_close(j, '}');
}

static void print_json(const struct doctor *d, FILE *f)
{
	struct grt_json j = { .file = f };

	grt_json_open(&j, NULL, '{');
	grt_json_open(&j, "gpus", '[');
	for (size_t i = 0; i < NR_GPUS(d); i++)
		json_gpu(&j, d, gpu_at(d, i));
	grt_json_close(&j, ']');
	grt_json_text(&j, "best", d->best < 0 ? "" : d->sources[d->best].name);
	grt_json_text(&j, "about", d->sources[d->about].name);
	grt_json_open(&j, "sources", '[');
	for (int i = 0; i < GRT_NR_SOURCES; i++) {
		grt_json_open(&j, NULL, '{');
		grt_json_text(&j, "name", d->sources[i].name);
		grt_json_bool(&j, "works", d->sources[i].works);
		grt_json_text(&j, "text", d->sources[i].why);
		grt_json_text(&j, "hint", d->sources[i].hint);
		grt_json_close(&j, '}');
	}
	grt_json_close(&j, ']');
	grt_json_open(&j, "checks", '[');
	for (size_t i = 0; i < NR_CHECKS(d); i++) {
		grt_json_open(&j, NULL, '{');
		grt_json_bool(&j, "is_problem", check_at(d, i)->is_problem);
		grt_json_text(&j, "text", check_at(d, i)->text);
		grt_json_text(&j, "hint", check_at(d, i)->hint);
		grt_json_close(&j, '}');
	}
	grt_json_close(&j, ']');
	grt_json_close(&j, '}');
	putc('\n', f);
}

void doctor_print(const struct doctor *d, const char *format, FILE *f)
{
	if (!strcmp(format, "json"))
		print_json(d, f);
	else if (!strcmp(format, "csv"))
		print_csv(d, f);
	else
		print_text(d, f);
}
