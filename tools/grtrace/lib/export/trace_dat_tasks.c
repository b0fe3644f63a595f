// SPDX-License-Identifier: LGPL-2.1
#include "trace_dat_tasks.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "quote.h"

#define MAX_PID		4194304
#define MAX_THREADS	(1 << 20)	/* threads with names; others have none */
#define MAX_ROWS	(1 << 30)	/* of processes: their numbers fit into 31 bits */

#define FIRST_RING	(GRT_DAT_UNKNOWN_TASK + 1)
#define FIRST_PROCESS	(1 << 24)

int grt_dat_tasks_name(struct grt_dat_tasks *t, const struct grtrace_process *rec)
{
	uint64_t *row = grt_map_put(&t->comms, rec->tgid);
	char raw[sizeof(rec->comm) + 1], *text;

	if (!row)
		return grt_fail_memory();
	if (!*row) {
		if (!grt_vec_grow(&t->texts, GRT_DAT_TASK_TEXT))
			return grt_fail_memory();
		*row = t->texts.bytes / GRT_DAT_TASK_TEXT;
	}
	text = (char *)t->texts.data + (*row - 1) * GRT_DAT_TASK_TEXT;
	snprintf(raw, sizeof(raw), "%.*s", (int)sizeof(rec->comm), (const char *)rec->comm);
	grt_quote_text(text, GRT_DAT_TASK_TEXT, raw);
	return 0;
}

void grt_dat_tasks_thread(struct grt_dat_tasks *t, uint32_t tid, uint32_t tgid)
{
	uint64_t *of;

	if (!tid || !tgid || tid > MAX_PID || grt_map_count(&t->threads) >= MAX_THREADS)
		return;
	/* Without memory the thread has no name, which is no damage. */
	of = grt_map_put(&t->threads, tid);
	if (of)
		*of = tgid;
}

static const char *process_comm(const struct grt_dat_tasks *t, uint32_t tgid)
{
	const uint64_t *row = grt_map_get(&t->comms, tgid);

	return row ? (const char *)t->texts.data + (*row - 1) * GRT_DAT_TASK_TEXT : "";
}

const char *grt_dat_tasks_comm(const struct grt_dat_tasks *t, uint32_t tid)
{
	const uint64_t *tgid = grt_map_get(&t->threads, tid);
	const char *comm = tid ? process_comm(t, tgid ? *tgid : tid) : "swapper";

	return *comm ? comm : "<...>";
}

int32_t grt_dat_task_of_thread(uint32_t tid)
{
	return tid <= MAX_PID ? (int32_t)tid : GRT_DAT_UNKNOWN_TASK;
}

static int32_t make(struct grt_dat_tasks *t, int32_t pid)
{
	/* Without memory it has no name. */
	grt_map_put(&t->made, pid);
	return pid;
}

int32_t grt_dat_task_of_process(struct grt_dat_tasks *t, uint32_t row)
{
	return make(t, row < MAX_ROWS ? FIRST_PROCESS + (int32_t)row : GRT_DAT_UNKNOWN_TASK);
}

int32_t grt_dat_task_of_ring(struct grt_dat_tasks *t, uint32_t index)
{
	return make(t, FIRST_RING + (int32_t)index);
}

static int put_line(struct grt_vec *to, int64_t pid, const char *kind, const char *name)
{
	char line[128], shown[80];
	int len = snprintf(line, sizeof(line), "%d %s%s\n", (int)pid, kind,
			   grt_quote_text(shown, sizeof(shown), name));

	return grt_vec_append(to, line, len);
}

static int put_process(struct grt_vec *to, const struct grt_names *names, uint32_t pid)
{
	const struct grt_process *p = grt_names_process_at(names, pid - FIRST_PROCESS);
	char number[32];

	snprintf(number, sizeof(number), "%u", p->tgid);
	return put_line(to, pid, "gpu:", *p->comm ? p->comm : p->tgid ? number : "kernel");
}

int grt_dat_tasks_put(const struct grt_dat_tasks *t, const struct grt_names *names,
		      const char *(*ring_name)(const void *arg, uint32_t index), const void *arg,
		      struct grt_vec *to)
{
	int err = put_line(to, GRT_DAT_UNKNOWN_TASK, "", "unknown");

	for (size_t i = 0; i < grt_map_count(&t->comms) && !err; i++) {
		uint32_t tgid = grt_map_at(&t->comms, i)->key;

		if (tgid && tgid <= MAX_PID)
			err = put_line(to, tgid, "", process_comm(t, tgid));
	}
	for (size_t i = 0; i < grt_map_count(&t->threads) && !err; i++) {
		const struct grt_map_entry *e = grt_map_at(&t->threads, i);

		if (!grt_map_get(&t->comms, e->key) && *process_comm(t, e->value))
			err = put_line(to, e->key, "", process_comm(t, e->value));
	}
	for (size_t i = 0; i < grt_map_count(&t->made) && !err; i++) {
		uint32_t pid = grt_map_at(&t->made, i)->key;

		if (pid >= FIRST_PROCESS)
			err = put_process(to, names, pid);
		else if (pid >= FIRST_RING)
			err = put_line(to, pid, "ring:", ring_name(arg, pid - FIRST_RING));
	}
	return err;
}

void grt_dat_tasks_free(struct grt_dat_tasks *t)
{
	grt_map_free(&t->comms);
	grt_map_free(&t->threads);
	grt_map_free(&t->made);
	grt_vec_free(&t->texts);
}
