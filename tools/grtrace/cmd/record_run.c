// SPDX-License-Identifier: GPL-2.0
/*
 * What every recording waits for: its streams, signals, a process, its command.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "clock_snapshot.h"
#include "error.h"
#include "hello.h"
#include "live.h"
#include "record.h"
#include "sources.h"
#include "user.h"
#include "watch.h"

#define LOOK_NS		100000000ull	/* between searches for new children */
#define END_NS		2000000000ull	/* until a reader that reads nothing is given up */
#define ANSWER_MS	5000	/* of who listens */
#define STATUS_MS	1000	/* time to wait for a command after it was told to end */

static uint64_t now(void)
{
	return grt_snapshot_now(CLOCK_MONOTONIC);
}

static int wait_ms(const struct record *r)
{
	uint64_t spent = now() - r->start_ns;
	uint64_t left = r->limit_ns > spent ? (r->limit_ns - spent) / 1000000 + 1 : 0;

	if (left > GRT_TICK_MS)
		left = GRT_TICK_MS;
	if (r->interval_ns && left > r->interval_ns / 1000000)
		left = r->interval_ns / 1000000;
	return left;
}

/* Passes a signal on to the command: it must not go on without being recorded. */
static void handle_signal(struct record *r)
{
	struct signalfd_siginfo info;

	if (read(r->signals, &info, sizeof(info)) != sizeof(info))
		return;
	r->is_over = true;
	/* A signal from the terminal reaches the command as well. */
	if (r->child.pid && info.ssi_code != SI_KERNEL)
		kill(r->child.pid, info.ssi_signo);
}

/*
 * Called instead of a blocking write, which no signal could end.  Gives up a reader that reads
 * nothing once the recording has to end.
 */
static int wait_for_reader(void *arg, int fd)
{
	struct record *r = arg;
	struct pollfd fds[] = {
		{ .fd = r->signals, .events = POLLIN },
		{ .fd = fd, .events = POLLOUT },	/* poll() ignores -1 */
	};
	uint64_t ns = now();

	poll(fds, 2, r->is_over ? GRT_TICK_MS : wait_ms(r));
	if (fds[0].revents)
		handle_signal(r);
	if (fds[1].revents) {
		r->stuck_ns = 0;
		return 0;
	}
	if (!r->stuck_ns)
		r->stuck_ns = ns;
	r->is_over |= now() - r->start_ns >= r->limit_ns;
	if (!r->is_over || (fd >= 0 && now() - r->stuck_ns < END_NS))
		return 0;
	return grt_fail(EPIPE, "start its reader first", fd < 0 ? "nobody reads '%s'" :
			"the reader of '%s' does not read", r->output.path);
}

int grt_record_watch(struct record *r)
{
	r->start_ns = now();
	r->output.wait = wait_for_reader;
	r->output.arg = r;
	return grt_watch_signals(&r->signals);
}

static int open_stream(struct record *r)
{
	struct grt_hello answer;
	int fd, err;

	if (!r->to)
		return grt_pipe_out_open(&r->pipe);
	fd = grt_socket_connect(&r->to_address);
	if (fd < 0)
		return fd;
	err = grt_hello_exchange(fd, r->to, GRT_HELLO_STREAM, &answer, ANSWER_MS);
	if (!err)
		return grt_pipe_out_open_socket(&r->pipe, fd, r->to);
	close(fd);
	return err;
}

/* With --to, the recording goes on even if the clock of the peer cannot be compared. */
static int open_peer(struct record *r)
{
	int err = grt_peer_open(&r->peer, r->to ? &r->to_address : &r->clock_address);

	if (!err || !r->to)
		return err;
	grt_warn(grt_hint(), "the clock of '%s' is not compared: %s", r->to, grt_cause());
	return 0;
}

int grt_record_open(struct record *r)
{
	struct grt_user user = grt_user();
	/* Connect before signals are blocked, so that ^C ends a connection that takes long. */
	int err = r->is_live ? open_stream(r) : 0;

	if (!err && (r->to || r->clock_from))
		err = open_peer(r);
	if (!err)
		err = grt_record_watch(r);
	if (!err && r->is_live)
		return 0;
	return err ? err : grt_output_open(&r->output, user.uid, user.gid);
}

static int open_target(struct record *r)
{
	int err;

	if (!r->pid)
		return 0;
	err = grt_watch_process(r->pid, &r->target);
	return !err && r->has_children ? grt_family_create(&r->family, r->pid, 0) : err;
}

static int open_command(struct record *r)
{
	const struct grt_child_setup setup = {
		.out = grt_outfile_is_stdout(r->output.path) ? STDERR_FILENO : -1, .err = -1,
	};
	int err;

	if (!r->command)
		return 0;
	/* We adopt orphans of the command, so that none is missed. */
	if (r->has_children && prctl(PR_SET_CHILD_SUBREAPER, 1))
		return grt_fail_errno(NULL, "cannot watch the children of '%s'", r->command[0]);
	err = grt_child_create(&r->child, r->command, &setup);
	if (!err && r->is_only)
		r->choice.tgid = r->has_children ? getpid() : r->child.pid;
	if (err || !r->has_children)
		return err;
	return grt_family_create(&r->family, r->child.pid, getpid());
}

/* Ends the recording when the process has ended; with --children, when all its descendants have. */
static int look_at_target(struct record *r, bool has_ended)
{
	int left = 0;

	if (r->has_children) {
		if (now() - r->looked_ns < LOOK_NS)
			return 0;
		r->looked_ns = now();
		left = grt_family_look(&r->family);
	}
	if (left < 0)
		return left;
	r->is_over |= has_ended && !left;
	return 0;
}

void grt_record_begin_waits(const struct record *r, struct grt_record_waits *w)
{
	*w = (struct grt_record_waits){
		.fds = {
			[GRT_WAIT_SIGNALS] = { .fd = r->signals, .events = POLLIN },
			[GRT_WAIT_TARGET] = { .fd = r->target, .events = POLLIN },
			[GRT_WAIT_CHILD] = { .fd = r->child.pidfd, .events = POLLIN },
		},
		.count = GRT_WAIT_OWN,
	};
}

/* The reader of a stream has room, or is gone. */
static void watch_reader(const struct record *r, struct pollfd *fd)
{
	bool wants_room;

	fd->fd = grt_pipe_out_fd(r->pipe, &wants_room);
	/* A listener closes both directions at once, so POLLRDHUP means that it is gone; pipes do not know it. */
	fd->events = (wants_room ? POLLOUT : 0) | (r->to ? POLLRDHUP : 0);
}

/* All that was read is written before it waits, so a kill while it waits loses nothing that the source gave. */
static int wait_for_events(struct record *r, struct grt_record_waits *w)
{
	int ms = grt_live_holds(r->live) ? 0 : wait_ms(r);

	if (r->is_live) {
		watch_reader(r, &w->fds[GRT_WAIT_OWN]);
		w->count = GRT_WAIT_OWN + 1;
	}
	return grt_live_poll(r->live, w->fds, w->count, ms);
}

int grt_record_wait(struct record *r, struct grt_record_waits *w)
{
	int ready = wait_for_events(r, w), err;

	if (ready < 0 && ready != -EINTR)
		return ready;
	if (w->fds[GRT_WAIT_SIGNALS].revents)
		handle_signal(r);
	if (w->fds[GRT_WAIT_CHILD].revents)
		r->has_status = grt_child_wait(&r->child, 0, &r->status);
	if (w->fds[GRT_WAIT_TARGET].revents || w->fds[GRT_WAIT_CHILD].revents) {
		w->has_ended = true;
		/* It stays readable, so poll() would return at once for ever. */
		w->fds[GRT_WAIT_TARGET].fd = w->fds[GRT_WAIT_CHILD].fd = -1;
	}
	if (r->is_live && w->fds[GRT_WAIT_OWN].revents & (POLLERR | POLLHUP | POLLRDHUP)) {
		grt_pipe_out_reader_left(r->pipe);
		r->is_over = true;
	}
	err = look_at_target(r, w->has_ended);
	if (!err && r->source->look)
		err = r->source->look(r, now());
	if (now() - r->start_ns >= r->limit_ns)
		r->is_over = true;
	return err ? err : ready > 0 ? ready : 0;
}

int grt_record_prepare(struct record *r)
{
	int err = open_target(r);

	if (!err)
		err = open_command(r);
	return err ? err : r->source->start(r);
}

int grt_record_go(struct record *r)
{
	grt_progress_source(r);
	r->start_ns = r->round_ns = now();
	return r->command ? grt_child_start(&r->child, r->command[0]) : 0;
}

void grt_record_end_command(struct record *r)
{
	if (r->child.pid && !r->has_status)
		r->has_status = grt_child_wait(&r->child, STATUS_MS, &r->status);
}
