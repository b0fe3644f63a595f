// SPDX-License-Identifier: GPL-2.0
/*
 * Runs a script on the mock GPU.  In manual mode jobs end only by "advance", so only "step" takes
 * time.  The knobs are restored in any case.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include "script.h"
#include "workload.h"

#define KNOBS		"/sys/kernel/debug/grtrace_mock/"
#define NS_PER_MS	1000000ull
/* Parts of a unit: time for the kernel to react to a line, and time limit for all lines. */
#define SETTLE_PART	100
#define LATE_PART	4

struct runner {
	struct script *script;
	const struct script_line *line;
	int fd;
	uint64_t unit_ns;
	uint64_t begin_ns;
	uint64_t units;			/* stepped so far */
	bool was_manual;
	bool has_manual;		/* we set the knob */
	bool hangs_next[GRTRACE_MOCK_RINGS];	/* the knob is set, and no job has begun since */
};

static volatile sig_atomic_t is_interrupted;

static void on_signal(int number)
{
	is_interrupted = number;
}

__attribute__((format(printf, 3, 4)))
static int complain(const struct runner *r, const char *hint, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "workload: %s:%u: ", r->script->path, r->line->number);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	if (hint)
		fprintf(stderr, "hint: %s\n", hint);
	return EXIT_UNEXPECTED;
}

/* 0 or the errno. */
static int call(const struct runner *r, unsigned long request, void *args)
{
	return ioctl(r->fd, request, args) ? errno : 0;
}

__attribute__((format(printf, 2, 3)))
static int knob_write(const char *name, const char *format, ...)
{
	char path[64], text[64];
	int fd, err = 0;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(path, sizeof(path), KNOBS "%s", name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		err = errno;
	if (fd >= 0)
		close(fd);
	return err;
}

static int knob_failed(const char *name, int err)
{
	fprintf(stderr, "workload: cannot write '" KNOBS "%s': %s\n"
			"hint: run as root, with debugfs mounted\n", name, strerror(err));
	return EXIT_SETUP;
}

static int enter_manual(struct runner *r)
{
	const int fd = open(KNOBS "manual", O_RDONLY | O_CLOEXEC);
	char was = '0';
	int err;

	if (fd < 0 || read(fd, &was, 1) != 1) {
		err = errno;
		if (fd >= 0)
			close(fd);
		return knob_failed("manual", err);
	}
	close(fd);
	r->was_manual = was == '1';
	err = knob_write("manual", "1\n");
	if (err)
		return knob_failed("manual", err);
	r->has_manual = true;
	return 0;
}

/* Starts a job that uses up the knob "hang"; no other job depends on it. */
static void spend_hang(struct runner *r, uint32_t ring)
{
	struct drm_grtrace_mock_ctx_create ctx = { .ring = ring };
	struct drm_grtrace_mock_submit job = { 0 };

	if (call(r, DRM_IOCTL_GRTRACE_MOCK_CTX_CREATE, &ctx))
		return;
	job.handle = ctx.handle;
	call(r, DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &job);
}

/*
 * Closing the file destroys its contexts, and manual mode does not stop jobs of destroyed
 * contexts: so leave manual mode last.
 */
static void leave_manual(struct runner *r)
{
	for (uint32_t ring = 0; r->has_manual && ring < GRTRACE_MOCK_RINGS; ring++)
		if (r->hangs_next[ring])
			spend_hang(r, ring);
	if (r->fd >= 0)
		close(r->fd);
	if (r->has_manual && !r->was_manual)
		knob_write("manual", "0\n");
}

/* 0, or EXIT_UNEXPECTED after a signal. */
static int sleep_until(const struct runner *r, uint64_t time_ns)
{
	const struct timespec until = {
		.tv_sec = (time_t)(time_ns / 1000000000ull),
		.tv_nsec = (long)(time_ns % 1000000000ull),
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		if (is_interrupted)
			break;
	return is_interrupted ? complain(r, NULL, "interrupted") : 0;
}

static int run_step(struct runner *r)
{
	const uint64_t was_due_ns = r->begin_ns + r->units * r->unit_ns;
	const uint64_t now_ns = clock_ns();

	if (now_ns > was_due_ns + r->unit_ns / LATE_PART)
		return complain(r, "a longer --unit-ms, or a machine with less to do",
				"too slow to tell: the lines before took %.1f ms, a unit is %.1f ms",
				(double)(now_ns - was_due_ns) / 1e6, (double)r->unit_ns / 1e6);
	r->units += r->line->count;
	return sleep_until(r, r->begin_ns + r->units * r->unit_ns);
}

static int make_context(const struct runner *r, struct script_ctx *ctx)
{
	struct drm_grtrace_mock_ctx_create args = { .ring = ctx->ring, .priority = ctx->prio };
	const int err = call(r, DRM_IOCTL_GRTRACE_MOCK_CTX_CREATE, &args);

	if (err)
		return complain(r, err == EACCES ? "run as root" : NULL,
				"cannot create context '%s': %s", ctx->name, strerror(err));
	ctx->handle = args.handle;
	return 0;
}

static int run_submit(struct runner *r)
{
	struct script *s = r->script;
	struct script_job *job = &s->jobs[r->line->index];
	struct script_ctx *ctx = &s->ctxs[job->ctx];
	struct drm_grtrace_mock_job_key deps[SCRIPT_DEPS];
	struct drm_grtrace_mock_submit args = {
		.flags = job->flags,
		.credits = job->credits,
		.deps = (uintptr_t)deps,
		.dep_count = job->dep_cnt,
	};
	int err;

	if (!ctx->handle && make_context(r, ctx))
		return EXIT_UNEXPECTED;
	args.handle = ctx->handle;
	for (uint32_t i = 0; i < job->dep_cnt; i++)
		deps[i] = job->deps[i].is_fence ? s->fences[job->deps[i].index].key :
						  s->jobs[job->deps[i].index].key;
	err = call(r, DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &args);
	if (err == EOPNOTSUPP) {
		complain(r, NULL, "this kernel's scheduler counts jobs, not credits");
		return EXIT_NOT_HERE;
	}
	if (err)
		return complain(r, err == EINVAL ? "has the ring so many credits?" : NULL,
				"cannot submit '%s': %s", job->name, strerror(err));
	job->key.fence_ctx = args.fence_ctx;
	job->key.seqno = args.seqno;
	r->hangs_next[ctx->ring] = false;
	return 0;
}

static int run_fence(struct runner *r)
{
	struct script_fence *fence = &r->script->fences[r->line->index];
	struct drm_grtrace_mock_fence_create args = { 0 };
	const int err = call(r, DRM_IOCTL_GRTRACE_MOCK_FENCE_CREATE, &args);

	if (err)
		return complain(r, NULL, "cannot create '%s': %s", fence->name, strerror(err));
	fence->key.fence_ctx = args.fence_ctx;
	fence->key.seqno = args.seqno;
	return 0;
}

static int run_signal(struct runner *r)
{
	const struct script_fence *fence = &r->script->fences[r->line->index];
	struct drm_grtrace_mock_fence_signal args = {
		.fence_ctx = fence->key.fence_ctx,
		.seqno = fence->key.seqno,
	};
	const int err = call(r, DRM_IOCTL_GRTRACE_MOCK_FENCE_SIGNAL, &args);

	if (err)
		return complain(r, err == EALREADY ? "the mock ends fences after 10 s" : NULL,
				"cannot signal '%s': %s", fence->name, strerror(err));
	return 0;
}

static int run_kill(struct runner *r)
{
	struct script_ctx *ctx = &r->script->ctxs[r->line->index];
	struct drm_grtrace_mock_ctx_destroy args = {
		.handle = ctx->handle,
		.flags = GRTRACE_MOCK_DESTROY_KILL,
	};
	const int err = call(r, DRM_IOCTL_GRTRACE_MOCK_CTX_DESTROY, &args);

	if (err)
		return complain(r, NULL, "cannot kill '%s': %s", ctx->name, strerror(err));
	ctx->handle = 0;
	return 0;
}

static int run_advance(struct runner *r)
{
	const int err = knob_write("advance", "%s %u\n", ring_names[r->line->index],
				   r->line->count);

	return err ? knob_failed("advance", err) : 0;
}

static int run_hang(struct runner *r)
{
	const int err = knob_write("hang", "%s\n", ring_names[r->line->index]);

	if (err)
		return knob_failed("hang", err);
	r->hangs_next[r->line->index] = true;
	return 0;
}

static int run_reset(struct runner *r)
{
	const int err = knob_write("reset", "%s\n", ring_names[r->line->index]);

	return err ? knob_failed("reset", err) : 0;
}

static int (*const verbs[])(struct runner *r) = {
	[SCRIPT_SUBMIT]	 = run_submit,
	[SCRIPT_FENCE]	 = run_fence,
	[SCRIPT_SIGNAL]	 = run_signal,
	[SCRIPT_ADVANCE] = run_advance,
	[SCRIPT_KILL]	 = run_kill,
	[SCRIPT_HANG]	 = run_hang,
	[SCRIPT_RESET]	 = run_reset,
	[SCRIPT_STEP]	 = run_step,
};

static int run_lines(struct runner *r)
{
	int err;

	r->begin_ns = clock_ns();
	for (uint32_t i = 0; i < r->script->line_cnt; i++) {
		r->line = &r->script->lines[i];
		err = verbs[r->line->verb](r);
		/* The effects of a line must be over before the next line. */
		if (!err && r->line->verb != SCRIPT_STEP)
			err = sleep_until(r, clock_ns() + r->unit_ns / SETTLE_PART);
		if (err)
			return err;
	}
	return 0;
}

/* All jobs must end with the script; otherwise the test would measure its cleanup. */
static int ask_statuses(struct runner *r)
{
	struct script *s = r->script;

	for (uint32_t i = 0; i < s->job_cnt; i++) {
		struct script_job *job = &s->jobs[i];
		struct drm_grtrace_mock_wait args = {
			.handle = s->ctxs[job->ctx].handle,
			.seqno = job->key.seqno,
			.deadline_ns = (int64_t)(clock_ns() + r->unit_ns),
		};
		int err;

		if (!args.handle)
			continue;
		err = call(r, DRM_IOCTL_GRTRACE_MOCK_WAIT, &args);
		if (err)
			return complain(r, "enough of: advance, signal, reset",
					"the script ends, but not job '%s': %s", job->name,
					strerror(err));
		job->status = args.status;
		job->has_status = true;
	}
	return 0;
}

static void catch_signals(void)
{
	const struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

int script_run(struct script *s, const char *device, uint32_t unit_ms)
{
	struct runner r = { .script = s, .unit_ns = unit_ms * NS_PER_MS };
	int err = EXIT_SETUP;

	catch_signals();
	r.fd = gpu_open(device);
	if (r.fd < 0)
		return err;
	err = enter_manual(&r);
	if (!err)
		err = run_lines(&r);
	if (!err)
		err = ask_statuses(&r);
	leave_manual(&r);
	return err;
}
