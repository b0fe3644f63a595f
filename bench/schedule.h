/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The jobs of a busy machine, as the DRM scheduler would run them; input of the benches.  8 FIFO
 * rings, 64 contexts of 8 processes that use every ring, events of 16 CPUs.  Each context keeps
 * some jobs queued; each job depends on a job in flight on another ring.
 */
#ifndef GRT_SCHEDULE_H
#define GRT_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#define SCHEDULE_CPUS		16
#define SCHEDULE_RINGS		8	/* rows 1.. of the ring table */
#define SCHEDULE_PROCESSES	8
#define SCHEDULE_TGID		100	/* the first one */
#define SCHEDULE_CREDITS	4	/* of each ring; a job needs one */

struct schedule_options {
	uint64_t jobs;
	uint64_t start_ns;
	bool is_popped;		/* dependencies in the form of Linux up to 6.16 */
};

/*
 * Calls @take for every event, in time order and with different times; the caller fills in gseq
 * and cseq.  Returns the time of the last event.
 */
uint64_t schedule_run(const struct schedule_options *options,
		      void (*take)(void *arg, const struct grtrace_hdr *event), void *arg);

#endif /* GRT_SCHEDULE_H */
