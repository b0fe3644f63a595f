/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files that streams are read from.
 */
#ifndef _GRTRACE_STREAM_H
#define _GRTRACE_STREAM_H

struct dentry;
struct grt_channel;

/* At the module's init and exit.  0, or -ENOMEM. */
int grt_streams_create(struct grt_channel *ch);
void grt_streams_destroy(void);

/* Creates the file of @cpu, unless it exists.  Returns 0 or a negative errno. */
int grt_stream_open(unsigned int cpu);
/* Removes the files of all CPUs. */
void grt_streams_close(void);
/* Creates the files trace_pipe and events, which have all CPUs. */
void grt_stream_create_pipes(struct dentry *dir);

/* Stops the flush timer until the next session runs.  Sleeps. */
void grt_streams_stop_flushing(void);

#endif
