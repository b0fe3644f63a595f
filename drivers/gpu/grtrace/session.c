// SPDX-License-Identifier: GPL-2.0
/*
 * The session.
 */
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/grtrace_hook.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/timekeeping.h>

#include "emit.h"
#include "hooks.h"
#include "jobs.h"
#include "policies.h"
#include "processes.h"
#include "rings.h"
#include "session.h"
#include "statistics.h"
#include "tracepoints.h"

struct grt_session grt_session = {
	.lock = __MUTEX_INITIALIZER(grt_session.lock),
	.buffer_bytes = GRT_BUFFER_DEFAULT,
	.global_seq = 1,
};

int grt_session_create(struct dentry *dir)
{
	int err;

	/* Of what the module's parameters ask for. */
	mutex_lock(&grt_session.lock);
	grt_session.dir = dir;
	grt_cost_apply();
	err = grt_police_apply();
	if (err)
		grt_session.dir = NULL;
	mutex_unlock(&grt_session.lock);
	if (!err)
		grt_stream_create_pipes(dir);
	return err;
}

size_t grt_session_buffer_bytes(void)
{
	u64 most = (u64)totalram_pages() * PAGE_SIZE / 64 / num_possible_cpus();

	return max_t(u64, min(grt_session.buffer_bytes, most), GRT_BUFFER_MIN);
}

static int open_buffers(void)
{
	size_t bytes = grt_session_buffer_bytes();

	if (grt_transport_bytes() == bytes)
		return 0;
	grt_transport_close();
	return grt_transport_open(grt_session.dir, bytes);
}

static void set_features(void)
{
	grt_session.features = BIT_ULL(GRTRACE_FEATURE_SIZE_SKIP) |
			       BIT_ULL(GRTRACE_FEATURE_TOKEN_BUCKET) |
			       BIT_ULL(GRTRACE_FEATURE_WATCHLIST) |
			       BIT_ULL(GRTRACE_FEATURE_SEC_STATS);
	if (grt_session.global_seq)
		grt_session.features |= BIT_ULL(GRTRACE_FEATURE_GLOBAL_SEQ);
	grt_seq_set(grt_session.global_seq);
	grt_session.features |= grt_adapters_features();
}

int grt_session_start(void)
{
	int err;

	mutex_lock(&grt_session.lock);
	err = -ENODEV;
	if (!grt_session.dir)
		goto unlock;
	err = -EBUSY;
	if (grt_session.state == GRT_RUNNING)
		goto unlock;
	err = open_buffers();
	if (err) {
		grt_session.state = GRT_IDLE;
		goto unlock;
	}
	grt_rings_reset();
	grt_processes_reset();
	grt_policies_reset();
	grt_jobs_reset();
	grt_statistics_forget();
	grt_adapters_begin();
	set_features();
	grt_session.id++;
	grt_session.start_ns = ktime_get_mono_fast_ns();
	grt_session.start_real_ns = ktime_get_real_ns();
	grt_session.state = GRT_RUNNING;
	grt_hooks_begin();
	grt_transport_begin(grt_session.id);
	grt_config_note();	/* no reader of the session before takes it for its own */
	grt_hooks_note();
	grt_statistics_begin(grt_session.start_ns);
	static_branch_enable(&grtrace_running);
	grt_adapters_attach();
unlock:
	mutex_unlock(&grt_session.lock);
	return err;
}

static void stop_locked(void)
{
	grt_adapters_detach();
	static_branch_disable(&grtrace_running);
	grt_hooks_stopping();
	grt_transport_end();
	grt_hooks_end();
	grt_statistics_end();
	grt_session.state = GRT_STOPPED;
}

int grt_session_stop(void)
{
	int err = -EINVAL;

	mutex_lock(&grt_session.lock);
	if (grt_session.state == GRT_RUNNING) {
		stop_locked();
		err = 0;
	}
	mutex_unlock(&grt_session.lock);
	return err;
}

void grt_session_destroy(void)
{
	mutex_lock(&grt_session.lock);
	if (grt_session.state == GRT_RUNNING)
		stop_locked();
	grt_transport_close();
	grt_session.state = GRT_IDLE;
	grt_session.dir = NULL;
	mutex_unlock(&grt_session.lock);
}

int grt_session_reset(void)
{
	int err = -EBUSY;

	mutex_lock(&grt_session.lock);
	if (grt_session.state != GRT_RUNNING) {
		grt_transport_close();
		grt_statistics_forget();
		grt_counters_reset();
		grt_jobs_reset();
		grt_rings_reset();
		grt_processes_reset();
		grt_policies_reset();
		grt_session.state = GRT_IDLE;
		err = 0;
	}
	mutex_unlock(&grt_session.lock);
	return err;
}

int grt_session_flush(void)
{
	int err = -EINVAL;

	mutex_lock(&grt_session.lock);
	if (grt_session.state == GRT_RUNNING) {
		grt_transport_flush();
		err = 0;
	}
	mutex_unlock(&grt_session.lock);
	return err;
}

int grt_session_reset_stats(void)
{
	mutex_lock(&grt_session.lock);
	grt_statistics_reset();
	mutex_unlock(&grt_session.lock);
	return 0;
}

u64 grtrace_clock(void)
{
	return ktime_get_mono_fast_ns();
}
EXPORT_SYMBOL_GPL(grtrace_clock);

u64 grtrace_start_ns(void)
{
	return READ_ONCE(grt_session.start_ns);
}
EXPORT_SYMBOL_GPL(grtrace_start_ns);

const char *grt_session_state_name(void)
{
	static const char * const names[] = {
		[GRT_IDLE]    = "idle",
		[GRT_RUNNING] = "running",
		[GRT_STOPPED] = "stopped",
	};

	return names[READ_ONCE(grt_session.state)];
}
