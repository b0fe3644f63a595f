// SPDX-License-Identifier: GPL-2.0
#include "tracefs_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include <linux/magic.h>

#include "error.h"
#include "guard.h"
#include "vec.h"

#define INSTANCE	"grtrace.%d.%" PRIu64
#define GROUP		"grtrace_%d_%" PRIu64
#define TRIES		100	/* of 20 ms, while files of the instance are being closed */
#define PATH_BYTES	512

/* Where it may be; another program may have mounted it anywhere, which is not common. */
static const char * const dirs[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

/* The time at which a process started, in ticks; 0: there is none. */
static uint64_t start_of(int pid)
{
	char path[32], text[1024];
	uint64_t ticks = 0;
	const char *at;
	size_t bytes;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "r");
	if (!f)
		return 0;
	bytes = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[bytes] = '\0';
	/* The name may contain anything; the start is the 20th field behind it. */
	at = strrchr(text, ')');
	for (int i = 0; at && i < 20; i++)
		at = strchr(at + 1, ' ');
	if (at)
		ticks = strtoull(at, NULL, 10);
	return ticks;
}

static int check_rights(const char *dir)
{
	if (!access(dir, R_OK | W_OK | X_OK))
		return 0;
	return grt_fail_errno("sudo grtrace record --source=tracefs", "cannot use '%s'", dir);
}

int grt_tracefs_place_find(struct grt_tracefs_place *p)
{
	int pid = getpid();
	struct statfs fs;

	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++) {
		/* Only root may look into debugfs. */
		if (statfs(dirs[i], &fs) && errno == EACCES)
			return check_rights(dirs[i]);
		if (statfs(dirs[i], &fs) || fs.f_type != TRACEFS_MAGIC)
			continue;
		snprintf(p->dir, sizeof(p->dir), "%s", dirs[i]);
		snprintf(p->instance, sizeof(p->instance), INSTANCE, pid, start_of(pid));
		snprintf(p->group, sizeof(p->group), GROUP, pid, start_of(pid));
		return check_rights(p->dir);
	}
	return grt_fail(ENOENT, "sudo mount -t tracefs nodev /sys/kernel/tracing",
			"tracefs is not mounted");
}

static int open_at(const char *dir, const char *middle, const char *file, int flags)
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "%s%s/%s", dir, middle, file);
	return open(path, flags | O_CLOEXEC);
}

int grt_tracefs_open_file(const struct grt_tracefs_place *p, const char *file, int flags)
{
	return open_at(p->dir, "", file, flags);
}

int grt_tracefs_open_own(const struct grt_tracefs_place *p, const char *file, int flags)
{
	char middle[sizeof(p->instance) + 16];

	snprintf(middle, sizeof(middle), "/instances/%s", p->instance);
	return open_at(p->dir, middle, file, flags);
}

int grt_tracefs_write_own(const struct grt_tracefs_place *p, const char *file, const char *text)
{
	int fd = grt_tracefs_open_own(p, file, O_WRONLY), err = 0;

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		err = grt_fail_errno(NULL, "cannot write '%s' to '%s/instances/%s/%s'", text, p->dir,
				     p->instance, file);
	if (fd >= 0)
		close(fd);
	return err;
}

/* Never with O_TRUNC, which removes the dynamic events of everybody. */
int grt_tracefs_define(const struct grt_tracefs_place *p, const char *line)
{
	int fd = grt_tracefs_open_file(p, "dynamic_events", O_WRONLY | O_APPEND), err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, line, strlen(line)) < 0)
		err = -errno;
	close(fd);
	return err;
}

char *grt_tracefs_read(int fd, size_t *bytes)
{
	struct grt_vec text = { NULL };
	ssize_t got = -1;
	char *to = NULL;

	while (fd >= 0 && (to = grt_vec_grow(&text, 4096))) {
		got = read(fd, to, 4096);
		text.bytes -= 4096 - (got > 0 ? got : 0);
		if (got <= 0)
			break;
	}
	if (got < 0 || !to || grt_vec_append(&text, "", 1)) {
		grt_vec_free(&text);
		return NULL;
	}
	if (bytes)
		*bytes = text.bytes - 1;
	return text.data;
}

char *grt_tracefs_read_file(const struct grt_tracefs_place *p, const char *file)
{
	int fd = grt_tracefs_open_file(p, file, O_RDONLY), err;
	char *text = grt_tracefs_read(fd, NULL);

	err = errno;
	if (fd >= 0)
		close(fd);
	errno = err;
	return text;
}

uint64_t grt_tracefs_missed(const struct grt_tracefs_place *p,
			    bool (*wants)(const void *arg, const char *name), const void *arg)
{
	char *text = grt_tracefs_read_file(p, "kprobe_profile"), *rest, *line, name[128];
	uint64_t sum = 0, missed;

	for (line = text ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest))
		if (sscanf(line, "%127s %*u %" SCNu64, name, &missed) == 2 && wants(arg, name))
			sum += missed;
	free(text);
	return sum;
}

int grt_tracefs_place_create(const struct grt_tracefs_place *p)
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "%s/instances/%s", p->dir, p->instance);
	return mkdir(path, 0700) ? -errno : 0;
}

static bool remove_instance(const char *dir, const char *name)
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "%s/instances/%s", dir, name);
	return !rmdir(path) || errno == ENOENT;
}

/* A line of dynamic_events: "e:GROUP/NAME gpu_scheduler.drm_sched_job ...". */
static bool parse_event(const char *line, char group[64], char name[64])
{
	return sscanf(line, "%*[a-z0-9]:%63[^/ \n]/%63[^ \n]", group, name) == 2;
}

/* Removes the events of each group for which @is_ours.  Returns whether all of them are gone. */
static bool remove_events(const struct grt_tracefs_place *p,
			  bool (*is_ours)(const struct grt_tracefs_place *p, const char *group))
{
	char *text = grt_tracefs_read_file(p, "dynamic_events"), *rest, *line;
	char group[64], name[64], command[160];
	bool is_done = true;

	for (line = text ? strtok_r(text, "\n", &rest) : NULL; line;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (!parse_event(line, group, name) || !is_ours(p, group))
			continue;
		snprintf(command, sizeof(command), "-:%s/%s", group, name);
		is_done &= !grt_tracefs_define(p, command);
	}
	free(text);
	return is_done;
}

static bool is_own_group(const struct grt_tracefs_place *p, const char *group)
{
	return !strcmp(group, p->group);
}

/* An event cannot be removed as long as an instance has it enabled. */
void grt_tracefs_place_remove(const struct grt_tracefs_place *p)
{
	const struct timespec pause = { .tv_nsec = 20000000 };

	for (int i = 0; i < TRIES; i++) {
		if (remove_instance(p->dir, p->instance) && remove_events(p, is_own_group))
			break;
		nanosleep(&pause, NULL);
	}
}

static int make(const void *arg)
{
	return grt_tracefs_place_create(arg);
}

static void clean(const void *arg)
{
	grt_tracefs_place_remove(arg);
}

const struct grt_guard_ops grt_tracefs_place_guard = { .make = make, .clean = clean };

/* Whether a name is of our kind, and its owner has ended. */
static bool is_left(const char *name, const char *format)
{
	uint64_t start;
	int pid, end = 0;
	char whole[32];

	snprintf(whole, sizeof(whole), "%s%%n", format);
	return sscanf(name, whole, &pid, &start, &end) == 2 && !name[end] && start_of(pid) != start;
}

bool grt_tracefs_is_of_recording(const char *group)
{
	uint64_t start;
	int pid;

	return sscanf(group, "grtrace_%d_%" SCNu64, &pid, &start) == 2;
}

static bool is_left_group(const struct grt_tracefs_place *p, const char *group)
{
	(void)p;
	return is_left(group, "grtrace_%d_%" SCNu64);
}

/*
 * An instance that is being read cannot be removed, nor an event that is enabled there: so this is
 * safe even for one whose owner we cannot see, because it is in another container.
 */
void grt_tracefs_place_sweep(const struct grt_tracefs_place *p)
{
	char path[PATH_BYTES];
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/instances", p->dir);
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		if (is_left(entry->d_name, "grtrace.%d.%" SCNu64))
			remove_instance(p->dir, entry->d_name);
	if (dir)
		closedir(dir);
	remove_events(p, is_left_group);
}
