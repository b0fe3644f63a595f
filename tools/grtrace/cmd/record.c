// SPDX-License-Identifier: GPL-2.0
/*
 * One thread: waits for the streams of all CPUs, for signals and for the end of a
 * process, and appends what comes to the file as it is.
 */
#include "record.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "control.h"
#include "error.h"
#include "live.h"
#include "moment.h"
#include "number.h"
#include "options.h"
#include "print.h"

#define ROUND_NS	1000000000ull	/* watermark */
#define CLOCK_NS	10000000000ull	/* CLOCK record */
#define LOOK_NS		100000000ull	/* for new children */
#define DRAIN_MS	10000	/* a stopped session ends its streams at once */
#define LEAST_FILE	65536	/* of --rotate: definitions alone take some thousand bytes */

static uint64_t now(void)
{
	return grt_moment_now(CLOCK_MONOTONIC);
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
	return r->has_children ? grt_family_create(&r->family, r->pid, 0) : 0;
}

static int open_command(struct record *r)
{
	int err;

	if (!r->command)
		return 0;
	/* The orphans of the command become ours, so none of them is overlooked. */
	if (r->has_children && prctl(PR_SET_CHILD_SUBREAPER, 1))
		return grt_fail_errno(NULL, "cannot watch the children of '%s'", r->command[0]);
	err = grt_child_create(&r->child, r->command);
	if (err || !r->has_children)
		return err;
	return grt_family_create(&r->family, r->child.pid, getpid());
}

static void join_words(char *to, size_t room, char *const *argv)
{
	size_t at = 0;

	for (; *argv && at < room; argv++)
		at += snprintf(to + at, room - at, "%s%s", at ? " " : "", *argv);
}

static int create_file(struct record *r, const struct grtrace_stream_info *info)
{
	bool is_ours = r->session.is_ours;
	struct grt_user user = grt_user();
	struct grt_file_header header = {
		.session_id = info->session_id,
		.start_ns = is_ours ? (uint64_t)info->start_ns : now(),
		.start_real_ns = is_ours ? (uint64_t)info->start_real_ns :
					   grt_moment_now(CLOCK_REALTIME),
		/* A command may do its work in processes of its own: it narrows nothing. */
		.focus_pid = r->pid,
	};
	struct utsname name;

	r->session_id = info->session_id;
	r->output.margin_bytes = 2ull * info->subbuf_bytes * grt_live_lanes(r->live);
	if (!uname(&name)) {
		snprintf(header.host, sizeof(header.host), "%.63s", name.nodename);
		snprintf(header.kernel, sizeof(header.kernel), "%.63s", name.release);
	}
	if (r->command)
		join_words(header.command, sizeof(header.command), r->command);
	return grt_output_open(&r->output, &header, grt_live_lanes(r->live), user.uid, user.gid);
}

static int keep_run(struct record *r, unsigned int lane, struct grt_run *run)
{
	bool was_full = r->output.full;
	int err = grt_output_run(&r->output, lane, grt_live_cpu(r->live, lane), run);

	/* The file is still closed in order; said now, as the cause is the latest. */
	if (r->output.full && !was_full)
		r->code = grt_print_failure(r->output.full);
	return err || !run->bytes ? err : grt_tally_run(&r->tally, lane, run);
}

static int write_clock(struct record *r)
{
	struct grtrace_clock clock = { 0 };

	grt_moment_clock(&clock);
	r->clock_ns = now();
	return grt_output_definition(&r->output, &clock.hdr);
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
	if (!got)
		got = keep_run(r, 0, &run);
	return got ? got : write_clock(r);
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

/* The CPUs hand over what they hold, so a watermark can be set. */
static int do_round(struct record *r)
{
	uint64_t safe_ns;
	bool progress;
	int err;

	r->round_ns = now();
	safe_ns = grt_live_flush(r->live);
	if (!safe_ns)
		return 0;
	err = drain(r, &progress);
	return err ? err : grt_output_watermark(&r->output, safe_ns);
}

/* Every second a watermark, every ten a CLOCK; and the next file when it is time. */
static int end_round(struct record *r)
{
	uint64_t ns = now();
	bool is_due = grt_output_is_due(&r->output, ns);
	int err = 0;

	if (is_due || ns - r->round_ns >= ROUND_NS)
		err = do_round(r);
	if (!err && is_due && grt_output_is_due(&r->output, ns)) {
		err = grt_output_rotate(&r->output);
		if (!err && r->output.full)
			r->code = grt_print_failure(r->output.full);
	}
	if (!err && ns - r->clock_ns >= CLOCK_NS)
		err = write_clock(r);
	grt_alert_look(&r->alert, r->tally.lost);
	return err;
}

static int wait_ms(const struct record *r)
{
	uint64_t spent = now() - r->start_ns;
	uint64_t left = r->limit_ns > spent ? (r->limit_ns - spent) / 1000000 + 1 : 0;

	return left < GRT_TICK_MS ? left : GRT_TICK_MS;
}

/* The process is there no more; with --children, neither is anyone who came of it. */
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

static int record_all(struct record *r)
{
	struct pollfd others[] = {
		{ .fd = r->signals, .events = POLLIN },
		{ .fd = r->target, .events = POLLIN },
		{ .fd = r->child.pidfd, .events = POLLIN },
	};
	bool progress, has_ended = false;
	int err = 0;

	while (!err && !r->is_over && !grt_live_has_ended(r->live)) {
		err = grt_live_poll(r->live, others, 3, wait_ms(r));
		if (err < 0 && err != -EINTR)
			return err;
		if (others[0].revents)
			take_signal(r);
		if (others[2].revents)
			r->has_status = grt_child_wait(&r->child, 0, &r->status);
		if (others[1].revents || others[2].revents) {
			has_ended = true;
			/* It stays readable: waiting for it again would not wait. */
			others[1].fd = others[2].fd = -1;
		}
		err = look_at_target(r, has_ended);
		if (now() - r->start_ns >= r->limit_ns)
			r->is_over = true;
		if (!err)
			err = drain(r, &progress);
		if (!err)
			err = end_round(r);
		r->is_over |= grt_output_is_over(&r->output) ||
			      grt_output_is_near_max(&r->output);
		grt_progress_show(r);
	}
	return err;
}

/* Until every stream of our session has ended. */
static int drain_all(struct record *r)
{
	uint64_t until = now() + DRAIN_MS * 1000000ull;
	bool progress;
	int err;

	do {
		progress = false;
		err = drain(r, &progress);
		if (err || grt_live_has_ended(r->live))
			return err;
		if (progress)
			until = now() + DRAIN_MS * 1000000ull;
		grt_live_poll(r->live, NULL, 0, GRT_TICK_MS);
	} while (now() < until);
	grt_warn(NULL, "the streams did not end: the last events may be missing");
	return 0;
}

static int write_stats(struct record *r)
{
	struct grt_moment_stats stats;

	if (!grt_moment_stats(&stats, r->session_id))
		return grt_output_definition(&r->output, &stats.stats.hdr);
	grt_warn(NULL, "the file has no STATS: %s", grt_cause());
	return 0;
}

/* Our session: until every stream has ended.  Another's: what there is now. */
static int finish(struct record *r)
{
	bool is_ours = r->session.is_ours, progress;
	int err = grt_session_stop(&r->session);

	if (err)
		return err;
	if (!is_ours)
		grt_live_flush(r->live);
	err = is_ours ? drain_all(r) : drain(r, &progress);
	if (!err)
		err = write_clock(r);
	return err ? err : write_stats(r);
}

static int open_all(struct record *r)
{
	int err = open_signals(r);

	if (!err)
		err = open_target(r);
	if (!err)
		err = open_command(r);
	if (!err)
		err = grt_session_start(&r->session);
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
	grt_session_release(&r->session);
	grt_output_close(&r->output);
	grt_tally_destroy(&r->tally);
	if (r->live)
		grt_live_close(r->live);
	grt_child_destroy(&r->child);
	grt_family_destroy(&r->family);
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
	grt_progress_source(r);
	r->start_ns = r->round_ns = now();
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
	grt_alert_look(&r->alert, r->tally.lost);
	end = grt_output_close(&r->output);
	if (!err)
		err = end;
	if (!err)
		grt_progress_result(r);
	if (!has_command)
		unlink(r->output.name);
	return err;
}

/* 64M is a size, 10m a time: what else has either unit is told apart by it. */
static int parse_rotate(struct grt_output *o, const char *text)
{
	size_t len = text ? strlen(text) : 0;

	if (!text)
		return 0;
	if (len && isupper((unsigned char)text[len - 1])) {
		if (grt_parse_bytes(text, &o->rotate_bytes))
			return -EINVAL;
		if (o->rotate_bytes >= LEAST_FILE)
			return 0;
		return grt_fail(EINVAL, "at least 64K", "'%s' is too small for a file", text);
	}
	if (len && islower((unsigned char)text[len - 1]) && !grt_parse_ns(text, &o->rotate_ns) &&
	    o->rotate_ns)
		return 0;
	return grt_fail(EINVAL, "write it like 64M, 1G, 30s, 10m or 1h",
			"'%s' is neither a size nor a time", text);
}

static int parse(struct record *r, const char *rotate, const char *alert,
		 const struct grt_option *options)
{
	int err = parse_rotate(&r->output, rotate);

	if (!err)
		err = grt_alert_parse(&r->alert, alert);
	if (!err)
		err = grt_session_parse(&r->session);
	if (err)
		return grt_usage(options, "%s; %s", grt_cause(), grt_hint());
	if (r->pid > INT32_MAX)
		return grt_usage(options, "no process has the number %" PRIu64, r->pid);
	if (r->pid && r->command)
		return grt_usage(options, "either -p or a command, not both");
	if (r->has_children && !r->pid && !r->command)
		return grt_usage(options, "--children of whom: name -p PID or a command");
	if (r->output.keep && !rotate)
		return grt_usage(options, "--keep counts the files of --rotate, which is missing");
	return 0;
}

int cmd_record(int argc, char **argv)
{
	struct record r = {
		.limit_ns = UINT64_MAX, .signals = -1, .target = -1,
		.output = { .path = "trace.grt" }, .session = GRT_SESSION_INIT,
		.child = { .pidfd = -1, .go = -1, .failed = -1 },
	};
	const char *rotate = NULL, *alert = NULL;
	const struct grt_option options[] = {
		OPT_STRING('o', "output", &r.output.path, "FILE",
			   "write to FILE; trace.grt by default"),
		OPT_NS('d', "duration", &r.limit_ns, "stop after TIME, like 10, 1.5s or 200ms"),
		OPT_U64('p', "pid", &r.pid, "PID",
			"until this process ends; reports show it first, but all is recorded"),
		OPT_BOOL('c', "children", &r.has_children,
			 "until the children of that process or of COMMAND have ended, too"),
		OPT_STRING(0, "rotate", &rotate, "LIMIT",
			   "a new file, trace-0001.grt and so on, after a size (1G) or time (10m)"),
		OPT_U64(0, "keep", &r.output.keep, "N", "keep the last N files of --rotate"),
		OPT_BYTES(0, "max-size", &r.output.max_bytes, "stop when all files have SIZE"),
		OPT_STRING(0, "alert", &alert, "LOST", "'lost>N': say when more than N events are lost, and exit with 1"),
		OPT_U64(0, "ring", &r.session.ring, "ID", "only events of this ring"),
		OPT_STRING(0, "engine", &r.session.engines, "NAMES",
			   "only events of these engine classes, like GRAPHICS,COPY"),
		OPT_STRING(0, "type", &r.session.types, "NAMES",
			   "only events of these types, like SUBMIT,COMPLETE"),
		OPT_BYTES('b', "buffer", &r.session.buffer_bytes, "buffer per CPU, like 4M"),
		OPT_BOOL('q', "quiet", &r.is_quiet, "print nothing but errors"),
		OPT_END()
	};
	int err, code;

	argc = grt_parse_options_before(argc, argv, options,
					"record [options] [--] [COMMAND [ARGUMENTS]]");
	r.command = argc ? argv : NULL;
	code = parse(&r, rotate, alert, options);
	if (code)
		return code;
	err = grt_control_is_running();
	if (err < 0)
		return grt_progress_no_source(err);
	err = record(&r);
	code = err ? grt_print_failure(err) : r.code;
	if (!code && r.alert.has_fired)
		code = GRT_EXIT_FOUND;
	close_all(&r);
	return code;
}
