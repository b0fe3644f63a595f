/* SPDX-License-Identifier: GPL-2.0 */
/* The jobs that a session without the module records: of one process, or of a cgroup. */
#ifndef GRT_CAPTURE_CHOICE_H
#define GRT_CAPTURE_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

struct grt_capture_defs;

/* Zeroed: all jobs. */
struct grt_capture_choice {
	bool has_process;	/* only jobs of the process @tgid */
	bool has_children;	/* and of its descendants */
	uint32_t tgid;		/* must be known when the session starts, not before */
	uint64_t cgroup;	/* only jobs of this cgroup and those below it, its id; 0: of all */
	uint64_t slower_ns;	/* a JOB record of each job that took so long, no other events; 0: all */
	const uint64_t *cpus;	/* not owned: a bit per CPU, see cpulist.h; NULL: events of all */
	const char *cpu_list;	/* the same as text */
	const char *rings;	/* names, commas between, as NAME or DEVICE/NAME; NULL: all */
	uint64_t engines;	/* bits of engine classes; 0: all */
};

/* Whether it chooses by the owner of a job. */
static inline bool grt_capture_chooses_owner(const struct grt_capture_choice *c)
{
	return c->has_process || c->cgroup;
}

static inline bool grt_capture_chooses(const struct grt_capture_choice *c)
{
	return grt_capture_chooses_owner(c) || c->slower_ns || c->cpus || c->rings || c->engines;
}

/*
 * The fate of an event that is refused.  If rings are the only reason that a trace names, its readers
 * take the rings that are left to be complete.  So if owners are chosen, too, that is the reason.
 */
enum grtrace_fate grt_capture_choice_fate(const struct grt_capture_choice *c);

/*
 * Says in the trace which jobs and which types (bits, UINT32_MAX: all) are recorded, with the
 * module's keys.  0 or -ENOMEM with a cause.
 */
int grt_capture_choice_tell(const struct grt_capture_choice *c, uint32_t types,
			    struct grt_capture_defs *defs);

#endif /* GRT_CAPTURE_CHOICE_H */
