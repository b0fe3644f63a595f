/* SPDX-License-Identifier: GPL-2.0 */
/* What "grtrace probe" is asked to do.  probe.c has its options. */
#ifndef GRT_CMD_PROBE_H
#define GRT_CMD_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "child.h"
#include "words.h"

struct grt_event_watch;

struct grt_probe_request {
	const char *file;		/* of -x; NULL: the kernel */
	const char *time, *until;	/* of --time: FUNC; or the first and the second point */
	const char *key;		/* "A,B": values that both points have in common; NULL: the thread */
	const char *graph;		/* of --graph */
	uint64_t max_depth;
	uint64_t limit_ns, buffer_bytes;
	struct grt_words stop_on;
	const char *format;		/* NULL: text */
	bool is_all, per_process;
	char **command;			/* NULL: none */
};

/* --- probe_run.c: waits for the end of what --time and --graph watch --- */

struct grt_probe_run {
	const struct grt_probe_request *request;
	struct grt_child child;
	struct grt_event_watch *events;	/* NULL: no --stop-on */
	int signals;			/* signalfd; -1: none */
	uint64_t start_ns;
	int status;			/* of the command */
	bool has_status, is_over;
};

/* Before anything is recorded.  0 or -errno with a cause. */
int grt_probe_run_open(struct grt_probe_run *run, const struct grt_probe_request *request);
/* Starts the command, if there is one.  0 or -errno with a cause. */
int grt_probe_run_start(struct grt_probe_run *run);
/* Waits a tenth of a second at most, or until run->is_over, or until @fd is readable (-1: none). */
void grt_probe_run_wait(struct grt_probe_run *run, int fd);
/* Frees everything.  Returns the exit code of the command, as a shell has it. */
int grt_probe_run_close(struct grt_probe_run *run);

/* --- each returns 0, or -errno with a cause; *@code becomes the exit code of the command --- */

int grt_probe_time(const struct grt_probe_request *q, int *code);
int grt_probe_graph(const struct grt_probe_request *q, int *code);
int grt_probe_list(const struct grt_probe_request *q);
int grt_probe_lines(const char *function);
int grt_probe_vars(const char *function);

#endif /* GRT_CMD_PROBE_H */
