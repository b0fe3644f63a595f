// SPDX-License-Identifier: GPL-2.0
/*
 * Roots of random schedules with long chains, checked at many moments.  Here the root of a moment is found as
 * report.rst says it: from job to job by recursion, without logs and sums.  Some jobs come twice, as jobs do
 * that a thread waits for.  Environment: GRTRACE_SIM_SEED, GRTRACE_SIM_COUNT.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "piece.h"
#include "roots.h"

#define COUNT		10000	/* schedules */
#define MAX_JOBS	300
#define MAX_CTXS	6
#define RINGS		2
#define MAX_PIECES	6
#define NONE		UINT32_MAX

struct job {
	uint32_t ctx, client;
	uint32_t front;		/* the job in front in its context; NONE: none */
	uint64_t seqno, submit, order, commit, start, end, complete;
	uint32_t deps[MAX_PIECES];	/* of pieces for a fence: the job, or NONE */
	struct grt_piece pieces[MAX_PIECES];
	uint32_t nr_pieces, again;	/* again: it comes once more before that job; 0: it does not */
	bool has_follower, is_hung;
};

struct schedule {
	uint64_t rng;
	struct job jobs[MAX_JOBS];
	uint32_t nr_jobs, nr_ctxs, nr_clients;
	struct grt_spans rings[RINGS];
	struct grt_roots roots;
	uint64_t checked;
};

static uint64_t draw(struct schedule *s, uint64_t n)
{
	s->rng ^= s->rng << 13;
	s->rng ^= s->rng >> 7;
	s->rng ^= s->rng << 17;
	return n ? s->rng % n : 0;
}

static void add_piece(struct job *j, const struct grt_charge *c, uint64_t from, uint64_t to,
		      const struct grt_spans *ring, uint32_t dep)
{
	struct grt_piece *p = &j->pieces[j->nr_pieces];

	if (from >= to)
		return;
	p->charge = *c;
	p->charge.from_ns = from;
	p->charge.ns = to - from;
	p->jobs = ring;
	j->deps[j->nr_pieces++] = dep;
}

/* A wait for a fence from @from on; returns its end.  Some jobs come only behind the one that waited for them. */
static uint64_t add_dep(struct schedule *s, uint32_t i, uint64_t from)
{
	struct job *j = &s->jobs[i];
	struct grt_charge c = { .client = GRT_NONE, .reason = GRT_BLAME_FENCE, .stage = GRT_STAGE_DEP };
	uint32_t on = draw(s, 3) ? i - 1 - draw(s, i < 4 ? i : 4) : draw(s, i);
	uint64_t end = s->jobs[on].complete;

	if (!draw(s, 12)) {	/* a fence that belongs to no job */
		c.is_foreign = true;
		c.ctx = 999;
		c.seqno = 1 + draw(s, 3);
		end = from + draw(s, 40);
		on = NONE;
	} else if (!draw(s, 8) && i + 1 < s->nr_jobs) {
		on = i + 1 + draw(s, s->nr_jobs - i - 1);
		end = from + draw(s, 30);
	}
	if (on != NONE) {
		c.ctx = 1 + on % s->nr_ctxs;
		c.seqno = 1 + on;
		c.client = on % s->nr_clients;
	}
	add_piece(j, &c, from, end, NULL, on);
	return end > from ? end : from;
}

/* What a job waits for from @from up to @to, behind its dependencies. */
static void add_ready(struct schedule *s, struct job *j, uint64_t from, uint64_t to)
{
	const struct grt_charge sched = {
		.client = GRT_NONE, .reason = GRT_BLAME_SCHEDULER, .stage = GRT_STAGE_SCHED,
	};
	const struct grt_charge full = { .client = GRT_NONE, .reason = GRT_PIECE_RING, .stage = GRT_STAGE_RING };
	uint64_t mid = from < to ? from + draw(s, to - from + 1) : from;

	add_piece(j, &sched, from, mid, NULL, NONE);
	add_piece(j, &full, mid, to, &s->rings[draw(s, RINGS)], NONE);
}

/* Job @i, which is complete after all before it. */
static void make_job(struct schedule *s, uint32_t i, uint32_t *last)
{
	const struct grt_charge order = { .client = GRT_NONE, .reason = GRT_PIECE_FRONT };
	const struct grt_charge queue = { .client = GRT_NONE, .reason = GRT_PIECE_RING, .stage = GRT_STAGE_QUEUE };
	uint64_t before = i ? s->jobs[i - 1].complete : 0, ready;
	uint32_t ctx = i % s->nr_ctxs, ring = draw(s, RINGS);
	struct job *j = &s->jobs[i];

	*j = (struct job){
		.ctx = 1 + ctx, .seqno = 1 + i, .front = last[ctx], .client = i % s->nr_clients,
		.submit = draw(s, 4) ? draw(s, 20) : draw(s, before + 1), .is_hung = !draw(s, 20),
	};
	last[ctx] = i;
	j->order = j->submit;
	if (j->front != NONE && s->jobs[j->front].commit > j->order)
		j->order = s->jobs[j->front].commit;
	add_piece(j, &order, j->submit, j->order, NULL, NONE);
	ready = i && draw(s, 6) ? add_dep(s, i, j->order) : j->order;
	j->commit = ready + draw(s, 4) * draw(s, 15);
	add_ready(s, j, ready, j->commit);
	j->start = (before > j->commit ? before : j->commit) + draw(s, 3);
	add_piece(j, &queue, j->commit, j->start, &s->rings[ring], NONE);
	j->end = j->start + 1 + draw(s, 12);
	j->complete = j->end + 1 + draw(s, 3);
	j->again = !draw(s, 5) ? i + 1 + draw(s, 20) : 0;
	if (j->front != NONE && j->submit < s->jobs[j->front].commit)
		s->jobs[j->front].has_follower = true;
	/* The ring has a gap now and then. */
	if (draw(s, 10))
		assert_int_equal(grt_spans_add(&s->rings[ring], &(struct grt_span_by){
			.ctx = j->ctx, .seqno = j->seqno, .client = j->client, .reason = GRT_BLAME_RING,
			.is_hung = j->is_hung,
		}, j->start, j->end, true), 0);
}

struct root {
	uint64_t ctx, seqno;
	uint32_t client;
	enum grt_root kind;
};

static const struct root unknown = { .client = GRT_NONE, .kind = GRT_ROOT_UNKNOWN };

static struct root root_of_ring(const struct grt_spans *ring, uint64_t ns, enum grt_root kind)
{
	for (const struct grt_span_by *by = grt_spans_begin(ring); by < grt_spans_end(ring); by++)
		if (by->from_ns <= ns && ns < by->to_ns)
			return (struct root){ by->ctx, by->seqno, by->client, by->is_hung ? GRT_ROOT_HANG : kind };
	return unknown;
}

static struct root root_of_wait(const struct schedule *s, uint32_t i, uint64_t ns, uint32_t known);

/* What job @i did. */
static struct root root_of_life(const struct schedule *s, uint32_t i, uint64_t ns)
{
	const struct job *j = &s->jobs[i];
	struct root own = { j->ctx, j->seqno, j->client, GRT_ROOT_NOT_SUBMITTED };

	if (ns < j->submit)
		return own;
	if (ns < j->start)
		return root_of_wait(s, i, ns, i);
	own.kind = ns >= j->end ? GRT_ROOT_SIGNAL : j->is_hung ? GRT_ROOT_HANG : GRT_ROOT_RUN;
	return ns < j->complete ? own : unknown;
}

static struct root root_of_piece(const struct schedule *s, const struct job *j, uint32_t p, uint64_t ns,
				 uint32_t known)
{
	const struct grt_charge *c = &j->pieces[p].charge;

	if (c->reason == GRT_PIECE_RING)
		return root_of_ring(j->pieces[p].jobs, ns, c->stage == GRT_STAGE_QUEUE ? GRT_ROOT_RUN : GRT_ROOT_FULL);
	if (c->reason == GRT_BLAME_SCHEDULER)
		return (struct root){ .client = GRT_NONE, .kind = GRT_ROOT_SCHEDULER };
	if (c->is_foreign)
		return (struct root){ c->ctx, c->seqno, GRT_NONE, GRT_ROOT_FOREIGN };
	return j->deps[p] < known ? root_of_life(s, j->deps[p], ns) : unknown;
}

/* Why job @i waited at @ns, where the jobs before @known have come. */
static struct root root_of_wait(const struct schedule *s, uint32_t i, uint64_t ns, uint32_t known)
{
	const struct job *j = &s->jobs[i];

	/* It waits with the job in front that was not committed then. */
	if (ns < j->order) {
		while (j->front != NONE && ns < j->order)
			j = &s->jobs[j->front];
		if (ns < j->order || !j->has_follower || ns >= j->commit)
			return unknown;
	}
	for (uint32_t p = 0; p < j->nr_pieces; p++)
		if (j->pieces[p].charge.from_ns <= ns &&
		    ns < j->pieces[p].charge.from_ns + j->pieces[p].charge.ns)
			return root_of_piece(s, j, p, ns, known);
	return unknown;
}

static void check_moment(struct schedule *s, uint32_t i, const struct grt_root_span *said, uint64_t ns, bool is_first)
{
	const struct root truth = root_of_wait(s, i, ns, i);
	bool has_key = is_first || said->kind == GRT_ROOT_HANG || said->kind == GRT_ROOT_FOREIGN;

	if (said->kind != truth.kind || said->client != truth.client ||
	    (has_key && (said->ctx != truth.ctx || said->seqno != truth.seqno)))
		fail_msg("job %u at %u: %s of %u:%u, but the truth is %s of %u:%u", i, (uint32_t)ns,
			 grt_root_name(said->kind), (uint32_t)said->ctx, (uint32_t)said->seqno,
			 grt_root_name(truth.kind), (uint32_t)truth.ctx, (uint32_t)truth.seqno);
	s->checked++;
}

static uint64_t sum_like(const struct grt_root_list *list, const struct grt_root_total *t)
{
	uint64_t ns = 0;

	for (uint32_t i = 0; i < list->wait; i++) {
		const struct grt_root_span *span = &list->spans[i];

		if (span->kind == t->kind && span->client == t->client &&
		    (t->kind != GRT_ROOT_HANG || (span->ctx == t->ctx && span->seqno == t->seqno)))
			ns += span->to_ns - span->from_ns;
	}
	return ns;
}

/* The latest job of the roots is @i: checks all that is told of it. */
static void check_job(struct schedule *s, uint32_t i)
{
	const struct job *j = &s->jobs[i];
	const struct grt_root_total *totals;
	struct grt_root_list list;
	uint64_t ns = j->submit, sum = 0;
	uint32_t count;

	assert_int_equal(grt_roots_list(&s->roots, &list), 0);
	for (uint32_t k = 0; k < list.wait; k++) {
		const struct grt_root_span *span = &list.spans[k];

		assert_true(span->from_ns == ns && span->to_ns > ns);
		ns = span->to_ns;
		check_moment(s, i, span, span->from_ns, true);
		check_moment(s, i, span, span->to_ns - 1, false);
		check_moment(s, i, span, span->from_ns + draw(s, span->to_ns - span->from_ns), false);
	}
	assert_int_equal(ns, j->start);
	assert_int_equal(grt_roots_totals(&s->roots, &totals, &count), 0);
	for (uint32_t k = 0; k < count; k++) {
		assert_int_equal(totals[k].ns, sum_like(&list, &totals[k]));
		sum += totals[k].ns;
	}
	assert_int_equal(sum, j->start - j->submit);
}

static struct grt_job job_of(const struct schedule *s, uint32_t i)
{
	const struct job *j = &s->jobs[i];
	struct grt_job job = {
		.ctx = j->ctx, .seqno = j->seqno, .client = j->client, .ring = GRT_NONE,
		.flags = j->is_hung ? GRT_JOB_HUNG : 0, .pieces = j->pieces, .nr_pieces = j->nr_pieces,
		.has_follower = j->has_follower, .is_early = j->again, .oldest_ns = j->submit,
	};

	grt_job_stamp(&job, GRT_AT_SUBMIT, j->submit);
	grt_job_stamp(&job, GRT_AT_COMMIT, j->commit);
	grt_job_stamp(&job, GRT_AT_START, j->start);
	grt_job_stamp(&job, GRT_AT_END, j->end);
	grt_job_stamp(&job, GRT_AT_COMPLETE, j->complete);
	grt_job_stages(&job);
	for (uint32_t k = i; k < s->nr_jobs; k++)
		if (s->jobs[k].submit < job.oldest_ns)
			job.oldest_ns = s->jobs[k].submit;
	return job;
}

/* Jobs that came early come again. */
static void come_again(struct schedule *s, uint32_t now)
{
	for (uint32_t i = 0; i < now && i < s->nr_jobs; i++) {
		struct grt_job job;

		if (!s->jobs[i].again || s->jobs[i].again > now)
			continue;
		s->jobs[i].again = 0;
		job = job_of(s, i);
		job.was_early = true;
		job.pieces = NULL;	/* it is known by then */
		job.nr_pieces = 0;
		assert_int_equal(grt_roots_add(&s->roots, &job), 0);
		check_job(s, i);
	}
}

static void play(struct schedule *s, uint64_t seed)
{
	uint32_t last[MAX_CTXS];

	memset(s, 0, sizeof(*s));
	s->rng = seed * 0x9e3779b97f4a7c15ull | 1;
	for (int i = 0; i < 8; i++)
		draw(s, 0);
	s->nr_jobs = 2 + draw(s, draw(s, 10) ? 60 : MAX_JOBS - 2);
	s->nr_ctxs = 1 + draw(s, MAX_CTXS);
	s->nr_clients = 1 + draw(s, draw(s, 2) ? 3 : 50);
	for (uint32_t i = 0; i < MAX_CTXS; i++)
		last[i] = NONE;
	for (uint32_t i = 0; i < s->nr_jobs; i++)
		make_job(s, i, last);
	for (uint32_t i = 0; i < s->nr_jobs; i++) {
		struct grt_job job;

		come_again(s, i);
		job = job_of(s, i);
		assert_int_equal(grt_roots_add(&s->roots, &job), 0);
		check_job(s, i);
	}
	come_again(s, NONE);
	assert_int_equal(s->roots.forgotten, 0);
	grt_roots_free(&s->roots);
	for (int i = 0; i < RINGS; i++)
		grt_spans_free(&s->rings[i]);
}

static uint64_t setting(const char *name, uint64_t fallback)
{
	const char *value = getenv(name);

	return value && *value ? strtoull(value, NULL, 0) : fallback;
}

/* A context without a job for a while, after one with many roots for which others waited. */
static void test_found(void **state)
{
	struct schedule *s = malloc(sizeof(*s));

	(void)state;
	assert_non_null(s);
	play(s, 0x5b000007fd);
	free(s);
}

static void test_schedules(void **state)
{
	uint64_t base = setting("GRTRACE_SIM_SEED", 1), count = setting("GRTRACE_SIM_COUNT", COUNT), checked = 0;
	struct schedule *s = malloc(sizeof(*s));

	(void)state;
	assert_non_null(s);
	for (uint64_t n = 0; n < count; n++) {
		play(s, base * 0x100000000ull + n);
		checked += s->checked;
	}
	printf("# %u schedules, %u moments\n", (uint32_t)count, (uint32_t)checked);
	assert_true(count < 100 || checked > 1000 * count);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_schedules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
