// SPDX-License-Identifier: LGPL-2.1
/* Who reads the files of the session: a process that has one of them open. */
#include "who_reads.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "control.h"
#include "io.h"

/* Whether a link of /proc leads to eventsN, events or trace_pipe. */
static bool is_stream(const char *target)
{
	size_t len = strlen(grt_control_dir());

	return !strncmp(target, grt_control_dir(), len) && target[len] == '/' &&
	       (!strncmp(target + len + 1, "events", 6) || !strcmp(target + len + 1, "trace_pipe"));
}

/* @files is closed. */
static bool has_stream(DIR *files)
{
	const struct dirent *entry;
	bool has = false;
	char target[512];
	ssize_t n;

	while (files && !has && (entry = readdir(files))) {
		n = readlinkat(dirfd(files), entry->d_name, target, sizeof(target) - 1);
		if (n <= 0)
			continue;
		target[n] = '\0';
		has = is_stream(target);
	}
	if (files)
		closedir(files);
	return has;
}

static DIR *open_files(const char *pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%.16s/fd", pid);
	return opendir(path);
}

static void name_process(char *who, const char *pid)
{
	char path[64], name[32] = "";

	snprintf(path, sizeof(path), "/proc/%.16s/comm", pid);
	if (grt_read_text(AT_FDCWD, path, name, sizeof(name)) < 0)
		*name = '\0';
	name[strcspn(name, "\n")] = '\0';
	snprintf(who, GRT_READER_MAX, "%s[%.16s]", name, pid);
}

bool grt_who_reads(char who[GRT_READER_MAX])
{
	DIR *processes = opendir("/proc");
	const struct dirent *entry;
	char own[16];
	bool has = false;

	snprintf(own, sizeof(own), "%d", getpid());
	while (processes && !has && (entry = readdir(processes))) {
		has = isdigit((unsigned char)*entry->d_name) && strcmp(entry->d_name, own) != 0 &&
		      has_stream(open_files(entry->d_name));
		if (has)
			name_process(who, entry->d_name);
	}
	if (processes)
		closedir(processes);
	return has;
}
