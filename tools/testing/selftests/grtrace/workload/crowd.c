// SPDX-License-Identifier: GPL-2.0
/*
 * crowd: many processes and many contexts with little work.  One process that stays owns the
 * contexts; each other process submits to the next ones of them and ends.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "workload.h"

#define MAX_CONTEXTS	8192
#define MAX_MEMBERS	100000
#define AT_ONCE		32

struct context {
	int fd;
	uint32_t handle;
};

struct row {
	char comm[16];
	pid_t pid;
	struct drm_grtrace_mock_job_key key;
	int32_t is_done;
};

static struct context contexts[MAX_CONTEXTS];
static struct row *rows;	/* shared by all processes: a row per job */

static struct settings {
	uint64_t contexts, members, jobs, duration_us;
	const char *csv;
	bool renames, is_sequential, is_hasty;
} settings = { .contexts = 1, .members = 1, .jobs = 1, .duration_us = 1 };

static void print_help(void)
{
	puts("usage: crowd [options]\n"
	     "\n"
	     "Submits jobs to the mock GPU (module grtrace_mock) from many processes.\n"
	     "\n"
	     "  -c, --contexts N    contexts to submit to, in turns (1)\n"
	     "  -p, --processes N   processes, called c0, c1, ... (1)\n"
	     "  -j, --jobs N        jobs of each (1)\n"
	     "  -u, --duration-us N how long a job runs (1)\n"
	     "  -r, --rename        one process instead, that takes these names in turns\n"
	     "  -o, --one-by-one    a context is made when it is used, and goes before the next\n"
	     "  -n, --no-wait       only for every tenth job of a process, and its last\n"
	     "  -w, --csv FILE      pid,comm,ctx,seqno of each job\n"
	     "  -h, --help");
}

static bool parse_count(const char *text, uint64_t high, uint64_t *count)
{
	char *end;

	*count = strtoull(text, &end, 10);
	if (*text && !*end && *count && *count <= high)
		return true;
	fprintf(stderr, "crowd: '%s' is not a number from 1 to %llu\nhint: crowd --help\n", text,
		(unsigned long long)high);
	return false;
}

static void parse_options(int argc, char **argv)
{
	static const struct option options[] = {
		{ "contexts", 1, NULL, 'c' }, { "processes", 1, NULL, 'p' },
		{ "jobs", 1, NULL, 'j' }, { "duration-us", 1, NULL, 'u' },
		{ "rename", 0, NULL, 'r' },
		{ "one-by-one", 0, NULL, 'o' }, { "no-wait", 0, NULL, 'n' },
		{ "csv", 1, NULL, 'w' },
		{ "help", 0, NULL, 'h' }, { 0 }
	};
	bool is_good = true;
	int option;

	while (is_good && (option = getopt_long(argc, argv, "c:p:j:u:ronw:h", options, NULL)) != -1) {
		switch (option) {
		case 'c':
			is_good = parse_count(optarg, MAX_CONTEXTS, &settings.contexts);
			break;
		case 'p':
			is_good = parse_count(optarg, MAX_MEMBERS, &settings.members);
			break;
		case 'j':
			is_good = parse_count(optarg, 1000, &settings.jobs);
			break;
		case 'u':
			is_good = parse_count(optarg, 1000000, &settings.duration_us);
			break;
		case 'r':
			settings.renames = true;
			break;
		case 'o':
			settings.is_sequential = true;
			break;
		case 'n':
			settings.is_hasty = true;
			break;
		case 'w':
			settings.csv = optarg;
			break;
		case 'h':
			print_help();
			exit(EXIT_OK);
		default:
			is_good = false;
		}
	}
	if (!is_good || optind != argc)
		exit(EXIT_USAGE);
}

static int open_context(uint32_t i, const char *device)
{
	struct drm_grtrace_mock_ctx_create args = { .ring = GRTRACE_MOCK_RING_GFX };
	const uint32_t first = i - i % GRTRACE_MOCK_MAX_CONTEXTS;

	contexts[i].fd = i == first ? gpu_open(device) : contexts[first].fd;
	if (contexts[i].fd < 0)
		return -1;
	if (ioctl(contexts[i].fd, DRM_IOCTL_GRTRACE_MOCK_CTX_CREATE, &args)) {
		fprintf(stderr, "crowd: context %u: %s\n", i, strerror(errno));
		return -1;
	}
	contexts[i].handle = args.handle;
	return 0;
}

static int close_context(uint32_t i)
{
	struct drm_grtrace_mock_ctx_destroy args = { .handle = contexts[i].handle };

	return ioctl(contexts[i].fd, DRM_IOCTL_GRTRACE_MOCK_CTX_DESTROY, &args);
}

static int do_job(const struct context *context, struct row *row, bool waits)
{
	struct drm_grtrace_mock_submit submit = {
		.handle = context->handle, .duration_ns = settings.duration_us * 1000,
	};
	struct drm_grtrace_mock_wait wait = { .handle = context->handle };

	if (ioctl(context->fd, DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &submit))
		return -1;
	row->key.fence_ctx = submit.fence_ctx;
	row->key.seqno = submit.seqno;
	row->pid = getpid();
	prctl(PR_GET_NAME, row->comm);
	row->is_done = 1;
	if (!waits)
		return 0;
	wait.seqno = submit.seqno;
	wait.deadline_ns = (int64_t)(clock_ns() + 60000000000ull);
	while (ioctl(context->fd, DRM_IOCTL_GRTRACE_MOCK_WAIT, &wait))
		if (errno != EINTR && errno != EAGAIN)
			return -1;
	return 0;
}

static int work_as(uint32_t member, const char *device)
{
	char name[16];
	int err = 0;

	snprintf(name, sizeof(name), "c%u", member);
	prctl(PR_SET_NAME, name);
	for (uint32_t j = 0; j < settings.jobs && !err; j++) {
		const uint32_t nr = member * (uint32_t)settings.jobs + j;
		const uint32_t at = settings.is_sequential ? 0 : nr % (uint32_t)settings.contexts;
		const bool is_last = j + 1 == settings.jobs &&
				     (!settings.renames || member + 1 == settings.members);

		if (settings.is_sequential)
			err = open_context(0, device);
		if (!err)
			err = do_job(&contexts[at], &rows[nr],
				     !settings.is_hasty || is_last || nr % 10 == 9);
		if (settings.is_sequential && !err)
			err = close_context(0);
		if (settings.is_sequential)
			close(contexts[0].fd);
	}
	if (err)
		fprintf(stderr, "crowd: %s: %s\n", name, strerror(errno));
	return err ? EXIT_UNEXPECTED : EXIT_OK;
}

/* True if a process ended successfully. */
static bool reap(void)
{
	int status;

	return wait(&status) > 0 && WIFEXITED(status) && !WEXITSTATUS(status);
}

static bool run_members(const char *device)
{
	uint32_t running = 0;
	bool is_good = true;

	for (uint32_t i = 0; i < settings.members && is_good; i++) {
		pid_t pid;

		if (settings.renames) {
			is_good = !work_as(i, device);
			continue;
		}
		pid = fork();
		if (!pid)
			_exit(work_as(i, device));
		if (pid < 0)
			return false;
		if (++running == AT_ONCE) {
			is_good = reap();
			running--;
		}
	}
	for (; running; running--)
		is_good &= reap();
	return is_good;
}

static int write_csv(uint32_t count)
{
	FILE *f = fopen(settings.csv, "w");

	if (!f)
		return -1;
	fputs("pid,comm,ctx,seqno\n", f);
	for (uint32_t i = 0; i < count; i++)
		fprintf(f, "%d,%s,%llu,%llu\n", rows[i].pid, rows[i].comm,
			(unsigned long long)rows[i].key.fence_ctx,
			(unsigned long long)rows[i].key.seqno);
	return fclose(f);
}

int main(int argc, char **argv)
{
	const char *device;
	uint32_t count, done = 0;

	parse_options(argc, argv);
	count = (uint32_t)(settings.members * settings.jobs);
	device = gpu_find();
	rows = mmap(NULL, count * sizeof(*rows), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!device || rows == MAP_FAILED)
		return EXIT_SETUP;
	for (uint32_t i = 0; !settings.is_sequential && i < settings.contexts; i++)
		if (open_context(i, device))
			return EXIT_SETUP;
	if (!run_members(device))
		return EXIT_UNEXPECTED;
	for (uint32_t i = 0; i < count; i++)
		done += (uint32_t)rows[i].is_done;
	printf("crowd: %u of %u jobs\n", done, count);
	if (settings.csv && write_csv(count))
		return EXIT_SETUP;
	return done == count ? EXIT_OK : EXIT_UNEXPECTED;
}
