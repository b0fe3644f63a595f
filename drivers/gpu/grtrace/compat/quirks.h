/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bugs of kernels.  Only this file may check a kernel version, because headers do
 * not show bugs.  Each entry names the kernels, the failure and the fix.
 */
#ifndef GRTRACE_QUIRKS_H
#define GRTRACE_QUIRKS_H

#include <linux/version.h>

/*
 * 6.17 traces drm_sched_job_unschedulable with a dependency that another CPU may
 * already have freed, so a probe there may crash.  Fixed in 6.18; this check cannot
 * tell stable releases of 6.17 apart.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0) && \
	LINUX_VERSION_CODE < KERNEL_VERSION(6, 18, 0)
#define GRT_QUIRK_UNSCHEDULABLE_CRASHES 1
#endif

#endif
