// SPDX-License-Identifier: GPL-2.0
#include "family.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "io.h"
#include "vec.h"

struct process {
	uint64_t pid, parent, started;
	bool is_member;
};

/* False if the process is gone, or is a zombie. */
static bool read_process(int proc, const char *pid, struct process *p)
{
	char path[64], text[1024], state;
	const char *rest;

	snprintf(path, sizeof(path), "%.32s/stat", pid);
	if (grt_read_text(proc, path, text, sizeof(text)) <= 0)
		return false;
	/* The name is in brackets and may contain any character, also brackets. */
	rest = strrchr(text, ')');
	if (!rest || sscanf(rest + 1, " %c %" SCNu64 " %*d %*d %*d %*d %*u %*u %*u %*u %*u "
			    "%*u %*u %*d %*d %*d %*d %*d %*d %" SCNu64,
			    &state, &p->parent, &p->started) != 3)
		return false;
	p->pid = strtoul(pid, NULL, 10);
	p->is_member = false;
	return state != 'Z' && state != 'X';
}

static int read_all(struct grt_vec *processes)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	struct process p;
	int err = 0;

	if (!proc)
		return grt_fail_errno(NULL, "cannot read '/proc'");
	while (!err && (entry = readdir(proc)))
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    read_process(dirfd(proc), entry->d_name, &p))
			err = grt_vec_append(processes, &p, sizeof(p));
	closedir(proc);
	return err;
}

int grt_family_create(struct grt_family *f, pid_t pid, pid_t adopter)
{
	struct grt_vec all = { 0 };
	int err = read_all(&all);

	*f = (struct grt_family){ .adopter = adopter };
	for (size_t i = 0; !err && i < grt_vec_count(&all, struct process); i++) {
		const struct process *p = grt_vec_at(&all, struct process, i);
		uint64_t *started;

		if (p->pid != (uint64_t)pid)
			continue;
		started = grt_map_put(&f->members, p->pid);
		if (started)
			*started = p->started;
		else
			err = -ENOMEM;
	}
	grt_vec_free(&all);
	return err;
}

void grt_family_destroy(struct grt_family *f)
{
	grt_map_free(&f->members);
}

/* Whether the process is a member (from before, or a child of one) that is not marked yet. */
static bool is_new_member(const struct grt_family *before, const struct grt_family *now,
			  const struct process *p)
{
	const uint64_t *started = grt_map_get(&before->members, p->pid);

	if (p->is_member || p->pid == (uint64_t)before->other)
		return false;
	if (started && *started == p->started)
		return true;
	/* 0 is also the parent of the first process. */
	return (before->adopter && p->parent == (uint64_t)before->adopter) ||
	       grt_map_get(&now->members, p->parent);
}

int grt_family_look(struct grt_family *f)
{
	struct grt_family now = { .adopter = f->adopter, .other = f->other };
	struct grt_vec all = { 0 };
	int err = read_all(&all);
	bool progress = !err;
	uint64_t *started;

	while (progress && !err) {
		progress = false;
		for (size_t i = 0; i < grt_vec_count(&all, struct process); i++) {
			struct process *p = grt_vec_at(&all, struct process, i);

			if (!is_new_member(f, &now, p))
				continue;
			started = grt_map_put(&now.members, p->pid);
			if (!started) {
				err = grt_fail_memory();
				break;
			}
			*started = p->started;
			p->is_member = progress = true;
		}
	}
	grt_vec_free(&all);
	if (err) {
		grt_family_destroy(&now);
		return err;
	}
	grt_family_destroy(f);
	*f = now;
	return grt_map_count(&now.members);
}
