/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a recording makes in tracefs: an instance, and a group of dynamic events, whose names are
 * the same for all instances.  Their names tell the owner, a process, by its number and the time of
 * its start.
 */
#ifndef GRT_TRACEFS_PLACE_H
#define GRT_TRACEFS_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct grt_guard_ops;

struct grt_tracefs_place {
	char dir[64];		/* tracefs */
	char instance[64];	/* a folder in DIR/instances */
	char group[64];		/* of the dynamic events */
};

/*
 * Finds tracefs, and makes up names for this process.  0, or -errno with a cause: it is not
 * mounted, or not for us.
 */
int grt_tracefs_place_find(struct grt_tracefs_place *p);

/* Makes the instance.  0 or -errno. */
int grt_tracefs_place_create(const struct grt_tracefs_place *p);

/* Removes the instance and the events, as far as they are there; nobody may read them. */
void grt_tracefs_place_remove(const struct grt_tracefs_place *p);

/*
 * For a guard, with a struct grt_tracefs_place: makes the instance, and removes all if this process is
 * killed.  A process that is killed while it makes an instance gets a warning from the kernel, so the second
 * process makes it.
 */
extern const struct grt_guard_ops grt_tracefs_place_guard;

/* Removes those of processes that have ended. */
void grt_tracefs_place_sweep(const struct grt_tracefs_place *p);

/* Whether a group of events is of a recording, this one or another. */
bool grt_tracefs_is_of_recording(const char *group);

/* Opens a file of tracefs, or of the instance.  Returns its descriptor, or -1 and errno. */
int grt_tracefs_open_file(const struct grt_tracefs_place *p, const char *file, int flags);
int grt_tracefs_open_own(const struct grt_tracefs_place *p, const char *file, int flags);

/* Writes to a file of the instance.  0 or -errno with a cause. */
int grt_tracefs_write_own(const struct grt_tracefs_place *p, const char *file, const char *text);

/* Adds a line to dynamic_events.  0 or -errno without a cause: the kernel may lack the feature. */
int grt_tracefs_define(const struct grt_tracefs_place *p, const char *line);

/* Reads a whole file, to be freed, with a NUL behind it.  NULL and errno: it cannot be read. */
char *grt_tracefs_read(int fd, size_t *bytes);
/* The same for a file of tracefs, by its name. */
char *grt_tracefs_read_file(const struct grt_tracefs_place *p, const char *file);

/*
 * How often the kernel did not run a kprobe for which @wants, because the CPU was in another one.  It
 * names them without their group: somebody else's may be called the same, which is rare.
 */
uint64_t grt_tracefs_missed(const struct grt_tracefs_place *p,
			    bool (*wants)(const void *arg, const char *name), const void *arg);

#endif /* GRT_TRACEFS_PLACE_H */
