// SPDX-License-Identifier: GPL-2.0
/*
 * fences row N JOB...: creates N foreign fences of one context on the mock GPU.  Submits one job
 * for each given fence number (from 1), which depends on that fence.  When all jobs wait, signals
 * the N fences in order.  Prints "ctx:seqno" of the given fences.
 *
 * fences wait N: creates N foreign fences and waits for each after it was signalled.
 *
 * fences crowd N: starts N processes; each waits for a job, and they end when all have.
 *
 * fences wander MS: waits for a job, does other work for MS, waits for another job.  Prints the
 * number of the last job, and the time (CLOCK_MONOTONIC, ns) before that wait.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "workload.h"

/* Long enough for the scheduler to look at the fences before they are signalled. */
#define SIGNAL_AFTER_US	50000
#define WAIT_NS		20000000000ull

static int gpu;

static void try(int err, const char *what)
{
	if (!err)
		return;
	perror(what);
	exit(EXIT_UNEXPECTED);
}

static struct drm_grtrace_mock_job_key create_fence(uint32_t flags)
{
	struct drm_grtrace_mock_fence_create args = { .flags = flags };

	try(ioctl(gpu, DRM_IOCTL_GRTRACE_MOCK_FENCE_CREATE, &args), "cannot create a fence");
	return (struct drm_grtrace_mock_job_key){ args.fence_ctx, args.seqno };
}

static void signal_fence(struct drm_grtrace_mock_job_key key, uint32_t flags)
{
	struct drm_grtrace_mock_fence_signal args = {
		.fence_ctx = key.fence_ctx, .seqno = key.seqno, .flags = flags,
	};

	try(ioctl(gpu, DRM_IOCTL_GRTRACE_MOCK_FENCE_SIGNAL, &args), "cannot signal a fence");
}

/* Submits a job that waits for @deps.  It gets a new context, so that it waits for no other job. */
static struct drm_grtrace_mock_wait submit_after(const struct drm_grtrace_mock_job_key *deps,
						 uint32_t dep_cnt)
{
	struct drm_grtrace_mock_ctx_create ctx = { .ring = GRTRACE_MOCK_RING_GFX };
	struct drm_grtrace_mock_submit job = {
		.duration_ns = 1000, .deps = (uintptr_t)deps, .dep_count = dep_cnt,
	};

	try(ioctl(gpu, DRM_IOCTL_GRTRACE_MOCK_CTX_CREATE, &ctx), "cannot create a context");
	job.handle = ctx.handle;
	try(ioctl(gpu, DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &job), "cannot submit a job");
	return (struct drm_grtrace_mock_wait){ .handle = ctx.handle, .seqno = job.seqno };
}

static void make_row(uint32_t cnt, uint32_t job_cnt, char **places)
{
	struct drm_grtrace_mock_job_key keys[GRTRACE_MOCK_MAX_FENCES];
	struct drm_grtrace_mock_wait jobs[GRTRACE_MOCK_MAX_CONTEXTS];

	for (uint32_t i = 0; i < cnt; i++)
		keys[i] = create_fence(i ? GRTRACE_MOCK_FENCE_SAME_CTX : 0);
	for (uint32_t i = 0; i < job_cnt; i++) {
		const unsigned long place = strtoul(places[i], NULL, 0);

		if (place < 1 || place > cnt)
			exit(EXIT_USAGE);
		jobs[i] = submit_after(&keys[place - 1], 1);
		printf("%llu:%llu\n", (unsigned long long)keys[place - 1].fence_ctx,
		       (unsigned long long)keys[place - 1].seqno);
	}
	usleep(SIGNAL_AFTER_US);
	for (uint32_t i = 0; i < cnt; i++)
		signal_fence(keys[i], 0);
	for (uint32_t i = 0; i < job_cnt; i++) {
		jobs[i].deadline_ns = (int64_t)(clock_ns() + WAIT_NS);
		try(ioctl(gpu, DRM_IOCTL_GRTRACE_MOCK_WAIT, &jobs[i]), "a job did not end");
	}
}

static void do_job(void)
{
	struct drm_grtrace_mock_wait job = submit_after(NULL, 0);

	job.deadline_ns = (int64_t)(clock_ns() + WAIT_NS);
	try(ioctl(gpu, DRM_IOCTL_GRTRACE_MOCK_WAIT, &job), "a job did not end");
}

static void wander(uint32_t ms)
{
	const uint64_t begin_ns = clock_ns();
	uint64_t now_ns = begin_ns;

	do_job();
	while (now_ns < begin_ns + ms * 1000000ull) {
		usleep(20000);
		now_ns = clock_ns();
	}
	printf("%d %llu\n", getpid(), (unsigned long long)now_ns);
	do_job();
}

static void join_crowd(const char *path, int done, int quit)
{
	char byte = 0;

	gpu = gpu_open(path);
	if (gpu < 0)
		exit(EXIT_SETUP);
	do_job();
	try(write(done, &byte, 1) != 1, "cannot tell");
	try(read(quit, &byte, 1) < 0, "cannot wait");
	exit(EXIT_OK);
}

static int make_crowd(const char *path, uint32_t cnt)
{
	uint32_t started = 0, waited = 0;
	int done[2], quit[2], status;
	char byte;

	try(pipe(done) || pipe(quit), "cannot make a pipe");
	for (; started < cnt; started++) {
		pid_t pid = fork();

		try(pid < 0, "cannot fork");
		if (pid)
			continue;
		close(done[0]);
		close(quit[1]);
		join_crowd(path, done[1], quit[0]);
	}
	close(done[1]);
	while (waited < cnt && read(done[0], &byte, 1) == 1)
		waited++;
	close(quit[1]);
	while (started-- && wait(&status) > 0)
		if (status)
			waited = 0;
	return waited == cnt ? EXIT_OK : EXIT_UNEXPECTED;
}

int main(int argc, char **argv)
{
	const char *path = gpu_find();
	uint32_t cnt;

	if (argc < 3) {
		fprintf(stderr, "usage: fences row N JOB... | wait N | crowd N | wander MS\n");
		return EXIT_USAGE;
	}
	cnt = (uint32_t)strtoul(argv[2], NULL, 0);
	if (path && !strcmp(argv[1], "crowd"))
		return make_crowd(path, cnt);
	gpu = path ? gpu_open(path) : -1;
	if (gpu < 0)
		return EXIT_SETUP;
	if (!strcmp(argv[1], "row") && cnt <= GRTRACE_MOCK_MAX_FENCES &&
	    argc - 3 <= GRTRACE_MOCK_MAX_CONTEXTS) {
		make_row(cnt, (uint32_t)(argc - 3), argv + 3);
		return EXIT_OK;
	}
	if (!strcmp(argv[1], "wander")) {
		wander(cnt);
		return EXIT_OK;
	}
	if (strcmp(argv[1], "wait"))
		return EXIT_USAGE;
	while (cnt--)
		signal_fence(create_fence(0), GRTRACE_MOCK_SIGNAL_AND_WAIT);
	return EXIT_OK;
}
