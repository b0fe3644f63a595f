// SPDX-License-Identifier: GPL-2.0
#include "proc_places.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "error.h"
#include "io.h"

#define TICK_NS		10000000ull	/* USER_HZ is 100 on all machines */

static uint64_t now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

void grt_proc_places_open(struct grt_proc_places *p)
{
	int fd = grt_cgroup_mount_open(&p->mount);

	p->begin_ns = now(CLOCK_BOOTTIME);
	p->slept_ns = p->begin_ns - now(CLOCK_MONOTONIC);

	if (fd >= 0)
		close(fd);
	else
		*p->mount.path = '\0';
}

void grt_proc_places_close(struct grt_proc_places *p)
{
	grt_vec_free(&p->rows);
	grt_map_free(&p->row_of);
}

/* When the process began, as /proc counts: ns of CLOCK_BOOTTIME, a tick exactly; 0: it is gone. */
static uint64_t read_start(uint32_t tgid)
{
	char path[32], text[1024];
	unsigned long long ticks;
	const char *rest;

	snprintf(path, sizeof(path), "/proc/%u/stat", tgid);
	if (grt_read_text(AT_FDCWD, path, text, sizeof(text)) <= 0)
		return 0;
	/* PID (NAME) STATE and 18 numbers before it; a name may have any character. */
	rest = strrchr(text, ')');
	if (!rest || sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
			    "%*d %*d %llu", &ticks) != 1)
		return 0;
	return ticks * TICK_NS + 1;
}

/*
 * Whether the process that has the pid now is @process, and not a later one.  The machine had slept for p->slept_ns
 * when the recording began, and may have slept since: before @process began, or after it.
 */
static bool is_same(const struct grt_proc_places *p, const struct grtrace_process *process)
{
	uint64_t slept_ns = now(CLOCK_BOOTTIME) - now(CLOCK_MONOTONIC);
	uint64_t now_ns = read_start(process->tgid);

	if (!now_ns)
		return false;
	if (!process->start_ns)
		return now_ns <= p->begin_ns;
	return now_ns < process->start_ns + slept_ns + 2 * TICK_NS &&
	       process->start_ns + p->slept_ns < now_ns + 2 * TICK_NS;
}

static uint32_t read_pidns(uint32_t tgid)
{
	char path[32];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%u/ns/pid", tgid);
	return stat(path, &st) ? 0 : st.st_ino;
}

/* The line "0::/PATH" is that of version 2. */
static uint64_t read_cgroup(uint32_t tgid, const struct grt_cgroup_mount *m)
{
	char file[32], text[2 * PATH_MAX], path[3 * PATH_MAX];
	const char *line = text;
	struct stat st;

	snprintf(file, sizeof(file), "/proc/%u/cgroup", tgid);
	if (!*m->path || *m->root || grt_read_text(AT_FDCWD, file, text, sizeof(text)) <= 0)
		return 0;
	while (line && strncmp(line, "0::", 3)) {
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	if (!line)
		return 0;
	snprintf(path, sizeof(path), "%s%.*s", m->path, (int)strcspn(line + 3, "\n"), line + 3);
	return stat(path, &st) ? 0 : st.st_ino;
}

int grt_proc_places_fill(struct grt_proc_places *p, struct grtrace_process *process)
{
	uint64_t *row = grt_map_put(&p->row_of, process->tgid);
	struct grtrace_process *known;

	if (!row || (!*row && grt_vec_append(&p->rows, process, sizeof(*process))))
		return grt_fail_memory();
	if (!*row) {
		*row = grt_vec_count(&p->rows, struct grtrace_process);
		known = grt_vec_at(&p->rows, struct grtrace_process, *row - 1);
		known->start_ns = ~process->start_ns;	/* not that of any process */
	}
	known = grt_vec_at(&p->rows, struct grtrace_process, *row - 1);
	if (known->start_ns == process->start_ns) {
		process->cgroup_id = known->cgroup_id;
		process->pidns = known->pidns;
		if (!memcmp(known->comm, process->comm, sizeof(process->comm)))
			return 0;
	}
	if (is_same(p, process)) {
		process->pidns = read_pidns(process->tgid);
		process->cgroup_id = read_cgroup(process->tgid, &p->mount);
	}
	*known = *process;
	return 0;
}
