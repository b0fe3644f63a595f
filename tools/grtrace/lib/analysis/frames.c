// SPDX-License-Identifier: LGPL-2.1
#include "frames.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"

static struct grt_frame_line *line_at(const struct grt_frames *f, size_t i)
{
	return grt_vec_at(&f->lines, struct grt_frame_line, i);
}

static size_t nr_lines(const struct grt_frames *f)
{
	return grt_vec_count(&f->lines, struct grt_frame_line);
}

static struct grt_frame_line *line_of(const struct grt_frames *f, uint32_t tgid)
{
	uint32_t i = grt_keymap_get(&f->rows, tgid, 0);

	return i == GRT_NONE ? NULL : line_at(f, i);
}

static struct grt_roots *roots_of(struct grt_frames *f)
{
	return f->wants.roots ? f->wants.roots : &f->roots;
}

static int add_roots(struct grt_frames *f, const struct grt_job *job)
{
	return f->wants.roots ? 0 : grt_roots_add(&f->roots, job);
}

static void forget_lines(struct grt_frames *f)
{
	for (size_t i = 0; i < nr_lines(f); i++)
		grt_frame_line_free(line_at(f, i));
	for (size_t i = 0; i < grt_frames_count(f); i++)
		grt_frame_sums_free(grt_vec_at(&f->sums, struct grt_frame_sums, i));
	grt_vec_free(&f->lines);
	grt_vec_free(&f->sums);
	grt_keymap_free(&f->rows);
	grt_roots_free(&f->roots);
	free(f->worst);
	f->roots = (struct grt_roots){ 0 };
	f->worst = NULL;
	f->nr_worst = 0;
}

void grt_frames_free(struct grt_frames *f)
{
	forget_lines(f);
	grt_frame_sources_free(&f->sources);
	grt_crtcs_free(&f->crtcs);
	f->has_begun = f->has_learnt = false;
}

static int compare_ns(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int add_line(struct grt_frames *f, struct grt_frame_process *p)
{
	struct grt_frame_line line = {
		.tgid = p->tgid, .process = p->process, .unsure = &p->unsure, .unseen = &p->unseen,
		.roots = roots_of(f),
	};
	struct grt_frame_sums sums = { .tgid = p->tgid, .process = p->process };
	enum grt_frame_source source;
	unsigned int mark;

	if (!grt_frame_source_of(&f->sources, p, &source, &mark))
		return 0;
	if (p->unseen.bytes)
		qsort(p->unseen.data, grt_vec_count(&p->unseen, uint64_t), sizeof(uint64_t), compare_ns);
	line.source = sums.source = source;
	if (source == GRT_FRAME_BY_VBLANK)
		line.late_ns = f->sources.display.late_ns;
	sums.mark = mark;
	if (source == GRT_FRAME_BY_JOBS)
		line.pause_ns = grt_frame_pause(p);
	if (grt_keymap_put(&f->rows, p->tgid, 0, nr_lines(f)) ||
	    grt_vec_append(&f->lines, &line, sizeof(line)) ||
	    grt_vec_append(&f->sums, &sums, sizeof(sums)))
		return grt_fail_memory();
	return 0;
}

static bool is_wanted(const struct grt_frames *f, const struct grt_frame_process *p)
{
	const struct grt_names *names = grt_model_names(f->model);
	enum grt_frame_source source;
	unsigned int mark;

	if ((f->wants.pid && p->tgid != f->wants.pid) ||
	    !grt_frame_source_of(&f->sources, p, &source, &mark))
		return false;
	return !f->wants.comm ||
	       (p->process != GRT_NONE &&
		!strcmp(grt_names_process_at(names, p->process)->comm, f->wants.comm));
}

static bool marks_frames(const struct grt_frames *f, const struct grt_frame_process *p)
{
	enum grt_frame_source source;
	unsigned int mark;

	return grt_frame_source_of(&f->sources, p, &source, &mark) && source == GRT_FRAME_BY_MARK;
}

/* Chooses the processes whose frames are made.  The names are those of the first pass. */
static int choose(struct grt_frames *f)
{
	struct grt_frame_process *best = NULL;
	int err = grt_display_choose(&f->sources.display);

	f->refresh_ns = f->wants.refresh_ns ? f->wants.refresh_ns : f->sources.display.refresh_ns;
	for (size_t i = 0; i < grt_frame_processes(&f->sources) && !err; i++) {
		struct grt_frame_process *p = grt_frame_process_at(&f->sources, i);

		if (!is_wanted(f, p))
			continue;
		if (f->wants.per_process || (f->wants.per_marker && marks_frames(f, p)))
			err = add_line(f, p);
		else if (!best || grt_frame_process_compare(p, best) > 0)
			best = p;
	}
	return best && !err && !nr_lines(f) ? add_line(f, best) : err;
}

int grt_frames_begin(struct grt_frames *f, const struct grt_model *model)
{
	f->model = model;
	f->now_ns = 0;
	if (!f->has_begun) {
		f->has_begun = true;
		f->sources.own = f->wants.mark;
		return grt_frame_sources_init(&f->sources);
	}
	grt_display_rewind(&f->sources.display);
	f->blank_ns = 0;
	if (f->wants.max_worst > GRT_FRAMES_MAX_WORST)
		f->wants.max_worst = GRT_FRAMES_MAX_WORST;
	f->worst = calloc(f->wants.max_worst + 1, sizeof(*f->worst));
	return f->worst ? 0 : grt_fail_memory();
}

bool grt_frames_wants_more(const struct grt_frames *f)
{
	return f->has_learnt && !f->worst;
}

/* Late frames come before others, then longer ones. */
static bool is_worse(const struct grt_frame *a, const struct grt_frame *b)
{
	bool x = a->verdict == GRT_FRAME_LATE, y = b->verdict == GRT_FRAME_LATE;

	return x != y ? x : a->end_ns - a->start_ns > b->end_ns - b->start_ns;
}

static void add_worst(struct grt_frames *f, const struct grt_frame *frame)
{
	uint32_t i = f->nr_worst;

	if (!grt_frame_is_judged(frame) ||
	    (i == f->wants.max_worst && (!i || !is_worse(frame, &f->worst[i - 1]))))
		return;
	for (; i && is_worse(frame, &f->worst[i - 1]); i--)
		f->worst[i] = f->worst[i - 1];
	f->worst[i] = *frame;
	if (f->nr_worst < f->wants.max_worst)
		f->nr_worst++;
}

/* Whether an image of this source is on the display when its frame ends. */
static bool ends_on_display(uint8_t source)
{
	return source == GRT_FRAME_BY_VBLANK || source == GRT_FRAME_BY_FLIP;
}

/* When a display showed what the job made; 0: not known, or not yet. */
static uint64_t shown_ns(const struct grt_frames *f, const struct grt_frame_line *l,
			 const struct grt_frame_cell *c)
{
	uint64_t ns, refresh_ns = f->sources.display.refresh_ns;

	if (!c->has_job || !c->is_met)
		return 0;
	if (ends_on_display(l->source))
		return c->end_ns;
	ns = grt_display_after(&f->sources.display, c->job.stay.complete_ns);
	return ns && refresh_ns && ns - c->job.stay.complete_ns <= refresh_ns + refresh_ns / 2 ? ns : 0;
}

static uint8_t judge(const struct grt_frames *f, const struct grt_frame_cell *c,
		     const struct grt_frame *frame)
{
	uint64_t ns = frame->end_ns - frame->start_ns, none_ns = frame->part_ns[GRT_FRAME_BEFORE];

	if (c->is_blind)
		return GRT_FRAME_LOSSY;
	if (frame->source == GRT_FRAME_BY_JOBS)
		none_ns += frame->part_ns[GRT_FRAME_AFTER];
	if (frame->source != GRT_FRAME_BY_MARK && none_ns > GRT_FRAME_PAUSE_NS)
		return GRT_FRAME_PAUSE;
	if (!f->refresh_ns)
		return GRT_FRAME_OPEN;
	return ns > f->refresh_ns + f->refresh_ns / 10 ? GRT_FRAME_LATE : GRT_FRAME_ON_TIME;
}

static bool is_in_window(const struct grt_frames *f, const struct grt_frame *frame)
{
	const struct grt_window *w = f->wants.window;

	return !w || !w->is_narrow ||
	       (frame->start_ns < w->to_ns && frame->end_ns > w->from_ns);
}

static int hand_out(struct grt_frames *f, size_t row, const struct grt_frame_cell *c)
{
	struct grt_frame_sums *sums = grt_vec_at(&f->sums, struct grt_frame_sums, row);
	struct grt_frame frame = {
		.number = ++sums->numbered, .tgid = sums->tgid, .process = sums->process,
		.source = sums->source, .refresh_ns = f->refresh_ns,
	};
	uint64_t display_ns = shown_ns(f, line_at(f, row), c);
	int err;

	grt_frame_line_read(line_at(f, row), c, !ends_on_display(sums->source), &frame);
	if (!is_in_window(f, &frame))
		return 0;
	frame.verdict = judge(f, c, &frame);
	frame.has_display = display_ns && c->job.begun_ns && c->job.begun_ns < display_ns;
	if (frame.has_display)
		frame.display_ns = display_ns - c->job.begun_ns;
	add_worst(f, &frame);
	err = grt_frame_sums_add(sums, f->model, &frame);
	return err || !f->wants.frame ? err : f->wants.frame(f->wants.arg, &frame);
}

/* Whether a vertical blank may still come that shows the image. */
static bool awaits_display(const struct grt_frames *f, const struct grt_frame_line *l,
			   const struct grt_frame_cell *c)
{
	const struct grt_display *d = &f->sources.display;

	if (!d->is_chosen || ends_on_display(l->source) || !c->has_job || !c->is_met)
		return false;
	return grt_display_last(d) < c->job.stay.complete_ns &&
	       f->now_ns - c->job.stay.complete_ns < 2 * d->refresh_ns;
}

/* Hands out the frames of a line that are complete. */
static int drain(struct grt_frames *f, size_t row, bool is_over)
{
	struct grt_frame_line *l = line_at(f, row);
	struct grt_frame_cell *c;
	int err;

	l->now_ns = f->now_ns;
	while (!(err = grt_frame_line_front(l, is_over, &c)) && c) {
		if (!is_over && !grt_frame_line_is_full(l) && awaits_display(f, l, c))
			return 0;
		err = hand_out(f, row, c);
		if (err)
			return err;
		grt_frame_line_drop(l);
	}
	return err;
}

static int cut(struct grt_frames *f, size_t row, uint64_t ns)
{
	struct grt_frame_line *l = line_at(f, row);
	uint64_t begun_ns = grt_frame_line_begun(l);
	int err;

	l->now_ns = f->now_ns;
	if (begun_ns < ns && grt_model_is_lossy(f->model, begun_ns, ns))
		grt_frame_line_blind(l, begun_ns + 1);
	err = grt_frame_line_cut(l, ns);
	return err ? err : drain(f, row, false);
}

/* A boundary of all processes whose frames have this source. */
static int cut_all(struct grt_frames *f, uint8_t source, uint64_t ns)
{
	int err = 0;

	for (size_t i = 0; i < nr_lines(f) && !err; i++)
		if (line_at(f, i)->source == source)
			err = cut(f, i, ns);
	return err;
}

static void blind_all(struct grt_frames *f, uint64_t ns)
{
	for (size_t i = 0; i < nr_lines(f); i++)
		grt_frame_line_blind(line_at(f, i), ns);
}

/* The hardware may say that a blank is about to begin: then its frame ends a little later. */
static int begin_blank(struct grt_frames *f)
{
	uint64_t ns = f->blank_ns;

	f->blank_ns = 0;
	return cut_all(f, GRT_FRAME_BY_VBLANK, ns);
}

static int add_vblank(struct grt_frames *f, const struct grtrace_vblank *rec)
{
	struct grt_display *d = &f->sources.display;
	uint64_t last_ns = grt_display_last(d), ns;
	int err = 0;

	if (!grt_display_add(d, rec))
		return 0;
	ns = grt_display_last(d);
	if (f->blank_ns)
		err = begin_blank(f);
	/* The kernel switches vertical blanks off while nobody waits for them. */
	if (last_ns && d->refresh_ns && ns - last_ns > d->refresh_ns + d->refresh_ns / 2)
		for (size_t i = 0; i < nr_lines(f); i++)
			if (line_at(f, i)->source == GRT_FRAME_BY_VBLANK)
				grt_frame_line_blind(line_at(f, i), last_ns + 1);
	f->blank_ns = ns;
	return err || ns > rec->hdr.ts ? err : begin_blank(f);
}

static int add_mark(struct grt_frames *f, const struct grtrace_mark *rec)
{
	uint32_t row = grt_keymap_get(&f->rows, rec->tgid, 0);

	if (row == GRT_NONE || line_at(f, row)->source != GRT_FRAME_BY_MARK ||
	    !grt_frame_mark_is(&f->sources, grt_frames_at(f, row)->mark, grt_frame_text(&rec->hdr)))
		return 0;
	return cut(f, row, rec->hdr.ts);
}

static int add_trace_event(struct grt_frames *f, const struct grtrace_hdr *rec)
{
	const char *text = grt_frame_text(rec);
	bool is_flip = f->wants.mark ? grt_frame_mark_is(&f->sources, GRT_NR_FRAME_MARKS, text) :
				       grt_frame_is_flip(text);

	return is_flip ? cut_all(f, GRT_FRAME_BY_FLIP, rec->ts) : 0;
}

static int add_submit(struct grt_frames *f, const struct grtrace_submit *rec)
{
	uint32_t row = grt_keymap_get(&f->rows, rec->tgid, 0);
	int err = 0;

	if (row == GRT_NONE || rec->hdr.flags & GRTRACE_F_KERNEL_JOB ||
	    (rec->hdr.flags & GRTRACE_F_SYNTHETIC && !f->wants.with_synthetic))
		return 0;
	if (grt_frame_line_begins(line_at(f, row), rec->hdr.ts)) {
		err = cut(f, row, rec->hdr.ts);
		if (err)
			return err;
	}
	return grt_frame_line_submit(line_at(f, row), rec->hdr.ts);
}

/* A loss counts wherever it is: it may touch what is in the window. */
static int add_to_crtcs(struct grt_frames *f, const struct grtrace_hdr *rec)
{
	const struct grt_window *w = f->wants.window;
	bool is_outside = w && w->is_narrow && (rec->ts < w->from_ns || rec->ts >= w->to_ns);

	return rec->type == GRTRACE_VBLANK && is_outside ? 0 : grt_crtcs_record(&f->crtcs, rec);
}

int grt_frames_record(struct grt_frames *f, const struct grtrace_hdr *rec)
{
	int err;

	if (!f->has_learnt)
		return grt_frame_sources_record(&f->sources, rec);
	err = add_to_crtcs(f, rec);
	if (err)
		return err;
	if (rec->type < GRTRACE_NR_EVENTS)
		f->now_ns = rec->ts;
	if (f->blank_ns && f->blank_ns <= f->now_ns)
		err = begin_blank(f);
	if (err)
		return err;
	switch (rec->type) {
	case GRTRACE_SUBMIT:
		return add_submit(f, (const struct grtrace_submit *)rec);
	case GRTRACE_MARK:
		return add_mark(f, (const struct grtrace_mark *)rec);
	case GRTRACE_VBLANK:
		return add_vblank(f, (const struct grtrace_vblank *)rec);
	case GRTRACE_TRACE_EVENT:
		return add_trace_event(f, rec);
	case GRTRACE_SUSPEND:
		blind_all(f, rec->ts);
		return 0;
	default:
		return 0;
	}
}

/*
 * When a job without a COMPLETE was over at the latest: at the end of the last loss.  Without a loss it is now, as
 * another job has its key.
 */
static uint64_t gone_ns(const struct grt_frames *f, const struct grt_job *job)
{
	uint64_t from_ns = grt_job_last_ns(job), to_ns = f->now_ns;

	if (grt_job_has(job, GRT_AT_COMPLETE) || !grt_model_is_lossy(f->model, from_ns, to_ns))
		return to_ns;
	while (from_ns < to_ns) {
		uint64_t middle_ns = to_ns - (to_ns - from_ns) / 2;

		if (grt_model_is_lossy(f->model, middle_ns, f->now_ns))
			from_ns = middle_ns;
		else
			to_ns = middle_ns - 1;
	}
	return from_ns;
}

int grt_frames_job(struct grt_frames *f, const struct grt_job *job)
{
	const struct grt_names *names = grt_model_names(f->model);
	const struct grt_root_span *spans;
	struct grt_frame_line *l = NULL;
	uint32_t count;
	size_t row;
	int err;

	if (!f->has_learnt)
		return grt_frame_sources_job(&f->sources, job, names);
	if (job->flags & GRT_JOB_SYNTHETIC && !f->wants.with_synthetic)
		return 0;
	err = add_roots(f, job);
	if (job->process != GRT_NONE && !(job->flags & GRT_JOB_KERNEL_JOB))
		l = line_of(f, grt_names_process_at(names, job->process)->tgid);
	if (err || !l)
		return err;
	row = l - line_at(f, 0);
	/* Rows of the names may differ from those of the first pass. */
	l->process = grt_vec_at(&f->sums, struct grt_frame_sums, row)->process = job->process;
	l->now_ns = f->now_ns;
	grt_roots_parts(roots_of(f), &spans, &count);
	err = grt_frame_line_job(l, job, spans, count, gone_ns(f, job));
	return err ? err : drain(f, row, false);
}

int grt_frames_early(struct grt_frames *f, const struct grt_job *job)
{
	return f->has_learnt && (f->wants.with_synthetic || !(job->flags & GRT_JOB_SYNTHETIC)) ?
	       add_roots(f, job) : 0;
}

int grt_frames_end(struct grt_frames *f)
{
	int err = 0;

	if (!f->has_learnt) {
		f->has_learnt = true;
		return choose(f);
	}
	if (f->blank_ns)
		err = begin_blank(f);
	for (size_t i = 0; i < nr_lines(f) && !err; i++) {
		err = drain(f, i, true);
		grt_frame_sums_close(grt_vec_at(&f->sums, struct grt_frame_sums, i));
	}
	return err ? err : grt_crtcs_close(&f->crtcs);
}
