// SPDX-License-Identifier: GPL-2.0
#include "probe.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock_snapshot.h"
#include "error.h"
#include "event_watch.h"
#include "quote.h"
#include "watch.h"

#define TICK_MS		100
#define NS_PER_MS	1000000
#define STATUS_MS	1000	/* time to wait for a command after it was told to end */

int grt_probe_run_open(struct grt_probe_run *run, const struct grt_probe_request *request)
{
	int err;

	*run = (struct grt_probe_run){
		.request = request, .signals = -1, .child = { .pidfd = -1, .go = -1, .failed = -1 },
	};
	err = grt_watch_signals(&run->signals);
	if (!err && request->stop_on.count)
		err = grt_event_watch_open(&run->events, &request->stop_on);
	if (!err && request->command)
		err = grt_child_create(&run->child, request->command, &(struct grt_child_setup){ -1, -1, NULL });
	return err;
}

int grt_probe_run_start(struct grt_probe_run *run)
{
	run->start_ns = grt_snapshot_now(CLOCK_MONOTONIC);
	return run->request->command ? grt_child_start(&run->child, run->request->command[0]) : 0;
}

/* Passes it on to the command. */
static void take_signal(struct grt_probe_run *run)
{
	struct signalfd_siginfo info;

	if (read(run->signals, &info, sizeof(info)) != sizeof(info))
		return;
	run->is_over = true;
	/* A signal from the terminal reaches the command as well. */
	if (run->child.pid && info.ssi_code != SI_KERNEL)
		kill(run->child.pid, info.ssi_signo);
}

static int wait_ms(const struct grt_probe_run *run)
{
	uint64_t spent = grt_snapshot_now(CLOCK_MONOTONIC) - run->start_ns;
	uint64_t limit = run->request->limit_ns;
	uint64_t left = limit > spent ? (limit - spent) / NS_PER_MS + 1 : 0;

	return left < TICK_MS ? left : TICK_MS;
}

void grt_probe_run_wait(struct grt_probe_run *run, int fd)
{
	struct pollfd fds[] = {
		{ .fd = run->signals, .events = POLLIN },	/* poll() ignores -1 */
		{ .fd = run->child.pidfd, .events = POLLIN },
		{ .fd = run->events ? grt_event_watch_fd(run->events) : -1, .events = POLLIN },
		{ .fd = fd, .events = POLLIN },
	};
	const char *word;

	if (poll(fds, sizeof(fds) / sizeof(*fds), wait_ms(run)) < 0)
		return;
	if (fds[0].revents)
		take_signal(run);
	/* The command's name can be read until grt_probe_run_close() waits for it. */
	if (fds[1].revents)
		run->is_over = true;
	word = fds[2].revents ? grt_event_watch_take(run->events) : NULL;
	if (word) {
		fprintf(stderr, "%s came\n", grt_shown(word));
		run->is_over = true;
	}
	if (grt_snapshot_now(CLOCK_MONOTONIC) - run->start_ns >= run->request->limit_ns)
		run->is_over = true;
}

int grt_probe_run_close(struct grt_probe_run *run)
{
	if (run->child.pid && run->is_over && !run->has_status)
		run->has_status = grt_child_wait(&run->child, STATUS_MS, &run->status);
	grt_child_destroy(&run->child);
	if (run->events)
		grt_event_watch_close(run->events);
	if (run->signals >= 0)
		close(run->signals);
	if (!run->has_status)
		return 0;
	return WIFSIGNALED(run->status) ? 128 + WTERMSIG(run->status) : WEXITSTATUS(run->status);
}
