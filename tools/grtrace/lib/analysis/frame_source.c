// SPDX-License-Identifier: LGPL-2.1
#include "frame_source.h"

#include <string.h>

#include "error.h"

/* Frames need two boundaries. */
#define FEWEST	2

/* Events of the kernel, as record -e writes them, that come once for each page flip. */
static const char *const flip_events[] = {
	"drm:drm_vblank_event_delivered", "i915:i915_flip_complete",
};

int grt_frame_sources_init(struct grt_frame_sources *s)
{
	static const char *const texts[] = {
#define GRT_X(regex, who) regex,
		GRT_FRAME_MARKS(GRT_X)
#undef GRT_X
	};

	for (unsigned int i = 0; i < GRT_NR_FRAME_MARKS; i++) {
		if (!regcomp(&s->marks[i], texts[i], REG_EXTENDED | REG_NOSUB))
			continue;
		while (i--)
			regfree(&s->marks[i]);
		return grt_fail_memory();
	}
	s->has_marks = true;
	return 0;
}

static void free_process(struct grt_frame_process *p)
{
	grt_hist_free(&p->pauses);
	grt_losses_free(&p->unsure);
	grt_vec_free(&p->unseen);
}

void grt_frame_sources_free(struct grt_frame_sources *s)
{
	for (size_t i = 0; i < grt_frame_processes(s); i++)
		free_process(grt_frame_process_at(s, i));
	for (unsigned int i = 0; s->has_marks && i < GRT_NR_FRAME_MARKS; i++)
		regfree(&s->marks[i]);
	grt_vec_free(&s->processes);
	grt_keymap_free(&s->rows);
	grt_display_free(&s->display);
	memset(s, 0, sizeof(*s));
}

static struct grt_frame_process *process_of(struct grt_frame_sources *s, uint32_t tgid)
{
	uint32_t i = grt_keymap_get(&s->rows, tgid, 0);
	struct grt_frame_process *p;

	if (i != GRT_NONE)
		return grt_frame_process_at(s, i);
	i = grt_frame_processes(s);
	p = grt_vec_grow(&s->processes, sizeof(*p));
	if (!p)
		return NULL;
	*p = (struct grt_frame_process){ .tgid = tgid, .process = GRT_NONE };
	return grt_keymap_put(&s->rows, tgid, 0, i) ? NULL : p;
}

const char *grt_frame_text(const struct grtrace_hdr *rec)
{
	size_t head = rec->type == GRTRACE_MARK ? sizeof(struct grtrace_mark) :
						  sizeof(struct grtrace_trace_event);
	const char *text = (const char *)rec + head;

	return rec->size > head && memchr(text, '\0', rec->size - head) ? text : "";
}

bool grt_frame_is_flip(const char *text)
{
	size_t len = strcspn(text, " ");

	for (size_t i = 0; i < sizeof(flip_events) / sizeof(flip_events[0]); i++)
		if (len == strlen(flip_events[i]) && !memcmp(text, flip_events[i], len))
			return true;
	return false;
}

bool grt_frame_mark_is(const struct grt_frame_sources *s, unsigned int mark, const char *text)
{
	const regex_t *regex = mark == GRT_NR_FRAME_MARKS ? s->own : &s->marks[mark];

	return regex && !regexec(regex, text, 0, NULL, 0);
}

static int add_mark(struct grt_frame_sources *s, const struct grtrace_mark *rec)
{
	const char *text = grt_frame_text(&rec->hdr);
	struct grt_frame_process *p = process_of(s, rec->tgid);

	if (!p)
		return grt_fail_memory();
	if (s->own) {
		p->own_marks += grt_frame_mark_is(s, GRT_NR_FRAME_MARKS, text);
		return 0;
	}
	for (unsigned int i = 0; i < GRT_NR_FRAME_MARKS; i++)
		p->marks[i] += grt_frame_mark_is(s, i, text);
	return 0;
}

static int add_submit(struct grt_frame_sources *s, const struct grtrace_submit *rec)
{
	struct grt_frame_process *p;
	int err = 0;

	if (rec->hdr.flags & (GRTRACE_F_KERNEL_JOB | GRTRACE_F_SYNTHETIC) || !rec->tgid)
		return 0;
	p = process_of(s, rec->tgid);
	if (!p)
		return grt_fail_memory();
	if (p->submits && rec->hdr.ts >= p->last_submit_ns)
		err = grt_hist_add(&p->pauses, rec->hdr.ts - p->last_submit_ns);
	p->submits++;
	p->last_submit_ns = rec->hdr.ts;
	return err ? grt_fail_memory() : 0;
}

/* A whole job in one record, which comes when the job is over. */
static int add_whole_job(struct grt_frame_sources *s, const struct grtrace_job *rec)
{
	struct grt_frame_process *p;

	if (rec->hdr.flags & (GRTRACE_F_KERNEL_JOB | GRTRACE_F_SYNTHETIC) || !rec->tgid || !rec->submit_ns)
		return 0;
	p = process_of(s, rec->tgid);
	return !p || grt_vec_append(&p->unseen, &rec->submit_ns, sizeof(rec->submit_ns)) ? grt_fail_memory() : 0;
}

int grt_frame_sources_record(struct grt_frame_sources *s, const struct grtrace_hdr *rec)
{
	switch (rec->type) {
	case GRTRACE_SUBMIT:
		return add_submit(s, (const struct grtrace_submit *)rec);
	case GRTRACE_JOB:
		return add_whole_job(s, (const struct grtrace_job *)rec);
	case GRTRACE_MARK:
		return add_mark(s, (const struct grtrace_mark *)rec);
	case GRTRACE_STREAM_INFO:
	case GRTRACE_VBLANK:
	case GRTRACE_LOSS:
		return grt_display_learn(&s->display, rec);
	case GRTRACE_TRACE_EVENT:
		s->flips += grt_frame_is_flip(grt_frame_text(rec));
		s->own_flips += grt_frame_mark_is(s, GRT_NR_FRAME_MARKS, grt_frame_text(rec));
		return 0;
	default:
		return 0;
	}
}

int grt_frame_sources_job(struct grt_frame_sources *s, const struct grt_job *job,
			  const struct grt_names *names)
{
	struct grt_frame_process *p;
	uint64_t from_ns, to_ns;
	uint32_t tgid;

	if (job->process == GRT_NONE || job->flags & GRT_JOB_KERNEL_JOB)
		return 0;
	tgid = grt_names_process_at(names, job->process)->tgid;
	p = tgid ? process_of(s, tgid) : NULL;
	if (!p)
		return tgid ? grt_fail_memory() : 0;
	p->process = job->process;
	p->jobs++;
	if (grt_job_knows(job, GRT_STAGE_HW))
		p->busy_ns += job->stage_ns[grt_job_knows(job, GRT_STAGE_EXEC) ? GRT_STAGE_EXEC :
										GRT_STAGE_HW];
	if (grt_job_has(job, GRT_AT_SUBMIT))
		return 0;
	/* It may have been there since before the trace began, and up to its end. */
	from_ns = grt_frame_there_ns(job);
	to_ns = job->flags & GRT_JOB_CUT && !grt_job_has(job, GRT_AT_COMPLETE) ? UINT64_MAX :
										grt_job_last_ns(job);
	if (grt_losses_add(&p->unsure, from_ns, to_ns) ||
	    (grt_job_has(job, GRT_AT_COMPLETE) && grt_vec_append(&p->unseen, &from_ns, sizeof(from_ns))))
		return grt_fail_memory();
	return 0;
}

bool grt_frame_source_of(const struct grt_frame_sources *s, const struct grt_frame_process *p,
			 enum grt_frame_source *source, unsigned int *mark)
{
	*mark = GRT_NR_FRAME_MARKS;
	*source = GRT_FRAME_BY_MARK;
	if (s->own) {
		if (p->own_marks < FEWEST)
			*source = GRT_FRAME_BY_FLIP;
		return p->own_marks >= FEWEST || (s->own_flips >= FEWEST && p->jobs);
	}
	if (s->flips >= FEWEST || s->display.is_chosen) {
		*source = s->flips >= FEWEST ? GRT_FRAME_BY_FLIP : GRT_FRAME_BY_VBLANK;
		return p->jobs;
	}
	for (*mark = 0; *mark < GRT_NR_FRAME_MARKS; ++*mark)
		if (p->marks[*mark] >= FEWEST)
			return true;
	*source = GRT_FRAME_BY_JOBS;
	return p->jobs >= FEWEST;
}

/* Marks by which a process says that it makes frames. */
static uint64_t known_marks(const struct grt_frame_process *p)
{
	uint64_t most = p->own_marks;

	for (unsigned int i = 0; i < GRT_NR_FRAME_MARKS; i++)
		if (p->marks[i] > most)
			most = p->marks[i];
	return most;
}

int grt_frame_process_compare(const struct grt_frame_process *a, const struct grt_frame_process *b)
{
	uint64_t x = known_marks(a), y = known_marks(b);

	if (x == y) {
		x = a->busy_ns;
		y = b->busy_ns;
	}
	if (x == y) {
		x = a->jobs;
		y = b->jobs;
	}
	return (x > y) - (x < y);
}

/* Sixteenths of the binary logarithm. */
static uint64_t log_of(uint64_t n)
{
	unsigned int bits = 63 - __builtin_clzll(n | 1);

	return bits * 16 + (n << (63 - bits) << 1 >> 60);
}

/*
 * The pauses of most programs are of two kinds: short ones between the jobs of a frame, longer
 * ones between frames.  Finds where to part them so that both are as far apart as possible (Otsu's
 * method, on the logarithms).
 */
uint64_t grt_frame_pause(const struct grt_frame_process *p)
{
	uint64_t low, high, count, best_ns = 0, short_count = 0, sum = 0, short_sum = 0;
	uint64_t all = p->pauses.count;
	double best = 0, apart = 0;
	unsigned int at = 0;

	while (grt_hist_next(&p->pauses, &at, &low, &high, &count))
		sum += log_of(high) * count;
	for (at = 0; grt_hist_next(&p->pauses, &at, &low, &high, &count);) {
		double distance, weight;

		short_count += count;
		short_sum += log_of(high) * count;
		if (short_count == all)
			break;
		distance = (double)(sum - short_sum) / (all - short_count) -
			   (double)short_sum / short_count;
		weight = (double)short_count * (all - short_count) * distance * distance;
		if (weight <= best)
			continue;
		best = weight;
		best_ns = high;
		apart = distance;
	}
	/* All are of one kind if the longer ones are not four times as long. */
	return apart >= 2 * 16 ? best_ns : 0;
}
