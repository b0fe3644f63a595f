// SPDX-License-Identifier: LGPL-2.1
#include "top_private.h"

#include <inttypes.h>

#include "number.h"

const char *grt_top_percent(char buf[GRT_WORD_MAX], uint64_t part, uint64_t whole, bool is_narrow)
{
	if (!whole)
		return "-";
	if (!part)
		return "0%";
	if (is_narrow && part < whole / 100)
		return "<1%";
	snprintf(buf, GRT_WORD_MAX, is_narrow ? "%.0f%%" : "%.1f%%", 100.0 * part / whole);
	return buf;
}

const char *grt_top_share(char buf[GRT_WORD_MAX], const struct grt_ring_use *use, uint64_t part, bool is_narrow)
{
	return grt_top_percent(buf, part, grt_use_known_ns(use) ? grt_use_span_ns(use) : 0, is_narrow);
}

/* NULL: not known. */
static const struct grt_cgroup *cgroup_of(const struct grt_top_place *p)
{
	return grt_cgroup_names_find(&p->top->names->cgroups, p->user->cgroup);
}

const char *grt_top_name(char buf[GRT_WORD_MAX], const struct grt_top_place *p)
{
	if (p->ring)
		return grt_word_ring(buf, p->top->names, p->ring->ring);
	if (p->top->wants.by_cgroup)
		return grt_word_cgroup(buf, GRT_WORD_MAX, p->top->names, cgroup_of(p));
	return p->top->wants.has_process ? grt_word_ring(buf, p->top->names, p->user->ring) :
					   grt_word_process(buf, p->top->names, p->user->process);
}

/* --- rings --- */

static const struct grt_ring_use *use_of(const struct grt_top_place *p)
{
	return &p->ring->sums.use;
}

static const char *busy(char buf[GRT_WORD_MAX], const struct grt_top_place *p, unsigned int arg)
{
	bool is_fifo = grt_names_ring_at(p->top->names, p->ring->ring)->order == GRTRACE_ORDER_FIFO;
	bool is_known = grt_use_known_ns(use_of(p));
	char share[GRT_WORD_MAX];

	(void)arg;
	/* The star: it had work, but whether that ran is not known. */
	snprintf(buf, GRT_WORD_MAX, "%.60s%s", grt_top_share(share, use_of(p), use_of(p)->busy_ns, p->is_narrow),
		 is_fifo || !is_known ? "" : "*");
	return buf;
}

static const char *idle(char buf[GRT_WORD_MAX], const struct grt_top_place *p, unsigned int cause)
{
	uint64_t ns = use_of(p)->idle_ns[cause];

	if (cause == GRT_IDLE_DEPENDENCY && !ns && !grt_model_has_deps(p->top->recent->model))
		return "-";
	if (cause == GRT_IDLE_UNKNOWN)
		return grt_top_percent(buf, ns, grt_use_span_ns(use_of(p)), p->is_narrow);
	return grt_top_share(buf, use_of(p), ns, p->is_narrow);
}

static bool has_idle(const struct grt_top *top, unsigned int cause)
{
	for (size_t i = 0; i < grt_top_rings(top); i++)
		if (grt_top_ring_at(top, i)->sums.use.idle_ns[cause])
			return true;
	return false;
}

/* How many jobs waited, on average. */
static const char *depth(char buf[GRT_WORD_MAX], const struct grt_top_place *p, unsigned int arg)
{
	uint64_t wall_ns = p->top->now_ns - p->top->from_ns;

	(void)arg;
	if (!wall_ns || (!p->ring->wait.count && !p->ring->sums.waiting_ns))
		return "-";
	snprintf(buf, GRT_WORD_MAX, "%.1f", (double)p->ring->sums.waiting_ns / wall_ns);
	return buf;
}

static const char *load(char buf[GRT_WORD_MAX], const struct grt_top_place *p, unsigned int arg)
{
	(void)arg;
	if (!p->ring->has_load)
		return "-";
	snprintf(buf, GRT_WORD_MAX, "%u+%u", p->ring->load.waiting, p->ring->load.on_ring);
	return buf;
}

static const char *ring_jobs(char buf[GRT_WORD_MAX], const struct grt_top_place *p, unsigned int arg)
{
	(void)arg;
	return grt_format_count(buf, p->ring->sums.jobs);
}

enum { WAIT_P50, WAIT_P99, EXEC_P50, EXEC_P99 };

static const char *quantile(char buf[GRT_WORD_MAX], const struct grt_top_place *p, unsigned int arg)
{
	const struct grt_hist *h = arg >= EXEC_P50 ? &p->ring->exec : &p->ring->wait;

	if (!h->count)
		return "-";
	return grt_format_ns(buf, grt_hist_quantile(h, arg == WAIT_P50 || arg == EXEC_P50 ? 500 : 990));
}

const struct grt_top_column grt_top_ring_columns[] = {
	{ "busy", 7, 5, 0, 0, NULL, busy },
	{ "starved", 8, 8, 0, GRT_IDLE_STARVED, NULL, idle },
	{ "fence", 7, 6, 0, GRT_IDLE_DEPENDENCY, NULL, idle },
	{ "sched", 7, 6, 0, GRT_IDLE_SCHEDULER, NULL, idle },
	{ "hw", 7, 5, 0, GRT_IDLE_HARDWARE, NULL, idle },
	{ "reset", 7, 6, 2, GRT_IDLE_RECOVERY, has_idle, idle },
	{ "unknown", 8, 8, 3, GRT_IDLE_UNKNOWN, has_idle, idle },
	{ "depth", 7, 6, 0, 0, NULL, depth },
	{ "now", 7, 6, 6, 0, NULL, load },
	{ "jobs", 10, 9, 5, 0, NULL, ring_jobs },
	{ "wait p50", 10, 9, 7, WAIT_P50, NULL, quantile },
	{ "wait p99", 10, 9, 0, WAIT_P99, NULL, quantile },
	{ "exec p50", 10, 9, 7, EXEC_P50, NULL, quantile },
	{ "exec p99", 10, 9, 0, EXEC_P99, NULL, quantile },
};

const unsigned int grt_top_nr_ring_columns = sizeof(grt_top_ring_columns) / sizeof(grt_top_ring_columns[0]);

/* --- processes --- */

static const char *gpu_share(char buf[GRT_WORD_MAX], const struct grt_top_place *p, unsigned int arg)
{
	uint64_t wall_ns = p->top->now_ns - p->top->from_ns;

	(void)arg;
	return p->user->sums.unknown_exec ? "-" : grt_top_percent(buf, p->user->sums.exec_ns, wall_ns, false);
}

static const char *exec(char buf[GRT_WORD_MAX], const struct grt_top_place *p, unsigned int arg)
{
	(void)arg;
	return p->user->sums.unknown_exec ? "-" : grt_format_ns(buf, p->user->sums.exec_ns);
}

static const char *user_jobs(char buf[GRT_WORD_MAX], const struct grt_top_place *p, unsigned int arg)
{
	(void)arg;
	return grt_format_count(buf, p->user->sums.jobs);
}

static const char *failed(char buf[GRT_WORD_MAX], const struct grt_top_place *p, unsigned int arg)
{
	(void)arg;
	return p->user->sums.unjudged ? "-" : grt_format_count(buf, p->user->sums.failed);
}

static bool has_failed(const struct grt_top *top, unsigned int arg)
{
	(void)arg;
	for (size_t i = 0; i < grt_top_users(top); i++)
		if (grt_top_user_at(top, i)->sums.failed)
			return true;
	return false;
}

enum { WAITED, TAKEN, GIVEN };

static const char *blame(char buf[GRT_WORD_MAX], const struct grt_top_place *p, unsigned int arg)
{
	const struct grt_recent_sums *s = &p->user->sums;

	return grt_format_ns(buf, arg == WAITED ? s->wait_ns : arg == TAKEN ? s->taken_ns : s->given_ns);
}

static const char *fps(char buf[GRT_WORD_MAX], const struct grt_top_place *p, unsigned int arg)
{
	uint64_t wall_ns = p->top->now_ns - p->top->from_ns;

	(void)arg;
	if (!p->user->has_frames || !wall_ns)
		return "-";
	snprintf(buf, GRT_WORD_MAX, "%.1f", p->user->frames * 1e9 / wall_ns);
	return buf;
}

static bool has_frames(const struct grt_top *top, unsigned int arg)
{
	(void)arg;
	return top->has_frames;
}

static const char *cgroup(char buf[GRT_WORD_MAX], const struct grt_top_place *p, unsigned int arg)
{
	(void)arg;
	if (!p->user->cgroup)
		return "-";
	snprintf(buf, GRT_WORD_MAX, "%" PRIu64, p->user->cgroup);
	return buf;
}

static bool has_cgroup(const struct grt_top *top, unsigned int arg)
{
	(void)arg;
	return top->knows_cgroups && !top->wants.by_cgroup && !top->wants.has_process;
}

const struct grt_top_column grt_top_user_columns[] = {
	{ "gpu", 8, 8, 0, 0, NULL, gpu_share },
	{ "ran", 10, 10, 3, 0, NULL, exec },
	{ "jobs", 11, 10, 0, 0, NULL, user_jobs },
	{ "failed", 8, 8, 2, 0, has_failed, failed },
	{ "waited", 11, 10, 0, WAITED, NULL, blame },
	{ "taken", 11, 10, 0, TAKEN, NULL, blame },
	{ "given", 11, 10, 0, GIVEN, NULL, blame },
	{ "fps", 8, 7, 0, 0, has_frames, fps },
	{ "cgroup", 10, 10, 4, 0, has_cgroup, cgroup },
};

const unsigned int grt_top_nr_user_columns = sizeof(grt_top_user_columns) / sizeof(grt_top_user_columns[0]);
