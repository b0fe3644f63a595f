// SPDX-License-Identifier: GPL-2.0
/*
 * cpu-hog CPU BUSY_MS IDLE_MS [TID...]: occupies one CPU for BUSY_MS, then sleeps for IDLE_MS, until it
 * is killed.  Only threads with the highest real-time priority can still run there; each thread TID gets it.
 * On Linux before 6.8 the scheduler's threads have the lowest one, so they cannot.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ull + t.tv_nsec / 1000000;
}

int main(int argc, char **argv)
{
	const int max = sched_get_priority_max(SCHED_FIFO);
	const struct sched_param highest = { .sched_priority = max }, high = { .sched_priority = max - 1 };
	uint64_t busy_ms, idle_ms, end_ms;
	cpu_set_t cpus;

	if (argc < 4) {
		fprintf(stderr, "usage: cpu-hog CPU BUSY_MS IDLE_MS [TID...]\n");
		return 2;
	}
	busy_ms = strtoul(argv[2], NULL, 0);
	idle_ms = strtoul(argv[3], NULL, 0);
	CPU_ZERO(&cpus);
	CPU_SET(strtoul(argv[1], NULL, 0), &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) ||
	    sched_setscheduler(0, SCHED_FIFO, &high)) {
		perror("cpu-hog");
		return 3;
	}
	for (int i = 4; i < argc; i++)
		if (sched_setscheduler(atoi(argv[i]), SCHED_FIFO, &highest)) {
			perror(argv[i]);
			return 3;
		}
	for (;;) {
		end_ms = now_ms() + busy_ms;
		while (now_ms() < end_ms)
			;
		usleep(idle_ms * 1000);
	}
}
