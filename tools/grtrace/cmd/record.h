/* SPDX-License-Identifier: GPL-2.0 */
/* A recording.  record_loop.c reads the events, record_file.c writes them, progress.c tells how far it is. */
#ifndef GRT_RECORD_H
#define GRT_RECORD_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "alert.h"
#include "child.h"
#include "choice.h"
#include "cpulist.h"
#include "export_queue.h"
#include "family.h"
#include "flight.h"
#include "offsets.h"
#include "output.h"
#include "peer_clock.h"
#include "pipe_out.h"
#include "places.h"
#include "session.h"
#include "socket_address.h"
#include "sources.h"
#include "tally.h"
#include "words.h"

struct record {
	uint64_t limit_ns, pid;
	uint64_t interval_ns, priority;	/* 0: not asked for */
	bool is_quiet, has_children, has_cpu;
	bool is_summary;		/* sums jobs up instead of recording them: no file */
	const char *format;		/* of the summary; NULL: text */
	bool is_live;			/* a stream on standard output, or to @to, instead of a file */
	const char *to;			/* the address where grtrace listen takes the stream; NULL: none */
	const char *clock_from;		/* the address of a peer whose clock is compared; NULL: none */
	struct grt_socket_address to_address, clock_address;
	bool is_only;			/* only jobs of the command */
	uint64_t slower_ns;		/* only jobs that took so long; 0: all */
	const char *stacks;		/* call stacks of SUBMIT, which ones; NULL: none */
	uint32_t stack_kinds;
	const char *cpus;		/* only events of these; NULL: of all */
	uint64_t cpu_bits[GRT_CPUS / 64];
	const char *gauges;		/* how often to sample gauges of GPUs, or "off"; NULL: as usual */
	uint32_t gauges_hz;		/* 0: not at all */
	struct grt_words events;	/* of the kernel, to be recorded beside the jobs */
	struct grt_words probes;	/* of functions, likewise */
	const char *cgroup;		/* only jobs of this one: its folder; NULL: of all */
	struct grt_flight flight;	/* what --flight and its options ask for */
	struct grt_export_ask export;	/* likewise of --export */
	bool is_extract;		/* of a stopped session: no more events will come */
	bool is_partial;		/* another reader took its first events */
	bool is_alone;			/* takes no events of a session that runs already */
	char **command;			/* NULL = none */
	const char *again;		/* the same command with a larger buffer, for hints */

	const struct grt_record_source *source;
	struct grt_capture_choice choice;	/* of jobs, for all sources */
	struct grt_offsets offsets;	/* of drivers' members, for the module */
	struct grt_session session;	/* of the module; for others, what the user asked for */
	struct grt_bpf *bpf;
	struct grt_tracefs *tracefs;
	struct grt_sampler *sampler;	/* NULL: no GPU has gauges, or they are off; @live closes it */
	struct grt_output output;
	struct grt_pipe_out *pipe;	/* owned; of is_live */
	struct grt_flight_recorder *beside;	/* owned; NULL: none */
	/* Called with each run before it is written; may be NULL.  0 or -errno with a cause. */
	int (*also)(struct record *r, unsigned int lane, const struct grt_run *run);
	const struct grt_vec *had;	/* uint64_t, by CPU: of a file that goes on, cseq of its last event; NULL: none */
	struct grt_export_queue *queue;	/* NULL: without --export; cmd_record() closes it, after the record */
	struct grt_peer *peer;		/* owned; NULL: no clock is compared */
	struct grt_alert alert;
	struct grt_child child;
	struct grt_family family;
	int status;			/* exit status of the command */
	bool has_status, is_over, has_begun;
	int signals, target;		/* signalfd, pidfd; -1 = none */
	struct grt_live *live;
	struct grt_places places;	/* of the machine and its cgroups */
	struct grt_tally tally;
	uint64_t start_ns, round_ns, clock_ns, looked_ns, tick_ns, offsets_ns;
	uint64_t line_ns, line_events;	/* the last line of --interval: time, events */
	uint64_t stuck_ns;		/* the reader of a pipe reads nothing since; 0: it reads */
	uint64_t session_id;
};

#define GRT_TICK_MS	250

#define GRT_RECORD_INIT(name)						\
	{								\
		.limit_ns = UINT64_MAX, .signals = -1, .target = -1,	\
		.output = { .path = name }, .session = GRT_SESSION_INIT, \
		.source = &grt_module_source,				\
		.child = { .pidfd = -1, .go = -1, .failed = -1 },	\
	}

/*
 * record_loop.c: records until a limit, a signal or the end of the command, and completes the file.
 * Returns 0, or -errno with a cause; then grt_record_close() is still to be called.
 */
int grt_record_all(struct record *r);

/* choose.c: sets r->choice, but for the number of a command's process.  0 or -errno with a cause. */
int grt_record_choose(struct record *r);

/* Sets up r->signals, and the file of r->output or r->pipe.  0 or -errno. */
int grt_record_open(struct record *r);
/* The same without a file. */
int grt_record_watch(struct record *r);

/* What a recording waits for beside its streams; from GRT_WAIT_OWN on, files of the caller. */
enum { GRT_WAIT_SIGNALS, GRT_WAIT_TARGET, GRT_WAIT_CHILD, GRT_WAIT_OWN };

struct grt_record_waits {
	struct pollfd fds[GRT_WAIT_OWN + 3];
	unsigned int count;
	bool has_ended;			/* the process, or the command */
};

void grt_record_begin_waits(const struct record *r, struct grt_record_waits *w);
/*
 * Waits until a stream has bytes or one of @w is ready, for a part of a second at most, and looks what
 * that means: r->is_over, and the revents of the caller's files.  Returns how many streams have bytes,
 * or -errno with a cause.
 */
int grt_record_wait(struct record *r, struct grt_record_waits *w);

/*
 * Starts the source and what is to be recorded, but for the file and the command itself, which
 * grt_record_go() starts.  0 or -errno with a cause.
 */
int grt_record_prepare(struct record *r);
int grt_record_go(struct record *r);
/* After the last record: waits for the command if it ends soon. */
void grt_record_end_command(struct record *r);

/*
 * record_file.c: opens the streams of the source as r->live, with what is known of the machine and its
 * cgroups.  0 or -errno with a cause.
 */
int grt_record_streams(struct record *r);

/*
 * Opens the streams and writes their first definitions.  0 or -errno with a cause.
 */
int grt_record_begin(struct record *r);

/* Writes @run of @lane; *run becomes the part that was written.  0 or -errno with a cause. */
int grt_record_write(struct record *r, unsigned int lane, struct grt_run *run);

/* Begins the file, or the stream, of the session that @info describes.  0 or -errno with a cause. */
int grt_record_create_file(struct record *r, const struct grtrace_stream_info *info);

/* Reads and writes what the streams have.  *progress: there was something. */
int grt_record_drain(struct record *r, bool *progress);

/* Reads all that a running session has now, with an account of each CPU's losses so far. */
int grt_record_drain_now(struct record *r);

/* Reads until every stream has ended; for a stopped session. */
int grt_record_drain_all(struct record *r);

/*
 * Write the time on all clocks, and how the clock of a peer compares, when all earlier events were written; the same
 * while it records; write the module's counters.
 */
int grt_record_clock(struct record *r);
int grt_record_moment(struct record *r);
int grt_record_stats(struct record *r);

/* extract.c: saves the events of a stopped session as r->output.  0 or -errno with a cause. */
int grt_record_extract(struct record *r);

/* summary.c: prints what was summed up so far.  0 or -errno with a cause. */
int grt_record_summary(struct record *r);

/* Frees everything. */
void grt_record_close(struct record *r);

/* Prints the source on standard error, unless quiet. */
void grt_progress_source(const struct record *r);

/* Shows the status line on a terminal, at most once per tick. */
void grt_progress_show(struct record *r);

/* Prints a line of counts if --interval is over. */
void grt_progress_line(struct record *r);

/* Prints what was recorded, and what to do next. */
void grt_progress_result(struct record *r);

#endif /* GRT_RECORD_H */
