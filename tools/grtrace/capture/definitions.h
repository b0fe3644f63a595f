/* SPDX-License-Identifier: GPL-2.0 */
/* The definitions of a session without the module: the stream, its rings and processes. */
#ifndef GRT_CAPTURE_DEFS_H
#define GRT_CAPTURE_DEFS_H

#include <stdint.h>

#include <linux/grtrace.h>

#include "map.h"
#include "vec.h"

struct grt_capture_defs {
	struct grtrace_stream_info info;
	struct grt_vec text;		/* of METADATA */
	struct grt_vec policies;	/* POLICY records */
	struct grt_vec rings;		/* struct grtrace_ring */
	struct grt_map processes;	/* tgid -> hash of its row; 0: it had several */
};

/* @source names the source in METADATA, @features are bits.  0 or -ENOMEM with a cause. */
int grt_capture_defs_begin(struct grt_capture_defs *d, const char *source, uint64_t features,
			   unsigned int cpus, uint32_t subbuf_bytes);
void grt_capture_defs_free(struct grt_capture_defs *d);

/* Adds a line to METADATA, before the first stream.  0 or -ENOMEM with a cause. */
int grt_capture_defs_line(struct grt_capture_defs *d, const char *name, const char *value);

/* Adds a setting that holds from the start on.  0 or -ENOMEM with a cause. */
int grt_capture_defs_policy(struct grt_capture_defs *d, const char *key, const char *value);

/* Appends STREAM_INFO, METADATA and the settings for the stream of @cpu.  0 or -ENOMEM with a cause. */
int grt_capture_defs_stream(const struct grt_capture_defs *d, uint32_t cpu, struct grt_vec *to);

/*
 * Appends a ring that was described by the kernel with number, names and credits; adds what is
 * known of it.  A ring that is defined already is left out.  0 or -ENOMEM with a cause.
 */
int grt_capture_defs_ring(struct grt_capture_defs *d, const struct grtrace_ring *ring,
			  struct grt_vec *to);

/* The ring of that number; NULL: it is not defined.  Valid until the next one is added. */
const struct grtrace_ring *grt_capture_defs_find_ring(const struct grt_capture_defs *d,
						      uint32_t number);

/* Appends a process, unless all its rows so far say the same.  0 or -ENOMEM with a cause. */
int grt_capture_defs_process(struct grt_capture_defs *d, const struct grtrace_process *process,
			     struct grt_vec *to);

#endif /* GRT_CAPTURE_DEFS_H */
