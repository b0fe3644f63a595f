// SPDX-License-Identifier: GPL-2.0
/* grtrace serve: metrics of what GPUs do, for Prometheus.  serve_http.c answers, from a thread of its own. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "clock_snapshot.h"
#include "commands.h"
#include "error.h"
#include "follow.h"
#include "io.h"
#include "metrics_page.h"
#include "model.h"
#include "options.h"
#include "print.h"
#include "serve_file.h"
#include "serve_http.h"
#include "serve_listen.h"
#include "sources.h"
#include "stream.h"
#include "trace.h"

#define SECOND_NS	1000000000ull
#define MANY		512		/* records, until the time is looked at */
#define CAP		200		/* label sets of a family */
#define MOST_CAP	1000000

struct serve {
	/* The options. */
	const char *listen, *textfile;
	uint64_t interval_ns, cap;

	struct follow follow;
	struct serve_http *http;	/* owned; NULL: only a file is written */
	uint64_t start_real_ns, written_ns;
	bool has_unwritten;		/* the file could not be written, and the warning is out */

	/* Take the lock to use the model or the metrics. */
	struct grt_metrics metrics;
	pthread_mutex_t lock, turn;
	atomic_bool is_wanted;		/* by a scrape */
};

static volatile sig_atomic_t is_ended;

static void end_it(int signal)
{
	(void)signal;
	is_ended = 1;
}

static void catch_signals(void)
{
	const struct sigaction end = { .sa_handler = end_it };	/* no SA_RESTART */

	sigaction(SIGINT, &end, NULL);
	sigaction(SIGTERM, &end, NULL);
	sigaction(SIGHUP, &end, NULL);
}

/* --- who has the model --- */

/* A mutex is not fair: the thread that reads would take it again before a scrape that waits for it wakes up. */
static void lock(struct serve *s)
{
	if (s->is_wanted) {
		pthread_mutex_lock(&s->turn);
		pthread_mutex_unlock(&s->turn);
	}
	pthread_mutex_lock(&s->lock);
}

static void unlock(struct serve *s)
{
	pthread_mutex_unlock(&s->lock);
}

static void lock_for_scrape(struct serve *s)
{
	pthread_mutex_lock(&s->turn);
	s->is_wanted = true;
	pthread_mutex_lock(&s->lock);
	s->is_wanted = false;
	pthread_mutex_unlock(&s->turn);
}

/* --- a page --- */

static uint64_t own_cpu_ns(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return (use.ru_utime.tv_sec + use.ru_stime.tv_sec) * SECOND_NS +
	       (use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1000ull;
}

static uint64_t own_memory_bytes(void)
{
	char text[128];
	uint64_t pages = 0;

	if (grt_read_text(AT_FDCWD, "/proc/self/statm", text, sizeof(text)) > 0 &&
	    sscanf(text, "%*u %" SCNu64, &pages) != 1)
		pages = 0;
	return pages * sysconf(_SC_PAGESIZE);
}

/* Called in any thread. */
static int make_page(void *arg, struct grt_om *o)
{
	struct serve *s = arg;
	const struct grt_metrics_own own = {
		.source = s->follow.name, .cpu_ns = own_cpu_ns(), .memory_bytes = own_memory_bytes(),
		.start_real_ns = s->start_real_ns,
	};
	int err;

	lock_for_scrape(s);
	err = grt_metrics_page(o, &s->metrics, &own);
	unlock(s);
	return err;
}

/* If the file cannot be written, as on a full disk, it warns once, and tries again the next time. */
static void write_file(struct serve *s)
{
	struct grt_om text = { .is_openmetrics = false };
	int err = make_page(s, &text);

	if (!err)
		err = serve_file_write(s->textfile, &text.text);
	if (err && !s->has_unwritten)
		grt_print_warning(grt_hint(), grt_cause());
	s->has_unwritten = err;
	grt_om_free(&text);
}

/* --- reading --- */

static int begin_pass(void *arg, struct grt_model *model)
{
	struct serve *s = arg;
	const struct grt_trace_info *info = grt_stream_info(s->follow.stream);

	s->metrics.with_synthetic = s->follow.replay.with_synthetic;
	grt_metrics_set_realtime(&s->metrics, info->start_ns, info->start_real_ns);
	return grt_metrics_begin(&s->metrics, model);
}

static int add_record(void *arg, const struct grtrace_hdr *rec)
{
	return grt_metrics_record(&((struct serve *)arg)->metrics, rec);
}

static int add_job(void *arg, const struct grt_job *job)
{
	return grt_metrics_job(&((struct serve *)arg)->metrics, job);
}

static const struct grt_replay_ops ops = { .begin = begin_pass, .record = add_record, .job = add_job };

/* The time of day may be set while it runs. */
static void set_realtime(struct serve *s)
{
	struct grtrace_clock clock;

	grt_snapshot_clock(&clock);
	grt_metrics_set_realtime(&s->metrics, clock.mono_ns, clock.real_ns);
}

/* What has to be done once a second, whether events come or not. */
static int keep_up(struct serve *s, bool is_quiet)
{
	struct grt_model *model = s->follow.replay.model;
	uint64_t safe_ns = grt_stream_safe_ns(s->follow.stream);
	int err;

	lock(s);
	if (!s->follow.file)
		set_realtime(s);
	grt_model_forget_losses(model);
	if (is_quiet) {
		grt_model_pass(model, safe_ns);
		grt_metrics_pass(&s->metrics, safe_ns);
	}
	err = grt_metrics_look(&s->metrics);
	unlock(s);
	return err;
}

/* Returns as grt_stream_next(). */
static int read_one(struct serve *s)
{
	const struct grtrace_hdr *rec;
	int got = grt_stream_next(s->follow.stream, &rec), err;

	if (got != 1)
		return got;
	lock(s);
	err = grt_replay_feed(&s->follow.replay, rec);
	unlock(s);
	return err ? err : 1;
}

static int read_on(struct serve *s, uint64_t *kept_up_ns)
{
	uint64_t now_ns = grt_snapshot_now(CLOCK_MONOTONIC);
	int got = follow_look(&s->follow), err = 0;

	if (got)
		return got;
	got = 1;
	for (int i = 0; i < MANY && got == 1; i++)
		got = read_one(s);
	if (got != 1 && got != -EAGAIN && got != -EINTR)
		return got;
	if (now_ns - *kept_up_ns >= SECOND_NS) {
		*kept_up_ns = now_ns;
		err = keep_up(s, got == -EAGAIN);
	}
	if (s->textfile && now_ns - s->written_ns >= s->interval_ns) {
		s->written_ns = now_ns;
		write_file(s);
	}
	return err ? err : 1;
}

/* The stream is over, so jobs in flight will not end any more. */
static int end_reading(struct serve *s)
{
	int err;

	lock(s);
	s->metrics.has_late = false;
	err = grt_replay_end(&s->follow.replay);
	unlock(s);
	return err;
}

static int read_live(struct serve *s)
{
	uint64_t kept_up_ns = 0;
	int got = 1, err = 0;

	while (got == 1 && !is_ended)
		got = read_on(s, &kept_up_ns);
	if (got < 0)
		return got;
	if (!got)
		err = end_reading(s);
	if (!err && s->textfile)
		write_file(s);
	return err;
}

/* --- what it serves --- */

static int answer_on(struct serve *s, int socket)
{
	char name[GRT_SOCKET_NAME_MAX];
	int err;

	err = serve_http_start(&s->http, make_page, s, socket);
	if (!err)
		fprintf(stderr, "grtrace: metrics at http://%s/metrics\n", serve_socket_name(socket, name));
	return err;
}

static int serve_live(struct serve *s, int socket)
{
	int err;

	s->metrics.has_late = true;
	err = grt_replay_begin(&s->follow.replay, s->follow.stream);
	if (!err && socket >= 0)
		err = answer_on(s, socket);
	return err ? err : read_live(s);
}

/* The trace is complete, so its numbers do not change any more. */
static int serve_trace(struct serve *s, int socket)
{
	static const struct timespec moment = { .tv_nsec = 100000000 };
	int err;

	s->follow.replay.is_final = false;
	err = grt_replay_run(&s->follow.replay, s->follow.stream);
	if (err)
		return err;
	if (s->textfile)
		write_file(s);
	if (socket < 0)
		return s->has_unwritten ? -EIO : 0;
	err = answer_on(s, socket);
	while (!err && !is_ended)
		nanosleep(&moment, NULL);
	return err;
}

static int run(struct serve *s, int socket)
{
	int err = follow_open(&s->follow);

	s->start_real_ns = grt_snapshot_now(CLOCK_REALTIME);
	if (err)
		return err;
	catch_signals();
	return s->follow.is_file ? serve_trace(s, socket) : serve_live(s, socket);
}

/* The socket; -1: none is needed; less: -errno with a cause. */
static int open_socket(const struct serve *s)
{
	int fd = serve_inherit();

	if (fd == -1 && (s->listen || !s->textfile))
		fd = serve_listen(s->listen ? s->listen : SERVE_ADDRESS);
	return fd;
}

/* --- options --- */

static int check(const struct serve *s, int operands, const struct grt_option *options)
{
	if (operands > 1)
		return grt_usage(options, "serve reads one file");
	if (s->follow.source && operands)
		return grt_usage(options, "either --source or a file, not both");
	if (s->interval_ns < SECOND_NS)
		return grt_usage(options, "--interval is 1s or more");
	if (!s->cap || s->cap > MOST_CAP)
		return grt_usage(options, "--cap is 1 to %d", MOST_CAP);
	return 0;
}

int cmd_serve(int argc, char **argv)
{
	struct serve s = {
		.interval_ns = 15 * SECOND_NS, .cap = CAP, .follow = { .ops = &ops },
		.lock = PTHREAD_MUTEX_INITIALIZER, .turn = PTHREAD_MUTEX_INITIALIZER,
	};
	const struct grt_option options[] = {
		OPT_SOURCE(&s.follow.source),
		OPT_STRING('l', "listen", &s.listen, "ADDR:PORT", "where to answer; " SERVE_ADDRESS " by default"),
		OPT_STRING('t', "textfile", &s.textfile, "FILE",
			   "write the metrics into FILE; without --listen, answer nowhere"),
		OPT_NS('i', "interval", &s.interval_ns, "of --textfile: how often; 15s by default"),
		OPT_U64(0, "cap", &s.cap, "N", "label sets of a family; the rest becomes 'other'; 200 by default"),
		OPT_END()
	};
	int code, err, socket;

	argc = grt_parse_options(argc, argv, options, "serve [options] [FILE | -]");
	code = check(&s, argc, options);
	if (code)
		return code;
	s.follow.arg = &s;
	s.follow.file = argc ? argv[0] : NULL;
	grt_metrics_limit(&s.metrics, s.cap);
	socket = open_socket(&s);
	if (socket < -1)
		return grt_print_failure(socket);
	if (!s.follow.file)
		code = follow_choose(&s.follow);
	if (code)
		return code;
	err = run(&s, socket);
	serve_http_stop(s.http);
	follow_close(&s.follow);
	grt_metrics_free(&s.metrics);
	if (err && s.has_unwritten)
		return GRT_EXIT_SETUP;	/* why was printed */
	return err ? trace_failure(err) : GRT_EXIT_OK;
}
