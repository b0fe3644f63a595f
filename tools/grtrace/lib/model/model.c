// SPDX-License-Identifier: LGPL-2.1
#include "model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "lines.h"
#include "model_private.h"

struct grt_model *grt_model_create(grt_job_fn *fn, void *arg)
{
	struct grt_model *m = calloc(1, sizeof(*m));

	if (!m) {
		grt_fail_memory();
		return NULL;
	}
	m->fn = fn;
	m->arg = arg;
	m->cpu.woke = grt_wake_told;
	m->cpu.arg = m;
	m->free_ctx = m->ended = m->held_head = m->held_tail = m->held_fresh = GRT_NONE;
	m->retired_head = m->retired_tail = m->oldest = m->newest = m->newest_at_loss = GRT_NONE;
	m->held_until_ns = m->window.to_ns = UINT64_MAX;
	m->charges_from = sizeof(struct grt_charge);
	m->edges.free = m->found = m->free_gpu_wait = m->ahead = GRT_NONE;
	grt_omitted_init(&m->omitted);
	m->no_deps.since_ns = m->no_threads.since_ns = m->next_no_deps_ns = m->aged_ns = UINT64_MAX;
	return m;
}

void grt_model_set_host(struct grt_model *m, const char *host)
{
	grt_machine_names_begin(&m->names.machines, host);
}

static void free_ring_states(struct grt_model *m)
{
	for (uint32_t i = 0; i < grt_ring_state_count(m); i++) {
		struct grt_ring_state *t = grt_ring_state_at(m, i);

		if (!t->is_live)
			continue;
		grt_credits_free(&t->credits);
		grt_timeline_free(&t->line);
		grt_losses_free(&t->doubts);
		grt_spans_free(&t->resets);
		grt_heap_free(&t->ready_dues);
		grt_front_free(&t->room);
		grt_front_free(&t->last_room);
		grt_vec_free(&t->passable);
		free(t);
	}
	grt_vec_free(&m->ring_states);
}

void grt_model_forget_jobs(struct grt_model *m)
{
	for (uint32_t i = 0; i < grt_vec_count(&m->hwqs, struct grt_hw_queue); i++)
		grt_hw_queue_free(grt_hw_queue_at(m, i));
	for (uint32_t i = 0; i < grt_vec_count(&m->ctxs, struct grt_ctx); i++)
		grt_front_free(&grt_ctx_at(m, i)->front);
	grt_vec_free(&m->ctxs);
	grt_keymap_free(&m->ctx_rows);
	grt_vec_free(&m->edges.rows);
	grt_vec_free(&m->charges);
	grt_vec_free(&m->charge_at);
	grt_vec_free(&m->pieces);
	grt_vec_free(&m->heard);
	grt_jobmap_free(&m->jobs[1]);
	grt_jobmap_free(&m->jobs[0]);
	grt_pool_free(&m->pool);
}

void grt_model_destroy(struct grt_model *m)
{
	if (!m)
		return;
	grt_model_forget_jobs(m);
	grt_devices_free(m);
	free_ring_states(m);
	grt_vec_free(&m->hwqs);
	for (uint32_t i = 0; i < grt_vec_count(&m->late, struct grt_late); i++)
		grt_losses_free(&grt_vec_at(&m->late, struct grt_late, i)->doubts);
	grt_vec_free(&m->late);
	grt_vec_free(&m->gpu_waits);
	grt_keymap_free(&m->gpu_wait_of);
	grt_stack_free(m);
	grt_stragglers_free(&m->stragglers);
	grt_keymap_free(&m->asked);
	grt_vec_free(&m->over);
	grt_keymap_free(&m->back);
	grt_wake_free(m);
	grt_cpu_free(&m->cpu);
	grt_entries_free(&m->entries);
	grt_vec_free(&m->idle_rows);
	grt_keymap_free(&m->idle_index);
	grt_losses_free(&m->asleep);
	grt_clients_free(&m->clients);
	grt_losses_free(&m->losses);
	grt_movers_free(&m->movers);
	grt_losses_free(&m->no_deps.spans);
	grt_losses_free(&m->no_threads.spans);
	grt_omitted_free(&m->omitted);
	grt_policy_log_free(&m->policies);
	grt_snapshot_log_free(&m->snapshots);
	grt_names_free(&m->names);
	grt_vec_free(&m->boots);
	free(m);
}

int grt_model_add_loss(struct grt_model *m, uint64_t from_ns, uint64_t to_ns)
{
	return grt_losses_add(&m->losses, from_ns, to_ns);
}

/* Buffers that were overwritten begin later than the first event of the trace. */
static bool is_late(const struct grt_model *m, const struct grtrace_loss *rec)
{
	return rec->reason == GRTRACE_FATE_WRITTEN && m->has_begun &&
	       rec->from_ns <= m->totals.first_ns && rec->to_ns > m->totals.first_ns;
}

static void count_late(struct grt_model *m, const struct grtrace_loss *rec)
{
	m->totals.late_cpus++;
	if (rec->to_ns > m->totals.late_ns)
		m->totals.late_ns = rec->to_ns;
}

static int add_loss(struct grt_model *m, const struct grtrace_loss *rec)
{
	uint64_t from_ns = rec->from_ns;
	int got;

	if (rec->reason < GRTRACE_NR_FATES)
		m->totals.lost[rec->reason] += rec->count;
	if (is_late(m, rec))
		count_late(m, rec);
	if (!rec->count) {
		m->totals.uncounted++;
		m->totals.late_uncounted += is_late(m, rec);
		m->uncounted_until_ns = rec->to_ns;
	}
	got = grt_gaps_add_loss(m, rec, &from_ns);
	if (got)
		return got < 0 ? got : 0;
	/* Jobs no longer wait for others: see grt_held_ns(). */
	if (m->held_head != GRT_NONE)
		m->held_until_ns = GRT_SKEW_NS;
	grt_cpu_feed(&m->cpu, &rec->hdr);
	return grt_losses_add(&m->losses, from_ns, rec->to_ns);
}

/* A job in flight at the end of a loss may be over. */
static void pass_losses(struct grt_model *m, uint64_t ts_ns)
{
	const struct grt_span *span;

	while ((span = grt_losses_from(&m->losses, m->lost_ns)) && span->to_ns < ts_ns) {
		m->lost_ns = span->to_ns;
		grt_suspect_all(m, span->to_ns);
	}
	if (m->aged_ns < ts_ns)
		grt_suspects_aged(m);
}

/* Time moves on: nothing with an earlier time will come. */
static inline void advance(struct grt_model *m, uint64_t ts_ns)
{
	if (grt_infer_is_due(m))
		grt_infer_now(m);
	if (grt_losses_count(&m->losses))
		pass_losses(m, ts_ns);
	if (ts_ns >= m->next_no_deps_ns)
		grt_gaps_enter(m, ts_ns);
	m->now_ns = ts_ns;
	if (ts_ns > m->held_until_ns) {
		grt_finish_held(m, ts_ns - GRT_SKEW_NS - 1);
		grt_retired_drop(m);
	}
}

static void count_early(struct grt_model_totals *t, uint64_t ts_ns)
{
	if (ts_ns > t->last_ns)
		t->last_ns = ts_ns;
	t->backwards++;
}

static void count(struct grt_model *m, const struct grtrace_hdr *rec)
{
	struct grt_model_totals *t = &m->totals;

	t->events[rec->type]++;
	if (rec->flags & GRTRACE_F_SYNTHETIC)
		t->synthetic++;
	if (!m->has_begun) {
		t->first_ns = rec->ts;
		m->has_begun = true;
	}
	if (rec->ts >= m->now_ns)	/* nearly always; it is the latest event then */
		t->last_ns = rec->ts;
	else
		count_early(t, rec->ts);
}

static void count_error(struct grt_model *m, const struct grtrace_error *rec)
{
	m->totals.errors[rec->code < GRT_NR_ERRORS ? rec->code : GRTRACE_ERROR_NONE]++;
}

static void add_error(struct grt_model *m, const struct grtrace_error *rec)
{
	uint32_t ring = grt_names_ring_row(&m->names, rec->ring);

	count_error(m, rec);
	if (ring == GRT_NONE)
		return;
	grt_reset_event(m, ring, rec->code, (const struct grtrace_job_key *)rec);
	if (rec->code == GRTRACE_ERROR_RECOVERED)
		grt_infer_recovered(m, ring, rec->hdr.flags & GRTRACE_F_SYNTHETIC, rec->hdr.ts);
}

/* CLOCK_MONOTONIC stands still during sleep: there is nothing to cut out. */
static int add_suspend(struct grt_model *m, const struct grtrace_suspend *rec)
{
	uint64_t ts = rec->hdr.ts, from_ns = ts - rec->slept_ns;

	if (m->clock == GRTRACE_CLOCK_MONOTONIC || rec->slept_ns > ts || ts < m->now_ns)
		return 0;
	/* The time of rings up to now stays: the machine did not sleep while events came. */
	return grt_losses_add(&m->asleep, from_ns > m->now_ns ? from_ns : m->now_ns, ts);
}

static int add_ring(struct grt_model *m, const struct grtrace_ring *rec)
{
	int err = grt_names_ring(&m->names, rec);
	uint32_t row = grt_names_ring_row(&m->names, rec->ring);

	m->knows_rings = false;
	if (!err && row != GRT_NONE)
		grt_ring_state_defined(m, row);
	return err;
}

static bool lacks_deps(uint64_t features)
{
	return !(features & 1ull << GRTRACE_FEATURE_DEPENDENCIES);
}

static void read_info(struct grt_model *m, const struct grtrace_stream_info *rec)
{
	m->clock = rec->clock;
	m->start_ns = rec->start_ns;
	m->boot.has_no_deps = lacks_deps(rec->features);
}

/* A value of METADATA, which ends with its line; NULL: there is no such line. */
static const char *metadata_value(const struct grt_model *m, const char *name)
{
	const char *text = m->names.metadata;
	size_t len;

	return text ? grt_line_value(text, strlen(text), name, &len) : NULL;
}

/* The lines of a merged trace; see grtrace-merge(1). */
static int read_boots(struct grt_model *m, const char *boots)
{
	const char *features = metadata_value(m, "merge_features");
	uint64_t n = strtoull(boots, NULL, 10);
	char *at = (char *)features;

	grt_omitted_distrust(&m->omitted);
	if (!n || n > 1u << (64 - GRT_BOOT_SHIFT))
		return 0;
	if (grt_vec_reach(&m->boots, n - 1, &m->boot, sizeof(m->boot)))
		return -ENOMEM;
	if (!features)
		return 0;
	at--;	/* a comma stands before each but the first */
	for (uint64_t i = 0; i < n && (*at == ',' || !i); i++)
		grt_vec_at(&m->boots, struct grt_boot, i)->has_no_deps =
			lacks_deps(strtoull(at + 1, &at, 16));
	return 0;
}

static int read_metadata(struct grt_model *m, const struct grtrace_metadata *rec)
{
	int err = grt_names_metadata(&m->names, rec);
	const char *boots = metadata_value(m, "merge_boots");

	m->lacks_rings |= !!metadata_value(m, "slice_lacks_rings");
	m->is_part |= !!metadata_value(m, "slice");
	return !err && boots ? read_boots(m, boots) : err;
}

/* A job whose stamps the kernel kept until it was over, or until the session was stopped. */
static void add_job_record(struct grt_model *m, const struct grtrace_job *rec)
{
	bool is_kernel = rec->hdr.flags & GRTRACE_F_KERNEL_JOB;
	const uint64_t at_ns[GRT_NR_STAMPS] = {
		[GRT_AT_SUBMIT] = rec->submit_ns, [GRT_AT_COMMIT] = rec->commit_ns,
		[GRT_AT_START] = rec->start_ns, [GRT_AT_END] = rec->end_ns,
		[GRT_AT_COMPLETE] = rec->complete_ns,
	};
	struct grt_job job = {
		.ctx = rec->ctx, .seqno = rec->seqno, .client_id = rec->client_id,
		.tid = is_kernel ? 0 : rec->tid,
		.status = rec->complete_ns ? rec->status : 0, .has_status = rec->complete_ns,
		.ring = grt_names_ring_row(&m->names, rec->ring),
		.process = grt_names_process_row(&m->names, is_kernel ? 0 : rec->tgid,
						 rec->submit_ns ? rec->submit_ns : rec->hdr.ts),
	};
	const struct grt_client client = { job.ring, job.process, job.client_id };

	for (int i = 0; i < GRT_NR_STAMPS; i++)
		if (at_ns[i])
			grt_job_stamp(&job, i, at_ns[i]);
	if (!job.stamps) {
		if (!m->totals.timeless++)
			grt_warn(NULL, "the JOB record at %" PRIu64 " ns has no time of its job: the trace is damaged",
				 (uint64_t)rec->hdr.ts);
		return;
	}
	if (rec->hdr.flags & GRTRACE_F_SYNTHETIC)
		job.flags |= GRT_JOB_SYNTHETIC;
	if (rec->hdr.flags & GRTRACE_F_UPPER_BOUND)
		job.flags |= GRT_JOB_UPPER_BOUND;
	if (is_kernel)
		job.flags |= GRT_JOB_KERNEL_JOB;
	if (!rec->submit_ns || !rec->complete_ns)
		job.flags |= GRT_JOB_CUT;
	job.client = grt_clients_get(&m->clients, &client);
	grt_job_stages(&job);
	m->fn(m->arg, &job);
}

static void count_window(struct grt_model *m, const struct grtrace_window *rec)
{
	struct grt_window_totals *t = &m->totals.windows;

	if (rec->hdr.flags & GRTRACE_F_SYNTHETIC) {
		t->synthetic++;
		return;
	}
	t->windows++;
	t->jobs += rec->jobs;
	t->latency_sum_ns += rec->latency_sum_ns;
	if (rec->jobs && (!t->latency_min_ns || rec->latency_min_ns < t->latency_min_ns))
		t->latency_min_ns = rec->latency_min_ns;
	if (rec->latency_max_ns > t->latency_max_ns)
		t->latency_max_ns = rec->latency_max_ns;
	if (rec->depth_peak > t->depth_peak)
		t->depth_peak = rec->depth_peak;
}

void grt_model_pass(struct grt_model *m, uint64_t now_ns)
{
	if (!m->now_ns || now_ns <= m->now_ns)
		return;
	advance(m, now_ns);
	if (now_ns > GRT_SKEW_NS)
		grt_finish_held(m, now_ns - GRT_SKEW_NS - 1);
}

static int add_event(struct grt_model *m, const struct grtrace_hdr *rec)
{
	const struct grtrace_job_key *key = (const struct grtrace_job_key *)rec;
	int err = 0;

	count(m, rec);
	/* First, because advance() adds to the time of rings what this cuts out. */
	if (rec->type == GRTRACE_SUSPEND)
		err = add_suspend(m, (const struct grtrace_suspend *)rec);
	if (err)
		return err;
	if (rec->ts > m->now_ns)
		advance(m, rec->ts);
	if (m->movers.armed || rec->type == GRTRACE_MEMORY)
		err = grt_movers_event(&m->movers, rec, &m->names);
	if (err)
		return grt_fail_memory();
	switch (rec->type) {
	case GRTRACE_SUBMIT:
		return grt_life_submit(m, key);
	case GRTRACE_COMMIT:
		return grt_life_commit(m, key);
	case GRTRACE_START:
		err = grt_life_start(m, key);
		if (!err && m->has_coalesced)
			grt_coalesced_start(m, key);
		return err;
	case GRTRACE_END:
		err = m->has_coalesced ? grt_coalesced_end(m, key) : 0;
		return err ? err : grt_life_end(m, key);
	case GRTRACE_COMPLETE:
		err = m->has_coalesced ? grt_coalesced_complete(m, key) : 0;
		return err ? err : grt_life_complete(m, key);
	case GRTRACE_JOB:
		add_job_record(m, (const struct grtrace_job *)rec);
		return 0;
	case GRTRACE_DEPENDENCY:
		return grt_life_dependency(m, (const struct grtrace_dependency *)rec);
	case GRTRACE_STACK:
		return grt_stack_event(m, (const struct grtrace_stack *)rec);
	case GRTRACE_FENCE_SIGNALED:
		return grt_dep_signaled(m, (const struct grtrace_fence_signaled *)rec);
	case GRTRACE_SYNC_WAIT_ENTER:
	case GRTRACE_SYNC_WAIT_EXIT:
		err = grt_gpu_wait_event(m, key);
		return err ? err : grt_cpu_feed(&m->cpu, rec);
	case GRTRACE_IOCTL:
		return grt_entries_feed(&m->entries, (const struct grtrace_ioctl *)rec);
	case GRTRACE_CPU_SWITCH:
	case GRTRACE_CPU_WAKE:
		return grt_cpu_feed(&m->cpu, rec);
	case GRTRACE_CTX_SWITCH:
		if (rec->flags & GRTRACE_F_PREEMPTED)
			grt_life_preempted(m, (const struct grtrace_ctx_switch *)rec);
		return 0;
	case GRTRACE_WINDOW:
		count_window(m, (const struct grtrace_window *)rec);
		return 0;
	case GRTRACE_ERROR:
		add_error(m, (const struct grtrace_error *)rec);
		return 0;
	default:
		return 0;
	}
}

static int add_snapshot(struct grt_model *m, const struct grtrace_snapshot *rec)
{
	return grt_snapshot_log_add(&m->snapshots, rec, grt_names_ring_row(&m->names, rec->ring));
}

int grt_model_feed(struct grt_model *m, const struct grtrace_hdr *rec)
{
	if (rec->type < GRTRACE_NR_EVENTS) {
		int err = add_event(m, rec);

		return err ? err : m->err;
	}
	switch (rec->type) {
	case GRTRACE_STREAM_INFO:
		read_info(m, (const struct grtrace_stream_info *)rec);
		return 0;
	case GRTRACE_LOSS:
		return add_loss(m, (const struct grtrace_loss *)rec);
	case GRTRACE_RING:
		return add_ring(m, (const struct grtrace_ring *)rec);
	case GRTRACE_PROCESS:
		return grt_names_process(&m->names, (const struct grtrace_process *)rec);
	case GRTRACE_METADATA:
		return read_metadata(m, (const struct grtrace_metadata *)rec);
	case GRTRACE_STACK_TEXT:
		return grt_stack_names_define(&m->names.stacks, (const struct grtrace_stack_text *)rec);
	case GRTRACE_POLICY:
		return grt_gaps_add_policy(m, (const struct grtrace_policy *)rec);
	case GRTRACE_SNAPSHOT:
		return add_snapshot(m, (const struct grtrace_snapshot *)rec);
	case GRTRACE_MACHINE:
		return grt_machine_names_define(&m->names.machines, (const struct grtrace_machine *)rec);
	case GRTRACE_CGROUP:
		return grt_cgroup_names_define(&m->names.cgroups, (const struct grtrace_cgroup *)rec);
	case GRTRACE_NOTE:
		return grt_snapshot_log_note(&m->snapshots, (const struct grtrace_note *)rec);
	default:
		return 0;
	}
}

int grt_model_finish(struct grt_model *m)
{
	int err = grt_finish_all(m);

	grt_gaps_finish(m);

	/* Events that are missing at the end are no gap: the trace was cut off there. */
	m->totals.is_cut = m->totals.uncounted && m->uncounted_until_ns == m->totals.last_ns;
	m->totals.uncounted -= m->totals.is_cut;

	for (uint32_t i = 0; i < grt_vec_count(&m->hwqs, struct grt_hw_queue); i += 2)
		m->totals.unordered +=
			grt_vec_at(&m->hwqs, struct grt_hw_queue, i)->unordered_ns != UINT64_MAX;
	grt_device_finish(m);
	grt_idle_sort(m);
	m->unseen.idle_ns[GRT_IDLE_UNKNOWN] = grt_model_wall_ns(m);
	return err ? err : m->err;
}

const struct grt_names *grt_model_names(const struct grt_model *m)
{
	return &m->names;
}

const struct grt_model_totals *grt_model_totals(const struct grt_model *m)
{
	return &m->totals;
}

const struct grt_policy_log *grt_model_policies(const struct grt_model *m)
{
	return &m->policies;
}

const struct grt_snapshot_log *grt_model_snapshots(const struct grt_model *m)
{
	return &m->snapshots;
}

const struct grt_ring_use *grt_model_ring_use(const struct grt_model *m, uint32_t row)
{
	/*
	 * Its jobs were written by hand or came as JOB records: it is unknown when it was busy.
	 */
	if (row == GRT_NONE || !grt_ring_state_was_seen(m, row))
		return &m->unseen;
	return &grt_ring_state_at(m, 2 * row)->line.use;
}

const struct grt_client *grt_model_client(const struct grt_model *m, uint32_t client)
{
	return grt_clients_at(&m->clients, client);
}

void grt_model_set_window(struct grt_model *m, uint64_t from_ns, uint64_t to_ns)
{
	m->window = (struct grt_span){ from_ns, to_ns };
}

void grt_model_watch_rings(struct grt_model *m, grt_ring_fn *fn, void *arg)
{
	m->watch = fn;
	m->watch_arg = arg;
}

void grt_model_keep_pieces(struct grt_model *m)
{
	m->keeps_pieces = true;
}

void grt_model_skip_sums(struct grt_model *m)
{
	m->skips_sums = true;
}

bool grt_model_wants_hindsight(const struct grt_model *m)
{
	return !m->has_hindsight && (m->wants_hindsight || grt_losses_count(&m->losses));
}

bool grt_model_is_lossy(const struct grt_model *m, uint64_t from_ns, uint64_t to_ns)
{
	return grt_losses_touch(&m->losses, from_ns, to_ns);
}

bool grt_model_has_deps(const struct grt_model *m)
{
	for (size_t i = 0; i < grt_vec_count(&m->boots, struct grt_boot); i++)
		if (!grt_vec_at(&m->boots, struct grt_boot, i)->has_no_deps)
			return true;
	return !m->boots.bytes && !m->boot.has_no_deps;
}

const struct grt_idle_row *grt_model_idle_row(const struct grt_model *m, size_t i)
{
	if (i >= grt_vec_count(&m->idle_rows, struct grt_idle_row))
		return NULL;
	return grt_vec_at(&m->idle_rows, struct grt_idle_row, i);
}
