/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bugs of kernels, the only place that may ask for a version: a bug shows in no
 * header.  Each entry says which kernels, what happens, and when it was mended.
 */
#ifndef GRTRACE_QUIRKS_H
#define GRTRACE_QUIRKS_H

#include <linux/version.h>

/*
 * 6.17: drm_sched_job_unschedulable is traced with a dependency that another CPU
 * may have dropped meanwhile; to attach there is to crash.  Mended in 6.18;
 * stable releases of 6.17 cannot be told apart here.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0) && \
	LINUX_VERSION_CODE < KERNEL_VERSION(6, 18, 0)
#define GRT_QUIRK_UNSCHEDULABLE_CRASHES 1
#endif

#endif
