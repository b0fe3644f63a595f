// SPDX-License-Identifier: LGPL-2.1
/* The public functions for jobs.  A pass gives jobs in groups; a queue hands them out singly. */
#include "trace_private.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "error.h"
#include "input.h"
#include "model.h"
#include "replay.h"
#include "stream.h"
#include "summary.h"

#define QUIET_MS	300		/* after so long without a live event, ... */
#define LATE_NS		1000000000	/* ... expect no event older than this */

/* The public numbers equal ours. */
#define SAME(public, own)	_Static_assert((int)(public) == (int)(own), #public)
#define GRT_X(NAME, ...)	SAME(GRTRACE_AT_##NAME, GRT_AT_##NAME);
GRT_STAMPS(GRT_X)
#undef GRT_X
SAME(GRTRACE_NR_STAMPS, GRT_NR_STAMPS);
#define GRT_X(NAME, ...)	SAME(GRTRACE_STAGE_##NAME, GRT_STAGE_##NAME);
GRT_STAGES(GRT_X)
GRT_CPU_STAGES(GRT_X)
#undef GRT_X
SAME(GRTRACE_NR_STAGES, GRT_NR_STAGES);
#define GRT_X(NAME, ...)	SAME(GRTRACE_IDLE_##NAME, GRT_IDLE_##NAME);
GRT_IDLES(GRT_X)
#undef GRT_X
SAME(GRTRACE_NR_IDLE_CAUSES, GRT_NR_IDLES);
#define GRT_X(NAME, ...)	SAME(GRTRACE_BLAME_##NAME, GRT_BLAME_##NAME);
GRT_BLAME_REASONS(GRT_X)
#undef GRT_X
SAME(GRTRACE_NR_BLAME_REASONS, GRT_NR_BLAME_REASONS);
#define GRT_X(NAME, ...)	SAME(GRTRACE_BY_##NAME, GRT_BY_##NAME);
GRT_CLIENT_GROUPS(GRT_X)
#undef GRT_X
SAME(GRTRACE_NR_GROUPS, GRT_BY_CGROUP);
#define GRT_X(NAME, ...)	SAME(GRTRACE_JOB_##NAME, GRT_JOB_##NAME);
GRT_JOB_FLAGS(GRT_X)
#undef GRT_X

struct job_reader {
	struct grtrace *trace;		/* not owned */
	struct grt_replay replay;
	struct grt_summary summary;
	int err;			/* reading failed: every later call fails likewise */
	bool has_ended;			/* all jobs are in */

	struct grt_vec jobs;		/* of struct grt_job: the queue of jobs from the model */
	struct grt_vec charges;		/* of struct grt_charge: of all these jobs in turn */
	size_t next_job, next_charge;	/* the first ones that are not handed out yet */

	struct grtrace_job_info info;	/* the job that was handed out last */
	struct grt_vec info_charges;	/* of struct grtrace_charge: its charges */
};

static int begin_pass(void *arg, struct grt_model *model)
{
	struct job_reader *r = arg;
	const struct grt_summary_wants wants = {
		.query.with_synthetic = r->replay.with_synthetic,
		.groups = r->trace->groups, .has_quantiles = r->trace->groups, .has_blame = true, .skips_bounds = true,
	};

	return grt_summary_init(&r->summary, model, &wants);
}

static int keep_record(void *arg, const struct grtrace_hdr *rec)
{
	struct job_reader *r = arg;

	return grt_api_keep(r->trace, rec);
}

static int keep_job(void *arg, const struct grt_job *job)
{
	struct job_reader *r = arg;
	bool is_wanted;
	int err = grt_summary_add(&r->summary, job, &is_wanted);

	if (err || !is_wanted)
		return err;
	err = grt_vec_append(&r->charges, job->charges, job->nr_charges * sizeof(*job->charges));
	return err ? err : grt_vec_append(&r->jobs, job, sizeof(*job));
}

static int end_pass(void *arg)
{
	struct job_reader *r = arg;

	return grt_summary_close(&r->summary);
}

static const struct grt_replay_ops ops = {
	.begin = begin_pass, .record = keep_record, .job = keep_job, .end = end_pass,
};

static int open_reader(struct grtrace *t)
{
	struct job_reader *r;

	if (t->has_records)
		return grt_fail(EINVAL, "open it once more",
				"records of this trace were read, so its jobs cannot be");
	r = calloc(1, sizeof(*r));
	if (!r)
		return grt_fail_memory();
	r->trace = t;
	r->replay = (struct grt_replay){
		.ops = &ops, .arg = r, .is_final = true,
	};
	t->reader = r;
	if (grt_stream_info(t->stream)->is_live)
		grt_stream_set_timeout(t->stream, QUIET_MS);
	return grt_replay_begin(&r->replay, t->stream);
}

void grt_api_free_reader(struct job_reader *r)
{
	if (!r)
		return;
	grt_summary_free(&r->summary);
	grt_replay_free(&r->replay);
	grt_vec_free(&r->jobs);
	grt_vec_free(&r->charges);
	grt_vec_free(&r->info_charges);
	free(r);
}

/* Reads a record.  0 or -errno. */
static int read_some(struct job_reader *r)
{
	int got = grt_replay_next(&r->replay);
	struct timespec now;

	if (got == -EAGAIN) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		grt_model_pass(r->replay.model, now.tv_sec * 1000000000ull + now.tv_nsec - LATE_NS);
		return 0;
	}
	if (got)
		return got < 0 ? got : 0;
	r->has_ended = true;
	return grt_replay_end(&r->replay);
}

/* --- from our structs to the public ones -------------------------------------------------- */

static struct grtrace_client client_of(const struct job_reader *r, uint32_t ring, uint32_t process,
				       uint64_t client_id)
{
	const struct grt_names *names = grt_model_names(r->replay.model);
	struct grtrace_client c = { .client_id = client_id, .ring_name = "", .device = "", .comm = "" };

	if (ring != GRT_NONE) {
		const struct grt_ring *row = grt_names_ring_at(names, ring);

		c.ring = row->id;
		c.ring_name = row->name;
		c.device = row->device;
	}
	if (process != GRT_NONE) {
		const struct grt_process *row = grt_names_process_at(names, process);

		c.tgid = row->tgid;
		c.comm = row->comm;
	}
	return c;
}

static struct grtrace_client client_by_number(const struct job_reader *r, uint32_t nr)
{
	const struct grt_client *client;

	if (nr == GRT_NONE)
		return client_of(r, GRT_NONE, GRT_NONE, 0);
	client = grt_model_client(r->replay.model, nr);
	return client_of(r, client->ring, client->process, client->client_id);
}

static int fill_charges(struct job_reader *r, uint32_t count)
{
	r->info_charges.bytes = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct grt_charge *from =
			grt_vec_at(&r->charges, struct grt_charge, r->next_charge + i);
		struct grtrace_charge charge = {
			.from_ns = from->from_ns, .ns = from->ns,
			.ctx = from->ctx, .seqno = from->seqno,
			.culprit = client_by_number(r, from->client),
			.reason = from->reason, .stage = from->stage,
		};

		if (grt_vec_append(&r->info_charges, &charge, sizeof(charge)))
			return grt_fail_memory();
	}
	return 0;
}

static int fill_info(struct job_reader *r, const struct grt_job *job)
{
	struct grtrace_job_info *info = &r->info;
	int err = fill_charges(r, job->nr_charges);

	if (err)
		return err;
	*info = (struct grtrace_job_info){
		.ctx = job->ctx, .seqno = job->seqno,
		.client = client_of(r, job->ring, job->process, job->client_id),
		.tid = job->tid, .credits = job->credits, .flags = job->flags,
		.stamps = job->stamps, .stages = job->stages,
		.has_status = job->has_status, .status = job->has_status ? job->status : 0,
		.dep_ctx = job->dep_ctx, .dep_seqno = job->dep_seqno,
		.charges = job->nr_charges ? r->info_charges.data : NULL,
		.nr_charges = job->nr_charges,
	};
	for (int i = 0; i < GRT_NR_STAMPS; i++)
		info->at_ns[i] = grt_job_has(job, i) ? job->at_ns[i] : 0;
	for (int i = 0; i < GRT_NR_STAGES; i++)
		info->stage_ns[i] = grt_job_knows(job, i) ? job->stage_ns[i] : 0;
	return 0;
}

int grtrace_next_job(struct grtrace *t, const struct grtrace_job_info **info)
{
	int err = t->reader ? t->reader->err : open_reader(t);
	struct job_reader *r = t->reader;
	const struct grt_job *job;

	while (!err && r->next_job == grt_vec_count(&r->jobs, struct grt_job)) {
		r->jobs.bytes = r->charges.bytes = 0;
		r->next_job = r->next_charge = 0;
		if (r->has_ended)
			return 0;
		err = read_some(r);
	}
	/* A signal ends a wait, not the reading. */
	if (err && err != -EINTR && r)
		r->err = err;
	if (err)
		return err;
	job = grt_vec_at(&r->jobs, struct grt_job, r->next_job);
	err = fill_info(r, job);
	if (err)
		return err;
	r->next_job++;
	r->next_charge += job->nr_charges;
	*info = &r->info;
	return 1;
}

static bool has_all_jobs(const struct grtrace *t)
{
	return t->reader && t->reader->has_ended;
}

static void fill_time(struct grtrace_ring_time *time, const struct grt_ring_use *use, uint64_t wall_ns)
{
	time->wall_ns = wall_ns;
	time->busy_ns = use->busy_ns;
	time->jobs = use->jobs;
	for (int i = 0; i < GRT_NR_IDLES; i++)
		time->idle_ns[i] = use->idle_ns[i];
}

int grtrace_ring_time(struct grtrace *t, unsigned int i, struct grtrace_ring_time *time)
{
	const struct grt_model *m;
	const struct grt_ring *ring;

	if (!has_all_jobs(t))
		return -EAGAIN;
	m = t->reader->replay.model;
	if (i >= grt_vec_count(&grt_model_names(m)->rings, struct grt_ring))
		return 0;
	ring = grt_names_ring_at(grt_model_names(m), i);
	*time = (struct grtrace_ring_time){
		.ring = ring->id, .name = ring->name, .device = ring->device,
	};
	fill_time(time, grt_model_ring_use(m, i), grt_model_wall_ns(m));
	return 1;
}

int grtrace_device_time(struct grtrace *t, unsigned int i, struct grtrace_ring_time *time)
{
	const struct grt_ring_use *use;
	const struct grt_model *m;
	const char *name;

	if (!has_all_jobs(t))
		return -EAGAIN;
	m = t->reader->replay.model;
	use = grt_model_device_use(m, i, &name);
	if (!use)
		return 0;
	*time = (struct grtrace_ring_time){ .name = "", .device = name };
	fill_time(time, use, grt_model_wall_ns(m));
	return 1;
}

int grtrace_group_by(struct grtrace *t, enum grtrace_group group)
{
	if ((unsigned int)group >= GRTRACE_NR_GROUPS)
		return grt_fail(EINVAL, NULL, "there is no group %u", (unsigned int)group);
	if (t->reader)
		return grt_fail(EINVAL, "ask before the first job",
				"jobs of this trace were read already");
	t->groups |= 1u << group;
	return 0;
}

static struct grtrace_times times_of(const struct grt_hist *h)
{
	if (!h->count)
		return (struct grtrace_times){ 0 };
	return (struct grtrace_times){
		.jobs = h->count, .sum_ns = grt_hist_sum(h), .min_ns = h->min, .max_ns = h->max,
		.p50_ns = grt_hist_quantile(h, 500), .p90_ns = grt_hist_quantile(h, 900),
		.p99_ns = grt_hist_quantile(h, 990),
	};
}

int grtrace_rollup(struct grtrace *t, enum grtrace_group group, size_t i, struct grtrace_rollup *row)
{
	const struct grt_rollup_row *from;
	const struct grt_rollup *rollup;

	if ((unsigned int)group >= GRTRACE_NR_GROUPS || !(t->groups >> group & 1))
		return -EINVAL;
	if (!has_all_jobs(t))
		return -EAGAIN;
	rollup = &t->reader->summary.groups[group];
	if (i >= grt_rollup_count(rollup))
		return 0;
	from = grt_rollup_at(rollup, i);
	*row = (struct grtrace_rollup){
		.client = client_of(t->reader, from->key.ring, from->key.process, from->key.client_id),
		.ctx = from->key.ctx, .jobs = from->jobs, .cut = from->cut, .lossy = from->lossy,
		.failed = from->failed, .killed = from->killed,
	};
	for (int s = 0; s < GRT_NR_STAGES; s++)
		row->stages[s] = times_of(&from->stages[s]);
	return 1;
}

int grtrace_blame(struct grtrace *t, size_t i, struct grtrace_blame *row)
{
	const struct grt_matrix_row *from;

	if (!has_all_jobs(t))
		return -EAGAIN;
	if (i >= grt_matrix_count(&t->reader->summary.blame))
		return 0;
	from = grt_matrix_at(&t->reader->summary.blame, i);
	*row = (struct grtrace_blame){
		.victim = client_by_number(t->reader, from->victim),
		.culprit = client_by_number(t->reader, from->culprit),
		.reason = from->kind, .ns = from->ns, .jobs = from->jobs,
	};
	return 1;
}

const char *grtrace_stage_name(enum grtrace_stage stage)
{
	return (unsigned int)stage < GRT_NR_STAGES ? grt_stage_name((enum grt_stage)stage) : NULL;
}

const char *grtrace_idle_name(enum grtrace_idle_cause cause)
{
	return (unsigned int)cause < GRT_NR_IDLES ? grt_idle_name((enum grt_idle)cause) : NULL;
}

const char *grtrace_blame_name(enum grtrace_blame_reason reason)
{
	return (unsigned int)reason < GRT_NR_BLAME_REASONS ?
	       grt_blame_reason_name((enum grt_blame_reason)reason) : NULL;
}
