/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Writes a trace in a format that other programs, a browser or a spreadsheet show.  All formats get
 * the same: records, and the jobs, rings and frames that the model and the analysis made of them.
 * Each writes while it reads, so its memory is bounded.
 */
#ifndef GRT_EXPORT_H
#define GRT_EXPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "early.h"
#include "frames.h"
#include "input.h"
#include "job_sink.h"
#include "replay.h"

struct grt_export;
struct grt_stream;

/* What a format gets besides definitions and finished jobs. */
enum grt_export_need {
	GRT_EXPORT_EVENTS = 1 << 0,	/* record() also gets events, not only definitions and losses */
	GRT_EXPORT_ROOTS = 1 << 1,	/* jobs have pieces; x->summary.roots has just followed the job */
	GRT_EXPORT_RINGS = 1 << 2,	/* stretch() */
	GRT_EXPORT_FRAMES = 1 << 3,	/* frame() */
	GRT_EXPORT_REPORT = 1 << 4,	/* in end(), x->summary has all that the report's screen has */
	GRT_EXPORT_OUTSIDE = 1 << 5,	/* record() also gets events outside of from_ns..to_ns */
};

/* All functions but begin() and end() may be NULL.  They return 0, or -errno with a cause. */
struct grt_export_format {
	const char *name;	/* as --to takes it */
	const char *text;	/* for the help */
	const char *suffix;	/* of the default name, ".html"; NULL: standard output */
	bool is_folder;		/* writes the new folder x->path, and x->file is NULL */
	bool is_database;	/* x->file takes the lines for the database x->path */
	bool is_of_events;	/* has no jobs: filters of jobs make no sense */
	uint32_t needs;		/* enum grt_export_need */
	/* The names and losses of the whole trace are not known yet, but x->window is. */
	int (*begin)(struct grt_export *x);
	int (*record)(struct grt_export *x, const struct grtrace_hdr *rec);
	/* A job that the query wants.  Jobs come in the order of their ends. */
	int (*job)(struct grt_export *x, const struct grt_job *job);
	/* See grt_model_watch_rings(): ring by ring in order of time, each once it is final. */
	int (*stretch)(struct grt_export *x, const struct grt_ring_stretch *s);
	int (*frame)(struct grt_export *x, const struct grt_frame *frame);
	int (*end)(struct grt_export *x);
	void (*free)(struct grt_export *x);	/* frees x->state; also after a failure */
};

struct grt_export {
	/* Filled in by the caller; the rest is 0. */
	const struct grt_export_format *format;
	FILE *file;			/* may be a pipe; NULL: @path is a folder */
	const char *path;		/* the final name, for messages */
	struct grt_window window;	/* the time that is exported */
	struct grt_summary_wants wants;	/* its query and rules */
	struct grt_job_out out;		/* its hints; "file" and so on are set here */
	uint64_t segment_ns;		/* when the file of record --rotate was begun; 0: the trace has no others */
	const char *name;		/* of the trace in rows; NULL: its file's */
	uint32_t focus_pid;		/* only frames of this process, 0: of the likeliest one */
	void (*progress)(unsigned int permille);	/* NULL: nobody wants to know */

	/* From begin() on. */
	const struct grt_trace_info *info;
	const struct grt_model *model;
	struct grt_summary summary;
	struct grt_frames frames;
	uint64_t from_ns, to_ns;	/* first and last moment that is exported */
	size_t nr_rings;		/* of the whole trace, as far as known */
	uint64_t jobs;			/* handed to job() so far */
	void *state;			/* owned by the format */

	/* Private. */
	struct grt_trace_info own_info;
	struct grt_replay replay;
	bool is_writing;
	struct grt_early early;		/* record() gets these at their time */
	uint32_t since_progress;
};

/* Reads all of @stream, writes all of the output.  0 or -errno with a cause. */
int grt_export_run(struct grt_export *x, struct grt_stream *stream);

/* Call it after a failure, too. */
void grt_export_free(struct grt_export *x);

/* -errno with a cause if something could not be written to x->file. */
int grt_export_check(const struct grt_export *x);

#endif /* GRT_EXPORT_H */
