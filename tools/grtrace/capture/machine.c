// SPDX-License-Identifier: GPL-2.0
#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_BYTES	(4ull << 20)
#define RAM_SHARE	64		/* all buffers take at most this part of the RAM */

uint64_t grt_capture_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* A CPU that cannot be taken offline has no file "online". */
bool grt_capture_cpu_is_online(uint32_t cpu)
{
	char path[64];
	int online = 1;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	f = fopen(path, "r");
	if (!f) {
		*strrchr(path, '/') = '\0';
		return !access(path, F_OK);
	}
	if (fscanf(f, "%d", &online) != 1)
		online = 0;
	fclose(f);
	return online;
}

uint64_t grt_capture_buffer_bytes(uint64_t asked)
{
	uint64_t most = DEFAULT_BYTES, share;
	struct sysinfo info;

	if (asked || sysinfo(&info))
		return asked ? asked : most;
	share = info.totalram * info.mem_unit / RAM_SHARE / get_nprocs();
	return share < most ? share : most;
}

/* 6.17 may trace this event with memory that was freed; see the module's compat/quirks.h. */
bool grt_capture_unschedulable_is_safe(void)
{
	struct utsname name;

	return uname(&name) || strncmp(name.release, "6.17.", 5);
}
