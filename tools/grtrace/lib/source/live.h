/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Streams that are being recorded, one lane per CPU: of the module (live_module.c), or of another
 * source with the functions below.
 */
#ifndef GRT_LIVE_H
#define GRT_LIVE_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "run.h"

struct grt_input;
struct grt_live;
struct grt_vec;
struct grtrace_stream_info;

/* A source of streams.  @source is the one given to grt_live_create(). */
struct grt_live_ops {
	/*
	 * Reads the next bytes of a raw stream, as an eventsN file has them: the number of bytes;
	 * 0 at the stream's end; -EAGAIN if there are none now; else -errno with a cause.
	 */
	ssize_t (*read)(void *source, unsigned int lane, void *to, size_t room);
	/* Makes what the buffers hold readable; see grt_live_flush().  Its result is that of the CPUs' source. */
	uint64_t (*flush)(void *source);
	void (*close)(void *source);
	const char *file;	/* name of a lane in messages; the CPU follows */
	const char *broken;	/* hint for bytes that are no records */
};

/* @fd becomes readable when the lane has bytes. */
struct grt_live_lane {
	int fd;
	uint32_t cpu;
};

/* The streams as an input, which closes them; and back.  @name is for messages. */
struct grt_input *grt_live_input(struct grt_live *live, const char *name);
struct grt_live *grt_live_of(struct grt_input *in);

/*
 * Gives every run to @keep, too, as soon as it was read: the module deletes what is read.  If @keep does not return
 * 0, the input ends with that error.
 */
void grt_live_keep(struct grt_live *live,
		   int (*keep)(void *arg, unsigned int lane, struct grt_run run), void *arg);

/*
 * Also asks @describe which definitions follow from those in a run, which it appends to @to: they come as the
 * next run of the lane.  @describe returns 0, or -errno with a cause, which ends the stream.
 */
void grt_live_describe(struct grt_live *live,
		       int (*describe)(void *arg, const struct grt_run *run, struct grt_vec *to), void *arg);

/*
 * Makes the streams of @source, which grt_live_close() closes; lanes are in the order of CPUs.
 * 0, or -errno with a cause; then @source is still the caller's.
 */
int grt_live_create(struct grt_live **live, const struct grt_live_ops *ops, void *source,
		    const struct grt_live_lane *lanes, unsigned int count);

/*
 * Adds a stream beside those of the CPUs, numbered @cpu: the last lane, of @source from here on.  It has
 * no file to wait for, and the streams have ended when those of the CPUs have.  At most one; 0, or
 * -errno with a cause: then @source is still the caller's.
 */
int grt_live_add(struct grt_live *live, const struct grt_live_ops *ops, void *source, uint32_t cpu);

/* -EBUSY with a cause if the module is a flight recorder without a snapshot: nothing to read.  Else 0. */
int grt_live_check(void);
/* Opens those of the module.  0 or -errno with a cause. */
int grt_live_open(struct grt_live **live);
/* Reads which session the module holds, and takes none of its events.  1; 0: none; or -errno with a cause. */
int grt_live_session(struct grtrace_stream_info *session);
void grt_live_close(struct grt_live *live);

unsigned int grt_live_lanes(const struct grt_live *live);
uint32_t grt_live_cpu(const struct grt_live *live, unsigned int lane);

/*
 * Fills @run with the next run of records, valid until the next call for this lane.  Returns 1; 0
 * at the stream's end; -EAGAIN if there is none now; else -errno with a cause.
 */
int grt_live_next(struct grt_live *live, unsigned int lane, struct grt_run *run);

/* Whether the streams of all CPUs have ended. */
bool grt_live_has_ended(const struct grt_live *live);

/* Whether it has read what grt_live_next() has not given yet. */
bool grt_live_holds(const struct grt_live *live);

/*
 * Waits until a stream has more bytes or one of the @count others is ready; sets the revents of
 * the others.  Returns how many streams have more, 0, or -EINTR.
 */
int grt_live_poll(struct grt_live *live, struct pollfd *others, unsigned int count,
		  int timeout_ms);

/*
 * Flushes the buffers of all CPUs.  Returns a time: every event before it can be read now.  0 if
 * no session runs.
 */
uint64_t grt_live_flush(struct grt_live *live);

#endif /* GRT_LIVE_H */
