/* SPDX-License-Identifier: GPL-2.0 */
/* BPF programs that see each DRM ioctl. */
#ifndef GRT_CAPTURE_ANNOTATE_H
#define GRT_CAPTURE_ANNOTATE_H

#include <stdbool.h>
#include <stdint.h>

struct grt_annotate;
struct grt_cpu_event;

struct grt_annotate_options {
	uint64_t buffer_bytes;	/* per CPU; 0: what suits the machine */
	uint32_t tgid;		/* only this process; 0: all */
	void *arg;
	/* In the order of time.  @name is that of the ioctl, or NULL.  False ends the reading. */
	bool (*event)(void *arg, const struct grt_cpu_event *ev, const char *name);
	/* Here @count events of @cpu are missing. */
	bool (*lost)(void *arg, uint32_t cpu, uint64_t count);
};

/* Each event seen is written or lost; the kernel ran no program for one that was missed. */
struct grt_annotate_stats {
	uint64_t seen, written, lost, missed;
};

/*
 * Loads the programs and attaches them: recording begins.  It ends with the process, even if that
 * is killed.  0 or -errno with a cause that says what is missing.
 */
int grt_annotate_open(struct grt_annotate **annotate, const struct grt_annotate_options *options);

/* Whether the programs are attached to the functions of ioctl, so that others pay nothing. */
bool grt_annotate_is_cheap(const struct grt_annotate *a);

/* Becomes readable when there are events. */
int grt_annotate_fd(const struct grt_annotate *a);

/* Gives all events that there are to the callbacks.  0, 1 if one said false, or -errno with a cause. */
int grt_annotate_read(struct grt_annotate *a);

/* Detaches the programs and reads the rest. */
int grt_annotate_stop(struct grt_annotate *a);

struct grt_annotate_stats grt_annotate_stats(const struct grt_annotate *a);
void grt_annotate_close(struct grt_annotate *a);

#endif /* GRT_CAPTURE_ANNOTATE_H */
