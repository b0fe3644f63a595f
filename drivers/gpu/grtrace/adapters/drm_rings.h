/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Classifies the rings of drm_sched drivers by driver and ring name.
 */
#ifndef _GRTRACE_DRM_RINGS_H
#define _GRTRACE_DRM_RINGS_H

#include <linux/grtrace.h>

/* Fills engine, order and hw_name of @desc from its driver and name. */
void grt_drm_ring_classify(struct grtrace_ring_desc *desc);

#endif
