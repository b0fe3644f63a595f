// SPDX-License-Identifier: GPL-2.0
/*
 * The session.
 */
#include <linux/cpumask.h>
#include <linux/grtrace_hook.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/timekeeping.h>

#include "account.h"
#include "actions.h"
#include "defs.h"
#include "emit.h"
#include "flight.h"
#include "hooks.h"
#include "jobs.h"
#include "policy_log.h"
#include "processes.h"
#include "recycle.h"
#include "rings.h"
#include "session.h"
#include "statistics.h"
#include "trace_events.h"
#include "tracepoints.h"

/* The buffers of the online CPUs get at most 1/64 of RAM, those of all possible CPUs 1/4. */
#define SHARE_ONLINE	64
#define SHARE_POSSIBLE	4

static const struct grt_session_control *control;

void grt_session_set_control(const struct grt_session_control *to)
{
	control = to;
}

int grt_session_create(struct dentry *dir)
{
	int err;

	/* Apply what the module's parameters have set. */
	mutex_lock(&grt_session.lock);
	grt_session.dir = dir;
	grt_actions_serve(grt_session_stop_this);
	grt_cost_apply();
	grt_emit_extra_apply();
	err = grt_pipeline_apply();
	if (err)
		grt_session.dir = NULL;
	mutex_unlock(&grt_session.lock);
	if (!err)
		grt_transport_create_pipes(dir);
	return err;
}

/*
 * A CPU that comes up later gets a buffer of the same size from relay, so there must be enough
 * memory for all possible CPUs.
 */
size_t grt_session_buffer_bytes(void)
{
	u64 ram = (u64)totalram_pages() * PAGE_SIZE;
	u64 most = min(ram / SHARE_ONLINE / num_online_cpus(),
		       ram / SHARE_POSSIBLE / num_possible_cpus());

	if (grt_flight_mode == GRT_MODE_OVERWRITE)
		most /= 2;	/* each CPU gets two buffers */
	return max_t(u64, min(grt_session.buffer_bytes, most), GRT_BUFFER_MIN);
}

static int open_buffers(void)
{
	int err = grt_transport_open(grt_session.dir, grt_session_buffer_bytes(),
				     grt_flight_mode == GRT_MODE_OVERWRITE);

	grt_session.buffer_bytes_asked = err ? 0 : grt_session.buffer_bytes;
	return err;
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

/* After grt_recycle_stop(). */
static void clear_session(void)
{
	grt_statistics_clear();
	grt_counters_reset();
	grt_jobs_reset();
	grt_rings_reset();
	grt_processes_reset();
	grt_policy_log_reset();
	grt_flight_clear();
}

/* After an error the session runs all the same: the caller stops it. */
static int begin(void)
{
	int err = grt_adapters_begin();	/* first: STREAM_INFO lists what could be attached */

	grt_recycle_stop();	/* before grt_transport_lock(), which its work takes, too */
	/* A reader of the previous session must see nothing of the new one, not even its id. */
	grt_transport_lock();
	clear_session();
	set_features();
	grt_session.id++;
	grt_session.start_ns = ktime_get_mono_fast_ns();
	grt_session.start_real_ns = ktime_get_real_ns();
	grt_session.state = GRT_RUNNING;
	grt_hooks_begin();
	grt_account_begin();
	grt_transport_begin(grt_session.id, grt_session.start_ns);
	grt_flight_begin();
	if (control)
		control->note_keys();
	grt_hooks_note();
	grt_statistics_begin(grt_session.start_ns);
	static_branch_enable(&grtrace_running);
	grt_clock_sync_begin();
	return grt_adapters_attach() ?: err;
}

static bool has_unread(void)
{
	return grt_transport_is_overwrite() ? grt_transport_has_snapshot() :
					      grt_transport_has_unread();
}

/* Frees the buffers of a held session once all events were read. */
static void free_if_read(void)
{
	if (grt_session.is_held && grt_session.state == GRT_STOPPED &&
	    grt_transport_memory() && !has_unread())
		grt_transport_free();
}

static void reader_left(void)
{
	mutex_lock(&grt_session.lock);
	free_if_read();
	mutex_unlock(&grt_session.lock);
}

static size_t next_definition(void *cursor, unsigned int cpu, void *to)
{
	return grt_defs_next(cursor, cpu, to);
}

static size_t write_turn(void *to, unsigned int cpu)
{
	return grt_defs_stream_info(to, cpu);
}

const struct grt_transport_ops grt_session_transport_ops = {
	.head_bytes	 = sizeof(struct grtrace_subbuf),
	.write_head	 = grt_account_head,
	.has_pending_account	 = grt_account_is_pending,
	.count_overrun	 = grt_account_overrun,
	.set_buf	 = grt_account_set_buf,
	.swap_buf	 = grt_account_swap_buf,
	.definition_max	 = GRT_DEF_MAX,
	.cursor_bytes	 = sizeof(struct grt_defs_cursor),
	.next_definition = next_definition,
	.write_turn	 = write_turn,
	.write_end	 = grt_account_end,
	.reader_left	 = reader_left,
};

static void stop_locked(void)
{
	grt_adapters_detach();
	grt_clock_sync_end();
	static_branch_disable(&grtrace_running);
	grt_hooks_stopping();
	grt_transport_forbid_writing();
	grt_flight_end();
	if (!grt_transport_is_overwrite())
		grt_account_close();
	grt_transport_end();
	grt_hooks_end();
	grt_statistics_end();
	grt_session.state = GRT_STOPPED;
	pr_debug("grtrace: session %llu stops\n", grt_session.id);
	free_if_read();
}

void grt_session_stop_this(u64 id)
{
	mutex_lock(&grt_session.lock);
	if (grt_session.state == GRT_RUNNING && grt_session.id == id)
		stop_locked();
	mutex_unlock(&grt_session.lock);
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
	/* Its work asks the transport and the tables, which are freed next. */
	grt_recycle_stop();
	grt_session.state = GRT_IDLE;
	grt_session.dir = NULL;
	mutex_unlock(&grt_session.lock);
	grt_actions_sync();
}

static void reset_locked(void)
{
	grt_transport_close();
	grt_recycle_stop();
	clear_session();
	grt_session.buffer_bytes_asked = 0;
	grt_session.state = GRT_IDLE;
	pr_debug("grtrace: reset: the buffers are freed\n");
}

static void reset_stats_locked(void)
{
	grt_statistics_reset();
	pr_debug("grtrace: reset: the statistics are zero\n");
}

int grt_session_reset(void)
{
	mutex_lock(&grt_session.lock);
	if (grt_session.state == GRT_RUNNING)
		reset_stats_locked();	/* never drop a recording that runs */
	else
		reset_locked();
	mutex_unlock(&grt_session.lock);
	return 0;
}

static int start(bool is_held)
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
		grt_flight_clear();
		grt_session.state = GRT_IDLE;
		goto unlock;
	}
	grt_session.is_held = is_held;
	err = begin();
	if (err) {
		stop_locked();
		reset_locked();
		goto unlock;
	}
	pr_debug("grtrace: session %llu starts, %zu bytes per CPU\n", grt_session.id,
		 grt_transport_bytes());
unlock:
	mutex_unlock(&grt_session.lock);
	return err;
}

int grt_session_start(void)
{
	return start(false);
}

int grt_session_hold(void)
{
	return start(true);
}

int grt_session_flush(void)
{
	int err = -EINVAL;

	mutex_lock(&grt_session.lock);
	if (grt_session.state == GRT_RUNNING) {
		err = grt_transport_is_overwrite() ? -EOPNOTSUPP : 0;
		if (!err)
			grt_transport_flush();
	}
	mutex_unlock(&grt_session.lock);
	return err;
}

int grt_session_snapshot(void)
{
	int err = -EINVAL;

	mutex_lock(&grt_session.lock);
	if (grt_session.state == GRT_RUNNING)
		err = grt_transport_is_overwrite() ? grt_flight_request() : -EOPNOTSUPP;
	mutex_unlock(&grt_session.lock);
	return err;
}

int grt_session_release(void)
{
	int err;

	mutex_lock(&grt_session.lock);
	err = grt_flight_release();
	if (!err)
		free_if_read();
	mutex_unlock(&grt_session.lock);
	return err;
}

int grt_session_reset_stats(void)
{
	mutex_lock(&grt_session.lock);
	reset_stats_locked();
	mutex_unlock(&grt_session.lock);
	return 0;
}
