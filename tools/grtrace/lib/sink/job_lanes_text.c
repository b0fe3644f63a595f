// SPDX-License-Identifier: LGPL-2.1
/* Draws the life of a job, and of those that it waited for, below the lanes of the rings. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "glyphs.h"
#include "job_words.h"
#include "lanes_sink.h"
#include "model.h"
#include "number.h"
#include "text_cells.h"

/* What a job's lane shows: X(STAGE, sign, in ASCII, text). */
#define SIGNS(X)							\
	X(ORDER,       "o", "o", "order")				\
	X(DEP,	       "·", "-", "dep")					\
	X(RING,	       "r", "r", "ring")				\
	X(SCHED,       "~", "~", "sched")				\
	X(SUBMIT_HOST, "w", "w", "waits, why is not known")		\
	X(QUEUE,       "▒", ":", "queue")				\
	X(EXEC,	       "█", "#", "exec")				\
	X(HW,	       "▓", "%", "on the ring")				\
	X(COMPLETE,    "c", "c", "complete")

static const struct {
	const char *sign, *ascii, *text;
} signs[GRT_NR_STAGES] = {
#define ROW(STAGE, sign, ascii, text) [GRT_STAGE_##STAGE] = { sign, ascii, text },
	SIGNS(ROW)
#undef ROW
};

/* The parts of the total, as far as they are known: without those that others replace. */
static bool is_shown(const struct grt_job *job, int stage)
{
	if (!signs[stage].sign || !grt_job_knows(job, stage))
		return false;
	if (stage == GRT_STAGE_SUBMIT_HOST)
		return !grt_job_knows(job, GRT_STAGE_DEP);
	if (stage == GRT_STAGE_HW)
		return !grt_job_knows(job, GRT_STAGE_EXEC);
	return true;
}

/* " order 9 us  dep 38.2 ms  total 41.0 ms" */
static void print_stages(FILE *f, const struct grt_lanes_out *o, const struct grt_job *job)
{
	char ns[GRT_WORD_MAX];

	for (int stage = 0; stage < GRT_STAGE_TOTAL; stage++)
		if (is_shown(job, stage) && (job->stage_ns[stage] || stage == GRT_STAGE_EXEC))
			fprintf(f, "  %s %s %s", o->out->is_ascii ? signs[stage].ascii : signs[stage].sign,
				signs[stage].text, grt_word_stage(ns, o->out, job, stage));
	if (grt_job_knows(job, GRT_STAGE_TOTAL))
		fprintf(f, "  total %s", grt_word_stage(ns, o->out, job, GRT_STAGE_TOTAL));
}

static void print_words(FILE *f, const struct grt_lanes_out *o, const struct grt_job_lane *row)
{
	const struct grt_names *names = grt_model_names(o->lanes->model);
	char word[GRT_WORD_MAX], ns[GRT_NUMBER_MAX], flags[GRT_JOB_FLAGS_LEN];

	fprintf(f, " %" PRIu64 ":%" PRIu64, row->ctx, row->seqno);
	if (!row->is_seen) {
		fputs("  belongs to no job of this trace", f);
	} else {
		fprintf(f, "  %s", grt_word_process(word, names, row->job.process));
		fprintf(f, "  %s", grt_word_ring(word, names, row->job.ring));
		print_stages(f, o, &row->job);
		if (row->job.flags)
			fprintf(f, "  %s", grt_job_flags(row->job.flags, flags));
	}
	if (row->wait_ns)
		fprintf(f, "  held it up %s", grt_format_ns(ns, row->wait_ns));
	putc('\n', f);
}

static void draw(struct grt_glyphs *line, const struct grt_lanes_out *o,
		 const struct grt_job_lane *row, size_t label)
{
	char text[64];

	grt_glyphs_clear(line);
	for (uint32_t i = 0; i < o->lanes->columns; i++) {
		int stage = grt_job_lane_stage(row, i);

		if (stage >= 0 && signs[stage].sign)
			grt_glyphs_put(line, i, o->out->is_ascii ? signs[stage].ascii : signs[stage].sign, 0);
	}
	snprintf(text, sizeof(text), "%" PRIu64 ":%" PRIu64, row->ctx, row->seqno);
	grt_glyphs_label(o->out->file, text, label - 1);
	putc(' ', o->out->file);
	grt_glyphs_print(line, o->out->file, o->out->has_colour, false);
	putc('\n', o->out->file);
}

int grt_job_lanes_text(const struct grt_lanes_out *o, size_t label)
{
	struct grt_glyphs line;
	char *text = NULL;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);
	int err = f ? grt_glyphs_init(&line, o->lanes->columns) : grt_fail_memory();

	if (err) {
		if (f)
			fclose(f);
		free(text);
		return err;
	}
	putc('\n', o->out->file);
	for (unsigned int i = 0; i < o->job->count; i++) {
		draw(&line, o, &o->job->rows[i], label);
		print_words(f, o, &o->job->rows[i]);
	}
	err = fclose(f) ? grt_fail_memory() : 0;
	if (!err)
		grt_text_fold(o->out->file, text, o->out->width, 3);
	free(text);
	grt_glyphs_free(&line);
	return err;
}
