/* SPDX-License-Identifier: LGPL-2.1 */
/* An event of a CPU that was recorded beside a trace: a thread enters or leaves an ioctl. */
#ifndef GRT_CPU_EVENT_H
#define GRT_CPU_EVENT_H

#include <stdint.h>

enum grt_cpu_event_type { GRT_IOCTL_ENTER, GRT_IOCTL_EXIT };

/* Values that a line may lack. */
enum grt_cpu_event_value {
	GRT_CPU_HAS_CMD = 1, GRT_CPU_HAS_ARG = 2, GRT_CPU_HAS_RET = 4, GRT_CPU_HAS_DURATION = 8,
};

struct grt_cpu_event {
	uint64_t ts;		/* ns */
	uint64_t arg;
	int64_t ret;
	uint64_t duration_ns;	/* of an EXIT */
	uint32_t pid;		/* 0: not known */
	uint32_t tid;
	uint32_t cmd;
	uint8_t type;		/* enum grt_cpu_event_type */
	uint8_t has;		/* GRT_CPU_HAS_* */
	uint16_t res_ns;	/* the stamp is cut to multiples of this; at most 1000 */
	char comm[16];		/* untrusted; "" = not known */
};

/* Whether the ioctl is one of DRM: the type in its number is 'd'. */
static inline int grt_is_drm_ioctl(uint32_t cmd)
{
	return (cmd >> 8 & 0xff) == 'd';
}

#endif /* GRT_CPU_EVENT_H */
