/* SPDX-License-Identifier: GPL-2.0 */
/* "grtrace monitor nvidia": NVIDIA's driver has no trace events, so its functions are probed. */
#ifndef GRT_CMD_MONITOR_NVIDIA_H
#define GRT_CMD_MONITOR_NVIDIA_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#define MONITOR_NVIDIA_TEXT	"calls, mappings, interrupts, power and errors of NVIDIA's driver"

struct monitor_nvidia_options {
	uint64_t interval_ns;			/* 0: none */
	bool is_quiet, is_json;
	const volatile sig_atomic_t *is_ended;	/* Ctrl-C, or the like, came */
};

/* Returns the exit code. */
int monitor_nvidia(const struct monitor_nvidia_options *options);

#endif /* GRT_CMD_MONITOR_NVIDIA_H */
