// SPDX-License-Identifier: LGPL-2.1
#include "metrics.h"

#include <string.h>

#include "error.h"
#include "key_names.h"
#include "model.h"
#include "rollup.h"

#define FIRST_BOUND_NS	10000
#define SQRT_2		1.4142135623730951
#define IDLE_NS		3600000000000ull	/* without a use, until a label set may be forgotten while a session runs */

/* --- histograms --- */

uint64_t grt_metric_bound_ns(unsigned int bucket)
{
	uint64_t ns = (uint64_t)FIRST_BOUND_NS << bucket / 2;

	return bucket % 2 ? (uint64_t)(ns * SQRT_2 + 0.5) : ns;
}

/* The first bucket whose bound is not below @ns. */
static unsigned int bucket_of(uint64_t ns)
{
	uint64_t units = ns / FIRST_BOUND_NS + (ns % FIRST_BOUND_NS > 0);
	unsigned int bucket = units > 1 ? 2 * (64 - __builtin_clzll(units - 1)) : 0;

	if (bucket >= GRT_METRIC_BOUNDS)
		return GRT_METRIC_BOUNDS;
	return bucket && ns <= grt_metric_bound_ns(bucket - 1) ? bucket - 1 : bucket;
}

static unsigned int hist_add(struct grt_metric_hist *h, uint64_t ns)
{
	unsigned int bucket = bucket_of(ns);

	h->counts[bucket]++;
	h->count++;
	h->sum_ns += ns;
	return bucket;
}

enum grt_stage grt_metric_stage(unsigned int i)
{
	static const uint8_t stages[] = {
#define GRT_X(STAGE, name) [GRT_METRIC_##STAGE] = GRT_STAGE_##STAGE,
		GRT_METRIC_STAGES(GRT_X)
#undef GRT_X
	};

	return stages[i];
}

const char *grt_metric_stage_name(unsigned int i)
{
	static const char *const names[] = {
#define GRT_X(STAGE, name) [GRT_METRIC_##STAGE] = #name,
		GRT_METRIC_STAGES(GRT_X)
#undef GRT_X
	};

	return names[i];
}

const char *grt_job_result_name(enum grt_job_result result)
{
	static const char *const names[] = {
#define GRT_X(NAME, name, text) [GRT_RESULT_##NAME] = #name,
		GRT_JOB_RESULTS(GRT_X)
#undef GRT_X
	};

	return names[result];
}

/* --- who and where --- */

/* Where a ring of the model is: numbers in ->places. */
struct ring_place {
	uint32_t ring, device;		/* GRT_NONE: not known */
	uint32_t earlier;		/* its number was another ring's, until @since_ns; GRT_NONE: it was not */
	uint64_t since_ns;
	uint64_t looked;		/* ->ring_records when its name was looked at */
	bool has_job;			/* with that name */
};

/* Of all rings with one name. */
struct place_times {
	uint32_t row;			/* in ->ring_sets; GRT_NONE: they had no job yet */
	uint64_t ns[GRT_METRIC_STATES];		/* final */
	uint64_t ahead_ns[GRT_METRIC_STATES];	/* since then, as far as it is known now */
};

static bool has_text(const struct grt_label_texts *t, uint32_t number, unsigned int i, const char *text)
{
	return !strcmp(grt_label_text(t, number, i), text);
}

/* Sets *number to that of the texts.  0 or -errno with a cause. */
static int find_texts(struct grt_label_texts *t, uint32_t *number, const char *a, const char *b, const char *c)
{
	const char *const texts[GRT_LABEL_TEXTS] = { a, b, c };

	*number = grt_label_texts_number(t, texts);
	return *number == GRT_NONE ? grt_fail_memory() : 0;
}

static int find_owner_of_cgroup(struct grt_metrics *m, uint32_t *owner, uint32_t cgroup)
{
	const struct grt_cgroup_names *names = &grt_model_names(m->model)->cgroups;
	const struct grt_cgroup *c = grt_cgroup_names_at(names, cgroup);
	const char *kind = grt_owner_name(c->workload.owner), *space, *pod;
	char name[GRT_OWNER_MAX];

	if (c->workload.owner != GRT_OWNER_POD)
		return *owner == GRT_NONE ?
		       find_texts(&m->owners, owner, kind, "", grt_cgroup_owner(names, c, name)) : 0;
	/* The name of a pod may become known late. */
	space = grt_cgroup_text(names, c, GRT_CGROUP_NAMESPACE);
	pod = grt_cgroup_text(names, c, GRT_CGROUP_POD);
	if (*owner != GRT_NONE && has_text(&m->owners, *owner, 1, space) && has_text(&m->owners, *owner, 2, pod))
		return 0;
	return find_texts(&m->owners, owner, kind, space, pod);
}

/* Sets *owner to the number of the owner of a process; GRT_NONE: it is not known.  0 or -errno with a cause. */
static int find_owner(struct grt_metrics *m, uint32_t process, uint32_t *owner)
{
	const uint32_t none = GRT_NONE;
	uint32_t cgroup = grt_rollup_owner(grt_model_names(m->model), process);
	int err;

	*owner = GRT_NONE;
	if (cgroup == GRT_NONE)
		return 0;
	if (grt_vec_reach(&m->owner_of, cgroup, &none, sizeof(none)))
		return grt_fail_memory();
	err = find_owner_of_cgroup(m, grt_vec_at(&m->owner_of, uint32_t, cgroup), cgroup);
	*owner = *grt_vec_at(&m->owner_of, uint32_t, cgroup);
	return err;
}

/* Looks whether the number of a ring is now that of another one.  0 or -errno with a cause. */
static int find_place(struct grt_metrics *m, struct ring_place *p, const struct grt_ring *r)
{
	char buf[GRT_RING_NAME_MAX];
	const char *name = grt_ring_name(r, buf);
	int err;

	p->looked = m->ring_records;
	if (p->ring != GRT_NONE && has_text(&m->places, p->ring, 0, r->device) && has_text(&m->places, p->ring, 1, name))
		return 0;
	*p = (struct ring_place){ .device = GRT_NONE, .earlier = p->ring, .since_ns = m->now_ns, .looked = p->looked };
	err = find_texts(&m->places, &p->ring, r->device, name, "");
	return err || !*r->device ? err : find_texts(&m->places, &p->device, r->device, "", "");
}

/* Where a ring is now; NULL without memory. */
static struct ring_place *place_of(struct grt_metrics *m, uint32_t ring)
{
	static const struct ring_place none = { .ring = GRT_NONE };
	struct ring_place *p;

	if (grt_vec_reach(&m->place_of, ring, &none, sizeof(none)))
		return NULL;
	p = grt_vec_at(&m->place_of, struct ring_place, ring);
	if (p->ring != GRT_NONE && p->looked == m->ring_records)
		return p;
	return find_place(m, p, grt_names_ring_at(grt_model_names(m->model), ring)) ? NULL : p;
}

/* The values of a label set, @bytes of them; new ones are 0.  NULL without memory. */
static void *values_of(const struct grt_metrics *m, struct grt_label_sets *sets, struct grt_vec *values, size_t bytes,
		       uint64_t a, uint64_t b)
{
	bool is_new;
	uint32_t row = grt_label_sets_row(sets, a, b, m->now_ns, &is_new);
	size_t have = values->bytes, want;

	if (row == GRT_NONE)
		return NULL;
	want = grt_label_sets_count(sets) * bytes;
	if (have < want) {
		void *new = grt_vec_grow(values, want - have);

		if (!new)
			return NULL;
		memset(new, 0, want - have);
	}
	if (is_new)
		memset((char *)values->data + row * bytes, 0, bytes);
	return (char *)values->data + row * bytes;
}

#define VALUES_OF(m, sets, values, type, a, b)	\
	((type *)values_of(m, &(m)->sets, &(m)->values, sizeof(type), a, b))

static uint64_t pair(uint32_t place, uint32_t owner)
{
	return (uint64_t)place << 32 | owner;
}

/* --- jobs --- */

static enum grt_job_result result_of(const struct grt_job *job)
{
	if (job->flags & GRT_JOB_KILLED)
		return GRT_RESULT_KILLED;
	if (job->has_status)
		return job->status ? GRT_RESULT_ERROR : GRT_RESULT_OK;
	return job->flags & GRT_JOB_CUT ? GRT_RESULT_CUT : GRT_RESULT_UNKNOWN;
}

static int add_use(struct grt_metrics *m, const struct grt_job *job, uint64_t who)
{
	struct grt_metric_use *use = VALUES_OF(m, use_sets, uses, struct grt_metric_use, who, 0);

	if (!use)
		return grt_fail_memory();
	use->jobs[result_of(job)]++;
	use->hangs += !!(job->flags & GRT_JOB_HUNG);
	use->unknown_exec += grt_job_has_unknown_run(job);
	if (!(job->flags & GRT_JOB_CUT) && grt_job_measures(job, GRT_STAGE_EXEC))
		use->exec_ns += job->stage_ns[GRT_STAGE_EXEC];
	return 0;
}

static int add_total(struct grt_metrics *m, const struct grt_job *job, uint64_t who)
{
	struct grt_metric_jobs *jobs = VALUES_OF(m, job_sets, jobs, struct grt_metric_jobs, who, 0);
	uint64_t ns = job->stage_ns[GRT_STAGE_TOTAL];
	struct grt_exemplar *e;

	if (!jobs)
		return grt_fail_memory();
	if (!grt_job_measures(job, GRT_STAGE_TOTAL))
		return 0;
	e = &jobs->exemplars[hist_add(&jobs->total, ns)];
	*e = (struct grt_exemplar){ .ns = ns, .ctx = job->ctx, .seqno = job->seqno };
	grt_metrics_realtime(m, grt_job_last_ns(job), &e->real_ns);
	return 0;
}

static int add_stages(struct grt_metrics *m, const struct grt_job *job, uint64_t who)
{
	struct grt_metric_stages *s = VALUES_OF(m, stage_sets, stages, struct grt_metric_stages, who, 0);

	if (!s)
		return grt_fail_memory();
	for (int i = 0; i < GRT_NR_METRIC_STAGES; i++)
		if (grt_job_measures(job, grt_metric_stage(i)))
			hist_add(&s->stages[i], job->stage_ns[grt_metric_stage(i)]);
	return 0;
}

/* As in the tables of reports, jobs whose client is not known do not count. */
static int add_waits(struct grt_metrics *m, const struct grt_job *job, uint32_t owner)
{
	for (uint32_t i = 0; i < job->nr_charges && job->client != GRT_NONE; i++) {
		const struct grt_charge *c = &job->charges[i];
		uint32_t by = GRT_METRIC_NOBODY;
		uint64_t *ns;

		if (c->client != GRT_NONE && find_owner(m, grt_model_client(m->model, c->client)->process, &by))
			return grt_fail_memory();
		ns = VALUES_OF(m, wait_sets, waits, uint64_t, pair(by, owner), c->reason);
		if (!ns)
			return grt_fail_memory();
		*ns += c->ns;
	}
	return 0;
}

static int add_job(void *arg, const struct grt_job *job)
{
	struct grt_metrics *m = arg;
	struct ring_place at = { .ring = GRT_NONE, .device = GRT_NONE };
	uint32_t owner;
	int err = find_owner(m, job->process, &owner);

	if (!err && job->ring != GRT_NONE) {
		const struct ring_place *p = place_of(m, job->ring);

		err = p ? 0 : grt_fail_memory();
		if (p)
			at = *p;
	}
	if (!err)
		err = add_use(m, job, pair(at.ring, owner));
	if (err || job->flags & GRT_JOB_CUT)
		return err;
	err = add_total(m, job, pair(at.device, owner));
	if (!err)
		err = add_stages(m, job, pair(at.device, owner));
	return err ? err : add_waits(m, job, owner);
}

/* --- rings --- */

static struct place_times *times_at(const struct grt_metrics *m, uint32_t place)
{
	return grt_vec_at(&m->times, struct place_times, place);
}

/* NULL without memory. */
static struct place_times *times_of(struct grt_metrics *m, uint32_t place)
{
	static const struct place_times none = { .row = GRT_NONE };

	return grt_vec_reach(&m->times, place, &none, sizeof(none)) ? NULL : times_at(m, place);
}

/* Gives the ring a row if it has none.  A ring gets one with its first job; before, the page does not name it. */
static int note_job_of_ring(struct grt_metrics *m, uint32_t ring)
{
	static const struct grt_metric_rings none;
	struct ring_place *p = place_of(m, ring);
	struct place_times *t = p ? times_of(m, p->ring) : NULL;
	bool is_new;

	if (!t)
		return grt_fail_memory();
	p->has_job = true;
	if (t->row == GRT_NONE)
		t->row = grt_label_sets_row(&m->ring_sets, pair(p->ring, 0), 0, m->now_ns, &is_new);
	return t->row == GRT_NONE || grt_vec_reach(&m->rings, t->row, &none, sizeof(none)) ? grt_fail_memory() : 0;
}

static int add_time(struct grt_metrics *m, uint32_t place, unsigned int state, uint64_t ns, bool is_final)
{
	struct place_times *t = times_of(m, place);

	if (!t)
		return grt_fail_memory();
	*(is_final ? &t->ns[state] : &t->ahead_ns[state]) += ns;
	return 0;
}

static int add_times(struct grt_metrics *m, const struct grt_ring_stretch *s, bool is_final)
{
	const struct ring_place *p = place_of(m, s->ring);
	unsigned int state = s->is_unexplained ? GRT_METRIC_UNEXPLAINED : s->state;
	uint64_t from_ns = s->from_ns, change_ns;
	int err = 0;

	if (!p)
		return grt_fail_memory();
	if (p->earlier != GRT_NONE && from_ns < p->since_ns) {
		change_ns = p->since_ns < s->to_ns ? p->since_ns : s->to_ns;
		err = add_time(m, p->earlier, state, change_ns - from_ns, is_final);
		from_ns = change_ns;
	}
	return err ? err : add_time(m, p->ring, state, s->to_ns - from_ns, is_final);
}

static int add_stretch(void *arg, const struct grt_ring_stretch *s)
{
	return add_times(arg, s, true);
}

static int add_ahead(void *arg, const struct grt_ring_stretch *s)
{
	return add_times(arg, s, false);
}

int grt_metrics_job(struct grt_metrics *m, const struct grt_job *job)
{
	int got = 0;

	if (!job->stamps || (job->flags & GRT_JOB_SYNTHETIC && !m->with_synthetic))
		return 0;
	if (job->ring != GRT_NONE && note_job_of_ring(m, job->ring))
		return grt_fail_memory();
	if (m->has_late)
		got = grt_late_jobs_take(&m->late, m->model, job);
	return got ? got < 0 ? got : 0 : add_job(m, job);
}

/* --- all of it --- */

void grt_metrics_limit(struct grt_metrics *m, uint32_t cap)
{
	m->job_sets.cap = cap;
	m->stage_sets.cap = cap / GRT_NR_METRIC_STAGES;
	m->use_sets.cap = cap;
	m->wait_sets.cap = cap;
	m->ring_sets.cap = cap;
}

static void empty(struct grt_metrics *m)
{
	grt_label_sets_free(&m->job_sets);
	grt_label_sets_free(&m->stage_sets);
	grt_label_sets_free(&m->use_sets);
	grt_label_sets_free(&m->wait_sets);
	grt_label_sets_free(&m->ring_sets);
	grt_vec_free(&m->jobs);
	grt_vec_free(&m->stages);
	grt_vec_free(&m->uses);
	grt_vec_free(&m->waits);
	grt_vec_free(&m->rings);
	grt_late_jobs_free(&m->late);
	grt_label_texts_free(&m->owners);
	grt_label_texts_free(&m->places);
	grt_vec_free(&m->owner_of);
	grt_vec_free(&m->place_of);
	grt_vec_free(&m->times);
	m->last_ns = m->now_ns = 0;
}

int grt_metrics_begin(struct grt_metrics *m, struct grt_model *model)
{
	empty(m);
	m->model = model;
	m->job_sets.idle_ns = m->stage_sets.idle_ns = m->use_sets.idle_ns = m->wait_sets.idle_ns =
		m->has_late ? IDLE_NS : 0;
	grt_model_watch_rings(model, add_stretch, m);
	return 0;
}

void grt_metrics_free(struct grt_metrics *m)
{
	empty(m);
}

void grt_metrics_set_realtime(struct grt_metrics *m, uint64_t ns, uint64_t real_ns)
{
	m->has_realtime = real_ns;
	m->realtime_ahead_ns = real_ns - ns;
}

bool grt_metrics_realtime(const struct grt_metrics *m, uint64_t ns, uint64_t *real_ns)
{
	*real_ns = m->has_realtime ? ns + m->realtime_ahead_ns : 0;
	return m->has_realtime;
}

int grt_metrics_record(struct grt_metrics *m, const struct grtrace_hdr *rec)
{
	if (rec->type == GRTRACE_CLOCK)
		grt_metrics_set_realtime(m, rec->ts, ((const struct grtrace_clock *)rec)->real_ns);
	else if (rec->type == GRTRACE_RING)
		m->ring_records++;
	else if (rec->type < GRTRACE_NR_EVENTS && rec->ts > m->last_ns)
		m->last_ns = rec->ts;
	grt_metrics_pass(m, m->last_ns);
	return 0;
}

void grt_metrics_pass(struct grt_metrics *m, uint64_t now_ns)
{
	if (now_ns > m->now_ns)
		m->now_ns = now_ns;
}

static struct grt_metric_rings *rings_at(const struct grt_metrics *m, uint32_t row)
{
	return grt_vec_at(&m->rings, struct grt_metric_rings, row);
}

/* The time of the rings of each row. */
static void sum_times(struct grt_metrics *m)
{
	for (size_t i = 0; i < grt_vec_count(&m->times, struct place_times); i++) {
		const struct place_times *t = times_at(m, i);

		for (unsigned int state = 0; state < GRT_METRIC_STATES && t->row != GRT_NONE; state++)
			rings_at(m, t->row)->seen_ns[state] += t->ns[state] + t->ahead_ns[state];
	}
	for (size_t row = 0; row < grt_vec_count(&m->rings, struct grt_metric_rings); row++) {
		struct grt_metric_rings *r = rings_at(m, row);

		for (unsigned int state = 0; state < GRT_METRIC_STATES; state++)
			if (r->seen_ns[state] > r->ns[state])
				r->ns[state] = r->seen_ns[state];
	}
}

/* A sum in which one ring is not known is not known. */
static void sum_loads(struct grt_metrics *m)
{
	struct grt_ring_load load;

	for (size_t ring = 0; ring < grt_vec_count(&m->place_of, struct ring_place); ring++) {
		const struct ring_place *p = grt_vec_at(&m->place_of, struct ring_place, ring);
		struct grt_metric_rings *r = p->has_job ? rings_at(m, times_at(m, p->ring)->row) : NULL;

		if (!r)
			continue;
		r->has_load &= grt_model_ring_load(m->model, ring, &load);
		if (!r->has_load)
			continue;
		r->waiting += load.waiting;
		r->on_ring += load.on_ring;
	}
}

int grt_metrics_look(struct grt_metrics *m)
{
	int err;

	if (!m->model)
		return 0;
	err = grt_late_jobs_give(&m->late, m->model, m->has_late ? m->now_ns : UINT64_MAX, add_job, m);
	for (size_t i = 0; i < grt_vec_count(&m->times, struct place_times); i++)
		memset(times_at(m, i)->ahead_ns, 0, sizeof(times_at(m, i)->ahead_ns));
	grt_model_peek_rings(m->model, add_ahead, m);
	for (size_t row = 0; row < grt_vec_count(&m->rings, struct grt_metric_rings); row++) {
		struct grt_metric_rings *r = rings_at(m, row);

		memset(r->seen_ns, 0, sizeof(r->seen_ns));
		r->waiting = r->on_ring = 0;
		r->has_load = true;
	}
	sum_times(m);
	sum_loads(m);
	return err;
}
