// SPDX-License-Identifier: GPL-2.0
/*
 * One thread: waits for the streams of all CPUs, for signals and for the end of a
 * process, and appends what comes to the file as it is.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "commands.h"
#include "control.h"
#include "error.h"
#include "live.h"
#include "number.h"
#include "options.h"
#include "print.h"
#include "tally.h"
#include "writer.h"

#define TICK_MS		250	/* status line */
#define ROUND_NS	1000000000ull	/* watermark */
#define DRAIN_MS	10000	/* a stopped session ends its streams at once */

struct record {
	const char *path;
	uint64_t limit_ns, buffer_bytes, pid;
	bool is_quiet;
	char **command;			/* NULL = none */
	char *const *argv;		/* for the header */

	bool is_ours;			/* we started the session, we stop it */
	struct grt_child child;
	int status;			/* of the command, once it has ended */
	bool has_status, is_over;
	int signals, target;		/* signalfd, pidfd; -1 = none */
	struct grt_live *live;
	struct grt_writer *writer;
	struct grt_tally tally;
	uint64_t start_ns, round_ns, tick_ns;
};

static uint64_t now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* Every source that could do it, with what it lacks: so far there is one. */
static int say_no_source(int err)
{
	const char *why = "not usable", *hint = grt_hint();

	if (err == -ENOENT)
		why = "not loaded";
	if (err == -EACCES || err == -EPERM) {
		why = "its files are root's";
		hint = "sudo grtrace record";
	}
	grt_print_error(NULL, "cannot record: no source works here");
	fprintf(stderr, "  module   %-34s%s%s\n", why, hint ? "hint: " : "", hint ? hint : "");
	return GRT_EXIT_SETUP;
}

static int open_signals(struct record *r)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	r->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return r->signals < 0 ? grt_fail_errno(NULL, "cannot take signals") : 0;
}

static int open_target(struct record *r)
{
	if (!r->pid)
		return 0;
	r->target = syscall(SYS_pidfd_open, (pid_t)r->pid, 0);
	if (r->target < 0)
		return grt_fail_errno("see the processes with: ps -e",
				      "cannot watch process %" PRIu64, r->pid);
	return 0;
}

static int start_session(struct record *r)
{
	char text[64];
	int err = grt_control_is_running();

	if (err < 0)
		return err;
	if (err && r->buffer_bytes)
		return grt_fail(EBUSY, "sudo grtrace stop",
				"a session runs already, its buffer cannot be changed");
	if (err)
		return 0;
	if (r->buffer_bytes) {
		snprintf(text, sizeof(text), "buffer_size=%" PRIu64, r->buffer_bytes);
		err = grt_control_write("config", text);
		if (err)
			return err;
	}
	err = grt_control_write("control", "start");
	r->is_ours = !err;
	return err;
}

static void join_words(char *to, size_t room, char *const *argv)
{
	size_t at = 0;

	for (; *argv && at < room; argv++)
		at += snprintf(to + at, room - at, "%s%s", at ? " " : "", *argv);
}

static int create_file(struct record *r, const struct grtrace_stream_info *info)
{
	struct grt_user user = grt_user();
	struct grt_file_header header = {
		.session_id = info->session_id,
		.start_ns = r->is_ours ? (uint64_t)info->start_ns : now(CLOCK_MONOTONIC),
		.start_real_ns = r->is_ours ? (uint64_t)info->start_real_ns : now(CLOCK_REALTIME),
		/* A command may do its work in processes of its own: it narrows nothing. */
		.focus_pid = r->pid,
	};
	struct utsname name;

	if (!uname(&name)) {
		snprintf(header.host, sizeof(header.host), "%.63s", name.nodename);
		snprintf(header.kernel, sizeof(header.kernel), "%.63s", name.release);
	}
	if (r->command)
		join_words(header.command, sizeof(header.command), r->command);
	return grt_writer_create(&r->writer, r->path, &header, user.uid, user.gid);
}

static int keep_run(struct record *r, unsigned int lane, const struct grt_run *run)
{
	int err = grt_tally_run(&r->tally, lane, run);

	return err ? err : grt_writer_run(r->writer, grt_live_cpu(r->live, lane), run);
}

/* The header wants what the first record says. */
static int open_file(struct record *r)
{
	const struct grtrace_stream_info *info;
	struct grt_run run;
	int got = grt_live_next(r->live, 0, &run);

	if (got < 0 && got != -EAGAIN)
		return got;
	info = run.data;
	if (got != 1 || info->hdr.type != GRTRACE_STREAM_INFO)
		return grt_fail(EBADMSG, "use the grtrace that came with the module",
				"the module gives no stream");
	got = create_file(r, info);
	return got ? got : keep_run(r, 0, &run);
}

/* Takes what there is.  True in *progress when there was something. */
static int drain(struct record *r, bool *progress)
{
	struct grt_run run;
	int got = 0;

	for (unsigned int i = 0; i < grt_live_lanes(r->live); i++) {
		while ((got = grt_live_next(r->live, i, &run)) == 1) {
			*progress = true;
			got = keep_run(r, i, &run);
			if (got)
				return got;
		}
		if (got < 0 && got != -EAGAIN)
			return got;
	}
	return 0;
}

static bool may_show(const struct record *r)
{
	return !r->is_quiet && isatty(STDERR_FILENO);
}

static void show_status(struct record *r)
{
	char events[GRT_NUMBER_MAX], bytes[GRT_NUMBER_MAX], lost[GRT_NUMBER_MAX];
	uint64_t ns = now(CLOCK_MONOTONIC);
	double s = (ns - r->start_ns) / 1e9;

	if (!may_show(r) || ns - r->tick_ns < TICK_MS * 1000000ull)
		return;
	r->tick_ns = ns;
	fprintf(stderr, "\r%5.1f s   %s events   %s   %.0f k/s   %s lost   ^C to stop\033[K", s,
		grt_format_count(events, r->tally.events),
		grt_format_bytes(bytes, grt_writer_bytes(r->writer)),
		s > 0 ? r->tally.events / s / 1e3 : 0, grt_format_count(lost, r->tally.lost));
}

/* A signal for us is one for the command: it must not go on unrecorded. */
static void take_signal(struct record *r)
{
	struct signalfd_siginfo info;

	if (read(r->signals, &info, sizeof(info)) != sizeof(info))
		return;
	r->is_over = true;
	/* A terminal sends it to the command as well. */
	if (r->child.pid && info.ssi_code != SI_KERNEL)
		kill(r->child.pid, info.ssi_signo);
}

/* Every second the CPUs hand over what they hold, so a watermark can be set. */
static int end_round(struct record *r)
{
	uint64_t ns = now(CLOCK_MONOTONIC), safe_ns;
	bool progress;
	int err;

	if (ns - r->round_ns < ROUND_NS)
		return 0;
	r->round_ns = ns;
	safe_ns = grt_live_flush(r->live);
	if (!safe_ns)
		return 0;
	err = drain(r, &progress);
	return err ? err : grt_writer_watermark(r->writer, safe_ns);
}

static int wait_ms(const struct record *r)
{
	uint64_t spent = now(CLOCK_MONOTONIC) - r->start_ns;
	uint64_t left = r->limit_ns > spent ? (r->limit_ns - spent) / 1000000 + 1 : 0;

	return left < TICK_MS ? left : TICK_MS;
}

static int record_all(struct record *r)
{
	struct pollfd others[] = {
		{ .fd = r->signals, .events = POLLIN },
		{ .fd = r->target, .events = POLLIN },
		{ .fd = r->child.pidfd, .events = POLLIN },
	};
	bool progress;
	int err = 0;

	while (!err && !r->is_over && !grt_live_has_ended(r->live)) {
		err = grt_live_poll(r->live, others, 3, wait_ms(r));
		if (err < 0 && err != -EINTR)
			return err;
		if (others[0].revents)
			take_signal(r);
		if (others[1].revents)
			r->is_over = true;
		if (others[2].revents) {
			r->has_status = grt_child_wait(&r->child, 0, &r->status);
			r->is_over = true;
		}
		if (now(CLOCK_MONOTONIC) - r->start_ns >= r->limit_ns)
			r->is_over = true;
		err = drain(r, &progress);
		if (!err)
			err = end_round(r);
		show_status(r);
	}
	return err;
}

/* Our session: until every stream has ended.  Another's: what there is now. */
static int finish(struct record *r)
{
	uint64_t until = now(CLOCK_MONOTONIC) + DRAIN_MS * 1000000ull;
	bool progress;
	int err;

	if (!r->is_ours) {
		grt_live_flush(r->live);
		return drain(r, &progress);
	}
	err = grt_control_write("control", "stop");
	/* Stopped by somebody else: the streams have ended as well. */
	if (err && err != -EINVAL)
		return err;
	r->is_ours = false;
	do {
		progress = false;
		err = drain(r, &progress);
		if (err || grt_live_has_ended(r->live))
			return err;
		if (progress)
			until = now(CLOCK_MONOTONIC) + DRAIN_MS * 1000000ull;
		grt_live_poll(r->live, NULL, 0, TICK_MS);
	} while (now(CLOCK_MONOTONIC) < until);
	grt_warn(NULL, "the streams did not end: the last events may be missing");
	return 0;
}

static void say_command(struct record *r)
{
	if (!r->command)
		return;
	if (!r->has_status && r->child.pid)
		r->has_status = grt_child_wait(&r->child, 1000, &r->status);
	if (!r->has_status)
		fprintf(stderr, "'%s' runs on\n", r->command[0]);
	else if (WIFSIGNALED(r->status))
		fprintf(stderr, "'%s' was ended by signal %d (%s)\n", r->command[0],
			WTERMSIG(r->status), strsignal(WTERMSIG(r->status)));
	else
		fprintf(stderr, "'%s' ended with status %d\n", r->command[0],
			WEXITSTATUS(r->status));
}

static void say_source(const struct record *r)
{
	char text[256], version[64] = "";

	if (grt_control_read("version", text, sizeof(text)) > 0)
		grt_control_value(text, "version", version, sizeof(version));
	if (r->is_quiet)
		return;
	fprintf(stderr, "source: module%s%s%s, %s\n", *version ? " (grtrace " : "",
		version, *version ? ")" : "",
		r->is_ours ? "a session of its own" : "the session that runs already");
}

static void say_result(struct record *r)
{
	const struct grt_tally *t = &r->tally;
	char events[GRT_NUMBER_MAX], jobs[GRT_NUMBER_MAX], lost[GRT_NUMBER_MAX];
	char time[GRT_NUMBER_MAX];

	if (may_show(r))
		fprintf(stderr, "\r\033[K");
	if (r->is_quiet)
		return;
	say_command(r);
	fprintf(stderr, "%s: %s events, %s jobs of %" PRIu64 " process%s in %s, %s lost\n",
		r->path, grt_format_count(events, t->events), grt_format_count(jobs, t->jobs),
		t->processes, t->processes == 1 ? "" : "es",
		grt_format_ns(time, t->last_ns - t->first_ns),
		grt_format_count(lost, t->lost));
	if (t->lost)
		fprintf(stderr, "hint: a larger buffer loses less: grtrace record -b 16M\n");
	fprintf(stderr, "hint: grtrace report %s\n", r->path);
}

static int open_all(struct record *r)
{
	int err = open_signals(r);

	if (!err)
		err = open_target(r);
	if (!err && r->command)
		err = grt_child_create(&r->child, r->command);
	if (!err)
		err = start_session(r);
	if (!err)
		err = grt_live_open(&r->live);
	if (!err)
		err = grt_tally_create(&r->tally, grt_live_lanes(r->live));
	if (!err)
		err = open_file(r);
	return err;
}

static void close_all(struct record *r)
{
	/* Failed before it could end in order: a session that we began is not left. */
	if (r->is_ours)
		grt_control_write("control", "stop");
	grt_tally_destroy(&r->tally);
	if (r->live)
		grt_live_close(r->live);
	grt_child_destroy(&r->child);
	if (r->signals >= 0)
		close(r->signals);
	if (r->target >= 0)
		close(r->target);
}

static int record(struct record *r)
{
	int err = open_all(r), end;
	bool has_command = !err;

	if (err)
		return err;
	say_source(r);
	r->start_ns = r->round_ns = now(CLOCK_MONOTONIC);
	if (r->command) {
		err = grt_child_start(&r->child, r->command[0]);
		has_command = !err;
	}
	if (!err)
		err = record_all(r);
	/* Whatever happened: what was recorded so far is made whole. */
	end = finish(r);
	if (!err)
		err = end;
	if (!err)
		say_result(r);
	end = grt_writer_close(r->writer);
	if (!has_command)
		unlink(r->path);
	return err ? err : end;
}

int cmd_record(int argc, char **argv)
{
	struct record r = {
		.path = "trace.grt", .limit_ns = UINT64_MAX, .signals = -1, .target = -1,
		.child = { .pidfd = -1, .go = -1, .failed = -1 },
	};
	const struct grt_option options[] = {
		OPT_STRING('o', "output", &r.path, "FILE", "write to FILE; trace.grt by default"),
		OPT_NS('d', "duration", &r.limit_ns, "stop after TIME, like 10, 1.5s or 200ms"),
		OPT_U64('p', "pid", &r.pid, "PID",
			"until this process ends; reports show it first, but all is recorded"),
		OPT_BYTES('b', "buffer", &r.buffer_bytes, "buffer per CPU, like 4M"),
		OPT_BOOL('q', "quiet", &r.is_quiet, "print nothing but errors"),
		OPT_END()
	};
	int err, code;

	argc = grt_parse_options_before(argc, argv, options,
					"record [options] [--] [COMMAND [ARGUMENTS]]");
	if (r.pid > INT32_MAX || (r.pid && argc))
		return grt_usage(options, r.pid && argc ? "either -p or a command, not both" :
				 "no process has the number %" PRIu64, r.pid);
	r.command = argc ? argv : NULL;
	err = grt_control_is_running();
	if (err < 0)
		return say_no_source(err);
	err = record(&r);
	code = err ? grt_print_failure(err) : GRT_EXIT_OK;
	close_all(&r);
	return code;
}
