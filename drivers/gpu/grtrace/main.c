// SPDX-License-Identifier: GPL-2.0
/*
 * grtrace records the life of every GPU job.  This file sets up all parts of the module.
 */
#include <linux/cpuhotplug.h>
#include <linux/debugfs.h>
#include <linux/module.h>

#include "control/control.h"
#include "counters.h"
#include "jobs.h"
#include "object_ids.h"
#include "pipeline.h"
#include "policy_log.h"
#include "processes.h"
#include "rings.h"
#include "session.h"
#include "statistics.h"
#include "tracepoints.h"
#include "transport/transport.h"
#include "version.h"

static struct dentry *dir;
static int online_state;

static int cpu_online_callback(unsigned int cpu)
{
	grt_transport_cpu_online(cpu);
	return 0;
}

static int __init grt_init(void)
{
	int err;

	grt_pipeline_create();
	grt_object_ids_create();
	err = grt_counters_create();
	if (err)
		return err;
	err = grt_statistics_create();
	if (err)
		goto destroy_counters;
	err = grt_rings_create();
	if (err)
		goto destroy_statistics;
	err = grt_processes_create();
	if (err)
		goto destroy_rings;
	err = grt_transport_create(&grt_session_transport_ops);
	if (err)
		goto destroy_processes;
	online_state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "gpu/grtrace:online",
						 cpu_online_callback, NULL);
	err = online_state;
	if (err < 0)
		goto destroy_transport;
	err = grt_tracepoints_init();
	if (err)
		goto remove_state;
	dir = grt_control_create();	/* last: from here on users can see it */
	err = PTR_ERR_OR_ZERO(dir);
	if (err)
		goto exit_tracepoints;
	err = grt_session_create(dir);
	if (err)
		goto destroy_control;
	if (grt_autostart && grt_control_enable(true))
		pr_warn("grtrace: autostart failed: see the file error\n");
	pr_debug("grtrace: " GRT_VERSION " loaded\n");
	return 0;

destroy_control:
	grt_control_destroy(dir);
exit_tracepoints:
	grt_tracepoints_exit();
remove_state:
	cpuhp_remove_state_nocalls(online_state);
destroy_transport:
	grt_transport_destroy();
	grt_policy_log_destroy();
destroy_processes:
	grt_processes_destroy();
destroy_rings:
	grt_rings_destroy();
destroy_statistics:
	grt_statistics_destroy();
destroy_counters:
	grt_counters_destroy();
	return err;
}

static void __exit grt_exit(void)
{
	/* The session ends its streams and removes their files, before the control files go. */
	grt_session_destroy();
	grt_control_destroy(dir);
	grt_tracepoints_exit();
	cpuhp_remove_state_nocalls(online_state);
	grt_transport_destroy();
	grt_policy_log_destroy();
	grt_processes_destroy();
	grt_rings_destroy();
	grt_jobs_destroy();
	grt_statistics_destroy();
	grt_counters_destroy();
	pr_debug("grtrace: " GRT_VERSION " unloaded\n");
}

module_init(grt_init);
module_exit(grt_exit);
MODULE_DESCRIPTION("trace of the life of GPU jobs");
MODULE_VERSION(GRT_VERSION);
MODULE_SOFTDEP("post: grtrace_drm_bridge grtrace_amdgpu grtrace_i915 grtrace_nouveau grtrace_radeon grtrace_virtio_gpu grtrace_xe grtrace_display grtrace_aggregator grtrace_sampling grtrace_filter grtrace_perf_mon");
MODULE_LICENSE("GPL");
