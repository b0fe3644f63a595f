/* SPDX-License-Identifier: LGPL-2.1 */
/* Which bytes of which file hold the records of each CPU. */
#ifndef GRT_EXTENT_H
#define GRT_EXTENT_H

#include <stdbool.h>
#include <stdint.h>

#include "vec.h"

struct grt_extent {
	uint64_t offset, hash;
	uint64_t first_ts, last_ts;
	uint64_t events;	/* number of events in it */
	uint32_t bytes, cpu;
	uint32_t file, nth;	/* nth: order in which it was found, breaks ties */
	bool has_hash;
	bool is_plain;		/* as in struct grt_run */
};

struct grt_trace_info;

/* The result of opening files. */
struct grt_collection {
	uint64_t session;	/* the session to read; 0: any */
	struct grt_vec extents;	/* struct grt_extent */
	struct grt_vec defs;	/* definitions, back to back */
	uint64_t safe_ns;	/* the last watermark */
	bool has_warned;	/* a warning about damage was printed */
	uint64_t bad_sizes;	/* places in raw streams where a size is invalid */
};

/* Adds the extents and definitions of the file with number @file.  0 or -errno with a cause. */
int grt_collect_raw(struct grt_collection *to, uint32_t file, int fd, const char *name);
int grt_collect_grt(struct grt_collection *to, uint32_t file, int fd, const char *name,
		    struct grt_trace_info *info);

/* The same for a file of another tracer.  *fd becomes the descriptor of the imported copy. */
int grt_collect_foreign(struct grt_collection *to, uint32_t file, int *fd, const char *name,
			struct grt_trace_info *info);

/* Tells the handler of grt_source_progress_to(). */
void grt_source_show_progress(unsigned int permille);

#endif /* GRT_EXTENT_H */
