// SPDX-License-Identifier: LGPL-2.1
/* Prints frames: how many were late and why, their percentiles, and the worst of them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "frames_sink.h"
#include "job_table.h"
#include "number.h"
#include "screen.h"
#include "text_cells.h"

#define REASONS		4	/* rows of reasons */

static const char *word_hz(char *buf, uint64_t refresh_ns)
{
	snprintf(buf, GRT_NUMBER_MAX, "%.1f Hz", 1e9 / refresh_ns);
	return buf;
}

static const char *word_process(char *buf, const struct grt_frames *f, const struct grt_frame_sums *s)
{
	if (s->process != GRT_NONE)
		return grt_word_process(buf, grt_model_names(f->model), s->process);
	snprintf(buf, GRT_WORD_MAX, "process %" PRIu32, s->tgid);
	return buf;
}

/* "FRAMES of game[7], from vertical blanks of CRTC 1; a refresh takes 11.2 ms (89.5 Hz)" */
static void say_source(FILE *to, const struct grt_job_out *o, const struct grt_frames *f,
		       const struct grt_frame_sums *s)
{
	const struct grt_display *d = &f->sources.display;
	char word[GRT_WORD_MAX], crtc[GRT_WORD_MAX], ns[GRT_NUMBER_MAX];

	grt_word_crtc(crtc, d->crtc, grt_crtcs_have_gpus(&d->crtcs) ? d->gpu : 0);
	fprintf(to, "%sFRAMES of %s%s, from %s", grt_bold(o), word_process(word, f, s), grt_plain(o),
		grt_frame_source_text(s->source));
	if (s->source == GRT_FRAME_BY_VBLANK)
		fprintf(to, " of %s, %s", crtc, strcmp(grt_display_stamps(d), "hardware") ?
			"at the times of their events" : "at the times that the hardware says");
	putc('\n', to);
	if (!f->refresh_ns)
		return;
	fprintf(to, "a refresh takes %s", grt_format_ns(ns, f->refresh_ns));
	fprintf(to, " (%s%s", word_hz(ns, f->refresh_ns),
		f->wants.refresh_ns ? ", as --refresh says" : ", the median of ");
	fprintf(to, "%s)\n", f->wants.refresh_ns ? "" : crtc);
}

static void say_reasons(FILE *to, const struct grt_frames *f, const struct grt_frame_sums *s)
{
	size_t count = grt_vec_count(&s->reasons, struct grt_frame_reason);
	uint64_t others = s->verdicts[GRT_FRAME_LATE];
	char word[GRT_FRAME_WORD_MAX], ns[GRT_NUMBER_MAX], n[GRT_NUMBER_MAX];

	for (size_t i = 0; i < count && i < REASONS; i++) {
		const struct grt_frame_reason *r = grt_vec_at(&s->reasons, struct grt_frame_reason, i);

		fprintf(to, " %s because %s", grt_format_count(n, r->frames),
			grt_word_frame_cause(word, f->model, s->process, &r->cause));
		fprintf(to, " (%s%s%s)\n", r->cause.is_upper_bound ? "at most " : "",
			grt_format_ns(ns, r->cause.ns / r->frames),
			r->frames > 1 ? " each" : "");
		others -= r->frames;
	}
	if (others)
		fprintf(to, " %s for other reasons\n", grt_format_count(n, others));
	if (s->late_upper_bound)
		fprintf(to, "in %s of these, a job was perhaps complete before its COMPLETE\n",
			grt_format_count(n, s->late_upper_bound));
}

static void say_verdicts(FILE *to, const struct grt_frames *f, const struct grt_frame_sums *s)
{
	uint64_t judged = s->frames - s->verdicts[GRT_FRAME_LOSSY] - s->verdicts[GRT_FRAME_PAUSE];
	uint64_t late = s->verdicts[GRT_FRAME_LATE];
	char n[GRT_NUMBER_MAX], ns[GRT_NUMBER_MAX];

	fprintf(to, "%s %s", grt_format_count(n, judged), grt_plural(judged, "frame", "frames"));
	if (f->refresh_ns) {
		fprintf(to, ", %s late", late ? grt_format_count(n, late) : "none");
		fprintf(to, " (over %s)%s\n",
			grt_format_ns(ns, f->refresh_ns + f->refresh_ns / 10), late ? ":" : "");
		say_reasons(to, f, s);
	} else {
		fputs("; which are late is not known, because the trace has no vertical blanks: "
		      "--refresh 60 says that the display has 60 Hz\n", to);
	}
	if (s->verdicts[GRT_FRAME_LOSSY])
		fprintf(to, "%s more not judged: events are missing there\n",
			grt_format_count(n, s->verdicts[GRT_FRAME_LOSSY]));
	if (s->verdicts[GRT_FRAME_PAUSE])
		fprintf(to, "%s of over %s without a SUBMIT; not counted\n",
			grt_plural(s->verdicts[GRT_FRAME_PAUSE], "1 pause",
				   grt_format_count(n, s->verdicts[GRT_FRAME_PAUSE])),
			grt_format_ns(ns, GRT_FRAME_PAUSE_NS));
}

/* Says it in lines that fit the terminal. */
static void say(const struct grt_job_out *o, const struct grt_frames *f,
		const struct grt_frame_sums *s)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	if (!to) {
		grt_fail_memory();
		return;
	}
	say_source(to, o, f, s);
	say_verdicts(to, f, s);
	putc('\n', o->file);
	if (!fclose(to))
		grt_text_fold(o->file, text, o->width, 2);
	free(text);
}

static void quantile_row(const struct grt_job_out *o, struct grt_table *t, const char *name,
			 const struct grt_hist *h)
{
	static const unsigned int permilles[] = { 500, 900, 990, 1000 };
	char ns[GRT_NUMBER_MAX];

	grt_table_add(t, " %s", name);
	for (size_t i = 0; i < sizeof(permilles) / sizeof(permilles[0]); i++)
		grt_table_add(t, "%s", h->count ? grt_format_ns(ns, grt_hist_quantile(h, permilles[i])) :
				       grt_na(o));
	grt_table_add(t, "%s", grt_format_count(ns, h->count));
}

static void quantiles(const struct grt_job_out *o, const struct grt_frame_sums *s)
{
	static const char *const titles[] = { "", "p50", "p90", "p99", "max", "frames" };
	struct grt_table t;

	grt_table_init(&t, "lrrrrr");
	grt_table_fit(&t, o->width, "002103");
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		grt_table_add(&t, "%s", titles[i]);
	quantile_row(o, &t, "frame time", &s->time);
	quantile_row(o, &t, "GPU busy", &s->busy);
	quantile_row(o, &t, "GPU wait", &s->wait);
	quantile_row(o, &t, "display latency", &s->display);
	grt_screen_table(o, &t);
}

static void worst_row(const struct grt_job_out *o, const struct grt_frames *f, struct grt_table *t,
		      const struct grt_frame *frame, bool has_processes)
{
	uint64_t first_ns = grt_model_totals(f->model)->first_ns;
	char ns[GRT_NUMBER_MAX], word[GRT_FRAME_WORD_MAX];

	if (has_processes)
		grt_table_add(t, " %s", grt_word_process(word, grt_model_names(f->model), frame->process));
	grt_table_add(t, has_processes ? "%" PRIu64 : " %" PRIu64, frame->number);
	grt_table_add(t, "%.6f s", (frame->start_ns - first_ns) / 1e9);
	grt_table_add(t, "%s", grt_format_ns(ns, frame->end_ns - frame->start_ns));
	grt_table_add(t, "%s", frame->has_busy ? grt_format_ns(ns, frame->busy_ns) : grt_na(o));
	if (frame->has_job)
		grt_table_add(t, "%" PRIu64 ":%" PRIu64, frame->ctx, frame->seqno);
	else
		grt_table_add(t, "%s", grt_na(o));
	if (frame->verdict == GRT_FRAME_ON_TIME)
		grt_table_add(t, "on time");
	else
		grt_table_add(t, "%s%s: %s", frame->cause.is_upper_bound ? "at most " : "",
			      grt_format_ns(ns, frame->cause.ns),
			      grt_word_frame_cause(word, f->model, frame->process, &frame->cause));
}

static void worst(const struct grt_job_out *o, const struct grt_frames *f, bool has_processes)
{
	struct grt_table t;

	if (!f->nr_worst)
		return;
	grt_table_init(&t, has_processes ? "lrrrrll" : "lrrrll");
	grt_table_fit(&t, o->width, has_processes ? "0020310" : "020310");
	grt_table_add(&t, has_processes ? "WORST" : "WORST FRAMES");
	if (has_processes)
		grt_table_add(&t, "frame");
	grt_table_add(&t, "began");
	grt_table_add(&t, "time");
	grt_table_add(&t, "GPU busy");
	grt_table_add(&t, "decided by");
	grt_table_add(&t, "most of it");
	for (uint32_t i = 0; i < f->nr_worst; i++)
		worst_row(o, f, &t, &f->worst[i], has_processes);
	grt_screen_table(o, &t);
}

static void hint(const struct grt_job_out *o, const struct grt_frames *f)
{
	const struct grt_frame *first = f->nr_worst ? &f->worst[0] : NULL;

	if (!first || !first->has_job || !o->files)
		return;
	fprintf(o->file, "\nhint: grtrace report --why %" PRIu64 ":%" PRIu64 "%s    # the chain behind "
		"the worst frame\n", first->ctx, first->seqno, o->files);
}

static void process_row(const struct grt_job_out *o, const struct grt_frames *f, struct grt_table *t,
			const struct grt_frame_sums *s)
{
	static const unsigned int permilles[] = { 500, 990, 1000 };
	const struct grt_frame_reason *most = s->reasons.bytes ? s->reasons.data : NULL;
	char word[GRT_FRAME_WORD_MAX], n[GRT_NUMBER_MAX];

	grt_table_add(t, " %s", word_process(word, f, s));
	grt_table_add(t, "%s", grt_frame_source_text(s->source));
	grt_table_add(t, "%s", grt_format_count(n, s->time.count));
	grt_table_add(t, "%s", f->refresh_ns ? grt_format_count(n, s->verdicts[GRT_FRAME_LATE]) : grt_na(o));
	for (size_t i = 0; i < sizeof(permilles) / sizeof(permilles[0]); i++)
		grt_table_add(t, "%s", s->time.count ?
			      grt_format_ns(n, grt_hist_quantile(&s->time, permilles[i])) : grt_na(o));
	grt_table_add(t, "%s", most ? grt_word_frame_cause(word, f->model, s->process, &most->cause) : "");
}

static void all_processes(const struct grt_job_out *o, const struct grt_frames *f)
{
	static const char *const titles[] = {
		"FRAMES", "from", "frames", "late", "p50", "p99", "max", "late mostly because",
	};
	struct grt_table t;

	grt_table_init(&t, "llrrrrrl");
	grt_table_fit(&t, o->width, "04003210");
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		grt_table_add(&t, "%s", titles[i]);
	for (size_t i = 0; i < grt_frames_count(f); i++)
		if (grt_frames_at(f, i)->frames)
			process_row(o, f, &t, grt_frames_at(f, i));
	grt_screen_table(o, &t);
}

static void say_none(const struct grt_job_out *o, const struct grt_frames *f)
{
	bool is_one = f->wants.pid || f->wants.comm;

	fprintf(o->file, "\nno frames: %s%s\n", is_one ? "of this process " : "",
		f->wants.mark ? "no two marks match --frame-mark" :
		is_one ? "there are no jobs, or only one" :
		"the trace has neither marks of frames nor jobs of a process");
	if (is_one && o->files)
		fprintf(o->file, "hint: grtrace report --frames --per-process%s\n", o->files);
}

static void displays(const struct grt_job_out *o, const struct grt_frames *f)
{
	struct grt_report_table t;

	if (!f->crtcs.count)
		return;
	grt_report_displays(&t, f);
	t.width = o->width;
	putc('\n', o->file);
	grt_report_print_text(&t, o->file, o->na, grt_bold(o), grt_plain(o));
	grt_report_free(&t);
}

static void frames(const struct grt_job_out *o, const struct grt_frames *f)
{
	bool has_processes = f->wants.per_process;

	if (!grt_frames_count(f)) {
		say_none(o, f);
		return;
	}
	if (has_processes) {
		all_processes(o, f);
	} else {
		say(o, f, grt_frames_at(f, 0));
		quantiles(o, grt_frames_at(f, 0));
	}
	worst(o, f, has_processes);
}

void grt_frames_text(struct grt_job_out *o, const struct grt_frames *f)
{
	grt_headline(o);
	if (!f->wants.with_displays)
		frames(o, f);
	else if (!f->crtcs.count)
		fputs("\nno displays: the trace has no vertical blanks\n", o->file);
	displays(o, f);
	if (!f->wants.with_displays)
		hint(o, f);
}
