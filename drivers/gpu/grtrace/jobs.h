/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Jobs in flight: what is known of each from its SUBMIT until its COMPLETE.  Kept only
 * while somebody needs it: who looks at the file jobs, rules, extension modules.
 *
 * A fixed table, sets of rows with a lock each; a job that finds no room is counted and
 * not followed.
 */
#ifndef _GRTRACE_JOBS_H
#define _GRTRACE_JOBS_H

#include <linux/grtrace_hook.h>
#include <linux/types.h>

/* Room for the table, at first use.  Sleeps.  0 or -ENOMEM. */
int grt_jobs_reserve(void);
void grt_jobs_destroy(void);
/* Forgets them all.  No session may be running. */
void grt_jobs_reset(void);

/*
 * An event moves its job on.  Returns the job, or NULL: it is not followed.  Interrupts
 * are off.  The caller gives it back with grt_jobs_put(): another CPU may be at its
 * COMPLETE meanwhile, and the row is not used again before.
 */
struct grtrace_job_state *grt_jobs_step(const struct grtrace_seen *ev);
void grt_jobs_put(struct grtrace_job_state *job, const struct grtrace_seen *ev);

/* Jobs that found no room. */
u64 grt_jobs_overflow(void);
/* Jobs in the table now. */
u32 grt_jobs_count(void);

#endif
