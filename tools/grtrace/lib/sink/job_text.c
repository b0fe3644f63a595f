// SPDX-License-Identifier: LGPL-2.1
/* Jobs as lines and a summary as one screen, for people. */
#include <inttypes.h>
#include <string.h>

#include "job_column.h"
#include "job_table.h"
#include "job_words.h"
#include "number.h"

#define JOB_LINE	"%-14s  %-20s  %-12s  %12s  %9s  %9s  %9s  %9s  %9s  %s%s%s\n"

static void begin(struct grt_job_out *o)
{
	if (o->has_begun)
		return;
	o->has_begun = true;
	fputs(grt_bold(o), o->file);
	fprintf(o->file, JOB_LINE, "JOB", "PROCESS", "RING", "SUBMITTED", "HOST", "QUEUE",
		"EXEC", "COMPLETE", "TOTAL", "STATUS   ", "  ", "FLAGS");
	fputs(grt_plain(o), o->file);
}

static void job_line(struct grt_job_out *o, const struct grt_job *job)
{
	const struct grt_names *names = grt_model_names(o->summary->model);
	uint64_t first_ns = grt_model_totals(o->summary->model)->first_ns;
	char key[48], process[GRT_WORD_MAX], ring[GRT_WORD_MAX], at[GRT_WORD_MAX] = "-";
	char words[6][GRT_WORD_MAX], flags[GRT_JOB_FLAGS_LEN], status[GRT_WORD_MAX];

	begin(o);
	snprintf(key, sizeof(key), "%" PRIu64 ":%" PRIu64, job->ctx, job->seqno);
	if (grt_job_has(job, GRT_AT_SUBMIT))
		snprintf(at, sizeof(at), "%.6f s",
			 (int64_t)(job->at_ns[GRT_AT_SUBMIT] - first_ns) / 1e9);
	snprintf(status, sizeof(status), job->flags ? "%-9s" : "%s",
		 grt_word_status(words[5], job));
	fprintf(o->file, JOB_LINE, key, grt_word_process(process, names, job->process),
		grt_word_ring(ring, names, job->ring), at,
		grt_word_stage(words[0], job, GRT_STAGE_SUBMIT_HOST),
		grt_word_stage(words[1], job, GRT_STAGE_QUEUE),
		grt_word_stage(words[2], job, GRT_STAGE_EXEC),
		grt_word_stage(words[3], job, GRT_STAGE_COMPLETE),
		grt_word_stage(words[4], job, GRT_STAGE_TOTAL),
		status, job->flags ? "  " : "", grt_job_flags(job->flags, flags));
}

static void end(struct grt_job_out *o)
{
	if (o->has_begun)
		putc('\n', o->file);
	grt_headline(o);
	if (!o->summary->all.jobs)
		grt_say_no_jobs(o);
}

/* @part of @whole, in @cells cells of eight steps each. */
static const char *bar(char *buf, const struct grt_job_out *o, uint64_t part, uint64_t whole,
		       unsigned int cells)
{
	static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	unsigned int steps = whole ? (double)part / whole * cells * 8 + 0.5 : 0;
	char *to = buf;

	*to = '\0';
	if (o->is_ascii)
		return buf;
	for (; steps >= 8; steps -= 8)
		to = stpcpy(to, "█");
	stpcpy(to, eighths[steps]);
	return buf;
}

#define BAR_CELLS	12
#define BAR_MAX		(4 * (BAR_CELLS + 2))

static void busy_table(struct grt_job_out *o)
{
	const struct grt_summary *s = o->summary;
	const struct grt_names *names = grt_model_names(s->model);
	const struct grt_model_totals *t = grt_model_totals(s->model);
	uint64_t wall_ns = t->last_ns - t->first_ns;
	char word[GRT_WORD_MAX], count[GRT_NUMBER_MAX], bars[BAR_MAX];
	struct grt_table table;

	grt_table_init(&table, o->is_ascii ? "lrrll" : "llrrll");
	grt_table_add(&table, "HOW BUSY THE RINGS WERE");
	if (!o->is_ascii)
		grt_table_add(&table, "%s", "");
	grt_table_add(&table, "busy");
	grt_table_add(&table, "jobs");
	grt_table_add(&table, "engine");
	grt_table_add(&table, "device");
	for (size_t i = 0; i < grt_rollup_count(&s->by_ring); i++) {
		const struct grt_rollup_row *row = grt_rollup_at(&s->by_ring, i);
		const struct grt_ring_use *use = grt_model_ring_use(s->model, row->ring);
		const struct grt_ring *ring;

		if (row->ring == GRT_NONE)
			continue;
		ring = grt_names_ring_at(names, row->ring);
		grt_table_add(&table, " %s", grt_word_ring(word, names, row->ring));
		if (!o->is_ascii)
			grt_table_add(&table, "%s", bar(bars, o, use->busy_ns, wall_ns, BAR_CELLS));
		/* With STARTs missing, what is known is the least it can have been. */
		if (ring->order != GRTRACE_ORDER_FIFO || !wall_ns)
			grt_table_add(&table, "-");
		else
			grt_table_add(&table, "%s%.1f%%", use->unknown_jobs ? ">=" : "",
				      100.0 * use->busy_ns / wall_ns);
		grt_table_add(&table, "%s", grt_format_count(count, row->jobs));
		grt_table_add(&table, "%s", ring->is_defined ? grt_engine_name(ring->engine) : "-");
		grt_table_add(&table, "%s%s%s", ring->driver, *ring->driver ? " " : "",
			      ring->device);
	}
	putc('\n', o->file);
	grt_table_print(&table, o->file, grt_bold(o), grt_plain(o));
	grt_table_free(&table);
}

static void add_share(struct grt_table *t, uint64_t part_ns, const struct grt_rollup_row *row)
{
	double whole_ns = row->share_ns[GRT_STAGE_TOTAL];

	if (!whole_ns)
		grt_table_add(t, "-");
	else
		grt_table_add(t, "%.1f%%", 100 * part_ns / whole_ns);
}

static void add_quantile(struct grt_table *t, const struct grt_hist *h, unsigned int permille)
{
	char word[GRT_NUMBER_MAX];

	grt_table_add(t, "%s", h->count ?
		      grt_format_ns(word, grt_hist_quantile(h, permille)) : "-");
}

static void time_row(struct grt_table *t, const struct grt_job_out *o,
		     const struct grt_rollup_row *row, bool has_unsplit)
{
	static const enum grt_stage shares[] = {
		GRT_STAGE_SUBMIT_HOST, GRT_STAGE_QUEUE, GRT_STAGE_EXEC, GRT_STAGE_COMPLETE,
	};
	const struct grt_names *names = grt_model_names(o->summary->model);
	const struct grt_hist *total = &row->stages[GRT_STAGE_TOTAL];
	char word[GRT_WORD_MAX], count[GRT_NUMBER_MAX];

	grt_table_add(t, " %s", grt_word_ring(word, names, row->ring));
	grt_table_add(t, "%s", o->is_per_ring ? "" : grt_word_process(word, names, row->process));
	grt_table_add(t, "%s", grt_format_count(count, row->jobs));
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		if (shares[i] == GRT_STAGE_COMPLETE && has_unsplit)
			add_share(t, row->unsplit_ns, row);
		add_share(t, row->share_ns[shares[i]], row);
	}
	add_quantile(t, total, 500);
	add_quantile(t, total, 990);
	add_quantile(t, total, 1000);
}

static void legend(const struct grt_job_out *o, bool has_unsplit)
{
	const struct grt_rollup_row *all = &o->summary->all;
	uint64_t known_ns = all->share_ns[GRT_STAGE_SUBMIT_HOST] + all->unsplit_ns +
			    all->share_ns[GRT_STAGE_QUEUE] + all->share_ns[GRT_STAGE_EXEC] +
			    all->share_ns[GRT_STAGE_COMPLETE];

	fprintf(o->file, " shares of total: host, until handed to the ring; queue, behind others "
		"there; exec, it ran;\n%s complete, until waiters saw it%s\n"
		" p50 p99 max of total, quantiles within %s\n",
		has_unsplit ? " either, queue or exec, as START is not known;\n" : "",
		known_ns < all->share_ns[GRT_STAGE_TOTAL] ? "; the rest is not known" : "",
		GRT_HIST_ERROR_TEXT);
}

static void time_table(struct grt_job_out *o)
{
	const struct grt_summary *s = o->summary;
	const struct grt_rollup *rows = o->is_per_ring ? &s->by_ring : &s->by_process;
	bool has_unsplit = s->all.unsplit_ns;
	struct grt_table t;

	grt_table_init(&t, has_unsplit ? "llrrrrrrrrr" : "llrrrrrrrr");
	grt_table_add(&t, "WHERE JOBS SPENT THEIR TIME");
	grt_table_add(&t, "%s", "");
	grt_table_add(&t, "jobs");
	grt_table_add(&t, "host");
	grt_table_add(&t, "queue");
	grt_table_add(&t, "exec");
	if (has_unsplit)
		grt_table_add(&t, "either");
	grt_table_add(&t, "complete");
	grt_table_add(&t, "p50");
	grt_table_add(&t, "p99");
	grt_table_add(&t, "max");
	for (size_t i = 0; i < grt_rollup_count(rows); i++)
		time_row(&t, o, grt_rollup_at(rows, i), has_unsplit);
	putc('\n', o->file);
	grt_table_print(&t, o->file, grt_bold(o), grt_plain(o));
	grt_table_free(&t);
	legend(o, has_unsplit);
}

static void worst_table(struct grt_job_out *o)
{
	const struct grt_summary *s = o->summary;
	const struct grt_names *names = grt_model_names(s->model);
	char word[GRT_WORD_MAX], count[GRT_NUMBER_MAX], flags[GRT_JOB_FLAGS_LEN];
	struct grt_table t;

	if (!s->nr_worst)
		return;
	grt_table_init(&t, "lllrrrrrll");
	grt_table_add(&t, "WORST JOBS (%u of %s)", s->nr_worst,
		      grt_format_count(count, s->all.jobs));
	grt_table_add(&t, "%s", "");
	grt_table_add(&t, "%s", "");
	grt_table_add(&t, "total");
	grt_table_add(&t, "host");
	grt_table_add(&t, "queue");
	grt_table_add(&t, "exec");
	grt_table_add(&t, "complete");
	grt_table_add(&t, "status");
	grt_table_add(&t, "flags");
	for (uint32_t i = 0; i < s->nr_worst; i++) {
		const struct grt_job *job = &s->worst[i];

		grt_table_add(&t, " %" PRIu64 ":%" PRIu64, job->ctx, job->seqno);
		grt_table_add(&t, "%s", grt_word_process(word, names, job->process));
		grt_table_add(&t, "%s", grt_word_ring(word, names, job->ring));
		grt_table_add(&t, "%s", grt_word_stage(word, job, GRT_STAGE_TOTAL));
		grt_table_add(&t, "%s", grt_word_stage(word, job, GRT_STAGE_SUBMIT_HOST));
		grt_table_add(&t, "%s", grt_word_stage(word, job, GRT_STAGE_QUEUE));
		grt_table_add(&t, "%s", grt_word_stage(word, job, GRT_STAGE_EXEC));
		grt_table_add(&t, "%s", grt_word_stage(word, job, GRT_STAGE_COMPLETE));
		grt_table_add(&t, "%s", grt_word_status(word, job));
		grt_table_add(&t, "%s", grt_job_flags(job->flags, flags));
	}
	putc('\n', o->file);
	grt_table_print(&t, o->file, grt_bold(o), grt_plain(o));
	grt_table_free(&t);
}

static void summary(struct grt_job_out *o)
{
	const uint64_t *lost = grt_model_totals(o->summary->model)->lost;

	grt_headline(o);
	if (!o->summary->all.jobs) {
		grt_say_no_jobs(o);
		return;
	}
	busy_table(o);
	time_table(o);
	worst_table(o);
	putc('\n', o->file);
	if (lost[GRTRACE_FATE_BUFFER_FULL])
		fputs("! the buffer was full at times, and what was lost makes jobs unknown\n"
		      "hint: sudo grtrace record -b 16M\n", o->file);
	if (o->info->is_file)
		fprintf(o->file, "hint: grtrace report --jobs %s\n", o->info->name);
}

const struct grt_job_sink grt_job_text = { "text", job_line, end, summary };
