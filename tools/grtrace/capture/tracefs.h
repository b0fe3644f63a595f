/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session of an instance of tracefs, where neither a module nor BPF is possible.  It leaves all
 * other tracing alone.
 */
#ifndef GRT_CAPTURE_TRACEFS_H
#define GRT_CAPTURE_TRACEFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct grt_capture_choice;
struct grt_live;
struct grt_tracefs;
struct grt_words;

struct grt_tracefs_options {
	uint64_t buffer_bytes;	/* per CPU; 0: what suits the machine */
	uint32_t types;		/* bits of event types to record */
	const struct grt_capture_choice *choice;	/* not owned; a cgroup is not possible */
	const struct grt_words *events;	/* not owned; of the kernel, to be recorded as TRACE_EVENT */
	const struct grt_words *probes;	/* not owned; texts of probe_spec.h, to be recorded likewise */
};

/*
 * Makes the instance and the probes, which shows what this kernel takes; nothing is recorded yet.
 * First removes those of processes that were killed.  0, or -errno with a cause.
 */
int grt_tracefs_open(struct grt_tracefs **tracefs, const struct grt_tracefs_options *options);

/* Removes everything that grt_tracefs_open() made. */
void grt_tracefs_close(struct grt_tracefs *t);

/*
 * Begins to record.  Modules that are loaded later are recorded, too.  Recording ends with this process:
 * if it is killed, another process removes everything.  0 or -errno with a cause.
 */
int grt_tracefs_start(struct grt_tracefs *t);

/* The streams of a session that was started.  Closing them closes @t, too. */
struct grt_live *grt_tracefs_live(struct grt_tracefs *t);

/* No more events are recorded, and the streams end.  0 or -errno with a cause. */
int grt_tracefs_stop(struct grt_tracefs *t);

/* Warns if jobs can only be told by addresses, or if there is nothing yet that could have jobs. */
void grt_tracefs_warn(const struct grt_tracefs *t);

/* The process that cleans up. */
pid_t grt_tracefs_guard(const struct grt_tracefs *t);

/* The name of the instance. */
const char *grt_tracefs_instance(const struct grt_tracefs *t);

/* Writes counters as name=value lines.  Returns their length, less than @room. */
size_t grt_tracefs_stats(struct grt_tracefs *t, char *to, size_t room);

#endif /* GRT_CAPTURE_TRACEFS_H */
