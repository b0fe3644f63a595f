/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a machine says when a GPU hangs: lines of the kernel's log, and events of devices that tell of a
 * core dump or of a GPU that is lost.  The last ones are remembered, with the time when they were read.
 */
#ifndef GRT_NOTES_H
#define GRT_NOTES_H

#include <stdint.h>

#include <linux/grtrace.h>

#define GRT_NOTES_MOST	512		/* lines that are remembered; of more, a NOTE says that earlier ones are missing */
#define GRT_NOTE_BYTES	480		/* longest line; a longer one ends in "..." */

struct grt_notes;

/* Begins to listen; what cannot be listened to is left out.  NULL without memory. */
struct grt_notes *grt_notes_open(void);
void grt_notes_close(struct grt_notes *n);

/* The files to wait for; -1: there is none.  After either becomes readable, call grt_notes_read(). */
int grt_notes_log_fd(const struct grt_notes *n);
int grt_notes_uevent_fd(const struct grt_notes *n);
void grt_notes_read(struct grt_notes *n);

/*
 * Calls @put with a NOTE record of each line that was read at @from_ns or later, the oldest first.  Stops
 * with its result if that is not 0.
 */
int grt_notes_each(const struct grt_notes *n, uint64_t from_ns,
		   int (*put)(void *arg, const struct grtrace_hdr *note), void *arg);

#endif /* GRT_NOTES_H */
