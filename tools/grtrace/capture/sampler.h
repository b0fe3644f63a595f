/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Samples the gauges of GPUs in a thread of its own, because a read may wait for a GPU, and makes
 * FREQUENCY records of them.  They have a stream beside those of the CPUs, whatever the source: its
 * number is the one behind the last CPU.
 */
#ifndef GRT_CAPTURE_SAMPLER_H
#define GRT_CAPTURE_SAMPLER_H

#include <stdint.h>

#include <linux/grtrace.h>

struct grt_live;
struct grt_sampler;

#define GRT_SAMPLER_HZ		10	/* where nothing else is said */
#define GRT_SAMPLER_MOST_HZ	100

/*
 * Looks for GPUs with gauges; *sampler is NULL if there is none.  $GRTRACE_SYSFS is a folder that looks
 * like /sys, for tests.  0 or -errno with a cause.
 */
int grt_sampler_open(struct grt_sampler **sampler, uint32_t hz);

/*
 * Begins to sample.  The stream is of the session @info and becomes the last lane of @live, which closes
 * @sampler.  0, or -errno with a cause: then @sampler is still the caller's.
 */
int grt_sampler_start(struct grt_sampler *s, const struct grtrace_stream_info *info,
		      struct grt_live *live);

/* Takes no more samples and ends the stream.  Before the streams of the CPUs are read to their ends. */
void grt_sampler_stop(struct grt_sampler *s);
void grt_sampler_close(struct grt_sampler *s);

#endif /* GRT_CAPTURE_SAMPLER_H */
