/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a trace from bytes or files, for tests. */
#ifndef GRT_READING_H
#define GRT_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "replay.h"
#include "stream.h"

struct reading {
	int err;		/* from opening or from the last next; 0 = read to the end */
	uint64_t records, events;
	uint64_t definitions[16]; /* by type - GRTRACE_STREAM_BASE */
	bool is_ordered;	/* events came by (ts, cpu, cseq) */
	bool is_complete;
	unsigned int warnings;
	char cause[256], warning[256];	/* the last of each */
	struct grt_stream_stats stats;
};

typedef void reading_fn(void *data, const struct grtrace_hdr *rec);

/* A temporary folder, removed at exit; the path of @name in it, static. */
const char *reading_path(const char *name);
void reading_write(const char *path, const void *data, size_t bytes);

/* Reads @count files as one trace, giving each record to @fn if it is not NULL. */
struct reading reading_files(int count, char *const *paths, reading_fn *fn, void *data);

/* The same for bytes, through a file. */
struct reading reading_bytes(const void *bytes, size_t count, reading_fn *fn, void *data);

/*
 * Reads the file @path as reports do, and fills in @stats if it is not NULL.  0 or -errno; call
 * grt_replay_free() in any case.
 */
int reading_replay(struct grt_replay *replay, char *path, struct grt_stream_stats *stats);

#endif /* GRT_READING_H */
