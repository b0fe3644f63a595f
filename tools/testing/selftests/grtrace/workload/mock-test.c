// SPDX-License-Identifier: GPL-2.0
/*
 * mock-test: the mock GPU refuses bad requests, and jobs end as they should.  Needs root and the
 * module; prints TAP.  Restores the knobs.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "workload.h"

#define KNOBS	"/sys/kernel/debug/grtrace_mock/"
#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static int gpu;
static unsigned int test_cnt, failed_cnt;

static void check(bool is_good, const char *format, ...)
{
	va_list args;

	failed_cnt += !is_good;
	printf("%sok %u - ", is_good ? "" : "not ", ++test_cnt);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

/* Returns 0 or the errno, so that a table can have the expected result. */
static int call(int fd, unsigned long request, void *args)
{
	return ioctl(fd, request, args) ? errno : 0;
}

/* Writes a knob.  Returns the errno, 0 for success. */
static int knob(const char *name, const char *text)
{
	char path[64];
	int fd, err = 0;

	snprintf(path, sizeof(path), KNOBS "%s", name);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return errno;
	if (write(fd, text, strlen(text)) < 0)
		err = errno;
	close(fd);
	return err;
}

static uint32_t create(int fd, uint32_t ring)
{
	struct drm_grtrace_mock_ctx_create args = { .ring = ring };

	return call(fd, DRM_IOCTL_GRTRACE_MOCK_CTX_CREATE, &args) ? 0 : args.handle;
}

static int destroy(int fd, uint32_t handle, uint32_t flags)
{
	struct drm_grtrace_mock_ctx_destroy args = { .handle = handle, .flags = flags };

	return call(fd, DRM_IOCTL_GRTRACE_MOCK_CTX_DESTROY, &args);
}

static uint64_t submit(int fd, uint32_t handle, uint32_t flags, uint64_t duration_ns)
{
	struct drm_grtrace_mock_submit args = {
		.handle = handle,
		.flags = flags,
		.duration_ns = duration_ns,
	};

	return call(fd, DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &args) ? 0 : args.seqno;
}

/* The job's status, or the positive errno of the wait. */
static int wait_ms(int fd, uint32_t handle, uint64_t seqno, uint64_t ms)
{
	struct drm_grtrace_mock_wait args = {
		.handle = handle,
		.seqno = seqno,
		.deadline_ns = ms ? (int64_t)(clock_ns() + ms * 1000000) : 0,
	};

	return call(fd, DRM_IOCTL_GRTRACE_MOCK_WAIT, &args) ?: args.status;
}

static void test_bad_contexts(void)
{
	static const struct {
		const char *name;
		struct drm_grtrace_mock_ctx_create args;
	} cases[] = {
		{ "unknown ring", { .ring = GRTRACE_MOCK_RINGS } },
		{ "negative ring", { .ring = UINT32_MAX } },
		{ "unknown priority", { .priority = GRTRACE_MOCK_PRIORITIES } },
		{ "unknown flags", { .flags = 1 } },
	};
	uint32_t handles[GRTRACE_MOCK_MAX_CONTEXTS + 1];
	uint32_t cnt = 0;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct drm_grtrace_mock_ctx_create args = cases[i].args;

		check(call(gpu, DRM_IOCTL_GRTRACE_MOCK_CTX_CREATE, &args) == EINVAL,
		      "create: %s", cases[i].name);
	}
	check(destroy(gpu, 0, 0) == ENOENT, "destroy: no such handle");
	check(destroy(gpu, 1, 8) == EINVAL, "destroy: unknown flags");

	while (cnt < COUNT(handles) && (handles[cnt] = create(gpu, 0)))
		cnt++;
	check(cnt == GRTRACE_MOCK_MAX_CONTEXTS && errno == ENOSPC,
	      "create: %u contexts, then no more", cnt);
	while (cnt)
		destroy(gpu, handles[--cnt], 0);
}

static void test_bad_submits(void)
{
	const struct drm_grtrace_mock_job_key nobody = { 1ull << 60, 1 };
	const uint32_t handle = create(gpu, 0);
	const struct {
		const char *name;
		struct drm_grtrace_mock_submit args;
		int err;
	} cases[] = {
		{ "no such context", { .handle = 999 }, ENOENT },
		{ "unknown flag", { .flags = 1u << 31 }, EINVAL },
		{ "two faults", { .flags = 3 }, EINVAL },
		{ "endless", { .duration_ns = UINT64_MAX }, EINVAL },
		{ "too many credits", { .credits = UINT32_MAX }, EINVAL },
		{ "too many dependencies", { .deps = (uintptr_t)&nobody,
		  .dep_count = GRTRACE_MOCK_MAX_DEPS + 1 }, EINVAL },
		{ "no dependencies there", { .dep_count = 1 }, EINVAL },
		{ "wild pointer", { .deps = 1, .dep_count = 1 }, EFAULT },
		{ "kernel pointer", { .deps = 1ull << 63, .dep_count = 1 }, EFAULT },
		{ "unknown job", { .deps = (uintptr_t)&nobody, .dep_count = 1 }, ENOENT },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct drm_grtrace_mock_submit args = cases[i].args;
		int err;

		args.handle = args.handle ?: handle;
		err = call(gpu, DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &args);
		check(err == cases[i].err, "submit: %s: %s", cases[i].name, strerror(err));
	}
	check(submit(gpu, handle, 0, 1000) == 1, "a refused job takes no number");
	check(wait_ms(gpu, handle, 0, 10) == ENOENT, "wait: job 0");
	check(wait_ms(gpu, handle, 2, 10) == ENOENT, "wait: a job not submitted");
	check(wait_ms(gpu, handle + 1, 1, 10) == ENOENT, "wait: no such context");
	check(ioctl(gpu, _IOWR('d', 0x7f, uint64_t), NULL) < 0, "no such ioctl");
	destroy(gpu, handle, 0);
}

/* More jobs than the history has room for: the first ones are forgotten. */
static void test_history(void)
{
	const uint32_t handle = create(gpu, GRTRACE_MOCK_RING_COPY);
	struct drm_grtrace_mock_job_key first = { 0 };
	struct drm_grtrace_mock_submit args = { .handle = handle, .duration_ns = 1000 };
	uint64_t last = 0;

	for (int i = 0; i <= GRTRACE_MOCK_HISTORY; i++) {
		if (call(gpu, DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &args))
			break;
		if (!i)
			first.fence_ctx = args.fence_ctx, first.seqno = args.seqno;
		last = args.seqno;
	}
	check(wait_ms(gpu, handle, last, 60000) == 0, "%llu short jobs",
	      (unsigned long long)last);
	check(wait_ms(gpu, handle, 1, 1000) == ESTALE, "wait: a forgotten job");
	args.deps = (uintptr_t)&first;
	args.dep_count = 1;
	check(!call(gpu, DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &args) &&
	      wait_ms(gpu, handle, args.seqno, 5000) == 0,
	      "a forgotten job is no obstacle as a dependency");
	destroy(gpu, handle, 0);
}

static void test_manual(void)
{
	const uint32_t handle = create(gpu, GRTRACE_MOCK_RING_GFX);
	uint64_t first, second, third;

	check(!knob("manual", "1\n"), "manual mode on");
	first = submit(gpu, handle, 0, 1000);
	second = submit(gpu, handle, 0, 1000);
	third = submit(gpu, handle, 0, 1000);
	check(wait_ms(gpu, handle, first, 700) == ETIME,
	      "a job waits for advance, past the timeout for hung jobs");
	check(!knob("advance", "gfx 1") && !wait_ms(gpu, handle, first, 5000),
	      "advance by one");
	check(wait_ms(gpu, handle, second, 50) == ETIME, "and by one only");
	check(!knob("advance", "2") && !wait_ms(gpu, handle, third, 5000),
	      "advance all rings by two");
	check(knob("advance", "gfx") == EINVAL && knob("advance", "-1") == EINVAL &&
	      knob("advance", "gfx 1 1") == EINVAL && knob("advance", "vcn 1") == EINVAL,
	      "bad lines are refused");

	first = submit(gpu, handle, 0, 1000);
	second = submit(gpu, handle, 0, 1000);
	third = submit(gpu, handle, 0, 1000);
	check(!destroy(gpu, handle, GRTRACE_MOCK_DESTROY_KILL) && third == second + 1,
	      "a context dies with jobs on the ring and in the queue");
	check(!knob("manual", "0"), "manual mode off");
	check(knob("advance", "1") == EINVAL, "advance only in manual mode");
}

static void test_recovery(void)
{
	const uint32_t handle = create(gpu, GRTRACE_MOCK_RING_COMPUTE);
	const uint32_t other = create(gpu, GRTRACE_MOCK_RING_COMPUTE);
	uint64_t hung, next, behind;

	check(!knob("timeout_ms", "0"), "no timeout");
	hung = submit(gpu, handle, GRTRACE_MOCK_JOB_HANG, 0);
	next = submit(gpu, other, 0, 3000000);
	behind = submit(gpu, handle, 0, 1000);
	check(wait_ms(gpu, other, next, 300) == ETIME, "a hung job blocks its ring");
	check(!knob("reset", "compute"), "reset");
	check(wait_ms(gpu, handle, hung, 5000) == -ETIME, "the hung job is lost");
	check(wait_ms(gpu, other, next, 5000) == 0 && !wait_ms(gpu, handle, behind, 5000),
	      "the jobs behind it run");
	check(!knob("reset", "compute"), "reset of an idle ring");

	check(!knob("timeout_ms", "500") && !knob("hang", "compute"), "the next job hangs");
	hung = submit(gpu, handle, 0, 1000);
	check(wait_ms(gpu, handle, hung, 5000) == -ETIME, "and times out");

	/* A second, of which a busy machine may take some before the knob is turned. */
	check(!knob("timeout_ms", "0"), "no timeout again");
	next = submit(gpu, handle, 0, 1000000000);
	usleep(10000);
	check(!knob("preempt", "compute 3000000"), "preempt");
	check(wait_ms(gpu, handle, next, 1500) == ETIME && !wait_ms(gpu, handle, next, 10000),
	      "a preempted job ends later");
	check(knob("preempt", "compute 1") == ENODATA, "nothing to preempt");
	check(!knob("timeout_ms", "500"), "the usual timeout");
	destroy(gpu, handle, 0);
	destroy(gpu, other, 0);
}

/*
 * Starts a process that submits 200 jobs of 20 ms to two rings in turn, each of which depends on
 * the one before.  It sends the key of the last job and waits to be killed.
 */
static pid_t start_victim(struct drm_grtrace_mock_job_key *last)
{
	struct drm_grtrace_mock_submit args = { .duration_ns = 20000000 };
	struct drm_grtrace_mock_job_key key;
	int keys[2];
	pid_t pid;

	if (pipe(keys))
		exit(EXIT_SETUP);
	pid = fork();
	if (!pid) {
		const int fd = gpu_open(gpu_find());
		const uint32_t handles[] = { create(fd, GRTRACE_MOCK_RING_GFX),
					     create(fd, GRTRACE_MOCK_RING_COMPUTE) };

		for (int i = 0; i < 200; i++) {
			args.handle = handles[i % 2];
			args.deps = (uintptr_t)&key;
			args.dep_count = i != 0;
			if (call(fd, DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &args))
				_exit(1);
			key.fence_ctx = args.fence_ctx;
			key.seqno = args.seqno;
		}
		if (write(keys[1], &key, sizeof(key)) == sizeof(key))
			pause();
		_exit(1);
	}
	close(keys[1]);
	check(pid > 0 && read(keys[0], last, sizeof(*last)) == sizeof(*last),
	      "a process with 200 jobs");
	close(keys[0]);
	return pid;
}

static void test_killed(const char *manual)
{
	struct drm_grtrace_mock_submit args = { .duration_ns = 1000 };
	const uint32_t handle = create(gpu, GRTRACE_MOCK_RING_COPY);
	struct drm_grtrace_mock_job_key key;
	pid_t pid;

	knob("manual", manual);
	pid = start_victim(&key);
	args.handle = handle;
	args.deps = (uintptr_t)&key;
	args.dep_count = 1;
	check(!call(gpu, DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &args),
	      "manual %s: a job that needs its last", manual);

	/* If a process cannot die because of a wait without end, the test must fail. */
	alarm(60);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	alarm(0);
	check(call(gpu, DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &args) == ENOENT,
	      "killed: its jobs have no name any more");
	knob("manual", "0");
	check(wait_ms(gpu, handle, 1, 10000) == 0, "who depended on its jobs goes on");
	destroy(gpu, handle, 0);
}

static uint64_t create_fence(int fd, uint32_t timeout_ms,
			     struct drm_grtrace_mock_job_key *key)
{
	struct drm_grtrace_mock_fence_create args = { .timeout_ms = timeout_ms };

	if (call(fd, DRM_IOCTL_GRTRACE_MOCK_FENCE_CREATE, &args))
		return 0;
	key->fence_ctx = args.fence_ctx;
	return key->seqno = args.seqno;
}

static int signal_fence(int fd, const struct drm_grtrace_mock_job_key *key, int status)
{
	struct drm_grtrace_mock_fence_signal args = {
		.fence_ctx = key->fence_ctx,
		.seqno = key->seqno,
		.status = status,
	};

	return call(fd, DRM_IOCTL_GRTRACE_MOCK_FENCE_SIGNAL, &args);
}

/* Submits a job that depends on @key.  Returns its number, or 0 and errno. */
static uint64_t submit_after(int fd, uint32_t handle,
			     const struct drm_grtrace_mock_job_key *key)
{
	struct drm_grtrace_mock_submit args = {
		.handle = handle,
		.duration_ns = 1000,
		.deps = (uintptr_t)key,
		.dep_count = 1,
	};

	return call(fd, DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &args) ? 0 : args.seqno;
}

static void test_bad_fences(void)
{
	const int other = gpu_open(gpu_find());
	const uint32_t handle = create(gpu, 0);
	struct drm_grtrace_mock_job_key key, wrong, first, last;
	struct drm_grtrace_mock_fence_create flags = { .flags = 1u << 31 };
	struct drm_grtrace_mock_fence_create endless = {
		.timeout_ms = GRTRACE_MOCK_FENCE_TIMEOUT_MS + 1 };
	struct drm_grtrace_mock_fence_signal args = { .flags = 1u << 31 };
	uint32_t cnt = 0;

	check(call(gpu, DRM_IOCTL_GRTRACE_MOCK_FENCE_CREATE, &flags) == EINVAL &&
	      call(gpu, DRM_IOCTL_GRTRACE_MOCK_FENCE_CREATE, &endless) == EINVAL,
	      "fence: unknown flags, time too long");
	check(create_fence(gpu, 0, &key) && key.fence_ctx, "fence: created");
	args.fence_ctx = key.fence_ctx, args.seqno = key.seqno;
	check(call(gpu, DRM_IOCTL_GRTRACE_MOCK_FENCE_SIGNAL, &args) == EINVAL,
	      "fence signal: unknown flags");
	check(signal_fence(gpu, &key, 1) == EINVAL && signal_fence(gpu, &key, -4096) == EINVAL &&
	      signal_fence(gpu, &key, INT32_MIN) == EINVAL, "fence signal: no status");
	wrong = key, wrong.seqno += GRTRACE_MOCK_MAX_FENCES;
	check(signal_fence(gpu, &wrong, 0) == ENOENT && !submit_after(gpu, handle, &wrong) &&
	      errno == ENOENT, "fence: right context, wrong number");
	wrong = key, wrong.fence_ctx += 1000;
	check(signal_fence(gpu, &wrong, 0) == ENOENT && !submit_after(gpu, handle, &wrong) &&
	      errno == ENOENT, "fence: no such context");
	check(signal_fence(other, &key, 0) == ENOENT, "fence signal: another file's");
	check(!signal_fence(gpu, &key, 0) && signal_fence(gpu, &key, -EIO) == EALREADY,
	      "fence signal: once only");

	while (cnt <= GRTRACE_MOCK_MAX_FENCES && create_fence(other, 0, &last))
		if (!cnt++)
			first = last;
	check(cnt == GRTRACE_MOCK_MAX_FENCES && errno == ENOSPC,
	      "fence: %u unsignalled, then no more", cnt);
	check(!signal_fence(other, &first, 0) && create_fence(other, 0, &last),
	      "fence: one more for one that is signalled");
	check(!submit_after(gpu, handle, &first) && errno == ENOENT,
	      "fence: the oldest is forgotten");
	close(other);
	check(!submit_after(gpu, handle, &last) && errno == ENOENT,
	      "fence: gone with its file");
	destroy(gpu, handle, 0);
}

static void test_fences(void)
{
	const int other = gpu_open(gpu_find());
	const uint32_t handle = create(gpu, GRTRACE_MOCK_RING_GFX);
	const uint32_t own = create(other, GRTRACE_MOCK_RING_COPY);
	struct drm_grtrace_mock_job_key key;
	uint64_t job;

	create_fence(gpu, 0, &key);
	job = submit_after(gpu, handle, &key);
	check(wait_ms(gpu, handle, job, 700) == ETIME,
	      "a job waits for its fence, past the timeout for hung jobs");
	check(!signal_fence(gpu, &key, 0) && !wait_ms(gpu, handle, job, 5000), "and no longer");
	check((job = submit_after(gpu, handle, &key)) && !wait_ms(gpu, handle, job, 5000),
	      "a fence signalled before is no obstacle");

	create_fence(gpu, 0, &key);
	job = submit_after(gpu, handle, &key);
	check(!signal_fence(gpu, &key, -EIO) && !wait_ms(gpu, handle, job, 5000),
	      "the error of a fence is not its job's");

	create_fence(gpu, 100, &key);
	job = submit_after(gpu, handle, &key);
	check(!wait_ms(gpu, handle, job, 5000) && signal_fence(gpu, &key, 0) == EALREADY,
	      "a fence that nobody signals ends by itself");

	create_fence(other, 0, &key);
	job = submit_after(gpu, handle, &key);
	submit_after(other, own, &key);
	check(wait_ms(gpu, handle, job, 100) == ETIME, "a job waits for another file's fence");
	alarm(8);
	close(other);
	alarm(0);
	check(!wait_ms(gpu, handle, job, 1000), "which ends with its file");
	destroy(gpu, handle, 0);
}

/* The first file closes first, and its job cannot end before the fence of the second file. */
static void test_killed_with_fence(void)
{
	struct drm_grtrace_mock_job_key key;
	int ready[2];
	char byte = 0;
	pid_t pid;

	if (pipe(ready))
		exit(EXIT_SETUP);
	pid = fork();
	if (!pid) {
		const int first = gpu_open(gpu_find()), second = gpu_open(gpu_find());

		if (!create_fence(second, 3000, &key) ||
		    !submit_after(first, create(first, GRTRACE_MOCK_RING_GFX), &key))
			_exit(1);
		if (write(ready[1], &byte, 1) == 1)
			close(first);
		_exit(1);
	}
	close(ready[1]);
	check(pid > 0 && read(ready[0], &byte, 1) == 1, "a process closes what needs its fence");
	close(ready[0]);
	usleep(100000);
	alarm(60);
	kill(pid, SIGKILL);
	check(waitpid(pid, NULL, 0) == pid, "and dies when it is killed");
	alarm(0);
}

int main(void)
{
	const char *path = gpu_find();

	if (!path)
		return EXIT_SETUP;
	gpu = gpu_open(path);
	if (gpu < 0)
		return EXIT_SETUP;
	if (access(KNOBS "manual", W_OK)) {
		fprintf(stderr, "mock-test: cannot write '%s'\n"
				"hint: run as root: mount -t debugfs none /sys/kernel/debug\n",
			KNOBS "manual");
		return EXIT_SETUP;
	}
	test_bad_contexts();
	test_bad_submits();
	test_history();
	test_manual();
	test_recovery();
	test_killed("0");
	test_killed("1");
	test_bad_fences();
	test_fences();
	test_killed_with_fence();
	printf("1..%u\n", test_cnt);
	return failed_cnt ? EXIT_UNEXPECTED : EXIT_OK;
}
