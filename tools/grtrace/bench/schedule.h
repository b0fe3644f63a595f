/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The jobs of a busy machine, as the DRM scheduler would run them: what the benches
 * read.  8 FIFO rings, 64 contexts of 8 processes that are on every ring, events of 16
 * CPUs.  Each context keeps some jobs queued; each job depends on one of another ring
 * that is under way.
 */
#ifndef GRT_SCHEDULE_H
#define GRT_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#define SCHEDULE_CPUS		16
#define SCHEDULE_RINGS		8	/* rows 1.. of the ring table */
#define SCHEDULE_PROCESSES	8
#define SCHEDULE_TGID		100	/* of the first */
#define SCHEDULE_CREDITS	4	/* of each ring; a job takes one */

struct schedule_options {
	uint64_t jobs;
	uint64_t start_ns;
	bool is_popped;		/* dependencies as up to Linux 6.16 tells them */
};

/*
 * Gives every event to @take, in the order of time and no two at the same; gseq and
 * cseq are for the caller to fill in.  Returns the time of the last one.
 */
uint64_t schedule_run(const struct schedule_options *options,
		      void (*take)(void *arg, const struct grtrace_hdr *event), void *arg);

#endif /* GRT_SCHEDULE_H */
