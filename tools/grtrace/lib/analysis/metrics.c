// SPDX-License-Identifier: LGPL-2.1
#include "metrics.h"

#include <string.h>

#include "error.h"
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

static uint32_t owner_of(const struct grt_metrics *m, uint32_t process)
{
	return grt_rollup_owner(grt_model_names(m->model), process);
}

/* Sets *device to the first ring of the device, which stands for it; GRT_NONE: it is not known.  0 or -errno. */
static int find_device(struct grt_metrics *m, uint32_t ring, uint32_t *device)
{
	const char *name;

	*device = GRT_NONE;
	if (ring == GRT_NONE)
		return 0;
	name = grt_names_ring_at(grt_model_names(m->model), ring)->device;
	if (!*name)
		return 0;
	*device = grt_namemap_get(&m->devices, name);
	if (*device != GRT_NONE)
		return 0;
	*device = ring;
	return grt_namemap_set(&m->devices, name, ring);
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

static int add_use(struct grt_metrics *m, const struct grt_job *job, uint32_t owner)
{
	struct grt_metric_use *use = VALUES_OF(m, use_sets, uses, struct grt_metric_use, pair(job->ring, owner), 0);

	if (!use)
		return grt_fail_memory();
	use->jobs[result_of(job)]++;
	use->hangs += !!(job->flags & GRT_JOB_HUNG);
	use->unknown_exec += grt_job_has_unknown_run(job);
	if (!(job->flags & GRT_JOB_CUT) && grt_job_knows(job, GRT_STAGE_EXEC))
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
	if (!grt_job_knows(job, GRT_STAGE_TOTAL))
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
		if (grt_job_knows(job, grt_metric_stage(i)))
			hist_add(&s->stages[i], job->stage_ns[grt_metric_stage(i)]);
	return 0;
}

/* As in the tables of reports, jobs whose client is not known do not count. */
static int add_waits(struct grt_metrics *m, const struct grt_job *job, uint32_t owner)
{
	for (uint32_t i = 0; i < job->nr_charges && job->client != GRT_NONE; i++) {
		const struct grt_charge *c = &job->charges[i];
		uint32_t by = c->client == GRT_NONE ? GRT_METRIC_NOBODY :
			      owner_of(m, grt_model_client(m->model, c->client)->process);
		uint64_t *ns = VALUES_OF(m, wait_sets, waits, uint64_t, pair(by, owner), c->reason);

		if (!ns)
			return grt_fail_memory();
		*ns += c->ns;
	}
	return 0;
}

static int add_job(void *arg, const struct grt_job *job)
{
	struct grt_metrics *m = arg;
	uint32_t owner = owner_of(m, job->process), device;
	int err = find_device(m, job->ring, &device);

	if (!err)
		err = add_use(m, job, owner);
	if (err || job->flags & GRT_JOB_CUT)
		return err;
	err = add_total(m, job, pair(device, owner));
	if (!err)
		err = add_stages(m, job, pair(device, owner));
	return err ? err : add_waits(m, job, owner);
}

static struct grt_metric_ring *ring_of(struct grt_metrics *m, uint32_t ring)
{
	static const struct grt_metric_ring none;

	return grt_vec_reach(&m->rings, ring, &none, sizeof(none)) ? NULL :
	       grt_vec_at(&m->rings, struct grt_metric_ring, ring);
}

int grt_metrics_job(struct grt_metrics *m, const struct grt_job *job)
{
	struct grt_metric_ring *ring;
	int got = 0;

	if (!job->stamps || (job->flags & GRT_JOB_SYNTHETIC && !m->with_synthetic))
		return 0;
	if (job->ring != GRT_NONE) {
		ring = ring_of(m, job->ring);
		if (!ring)
			return grt_fail_memory();
		ring->has_job = true;
	}
	if (m->has_late)
		got = grt_late_jobs_take(&m->late, m->model, job);
	return got ? got < 0 ? got : 0 : add_job(m, job);
}

/* --- rings --- */

static int add_stretch(void *arg, const struct grt_ring_stretch *s)
{
	struct grt_metric_ring *ring = ring_of(arg, s->ring);

	if (!ring)
		return grt_fail_memory();
	ring->ns[s->state] += s->to_ns - s->from_ns;
	return 0;
}

static int add_ahead(void *arg, const struct grt_ring_stretch *s)
{
	struct grt_metric_ring *ring = ring_of(arg, s->ring);

	if (!ring)
		return grt_fail_memory();
	ring->ahead_ns[s->state] += s->to_ns - s->from_ns;
	return 0;
}

uint64_t grt_metric_ring_ns(struct grt_metric_ring *ring, unsigned int state)
{
	uint64_t ns = ring->ns[state] + ring->ahead_ns[state];

	if (ns > ring->shown_ns[state])
		ring->shown_ns[state] = ns;
	return ring->shown_ns[state];
}

/* --- all of it --- */

void grt_metrics_limit(struct grt_metrics *m, uint32_t cap)
{
	m->job_sets.cap = cap;
	m->stage_sets.cap = cap / GRT_NR_METRIC_STAGES;
	m->use_sets.cap = cap;
	m->wait_sets.cap = cap;
}

static void empty(struct grt_metrics *m)
{
	grt_label_sets_free(&m->job_sets);
	grt_label_sets_free(&m->stage_sets);
	grt_label_sets_free(&m->use_sets);
	grt_label_sets_free(&m->wait_sets);
	grt_vec_free(&m->jobs);
	grt_vec_free(&m->stages);
	grt_vec_free(&m->uses);
	grt_vec_free(&m->waits);
	grt_vec_free(&m->rings);
	grt_late_jobs_free(&m->late);
	grt_namemap_free(&m->devices);
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

int grt_metrics_look(struct grt_metrics *m)
{
	size_t rings = grt_vec_count(&m->rings, struct grt_metric_ring);
	int err;

	for (size_t i = 0; i < rings; i++) {
		struct grt_metric_ring *ring = grt_vec_at(&m->rings, struct grt_metric_ring, i);

		memset(ring->ahead_ns, 0, sizeof(ring->ahead_ns));
	}
	if (!m->model)
		return 0;
	err = grt_late_jobs_give(&m->late, m->model, m->has_late ? m->now_ns : UINT64_MAX, add_job, m);
	grt_model_peek_rings(m->model, add_ahead, m);
	return err;
}
