// SPDX-License-Identifier: GPL-2.0
/*
 * A whole session: writes events by hand, runs real jobs, and reads the streams of all CPUs as raw
 * bytes.  TAP; exit 0 passed, 1 failed, 4 nothing could be tested.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "smoke.h"
#include "workload/workload.h"

#define KSFT_FAIL	1
#define KSFT_SKIP	4
#define STREAM_MAX	(8u << 20)
#define RESULTS		14

static struct smoke smoke;
static char dir[256];
static unsigned int results, failed;

/* result IS_OK WHAT: prints WHY on failure */
static void result(bool is_ok, const char *what, const char *why)
{
	printf("%sok %u - %s\n", is_ok ? "" : "not ", ++results, what);
	if (is_ok)
		return;
	failed++;
	printf("# %s\n", why);
}

static __attribute__((noreturn)) void skip_all(const char *why)
{
	printf("1..0 # SKIP %s\n", why);
	exit(KSFT_SKIP);
}

static bool find_debugfs(void)
{
	FILE *mounts = setmntent("/proc/self/mounts", "r");
	struct mntent *entry;
	bool is_found = false;

	while (mounts && !is_found && (entry = getmntent(mounts))) {
		is_found = !strcmp(entry->mnt_type, "debugfs");
		if (is_found)
			snprintf(dir, sizeof(dir), "%s/grtrace", entry->mnt_dir);
	}
	if (mounts)
		endmntent(mounts);
	return is_found;
}

static int open_file(const char *name, int flags)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return open(path, flags | O_CLOEXEC);
}

static bool put(const char *name, const char *text)
{
	int fd = open_file(name, O_WRONLY);
	bool is_ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return is_ok;
}

/* Reads a whole file, NUL-terminated, to be freed by the caller; NULL: there is none. */
static char *get(const char *name, size_t most, size_t *len)
{
	int fd = open_file(name, O_RDONLY);
	char *text = fd >= 0 ? malloc(most + 1) : NULL;
	ssize_t got = 1;

	*len = 0;
	while (text && got > 0 && *len < most) {
		got = read(fd, text + *len, most - *len);
		*len += got > 0 ? (size_t)got : 0;
	}
	if (fd >= 0)
		close(fd);
	if (text)
		text[*len] = '\0';
	return text;
}

static uint64_t stat_of(const char *name)
{
	char line[48], *text, *at;
	uint64_t value = UINT64_MAX;
	size_t len;

	text = get("stats", 65536, &len);
	snprintf(line, sizeof(line), "\n%s=", name);
	at = text ? strstr(text, line) : NULL;
	if (at)
		value = strtoull(at + strlen(line), NULL, 10);
	free(text);
	return value;
}

static bool is_state(const char *state)
{
	size_t len;
	char *text = get("control", 64, &len);
	bool is_it = text && !strncmp(text, state, strlen(state));

	free(text);
	return is_it;
}

static bool emit_jobs(void)
{
	static const char * const types[JOB_TYPES] = { "submit", "commit", "start", "end", "complete" };
	char line[128];
	bool is_ok = true;

	for (unsigned int i = 0; i < JOB_TYPES; i++) {
		snprintf(line, sizeof(line), "%s %llu GRAPHICS %u 1 count=%u\n", types[i], EMIT_CTX,
			 EMIT_RING, EMIT_JOBS);
		is_ok &= put("emit", line);
	}
	return is_ok & put("emit", "mark 0 OTHER 0 0 text=smoke");
}

/* Runs jobs on all rings in turn.  NULL, or what failed. */
static const char *run_jobs(int gpu)
{
	struct drm_grtrace_mock_ctx_create ctx[GRTRACE_MOCK_RINGS] = { 0 };

	for (unsigned int i = 0; i < GRTRACE_MOCK_RINGS; i++) {
		ctx[i].ring = i;
		if (ioctl(gpu, DRM_IOCTL_GRTRACE_MOCK_CTX_CREATE, &ctx[i]))
			return "cannot create a context";
	}
	for (unsigned int i = 0; i < REAL_JOBS; i++) {
		struct drm_grtrace_mock_submit job = {
			.handle = ctx[i % GRTRACE_MOCK_RINGS].handle,
			.duration_ns = 100000,
		};

		if (ioctl(gpu, DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &job))
			return "cannot submit a job";
		smoke.real[i].fence_ctx = job.fence_ctx;
		smoke.real[i].seqno = job.seqno;
		smoke.real_cnt++;
	}
	for (unsigned int i = 0; i < REAL_JOBS; i++) {
		struct drm_grtrace_mock_wait wait = {
			.handle = ctx[i % GRTRACE_MOCK_RINGS].handle,
			.seqno = smoke.real[i].seqno,
			.deadline_ns = (int64_t)(clock_ns() + 60000000000ull),
		};

		if (ioctl(gpu, DRM_IOCTL_GRTRACE_MOCK_WAIT, &wait) || wait.status)
			return "a job did not end well";
	}
	return NULL;
}

static const char no_mock[] = "no render node of a mock GPU: modprobe grtrace_mock";

static void result_of_jobs(void)
{
	const char *path = gpu_find(), *wrong;
	int gpu;

	if (!path) {
		printf("ok %u - real jobs are run # SKIP %s\n", ++results, no_mock);
		return;
	}
	gpu = open(path, O_RDWR | O_CLOEXEC);
	wrong = gpu < 0 ? "cannot open the mock GPU" : run_jobs(gpu);
	result(!wrong, "real jobs are run", wrong);
	close(gpu);
}

static bool read_streams(void)
{
	char name[32];

	for (unsigned int cpu = 0; cpu < smoke.cpus; cpu++) {
		size_t len;
		char *bytes;

		snprintf(name, sizeof(name), "events%u", cpu);
		bytes = get(name, STREAM_MAX, &len);
		if (!bytes || len == STREAM_MAX)
			return false;
		smoke_stream(&smoke, cpu, (const uint8_t *)bytes, len);
		free(bytes);
	}
	return smoke.cpus;
}

static unsigned int count_streams(void)
{
	unsigned int cpus = 0;
	char path[512];

	do {
		snprintf(path, sizeof(path), "%s/events%u", dir, cpus++);
	} while (!access(path, F_OK));
	return cpus - 1;
}

static void results_of_streams(void)
{
	static const char * const what[CHECKS] = {
		[CHECK_WALK] = "records can be walked by their size",
		[CHECK_HEAD] = "STREAM_INFO and definitions come first, STREAM_END last",
		[CHECK_RINGS] = "each ring was told of before its first event",
		[CHECK_ORDER] = "time does not run back within a CPU",
		[CHECK_CSEQ] = "cseq has no gap, up to the one that STREAM_END names",
		[CHECK_GSEQ] = "gseq has no gap, over all CPUs",
		[CHECK_EMITTED] = "each event by hand is there once",
		[CHECK_REAL] = "each real job has its four events, and its process",
		[CHECK_FATES] = "fates sum to what was seen, as stats has it",
	};

	for (unsigned int i = 0; i < CHECKS; i++) {
		if (i == CHECK_REAL && !smoke.real_cnt)
			printf("ok %u - %s # SKIP %s\n", ++results, what[i], no_mock);
		else
			result(!*smoke.wrong[i], what[i], smoke.wrong[i]);
	}
}

/* Restores the settings, and removes what is left of this session. */
static void leave(char *config)
{
	char *line, *rest = config;

	put("control", "stop");
	put("control", "reset");
	while (config && (line = strsep(&rest, "\n")))
		if (*line)
			put("config", line);
	free(config);
}

int main(void)
{
	size_t len;
	char *config;

	if (geteuid())
		skip_all("only root may look into debugfs");
	if (!find_debugfs() || access(dir, F_OK))
		skip_all("module grtrace is not loaded, or debugfs is not mounted");
	if (is_state("running"))
		skip_all("a session runs, which is not ours to stop");
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n1..%u\n", RESULTS);
	smoke.tgid = (uint32_t)getpid();
	smoke.gseq_room = 1u << 20;
	smoke.gseq = calloc(smoke.gseq_room, 1);
	config = get("config", 65536, &len);
	result(smoke.gseq && put("config", "profile=default") &&
	       put("config", "global_seq=1") && put("control", "start"),
	       "a session starts", "see the file error");
	result(emit_jobs(), "events are written by hand", "see the file error");
	result_of_jobs();
	result(put("control", "stop") && is_state("stopped"), "it stops", "see the file error");
	smoke.cpus = count_streams();
	result(read_streams(), "the streams of all CPUs are read to their end", "one is missing, or too long");
	smoke_all(&smoke, stat_of("seen"), stat_of("written"));
	results_of_streams();
	leave(config);
	return failed || results != RESULTS ? KSFT_FAIL : 0;
}
