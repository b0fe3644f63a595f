/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Follows the scheduler, a driver or the displays: its events as rows in the order of time, and sums of
 * all of the trace and of the current interval (lap).
 *
 * Some rows tell how long something took.  Such a row waits until that is known, at most for a few
 * milliseconds of the trace's time, or until GRT_MONITOR_ROWS rows wait; then it is shown without the time.
 *
 * Memory is bounded, whatever the trace has; see also job_sums.h, irq_sums.h, crtcs.h and memory.h.
 */
#ifndef GRT_MONITOR_H
#define GRT_MONITOR_H

#include "crtcs.h"
#include "event_view.h"
#include "irq_sums.h"
#include "job_sums.h"
#include "memory.h"
#include "model.h"
#include "window.h"

#define GRT_MONITOR_ROWS	4096
#define GRT_MONITOR_CONTEXTS	65536	/* whose ring and process are remembered */
#define GRT_MONITOR_JOBS	(1u << 17)	/* in flight, whose waits are counted */
#define GRT_MONITOR_REC_BYTES	128	/* of the longest record that becomes a row */

/* What there is to monitor: X(NAME, name, title, driver, parts, text). */
#define GRT_MONITOR_KINDS(X)								\
	X(DRM,	  drm,	  "DRM Scheduler", NULL, GRT_MONITOR_OF_JOBS,			\
	  "jobs of all drivers: queued, run, completed, and what they waited for")	\
	X(I915,	  i915,	  "Intel i915", "i915", GRT_MONITOR_OF_DRIVER,			\
	  "requests of Intel's driver i915, its memory and its interrupts")					\
	X(AMDGPU, amdgpu, "AMD amdgpu", "amdgpu", GRT_MONITOR_OF_DRIVER,		\
	  "jobs of AMD's driver amdgpu, its memory and its interrupts")					\
	X(VBLANK, vblank, "DRM Vblank", NULL, GRT_MONITOR_OF_BLANKS,			\
	  "vertical blanks, and the clients that are told of them")

enum {
	GRT_MONITOR_OF_JOBS = 1,
	GRT_MONITOR_OF_MEMORY = 2,
	GRT_MONITOR_OF_IRQS = 4,
	GRT_MONITOR_OF_BLANKS = 8,
	GRT_MONITOR_OF_SWITCHES = 16,	/* of contexts */
	GRT_MONITOR_OF_DRIVER = GRT_MONITOR_OF_JOBS | GRT_MONITOR_OF_MEMORY | GRT_MONITOR_OF_IRQS |
				GRT_MONITOR_OF_SWITCHES,
};

enum grt_monitor_kind {
#define GRT_X(NAME, name, title, driver, parts, text) GRT_MONITOR_##NAME,
	GRT_MONITOR_KINDS(GRT_X)
#undef GRT_X
	GRT_NR_MONITOR_KINDS
};

struct grt_monitor_about {
	const char *name, *title;
	const char *driver;	/* NULL: all */
	unsigned int parts;
	const char *text;
};

extern const struct grt_monitor_about grt_monitor_abouts[GRT_NR_MONITOR_KINDS];

/* An event that is shown, and what is known of its job or its client. */
struct grt_monitor_row {
	union {
		struct grtrace_hdr rec;
		struct grtrace_vblank vblank;
		struct grtrace_memory memory;
		struct grtrace_submit submit;
		struct grtrace_commit commit;
		struct grtrace_dependency dependency;
		struct grtrace_loss loss;
		struct grtrace_error error;
		char bytes[GRT_MONITOR_REC_BYTES];
	};
	uint32_t ring, process;		/* rows of grt_monitor.names; GRT_NONE: none, or not known */
	uint32_t pid;
	bool has_pid;
	bool is_waiting;		/* for one of the two below */
	bool has_life, has_answer;
	struct {
		bool has_span[GRT_NR_JOB_SPANS], is_bound[GRT_NR_JOB_SPANS], has_status;
		uint64_t span_ns[GRT_NR_JOB_SPANS];
		int32_t status;
		uint32_t flags;		/* GRT_JOB_* */
	} life;				/* of COMPLETE and JOB */
	struct grt_crtc_answer answer;	/* of a client's VBLANK */
	bool has_latency;		/* of COMMIT: since SUBMIT */
	uint64_t latency_ns;
};

/* Sums of a time. */
struct grt_monitor_sums {
	uint64_t rows;			/* events that it is about */
	uint64_t from_ns, to_ns;	/* the first and the last of them */
	struct grt_job_sums jobs;
	bool lacks_waits;		/* some may not be counted */
	bool has_declared, has_blocked;	/* dependencies; waits */
	uint64_t errors;
	struct grt_irq_sums irqs;
	struct grt_crtcs crtcs;
};

struct grt_monitor {
	/* Filled in by the caller; the rest is 0. */
	enum grt_monitor_kind kind;
	bool has_rows, has_laps;
	bool with_synthetic;		/* events written by hand count */
	bool skips_bounds;		/* in sums, times that are upper bounds count as not known */
	int (*show)(void *arg, const struct grt_monitor_row *row);	/* 0 or -errno */
	void *arg;

	struct grt_monitor_sums all, lap;
	struct grt_memory memory;	/* of all of the trace */
	struct grt_vec memory_before;	/* struct grt_monitor_ops: at the begin of the lap */
	uint64_t unplaced;		/* events of GPUs whose driver is not known, left out */
	uint64_t synthetic;		/* events written by hand, left out */
	uint64_t now_ns;
	const struct grt_model *model;	/* not owned */
	struct grt_event_names names;

	/* Private. */
	struct grt_window whole;
	bool has_other_drivers;		/* the trace has rings of others than the one asked for */
	uint64_t fed_ns;		/* all records until then are in the model */
	struct grt_vec jobs;		/* struct pending: see monitor.c */
	struct grt_keymap job_at;
	uint32_t free_job;
	struct grt_monitor_row *rows;	/* owned; a ring buffer */
	size_t first_row, nr_rows;
};

/* What a process caused of each MEMORY_OP, and of MOVEs that have a domain at one end only. */
#define GRT_MONITOR_PLACE	GRT_MEMORY_NR_OPS
#define GRT_MONITOR_NR_OPS	(GRT_MEMORY_NR_OPS + 1)

struct grt_monitor_ops {
	uint32_t tgid;
	struct grt_memory_sum ops[GRT_MONITOR_NR_OPS];
};

/* For struct grt_replay_ops; events must be watched.  0 or -errno with a cause. */
int grt_monitor_begin(struct grt_monitor *m, const struct grt_model *model);
int grt_monitor_record(struct grt_monitor *m, const struct grtrace_hdr *rec);
int grt_monitor_job(struct grt_monitor *m, const struct grt_job *job);
/* After the last record: finishes all sums, also those of the last lap. */
int grt_monitor_end(struct grt_monitor *m);
void grt_monitor_free(struct grt_monitor *m);

/* A live session: nothing earlier than @now_ns will come, and the model knows.  0 or -errno. */
int grt_monitor_pass(struct grt_monitor *m, uint64_t now_ns);

/*
 * The first one finishes the sums of the lap, so that they can be printed.  The second one begins the next lap.
 * Both: 0 or -errno with a cause.
 */
int grt_monitor_end_lap(struct grt_monitor *m);
int grt_monitor_begin_lap(struct grt_monitor *m);

/* What a process caused, in the lap or in all: number @i of grt_monitor.memory; GRT_NONE: all processes. */
struct grt_monitor_ops grt_monitor_ops(const struct grt_monitor *m, uint32_t i, bool is_lap);

#endif /* GRT_MONITOR_H */
