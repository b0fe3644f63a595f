// SPDX-License-Identifier: GPL-2.0
/*
 * Counts the steps of a program that was compiled with -fsanitize-coverage=trace-pc, and prints
 * their number as the last line of stderr.  The number is the same on every machine, busy or not.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

void __sanitizer_cov_trace_pc(void);

static uint64_t steps;

void __sanitizer_cov_trace_pc(void)
{
	steps++;
}

static __attribute__((destructor)) void say(void)
{
	fprintf(stderr, "%" PRIu64 "\n", steps);
}
