// SPDX-License-Identifier: GPL-2.0
#include "call_times.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "error.h"

/* Something that began. */
struct open_call {
	uint64_t begin_ns;
	uint32_t below;		/* the one that it began in, or the next free one; from 1 */
};

static struct open_call *call_at(const struct grt_call_times *t, uint32_t number)
{
	return grt_vec_at(&t->calls, struct open_call, number - 1);
}

/* Finds a place for a call that begins.  Returns its number, or 0 if there is no memory. */
static uint32_t take_free(struct grt_call_times *t)
{
	uint32_t number = t->free;

	if (number)
		t->free = call_at(t, number)->below;
	else if (grt_vec_grow(&t->calls, sizeof(struct open_call)))
		number = grt_vec_count(&t->calls, struct open_call);
	return number;
}

int grt_call_begins(struct grt_call_times *t, uint64_t key, uint64_t ns)
{
	uint64_t *top = grt_map_put(&t->open, key);
	uint32_t number;

	if (!top)
		return grt_fail_memory();
	if (*top && !t->nests) {
		t->replaced++;
		call_at(t, *top)->begin_ns = ns;
		return 0;
	}
	number = take_free(t);
	if (!number)
		return grt_fail_memory();
	*call_at(t, number) = (struct open_call){ ns, *top };
	*top = number;
	t->nr_open++;
	return 0;
}

/* --- processes --- */

static struct grt_call_process *process_of(struct grt_call_times *t, uint32_t pid, const char *comm)
{
	uint64_t *number = grt_map_put(&t->process_of, pid);
	struct grt_call_process new = { .pid = pid }, *p;

	if (!number)
		return NULL;
	if (!*number) {
		if (grt_vec_append(&t->processes, &new, sizeof(new)))
			return NULL;
		*number = grt_vec_count(&t->processes, struct grt_call_process);
	}
	p = grt_call_process_at(t, *number - 1);
	if (*comm)
		snprintf(p->comm, sizeof(p->comm), "%s", comm);
	return p;
}

int grt_call_ends(struct grt_call_times *t, uint64_t key, uint64_t ns, uint32_t pid, const char *comm)
{
	uint64_t *top = grt_map_get(&t->open, key);
	struct grt_call_process *process;
	struct open_call call;

	if (!top || !*top) {
		t->unbegun++;
		return 0;
	}
	call = *call_at(t, *top);
	call_at(t, *top)->below = t->free;
	t->free = *top;
	*top = call.below;
	t->nr_open--;
	if (grt_hist_add(&t->times, ns - call.begin_ns))
		return grt_fail_memory();
	if (!t->per_process)
		return 0;
	process = process_of(t, pid, comm);
	return process && !grt_hist_add(&process->times, ns - call.begin_ns) ? 0 : grt_fail_memory();
}

void grt_call_times_cut(struct grt_call_times *t)
{
	t->cut += t->nr_open;
	t->nr_open = 0;
	t->free = 0;
	t->calls.bytes = 0;
	grt_map_free(&t->open);
	t->open = (struct grt_map){ .entries = { NULL } };
}

void grt_call_times_free(struct grt_call_times *t)
{
	for (size_t i = 0; i < grt_vec_count(&t->processes, struct grt_call_process); i++)
		grt_hist_free(&grt_call_process_at(t, i)->times);
	grt_hist_free(&t->times);
	grt_map_free(&t->open);
	grt_map_free(&t->process_of);
	grt_vec_free(&t->calls);
	grt_vec_free(&t->processes);
}
