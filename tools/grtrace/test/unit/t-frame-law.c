// SPDX-License-Identifier: GPL-2.0
/*
 * Frames of random schedules, by marks, by pauses and by vertical blanks, are compared with what
 * Documentation/frames.rst says, worked out moment by moment from the jobs.  Environment:
 *
 *	GRTRACE_SIM_SEED	a seed for other schedules
 *	GRTRACE_SIM_COUNT	number of schedules
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "frames.h"
#include "sim-check.h"
#include "sim-random.h"

#define COUNT		3000
#define MAX_CUTS	64
#define MAX_TGIDS	SIM_MAX_CTXS

/* A job as the model gave it, with its roots. */
struct law_job {
	struct grt_job job;
	struct grt_root_span *spans;	/* owned */
	uint32_t count, tgid;
};

struct law_cut {
	uint64_t event_ns, ns;	/* when it is told, and when it was */
	uint32_t tgid;		/* of a mark */
};

struct law {
	struct sim *sim;
	enum grt_frame_source source;
	unsigned int seed;
	struct law_cut cuts[MAX_CUTS * MAX_TGIDS];
	unsigned int nr_cuts, next_cut;
	struct grt_frames frames;
	struct grt_model *model;
	struct grt_roots roots;
	struct law_job jobs[SIM_MAX_JOBS];
	unsigned int nr_jobs;
	struct grt_vec made;		/* struct grt_frame */
	uint64_t *points;		/* nothing changes between two of them */
	size_t nr_points, wrong;
};

/* How often things happened in all schedules: a law about nothing holds. */
static struct {
	uint64_t schedules, frames, lossy, joined, long_jobs, no_hw, killed, inflight, busy, named;
	uint64_t part_ns[GRT_NR_FRAME_PARTS];
} seen;

/* --- what a job did at a moment --- */

static bool is_at(const struct grt_job *job, enum grt_stamp from, enum grt_stamp to, uint64_t ns)
{
	return grt_job_has(job, from) && grt_job_has(job, to) && job->at_ns[from] <= ns && ns < job->at_ns[to];
}

static bool is_there(const struct law_job *j, uint64_t ns)
{
	return (!grt_job_has(&j->job, GRT_AT_SUBMIT) || j->job.at_ns[GRT_AT_SUBMIT] <= ns) &&
	       (!grt_job_has(&j->job, GRT_AT_COMPLETE) || ns < j->job.at_ns[GRT_AT_COMPLETE]);
}

/* A job in flight: nothing shows its end. */
static unsigned int part_in_flight(const struct grt_job *job, uint64_t ns)
{
	if (grt_job_has(job, GRT_AT_COMPLETE) || ns >= job->inflight.until_ns)
		return GRT_FRAME_WAIT + GRT_ROOT_UNKNOWN;
	if (grt_job_has(job, GRT_AT_END))
		return job->at_ns[GRT_AT_END] <= ns ? GRT_FRAME_DONE : GRT_FRAME_WAIT + GRT_ROOT_UNKNOWN;
	if (job->inflight.run_ns)
		return job->inflight.run_ns <= ns ? GRT_FRAME_RAN : GRT_FRAME_WAIT + GRT_ROOT_UNKNOWN;
	return !grt_job_has(job, GRT_AT_START) && grt_job_has(job, GRT_AT_COMMIT) &&
	       job->at_ns[GRT_AT_COMMIT] <= ns ? GRT_FRAME_HELD : GRT_FRAME_WAIT + GRT_ROOT_UNKNOWN;
}

static unsigned int part_of(const struct law_job *j, uint64_t ns, uint32_t *client)
{
	const struct grt_job *job = &j->job;

	*client = GRT_NONE;
	for (uint32_t i = 0; i < j->count; i++) {
		if (ns < j->spans[i].from_ns || ns >= j->spans[i].to_ns)
			continue;
		*client = j->spans[i].client;
		return GRT_FRAME_WAIT + j->spans[i].kind;
	}
	if (is_at(job, GRT_AT_START, GRT_AT_END, ns))
		return GRT_FRAME_RAN;
	if (!grt_job_has(job, GRT_AT_START) && is_at(job, GRT_AT_COMMIT, GRT_AT_END, ns))
		return GRT_FRAME_HELD;
	if (is_at(job, GRT_AT_END, GRT_AT_COMPLETE, ns))
		return GRT_FRAME_DONE;
	return part_in_flight(job, ns);
}

/* --- what a frame is made of --- */

static uint64_t completes(const struct law_job *j)
{
	return grt_job_has(&j->job, GRT_AT_COMPLETE) ? j->job.at_ns[GRT_AT_COMPLETE] : UINT64_MAX;
}

/* Whether @a completes after @b; at the same time: was submitted after it; else by their keys. */
static bool is_later(const struct law_job *a, const struct law_job *b)
{
	if (completes(a) != completes(b))
		return completes(a) > completes(b);
	if (a->job.at_ns[GRT_AT_SUBMIT] != b->job.at_ns[GRT_AT_SUBMIT])
		return a->job.at_ns[GRT_AT_SUBMIT] > b->job.at_ns[GRT_AT_SUBMIT];
	return a->job.ctx != b->job.ctx ? a->job.ctx > b->job.ctx : a->job.seqno > b->job.seqno;
}

/* Of the jobs that are there at @ns: the last one that completes up to @end_ns, else the first one behind. */
static const struct law_job *job_at(const struct law *law, uint32_t tgid, uint64_t ns, uint64_t end_ns)
{
	const struct law_job *met = NULL, *behind = NULL;

	for (unsigned int i = 0; i < law->nr_jobs; i++) {
		const struct law_job *j = &law->jobs[i];

		if (j->tgid != tgid || !is_there(j, ns))
			continue;
		if (completes(j) <= end_ns && (!met || is_later(j, met)))
			met = j;
		if (completes(j) > end_ns && (!behind || is_later(behind, j)))
			behind = j;
	}
	return met ? met : behind;
}

/* The part of a moment without a job. */
static unsigned int part_without(const struct law *law, uint32_t tgid, uint64_t ns, uint64_t start_ns, uint64_t end_ns)
{
	bool has_any = false;

	for (unsigned int i = 0; i < law->nr_jobs; i++) {
		const struct law_job *j = &law->jobs[i];

		if (j->tgid != tgid || !grt_job_has(&j->job, GRT_AT_SUBMIT))
			continue;
		if (j->job.at_ns[GRT_AT_SUBMIT] > ns && j->job.at_ns[GRT_AT_SUBMIT] < end_ns)
			return GRT_FRAME_BEFORE;
		has_any |= j->job.at_ns[GRT_AT_SUBMIT] < end_ns &&
			   (completes(j) > start_ns || j->job.at_ns[GRT_AT_SUBMIT] >= start_ns);
	}
	for (unsigned int i = 0; i < law->nr_jobs; i++)
		has_any |= law->jobs[i].tgid == tgid && !grt_job_has(&law->jobs[i].job, GRT_AT_SUBMIT) &&
			   completes(&law->jobs[i]) > start_ns;
	return has_any ? GRT_FRAME_AFTER : GRT_FRAME_BEFORE;
}

static bool runs_at(const struct law *law, uint32_t tgid, uint64_t ns)
{
	for (unsigned int i = 0; i < law->nr_jobs; i++)
		if (law->jobs[i].tgid == tgid && !(law->jobs[i].job.flags & (GRT_JOB_NO_HW | GRT_JOB_KILLED)) &&
		    is_at(&law->jobs[i].job, GRT_AT_START, GRT_AT_END, ns))
			return true;
	return false;
}

/* When the refresh with @ns in it ends; else the frame does. */
static uint64_t refresh_end(const struct law *law, const struct grt_frame *frame, uint64_t ns)
{
	uint64_t end_ns = frame->end_ns;

	for (unsigned int i = 0; i < law->nr_cuts && frame->source == GRT_FRAME_BY_VBLANK; i++)
		if (law->cuts[i].ns > ns && law->cuts[i].ns < end_ns)
			end_ns = law->cuts[i].ns;
	return end_ns;
}

static uint64_t refresh_start(const struct law *law, const struct grt_frame *frame, uint64_t ns)
{
	uint64_t start_ns = frame->start_ns;

	for (unsigned int i = 0; i < law->nr_cuts && frame->source == GRT_FRAME_BY_VBLANK; i++)
		if (law->cuts[i].ns <= ns && law->cuts[i].ns > start_ns)
			start_ns = law->cuts[i].ns;
	return start_ns;
}

struct law_sums {
	uint64_t part_ns[GRT_NR_FRAME_PARTS], busy_ns, first_ns, last_ns;
	struct grt_frame_cause causes[1024];
	unsigned int nr_causes;
};

static void add_cause(struct law_sums *sums, unsigned int part, uint32_t client, uint64_t ns)
{
	unsigned int i = 0;

	while (i < sums->nr_causes && (sums->causes[i].part != part || sums->causes[i].client != client))
		i++;
	assert_true(i < 1024);
	if (i == sums->nr_causes)
		sums->causes[sums->nr_causes++] = (struct grt_frame_cause){ .part = part, .client = client };
	sums->causes[i].ns += ns;
}

/* Adds the time between two points, in which nothing changes. */
static void add_moment(const struct law *law, const struct grt_frame *frame, uint64_t ns, uint64_t to_ns,
		       struct law_sums *sums)
{
	uint64_t start_ns = refresh_start(law, frame, ns), end_ns = refresh_end(law, frame, ns);
	const struct law_job *j = job_at(law, frame->tgid, ns, end_ns);
	uint32_t client = GRT_NONE;
	unsigned int part = j ? part_of(j, ns, &client) :
			    part_without(law, frame->tgid, ns, start_ns, end_ns);

	sums->part_ns[part] += to_ns - ns;
	/* Only the refreshes that were missed say why a frame was late. */
	if (end_ns < frame->end_ns || start_ns == frame->start_ns)
		add_cause(sums, part, client, to_ns - ns);
	if (!runs_at(law, frame->tgid, ns))
		return;
	if (!sums->busy_ns)
		sums->first_ns = ns;
	sums->busy_ns += to_ns - ns;
	sums->last_ns = to_ns;
}

static uint64_t greatest(const struct law_sums *sums, bool has_after)
{
	uint64_t most_ns = 0, own_ns = 0;

	for (unsigned int i = 0; i < sums->nr_causes; i++) {
		const struct grt_frame_cause *c = &sums->causes[i];

		if (c->part == GRT_FRAME_BEFORE || (c->part == GRT_FRAME_AFTER && has_after))
			own_ns += c->ns;
		else if (c->part != GRT_FRAME_AFTER && c->ns > most_ns)
			most_ns = c->ns;
	}
	return own_ns > most_ns ? own_ns : most_ns;
}

/* --- the comparison --- */

static void differ(struct law *law, const struct grt_frame *frame, const char *what, uint64_t said, uint64_t right)
{
	if (said == right)
		return;
	if (!law->wrong++)
		printf("# seed %u, %s: frame %" PRIu64 " of %u, %" PRIu64 " to %" PRIu64 ": %s %" PRIu64 ", right is %"
		       PRIu64 "\n", law->seed, grt_frame_source_name(law->source), frame->number, frame->tgid,
		       frame->start_ns, frame->end_ns, what, said, right);
}

/* A job that was over at once belongs to the frame in which it was submitted. */
static bool completes_in(const struct law_job *j, const struct grt_frame *frame)
{
	if (grt_job_has(&j->job, GRT_AT_SUBMIT) && j->job.at_ns[GRT_AT_SUBMIT] == completes(j))
		return completes(j) >= frame->start_ns && completes(j) < frame->end_ns;
	return completes(j) > frame->start_ns && completes(j) <= frame->end_ns;
}

/* Jobs that completed, and the one that decided. */
static void check_jobs(struct law *law, const struct grt_frame *frame)
{
	bool is_missed = refresh_end(law, frame, frame->start_ns) < frame->end_ns;
	const struct law_job *by = NULL;
	uint64_t jobs = 0;

	for (unsigned int i = 0; i < law->nr_jobs; i++) {
		const struct law_job *j = &law->jobs[i];

		if (j->tgid != frame->tgid || !completes_in(j, frame))
			continue;
		jobs++;
		if (!by || (is_missed ? is_later(by, j) : is_later(j, by)))
			by = j;
	}
	differ(law, frame, "jobs", frame->jobs, jobs);
	if (!by)
		return;
	/* Two jobs may be submitted and complete at the same times. */
	for (unsigned int i = 0; i < law->nr_jobs; i++)
		if (law->jobs[i].job.ctx == frame->ctx && law->jobs[i].job.seqno == frame->seqno &&
		    !is_later(&law->jobs[i], by) && !is_later(by, &law->jobs[i]))
			return;
	differ(law, frame, "decided by", frame->seqno, UINT64_MAX);
}

/* A job that is named as the cause, because it ran, did so in the frame. */
static void check_cause(struct law *law, const struct grt_frame *frame)
{
	for (unsigned int i = 0; i < law->nr_jobs && frame->cause.part == GRT_FRAME_WAIT + GRT_ROOT_RUN; i++) {
		const struct grt_job *job = &law->jobs[i].job;

		if (job->ctx != frame->cause.ctx || job->seqno != frame->cause.seqno || !grt_job_knows(job, GRT_STAGE_EXEC))
			continue;
		seen.named++;
		differ(law, frame, "named a job that ran", job->at_ns[GRT_AT_START] < frame->end_ns &&
		       job->at_ns[GRT_AT_END] > frame->start_ns, true);
	}
}

/* Whether it is known when all jobs that were there ran. */
static bool knows_runs(const struct law *law, const struct grt_frame *frame)
{
	for (unsigned int i = 0; i < law->nr_jobs; i++) {
		const struct grt_job *job = &law->jobs[i].job;
		bool has_submit = grt_job_has(job, GRT_AT_SUBMIT);

		if (law->jobs[i].tgid != frame->tgid || completes(&law->jobs[i]) <= frame->start_ns ||
		    (has_submit && job->at_ns[GRT_AT_SUBMIT] >= frame->end_ns))
			continue;
		if (!has_submit || (!(job->flags & (GRT_JOB_NO_HW | GRT_JOB_KILLED)) &&
				    !(grt_job_has(job, GRT_AT_START) && grt_job_has(job, GRT_AT_END))))
			return false;
	}
	return true;
}

static void check_frame(struct law *law, const struct grt_frame *frame)
{
	bool has_after = frame->source == GRT_FRAME_BY_MARK || frame->source == GRT_FRAME_BY_JOBS;
	struct law_sums sums = { .nr_causes = 0 };

	seen.frames++;
	seen.joined += refresh_end(law, frame, frame->start_ns) < frame->end_ns;
	for (size_t i = 0; i + 1 < law->nr_points; i++) {
		uint64_t ns = law->points[i], to_ns = law->points[i + 1];

		if (ns >= frame->start_ns && to_ns <= frame->end_ns && ns < to_ns)
			add_moment(law, frame, ns, to_ns, &sums);
	}
	for (unsigned int i = 0; i < GRT_NR_FRAME_PARTS; i++) {
		differ(law, frame, grt_frame_part_name(i), frame->part_ns[i], sums.part_ns[i]);
		seen.part_ns[i] += sums.part_ns[i];
	}
	/* If the reason is a missed refresh, the last one does not count. */
	if (refresh_end(law, frame, frame->start_ns) < frame->end_ns || frame->source != GRT_FRAME_BY_VBLANK)
		differ(law, frame, "cause_ns", frame->cause.ns, greatest(&sums, has_after));
	check_jobs(law, frame);
	check_cause(law, frame);
	differ(law, frame, "knows busy", frame->has_busy, knows_runs(law, frame));
	if (!frame->has_busy)
		return;
	seen.busy += sums.busy_ns;
	differ(law, frame, "busy", frame->busy_ns, sums.busy_ns);
	differ(law, frame, "GPU wait", frame->wait_ns, sums.last_ns - sums.first_ns - sums.busy_ns);
}

static int compare_ns(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void find_points(struct law *law)
{
	size_t max = law->nr_cuts + 2 * grt_vec_count(&law->made, struct grt_frame);

	for (unsigned int i = 0; i < law->nr_jobs; i++)
		max += GRT_NR_STAMPS + 2 + 2 * law->jobs[i].count;
	law->points = calloc(max + 1, sizeof(*law->points));
	for (unsigned int i = 0; i < law->nr_jobs; i++) {
		const struct law_job *j = &law->jobs[i];

		for (int k = 0; k < GRT_NR_STAMPS; k++)
			law->points[law->nr_points++] = j->job.at_ns[k];
		law->points[law->nr_points++] = j->job.inflight.until_ns;
		law->points[law->nr_points++] = j->job.inflight.run_ns;
		for (uint32_t k = 0; k < j->count; k++) {
			law->points[law->nr_points++] = j->spans[k].from_ns;
			law->points[law->nr_points++] = j->spans[k].to_ns;
		}
	}
	for (unsigned int i = 0; i < law->nr_cuts; i++)
		law->points[law->nr_points++] = law->cuts[i].ns;
	for (size_t i = 0; i < grt_vec_count(&law->made, struct grt_frame); i++) {
		law->points[law->nr_points++] = grt_vec_at(&law->made, struct grt_frame, i)->start_ns;
		law->points[law->nr_points++] = grt_vec_at(&law->made, struct grt_frame, i)->end_ns;
	}
	qsort(law->points, law->nr_points, sizeof(*law->points), compare_ns);
}

static void count_jobs(const struct law *law)
{
	for (unsigned int i = 0; i < law->nr_jobs; i++) {
		const struct grt_job *job = &law->jobs[i].job;
		unsigned int inside = 0;

		for (unsigned int k = 0; k < law->nr_cuts; k++)
			inside += law->cuts[k].ns > job->at_ns[GRT_AT_SUBMIT] && law->cuts[k].ns < completes(&law->jobs[i]);
		seen.long_jobs += inside >= 3;
		seen.no_hw += !!(job->flags & GRT_JOB_NO_HW);
		seen.killed += !!(job->flags & GRT_JOB_KILLED);
		seen.inflight += !!job->inflight.until_ns;
	}
}

/* --- a schedule --- */

static int tell(struct law *law, const struct grtrace_hdr *rec)
{
	int err = grt_frames_record(&law->frames, rec);

	return err ? err : grt_model_feed(law->model, rec);
}

static int tell_cut(struct law *law, const struct law_cut *cut)
{
	struct {
		struct grtrace_mark rec;
		char text[16];
	} mark = {
		.rec = { .hdr = { .type = GRTRACE_MARK, .size = sizeof(mark), .ts = cut->event_ns }, .tgid = cut->tgid },
		.text = "frame 1",
	};
	struct grtrace_vblank blank = {
		.hdr = { .type = GRTRACE_VBLANK, .size = sizeof(blank), .ts = cut->event_ns, .flags = GRTRACE_F_HIGH_PRECISION },
		.frame = cut - law->cuts, .vblank_ns = cut->ns,
	};

	return tell(law, law->source == GRT_FRAME_BY_MARK ? &mark.rec.hdr : &blank.hdr);
}

/* Before an event come the marks or vertical blanks that were told earlier. */
static int watch(void *arg, const struct grtrace_hdr *rec)
{
	struct law *law = arg;
	int err = 0;

	while (!err && law->next_cut < law->nr_cuts && law->cuts[law->next_cut].event_ns <= rec->ts)
		err = tell_cut(law, &law->cuts[law->next_cut++]);
	return err ? err : grt_frames_record(&law->frames, rec);
}

static void keep(struct law *law, const struct grt_job *job)
{
	struct law_job *j = &law->jobs[law->nr_jobs];
	struct grt_root_list roots;

	assert_int_equal(grt_roots_add(&law->roots, job), 0);
	assert_int_equal(grt_roots_list(&law->roots, &roots), 0);
	if (job->process == GRT_NONE || job->flags & GRT_JOB_KERNEL_JOB)
		return;
	assert_true(law->nr_jobs < SIM_MAX_JOBS);
	law->nr_jobs++;
	*j = (struct law_job){
		.job = *job, .count = roots.waits,
		.tgid = grt_names_process_at(grt_model_names(law->model), job->process)->tgid,
	};
	j->spans = calloc(j->count + 1, sizeof(*j->spans));
	if (j->count)
		memcpy(j->spans, roots.spans, j->count * sizeof(*j->spans));
}

static void take_job(void *arg, const struct grt_job *job)
{
	struct law *law = arg;

	if (law->frames.has_learnt)
		keep(law, job);
	assert_int_equal(grt_frames_job(&law->frames, job), 0);
}

static int take_frame(void *arg, const struct grt_frame *frame)
{
	struct law *law = arg;

	return grt_vec_append(&law->made, frame, sizeof(*frame));
}

static void run_pass(struct law *law)
{
	law->model = grt_model_create(take_job, law);
	grt_model_keep_pieces(law->model);
	law->next_cut = 0;
	assert_int_equal(grt_frames_begin(&law->frames, law->model), 0);
	assert_int_equal(sim_feed_watched(law->sim, law->model, watch, law), 0);
	assert_int_equal(grt_frames_end(&law->frames), 0);
}

static int compare_cuts(const void *a, const void *b)
{
	const struct law_cut *x = a, *y = b;

	return (x->event_ns > y->event_ns) - (x->event_ns < y->event_ns);
}

static void add_marks(struct law *law, uint64_t end_ns, unsigned int *seed)
{
	const struct sim *s = law->sim;

	for (uint32_t c = 0; c < s->nr_ctxs; c++) {
		unsigned int count = rand_r(seed) % (MAX_CUTS - 2) + 2;

		for (unsigned int i = 0; i < count; i++) {
			uint64_t ns = 1 + rand_r(seed) % end_ns;

			law->cuts[law->nr_cuts++] = (struct law_cut){ ns, ns, s->ctxs[c].tgid };
		}
	}
}

/* The hardware says when they began; their events come later, and sometimes a little earlier. */
static void add_blanks(struct law *law, uint64_t end_ns, unsigned int *seed)
{
	uint64_t period_ns = end_ns / (2 + rand_r(seed) % (MAX_CUTS - 2)) + 10;

	for (uint64_t ns = period_ns; ns < end_ns; ns += period_ns) {
		uint64_t late_ns = rand_r(seed) % (period_ns * 9 / 10), early_ns = rand_r(seed) % (period_ns / 10 + 1);

		law->cuts[law->nr_cuts++] = (struct law_cut){
			.ns = ns, .event_ns = rand_r(seed) % 4 ? ns + late_ns : ns - early_ns,
		};
	}
}

static void check_all(struct law *law)
{
	find_points(law);
	count_jobs(law);
	for (size_t i = 0; i < grt_vec_count(&law->made, struct grt_frame); i++) {
		const struct grt_frame *frame = grt_vec_at(&law->made, struct grt_frame, i);

		assert_int_equal(frame->source, law->source);
		if (frame->verdict == GRT_FRAME_LOSSY)
			seen.lossy++;
		else
			check_frame(law, frame);
	}
}

static size_t play(const struct sim_class *class, unsigned int n, unsigned int seed)
{
	static const enum grt_frame_source sources[] = { GRT_FRAME_BY_MARK, GRT_FRAME_BY_JOBS, GRT_FRAME_BY_VBLANK };
	struct law *law = calloc(1, sizeof(*law));
	unsigned int random = seed * 77 + n;
	uint64_t end_ns;
	size_t wrong;

	law->sim = malloc(sizeof(*law->sim));
	law->seed = n;
	law->source = sources[n % 3];
	sim_play(law->sim, class, seed * 0x100000000ull + n, SIM_MAX_JOBS);
	end_ns = law->sim->nr_events ? law->sim->events[law->sim->nr_events - 1].rec.hdr.ts + 1 : 1;
	if (law->source == GRT_FRAME_BY_MARK)
		add_marks(law, end_ns, &random);
	else if (law->source == GRT_FRAME_BY_VBLANK)
		add_blanks(law, end_ns, &random);
	qsort(law->cuts, law->nr_cuts, sizeof(law->cuts[0]), compare_cuts);
	law->frames.wants = (struct grt_frames_wants){ .per_process = true, .frame = take_frame, .arg = law };
	run_pass(law);
	grt_model_destroy(law->model);
	run_pass(law);
	if (law->source != GRT_FRAME_BY_VBLANK || law->nr_cuts > 1)
		check_all(law);
	wrong = law->wrong;
	grt_frames_free(&law->frames);
	grt_model_destroy(law->model);
	grt_roots_free(&law->roots);
	for (unsigned int i = 0; i < law->nr_jobs; i++)
		free(law->jobs[i].spans);
	grt_vec_free(&law->made);
	free(law->points);
	free(law->sim);
	free(law);
	return wrong;
}

static unsigned int setting(const char *name, unsigned int fallback)
{
	const char *value = getenv(name);

	return value && *value ? strtoul(value, NULL, 0) : fallback;
}

/* Of the classes in which no events are missing, or only the ends of the trace. */
static void test_law(void **state)
{
	unsigned int count = setting("GRTRACE_SIM_COUNT", COUNT), seed = setting("GRTRACE_SIM_SEED", 1), wrong = 0;

	(void)state;
	for (unsigned int n = 0; n < count; n++) {
		const struct sim_class *class = &sim_classes[n / 3 % sim_nr_classes];

		if (class->missing != SIM_NOTHING && class->missing != SIM_ENDS && class->missing != SIM_LATE)
			continue;
		seen.schedules++;
		wrong += !!play(class, n, seed);
	}
	printf("# %" PRIu64 " schedules, %" PRIu64 " frames, %" PRIu64 " lossy, %" PRIu64 " with missed refreshes; jobs: %" PRIu64
	       " across 3 frames or more, %" PRIu64 " without hardware, %" PRIu64 " killed, %" PRIu64 " in flight\n",
	       seen.schedules, seen.frames, seen.lossy, seen.joined, seen.long_jobs, seen.no_hw, seen.killed, seen.inflight);
	for (unsigned int i = 0; i < GRT_NR_FRAME_PARTS; i++)
		printf("#	%s: %" PRIu64 "\n", grt_frame_part_name(i), seen.part_ns[i]);
	assert_int_equal(wrong, 0);
	assert_int_equal(seen.lossy, 0);
	if (count < COUNT)
		return;
	assert_true(seen.frames > 10000 && seen.joined > 100 && seen.long_jobs > 1000 && seen.busy && seen.named);
	assert_true(seen.no_hw > 100 && seen.killed > 100 && seen.inflight > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_law) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
