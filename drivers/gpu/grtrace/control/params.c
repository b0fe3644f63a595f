// SPDX-License-Identifier: GPL-2.0
/*
 * Every config key is a module parameter, too: for tracing from boot on, and for systems under
 * lockdown, where nobody may write to debugfs.
 *
 *	grtrace.buffer_size=16M grtrace.autostart=1
 *	echo 0 > /sys/module/grtrace/parameters/enabled
 *
 * If grtrace is built in, these are device parameters: they are parsed just before drivers are
 * initialized, because the usual time is too early to allocate memory.
 */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "../session.h"
#include "config.h"
#include "control.h"

bool grt_autostart;
module_param_named(autostart, grt_autostart, bool, 0400);
MODULE_PARM_DESC(autostart, "start a session when the module is loaded");

static int param_set_key(const char *value, const struct kernel_param *kp)
{
	char *text = kstrdup(value, GFP_KERNEL);	/* with the newline of sysfs */
	int err = -ENOMEM;

	if (text)
		err = grt_ctl_store(kp->arg, strim(text));
	kfree(text);
	return err;
}

static int param_get_key(char *buffer, const struct kernel_param *kp)
{
	grt_ctl_format(kp->arg, buffer, PAGE_SIZE - 1);
	return strlen(strcat(buffer, "\n"));
}

const struct kernel_param_ops grtrace_param_ops = { .set = param_set_key, .get = param_get_key };
EXPORT_SYMBOL_GPL(grtrace_param_ops);

#define KEY_PARAM(key, text) GRTRACE_PARAM(key, &(const struct grtrace_ctl){ #key }, text)

KEY_PARAM(buffer_size, "bytes per CPU");
KEY_PARAM(mode, "discard: a full buffer drops new events; overwrite: the oldest ones");
KEY_PARAM(snapshot_on, "with mode=overwrite: none, error, status or all events keep a snapshot");
KEY_PARAM(global_seq, "numbers the written events over all CPUs: 0 off, 1 on, 2 exact");
KEY_PARAM(clock, "clock of all times in a stream: mono");
KEY_PARAM(level, "0 off, 1 minimal, 2 normal, 3 verbose");
KEY_PARAM(filter_type_mask, "bit N keeps type N, 0 keeps all");
KEY_PARAM(filter_engine_mask, "bit N keeps engine class N, 0 keeps all");
KEY_PARAM(filter_ring_id, "row of the ring table or name of a ring, 0 keeps all");
KEY_PARAM(watch_ctx, "fence contexts, separated by commas");
KEY_PARAM(trace_ctx, "the same as watch_ctx");
KEY_PARAM(watchlist, "rings, separated by commas; a leading ! means all rings but these");
KEY_PARAM(watch_allow_mode, "1 keeps what is listed, 0 keeps the rest");
KEY_PARAM(watch_combine, "how the lists of contexts and rings combine: and, or");
KEY_PARAM(watch_count, "how many contexts are listed");
KEY_PARAM(watch_ring_count, "how many rings are listed");
KEY_PARAM(sample, "percent of the jobs that are kept");
KEY_PARAM(sampling, "the same as sample");
KEY_PARAM(rate_limit, "events per second, 0 no limit");
KEY_PARAM(max_events_per_sec, "the same as rate_limit");
KEY_PARAM(rate_limit_mode, "window, bucket or token_bucket");
KEY_PARAM(rate_limiter_mode, "the same as rate_limit_mode");
KEY_PARAM(rate_limit_burst, "events that a full bucket holds, 0 = those of one second");
KEY_PARAM(backpressure_threshold, "drop events when this percent of a buffer is full, 0 off");
KEY_PARAM(adaptive_sampling, "above that threshold: 1 drops some jobs, 0 drops all");
KEY_PARAM(track_jobs, "1 tracks the jobs in flight");
KEY_PARAM(profile, "default, production, development or analysis");
KEY_PARAM(cost_sample, "every Nth written event of a CPU is timed, N a power of two; 0 none");
KEY_PARAM(reset_stats, "1 resets the statistics");

static int enabled_set(const char *value, const struct kernel_param *kp)
{
	bool is_on;

	if (kstrtobool(value, &is_on))
		return -EINVAL;
	if (!grt_session.dir) {		/* on the module's command line */
		grt_autostart = is_on;
		return 0;
	}
	return grt_control_enable(is_on);
}

static int enabled_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%d\n", READ_ONCE(grt_session.state) == GRT_RUNNING);
}

static const struct kernel_param_ops enabled_ops = { .set = enabled_set, .get = enabled_get };
device_param_cb(enabled, &enabled_ops, NULL, 0600);
MODULE_PARM_DESC(enabled, "1 starts a session, 0 stops it");
