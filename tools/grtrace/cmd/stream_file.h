/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Puts a stream of record --live into a file of its own while it comes.  In the stream the CPUs take turns; the file
 * has chunks of each CPU, an index and the name of the machine, as if record had written it.
 */
#ifndef GRT_STREAM_FILE_H
#define GRT_STREAM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "output.h"
#include "tally.h"
#include "vec.h"

struct grt_stream_file {
	/* Filled in by the caller; the rest is 0. */
	const char *folder, *host;
	uint64_t max_bytes;		/* 0: no limit */
	uint64_t max_index_bytes;	/* memory for the index, which grows with the file; 0: no limit */
	uint32_t uid, gid;		/* owner of the file */
	bool (*is_taken)(const void *arg, const char *path);	/* whether a file of that name is being written */
	const void *arg;

	struct grt_tally tally;
	struct grt_output output;	/* ->name is that of the file */

	/* Private. */
	char path[4096];
	bool is_open;			/* the file exists */
	bool has_begun;			/* and has its header */
	struct grt_stream_lane {
		struct grt_vec events;	/* not in the file yet */
		bool has_info, has_ended;
	} *lanes;			/* owned, by CPU */
	unsigned int nr_lanes, turn;
	struct grt_vec defs;		/* not in the file yet */
	uint64_t pending_bytes, flushed_ns;
	uint64_t session_id, safe_ns, marked_ns, clock_ns;
	bool has_stats;			/* the last record was STATS, which record writes at the end */
};

/*
 * Creates the file, which never replaces another one.  Without a stream it goes away with grt_stream_file_free().  0 or
 * -errno with a cause.
 */
int grt_stream_file_open(struct grt_stream_file *f);

/*
 * Takes those records of @data that are complete.  Returns how many bytes they have: the rest must be at the start of
 * the next @data.  Or -errno with a cause: then nothing more can be taken.
 */
ssize_t grt_stream_file_take(struct grt_stream_file *f, const void *data, size_t bytes);

/* Whether the stream has the end that record gives it. */
bool grt_stream_file_is_whole(const struct grt_stream_file *f);

/* Writes what came to the file, at most once a second; call it now and then.  0 or -errno with a cause. */
int grt_stream_file_pass(struct grt_stream_file *f);

/*
 * Closes the file; if its end is missing, a report says so.  0, or -errno with a cause.  Frees all but ->tally and
 * ->output.name, see grt_stream_file_free().
 */
int grt_stream_file_close(struct grt_stream_file *f, bool is_whole);
void grt_stream_file_free(struct grt_stream_file *f);

#endif /* GRT_STREAM_FILE_H */
