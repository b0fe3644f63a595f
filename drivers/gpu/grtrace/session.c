// SPDX-License-Identifier: GPL-2.0
/*
 * The session.
 */
#include <linux/cpumask.h>
#include <linux/grtrace.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/timekeeping.h>

#include "emit.h"
#include "processes.h"
#include "rings.h"
#include "session.h"
#include "tracepoints.h"

struct grt_session grt_session = {
	.lock = __MUTEX_INITIALIZER(grt_session.lock),
	.buffer_bytes = GRT_BUFFER_DEFAULT,
	.global_seq = 1,
};

void grt_session_create(struct dentry *dir)
{
	grt_session.dir = dir;
	grt_stream_create_pipes(dir);
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
	grt_session.features = BIT_ULL(GRTRACE_FEATURE_SIZE_SKIP);
	if (grt_session.global_seq)
		grt_session.features |= BIT_ULL(GRTRACE_FEATURE_GLOBAL_SEQ);
	grt_seq_set(grt_session.global_seq);
	grt_session.features |= grt_adapters_features();
}

int grt_session_start(void)
{
	int err;

	mutex_lock(&grt_session.lock);
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
	set_features();
	grt_session.id++;
	grt_session.start_ns = ktime_get_mono_fast_ns();
	grt_session.start_real_ns = ktime_get_real_ns();
	grt_session.state = GRT_RUNNING;
	grt_transport_begin(grt_session.id);
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
	grt_transport_end();
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
	mutex_unlock(&grt_session.lock);
}

int grt_session_reset(void)
{
	int err = -EBUSY;

	mutex_lock(&grt_session.lock);
	if (grt_session.state != GRT_RUNNING) {
		grt_transport_close();
		grt_counters_reset();
		grt_rings_reset();
		grt_processes_reset();
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

const char *grt_session_state_name(void)
{
	static const char * const names[] = {
		[GRT_IDLE]    = "idle",
		[GRT_RUNNING] = "running",
		[GRT_STOPPED] = "stopped",
	};

	return names[READ_ONCE(grt_session.state)];
}
