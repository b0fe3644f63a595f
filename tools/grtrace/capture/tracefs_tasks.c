// SPDX-License-Identifier: GPL-2.0
#include "tracefs_tasks.h"

#include <ctype.h>
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>

#include "task_end.h"

#define KTHREADD	2		/* the parent of all threads of the kernel */
#define KERNEL_THREAD	0x00200000	/* PF_KTHREAD */

static struct grt_task_event bind_event(struct tep_handle *tep, const char *name, const char *comm)
{
	struct tep_event *event = tep_find_event_by_name(tep, "task", name);

	if (!event)
		return (struct grt_task_event){ .id = -1 };
	return (struct grt_task_event){
		.id = event->id, .tid = tep_find_field(event, "pid"),
		.comm = tep_find_field(event, comm), .flags = tep_find_field(event, "clone_flags"),
	};
}

void grt_tasks_bind(struct grt_tasks *t, struct tep_handle *tep)
{
	t->newtask = bind_event(tep, "task_newtask", "comm");
	t->rename = bind_event(tep, "task_rename", "newcomm");
}

void grt_tasks_free(struct grt_tasks *t)
{
	grt_map_free(&t->rows_of);
	grt_vec_free(&t->rows);
}

/* The row of a thread, zeroed if it is new; NULL without memory. */
static struct grt_task *row_of(struct grt_tasks *t, uint32_t tid)
{
	uint64_t *row = grt_map_put(&t->rows_of, tid);
	struct grt_task *task;

	if (!row)
		return NULL;
	if (!*row) {
		task = grt_vec_grow(&t->rows, sizeof(*task));
		if (!task)
			return NULL;
		*task = (struct grt_task){ 0 };
		*row = grt_vec_count(&t->rows, struct grt_task);
	}
	return grt_vec_at(&t->rows, struct grt_task, *row - 1);
}

/* Reads /proc/PID/stat: the name of the process, and whether it is one of the kernel. */
static bool read_stat(uint32_t pid, struct grt_task *task)
{
	char path[32], text[1024], *open, *close;
	unsigned int flags = 0;
	size_t bytes;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	f = fopen(path, "r");
	if (!f)
		return false;
	bytes = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[bytes] = '\0';
	open = strchr(text, '(');
	close = strrchr(text, ')');
	if (!open || !close || close < open)
		return false;
	*close = '\0';
	/* PID (NAME) STATE PPID PGRP SESSION TTY TPGID FLAGS */
	if (sscanf(close + 1, " %*c %u %*d %*d %*d %*d %u", &task->parent, &flags) != 2)
		return false;
	task->is_kernel = flags & KERNEL_THREAD;
	snprintf(task->comm, sizeof(task->comm), "%s", open + 1);
	return true;
}

/*
 * Sets the row of a thread that runs now.  Of a process that is known, the name may be news, since the event
 * that told it may be lost; its parent stays, since /proc has another one once that has ended.
 */
static void set_row(struct grt_tasks *t, uint32_t tid, uint32_t tgid, const struct grt_task *leader)
{
	struct grt_task *row = row_of(t, tid);

	if (!row)
		return;
	if (row->tgid == tgid) {
		if (tid == tgid)
			memcpy(row->comm, leader->comm, sizeof(row->comm));
		return;
	}
	*row = *leader;
	row->tgid = tgid;
	if (tid != tgid)
		*row->comm = '\0';
}

static void scan_process(struct grt_tasks *t, uint32_t pid)
{
	struct grt_task leader = { .tgid = pid };
	struct dirent *entry;
	char path[32];
	DIR *dir;

	if (!read_stat(pid, &leader))
		return;
	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		if (isdigit((unsigned char)*entry->d_name))
			set_row(t, strtoul(entry->d_name, NULL, 10), pid, &leader);
	if (dir)
		closedir(dir);
}

void grt_tasks_scan(struct grt_tasks *t)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (isdigit((unsigned char)*entry->d_name))
			scan_process(t, strtoul(entry->d_name, NULL, 10));
	if (dir)
		closedir(dir);
}

/* The row of a thread that is known; else NULL. */
static struct grt_task *known_row(const struct grt_tasks *t, uint32_t tid)
{
	const uint64_t *row = grt_map_get(&t->rows_of, tid);

	return row && *row ? grt_vec_at(&t->rows, struct grt_task, *row - 1) : NULL;
}

/* The ancestors of a task that is kept already are kept in its own turn. */
static void keep_ancestors(struct grt_tasks *t, const struct grt_task *task)
{
	while (task->parent > 1) {
		struct grt_task *parent = known_row(t, task->parent);

		if (!parent || parent->is_kept)
			break;
		parent->is_kept = true;
		task = parent;
	}
}

/* Marks the rows that stay. */
static size_t mark_kept(struct grt_tasks *t)
{
	size_t running = 0;

	for (size_t i = 0; i < grt_map_count(&t->rows_of); i++) {
		struct grt_task *task = known_row(t, grt_map_at(&t->rows_of, i)->key);
		bool was_gone = task && task->is_gone;

		if (!task)
			continue;
		task->is_gone = grt_task_has_ended(grt_map_at(&t->rows_of, i)->key);
		task->is_kept = !task->is_gone || !was_gone;
		running += !task->is_gone;
	}
	for (size_t i = 0; i < grt_vec_count(&t->rows, struct grt_task); i++)
		if (grt_vec_at(&t->rows, struct grt_task, i)->is_kept)
			keep_ancestors(t, grt_vec_at(&t->rows, struct grt_task, i));
	return running;
}

size_t grt_tasks_forget(struct grt_tasks *t)
{
	struct grt_tasks kept = { .newtask = t->newtask, .rename = t->rename };
	size_t running = mark_kept(t);

	for (size_t i = 0; i < grt_map_count(&t->rows_of); i++) {
		uint32_t tid = grt_map_at(&t->rows_of, i)->key;
		const struct grt_task *task = known_row(t, tid);
		struct grt_task *row;

		if (!task || !task->is_kept)
			continue;
		row = row_of(&kept, tid);
		if (!row) {
			grt_tasks_free(&kept);
			return running;
		}
		*row = *task;
	}
	grt_tasks_free(t);
	*t = kept;
	return running;
}

static void set_comm(struct grt_task *task, const struct grt_piece *comm)
{
	snprintf(task->comm, sizeof(task->comm), "%.*s", (int)comm->len, comm->at);
}

/* The parent runs when this event comes; its number is that of the event. */
static void add_task(struct grt_tasks *t, struct grt_binder *b, const struct tep_record *record,
		     uint32_t tid, const struct grt_piece *comm)
{
	uint32_t by = tep_data_pid(b->tep, (struct tep_record *)record);
	const struct grt_task *parent = grt_tasks_find(t, by);
	struct grt_task task = {
		.tgid = tid, .is_kernel = by == KTHREADD, .start_ns = record->ts,
	}, *row;
	uint64_t flags = 0;

	if (t->newtask.flags)
		grt_bind_number(b, record, t->newtask.flags, &flags);
	if (flags & CLONE_THREAD && parent)
		task.tgid = parent->tgid;
	else
		set_comm(&task, comm);
	if (parent)
		task.parent = flags & CLONE_THREAD ? parent->parent : parent->tgid;
	row = row_of(t, tid);
	if (row)
		*row = task;
}

bool grt_tasks_descends(struct grt_tasks *t, uint32_t tgid, uint32_t ancestor)
{
	const struct grt_task *task;

	/* Numbers that are used again might make a circle. */
	for (size_t i = 0; i <= grt_map_count(&t->rows_of) && tgid > 1; i++) {
		task = grt_tasks_find(t, tgid);
		tgid = task ? task->parent : 0;
		if (tgid && tgid == ancestor)
			return true;
	}
	return false;
}

bool grt_tasks_take(struct grt_tasks *t, struct grt_binder *b, const struct tep_record *record)
{
	int id = tep_data_type(b->tep, (struct tep_record *)record);
	const struct grt_task_event *event = id == t->newtask.id ? &t->newtask :
					     id == t->rename.id ? &t->rename : NULL;
	struct grt_piece comm;
	struct grt_task *row;
	uint64_t tid;

	if (!event)
		return false;
	if (!event->tid || !event->comm || !grt_bind_number(b, record, event->tid, &tid) ||
	    !grt_bind_text(b, record, event->comm, &comm))
		return true;
	if (event == &t->newtask) {
		add_task(t, b, record, tid, &comm);
		return true;
	}
	/* Other threads than the first do not name the process. */
	row = grt_tasks_find(t, tid) ? row_of(t, tid) : NULL;
	if (row && row->tgid == tid)
		set_comm(row, &comm);
	return true;
}

/* "Tgid:\t1234" in /proc/TID/status, which there is for every thread; 0: it has ended. */
static uint32_t read_tgid(uint32_t tid)
{
	char path[32], line[128];
	unsigned int tgid = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/status", tid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "Tgid: %u", &tgid) == 1)
			break;
	if (f)
		fclose(f);
	return tgid;
}

const struct grt_task *grt_tasks_find(struct grt_tasks *t, uint32_t tid)
{
	struct grt_task *row = row_of(t, tid), leader = { 0 };
	uint32_t tgid;

	if (!row || row->tgid || !tid)
		return row;
	tgid = read_tgid(tid);
	if (tgid && read_stat(tgid, &leader)) {
		set_row(t, tgid, tgid, &leader);
		set_row(t, tid, tgid, &leader);
	} else {
		/* As imports do: the thread itself. */
		row->tgid = tid;
	}
	return row_of(t, tid);
}
