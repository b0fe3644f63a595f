/* SPDX-License-Identifier: GPL-2.0 */
/*
 * record --export: the files of the recording (segments) wait in DIR/.segments.  As soon as the next one is
 * there, a child process exports a segment to DIR, one at a time.  What a killed recorder left is exported by
 * the next one.
 */
#ifndef GRT_EXPORT_QUEUE_H
#define GRT_EXPORT_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

struct grt_export_queue;
struct grt_output;

/* What the user asked for. */
struct grt_export_ask {
	const char *dir;		/* NULL: nothing */
	uint64_t every_ns;		/* a segment; 0: as usual */
	uint64_t max_bytes;		/* of all files in @dir; 0: no limit */
};

/*
 * Takes over what was left in the folder, and sets the names and limits of @o, which is not open yet.  0 or
 * -errno with a cause.
 */
int grt_export_queue_open(struct grt_export_queue **q, const struct grt_export_ask *ask, struct grt_output *o);

/* Call it after each round of the recording to @o, which a full disk does not end.  0 or -errno with a cause. */
int grt_export_queue_look(struct grt_export_queue *q, struct grt_output *o);

/*
 * The recording is over: exports all that is left.  If one of @signals comes, or an export fails, the next
 * recorder does that: -errno with a cause; else 0.
 */
int grt_export_queue_finish(struct grt_export_queue *q, int signals, bool is_quiet);

/* NULL is allowed. */
void grt_export_queue_close(struct grt_export_queue *q);

#endif /* GRT_EXPORT_QUEUE_H */
