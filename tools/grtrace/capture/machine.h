/* SPDX-License-Identifier: GPL-2.0 */
/* What sources without the module ask about the machine and its kernel. */
#ifndef GRT_CAPTURE_MACHINE_H
#define GRT_CAPTURE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* The time of CLOCK_MONOTONIC, which is that of events. */
uint64_t grt_capture_now_ns(void);

bool grt_capture_cpu_is_online(uint32_t cpu);

/* The bytes of a CPU's buffer: those that were asked for, or with 0 what suits the machine. */
uint64_t grt_capture_buffer_bytes(uint64_t asked);

/* Whether drm_sched_job_unschedulable may be traced: some kernels crash. */
bool grt_capture_unschedulable_is_safe(void);

#endif /* GRT_CAPTURE_MACHINE_H */
