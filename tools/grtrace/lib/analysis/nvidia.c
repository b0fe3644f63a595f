// SPDX-License-Identifier: LGPL-2.1
#include "nvidia.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

#define IRQ_WAKE_THREAD	2	/* returned by a top half whose bottom half is to run: enum irqreturn */

const struct grt_nvidia_about grt_nvidia_abouts[GRT_NR_NVIDIA_EVENTS] = {
#define GRT_X(NAME, name, event, every) { #name, event, every },
	GRT_NVIDIA_EVENTS(GRT_X)
#undef GRT_X
};

#define BIT(event)	(1u << GRT_NVIDIA_##event)

static bool is_one_of(enum grt_nvidia_event event, uint32_t events)
{
	return events >> event & 1;
}

/* Whether it tells which process asked for it. */
static bool has_process(const struct grt_nvidia_call *call)
{
	return call->tgid && !is_one_of(call->event, BIT(ISR) | BIT(ISR_MSIX) | BIT(BH) | BIT(BH_MSIX) |
						     BIT(BH_UNLOCKED) | BIT(SUSPEND) | BIT(RESUME) | BIT(XID));
}

/* --- processes --- */

/* *@process becomes its number.  0 or -ENOMEM with a cause. */
static int find_process(struct grt_nvidia *n, uint32_t tgid, const char *comm, uint32_t *process)
{
	struct grt_nvidia_process own = { .tgid = tgid }, *row;

	*process = grt_keymap_get(&n->process_at, tgid, 0);
	if (*process == GRT_NONE) {
		bool is_other = grt_nvidia_nr_processes(n) >= GRT_NVIDIA_PROCESSES;

		*process = is_other ? GRT_NVIDIA_PROCESSES : grt_nvidia_nr_processes(n);
		if (is_other)
			own.tgid = 0;
		if (*process == grt_nvidia_nr_processes(n) && grt_vec_append(&n->processes, &own, sizeof(own)))
			return grt_fail_memory();
		if (!is_other && grt_keymap_put(&n->process_at, tgid, 0, *process))
			return grt_fail_memory();
	}
	row = grt_vec_at(&n->processes, struct grt_nvidia_process, *process);
	if (row->tgid && *comm)
		snprintf(row->comm, sizeof(row->comm), "%s", comm);
	return 0;
}

/* What the process did in that time; NULL without memory. */
static struct grt_nvidia_counts *counts_of(struct grt_nvidia_sums *s, uint32_t process)
{
	static const struct grt_nvidia_counts none;

	if (grt_vec_reach(&s->processes, process, &none, sizeof(none)))
		return NULL;
	return grt_vec_at(&s->processes, struct grt_nvidia_counts, process);
}

/* --- sums --- */

static void count(struct grt_nvidia_counts *c, const struct grt_nvidia_call *call)
{
	c->calls[call->event]++;
	if (!grt_nvidia_has(call, GRT_NVIDIA_BYTES))
		return;
	if (call->event == GRT_NVIDIA_MMAP)
		c->mmap_bytes += call->values[GRT_NVIDIA_BYTES];
	if (call->event == GRT_NVIDIA_P2P_GET)
		c->p2p_bytes += call->values[GRT_NVIDIA_BYTES];
}

static int count_xid(struct grt_nvidia_sums *s, const struct grt_nvidia_call *call)
{
	size_t nr = grt_vec_count(&s->xids, struct grt_nvidia_xid);
	struct grt_nvidia_xid own = { .code = call->values[GRT_NVIDIA_CODE] }, *row = NULL;

	snprintf(own.device, sizeof(own.device), "%s", call->device);
	for (size_t i = 0; !row && i < nr; i++) {
		struct grt_nvidia_xid *at = grt_vec_at(&s->xids, struct grt_nvidia_xid, i);

		if (at->is_others || (at->code == own.code && !strcmp(at->device, own.device)))
			row = at;
	}
	if (!row) {
		if (nr == GRT_NVIDIA_XIDS - 1)
			own = (struct grt_nvidia_xid){ .is_others = true };
		if (grt_vec_append(&s->xids, &own, sizeof(own)))
			return grt_fail_memory();
		row = grt_vec_at(&s->xids, struct grt_nvidia_xid, nr);
	}
	row->count++;
	snprintf(row->text, sizeof(row->text), "%s", call->text ? call->text : "");
	return 0;
}

static int add_to_sums(struct grt_nvidia_sums *s, const struct grt_nvidia_call *call, uint32_t process)
{
	struct grt_nvidia_counts *own = process == GRT_NONE ? NULL : counts_of(s, process);

	if (process != GRT_NONE && !own)
		return grt_fail_memory();
	if (!s->from_ns)
		s->from_ns = call->ns;
	s->to_ns = call->ns;
	s->events++;
	count(&s->all, call);
	if (own)
		count(own, call);
	s->unsized += call->event == GRT_NVIDIA_MMAP && !grt_nvidia_has(call, GRT_NVIDIA_BYTES);
	return call->event == GRT_NVIDIA_XID ? count_xid(s, call) : 0;
}

static int add_time(struct grt_nvidia *n, size_t offset, uint64_t ns)
{
	int err = grt_hist_add((struct grt_hist *)((char *)&n->all + offset), ns);

	if (!err && n->has_laps)
		err = grt_hist_add((struct grt_hist *)((char *)&n->lap + offset), ns);
	return err ? grt_fail_memory() : 0;
}

#define ADD_TIME(n, member, ns)	add_time(n, offsetof(struct grt_nvidia_sums, member), ns)

static void free_sums(struct grt_nvidia_sums *s)
{
	for (int i = 0; i < GRT_NR_NVIDIA_EVENTS; i++)
		grt_hist_free(&s->times[i]);
	grt_hist_free(&s->until_bh);
	grt_hist_free(&s->asleep);
	grt_vec_free(&s->processes);
	grt_vec_free(&s->xids);
	*s = (struct grt_nvidia_sums){ .events = 0 };
}

/* --- open files --- */

static int open_file(struct grt_nvidia *n, const struct grt_nvidia_call *call)
{
	uint64_t file = call->values[GRT_NVIDIA_FILE];
	uint32_t process;
	int err;

	if (!grt_nvidia_has(call, GRT_NVIDIA_FILE) || !call->tgid)
		return 0;
	if (n->file_at.used >= GRT_NVIDIA_FILES) {
		n->lacks_files = true;
		return 0;
	}
	err = find_process(n, call->tgid, call->comm, &process);
	if (err)
		return err;
	/* A file whose close was missed, and whose memory is used again. */
	if (grt_keymap_get(&n->file_at, file, 0) != GRT_NONE)
		return 0;
	if (grt_keymap_put(&n->file_at, file, 0, process))
		return grt_fail_memory();
	grt_vec_at(&n->processes, struct grt_nvidia_process, process)->files++;
	return 0;
}

/* Whoever closes it last: it is no longer open for the one that opened it. */
static void close_file(struct grt_nvidia *n, const struct grt_nvidia_call *call)
{
	uint64_t file = call->values[GRT_NVIDIA_FILE];
	uint32_t process = grt_nvidia_has(call, GRT_NVIDIA_FILE) ? grt_keymap_get(&n->file_at, file, 0) : GRT_NONE;

	if (process == GRT_NONE)
		return;
	grt_keymap_del(&n->file_at, file, 0);
	grt_vec_at(&n->processes, struct grt_nvidia_process, process)->files--;
}

/* --- from the top half of an interrupt to its bottom half --- */

/* The row of the call's interrupt; NULL: its number is not known, or with *@err, no memory. */
static struct grt_nvidia_irq *irq_of(struct grt_nvidia *n, const struct grt_nvidia_call *call, int *err)
{
	const struct grt_nvidia_irq own = { .irq = call->values[GRT_NVIDIA_IRQ] };
	size_t i = 0, count = grt_vec_count(&n->irqs, struct grt_nvidia_irq);

	*err = 0;
	if (!grt_nvidia_has(call, GRT_NVIDIA_IRQ))
		return NULL;
	while (i < count && grt_vec_at(&n->irqs, struct grt_nvidia_irq, i)->irq != own.irq)
		i++;
	if (i == count && grt_vec_append(&n->irqs, &own, sizeof(own))) {
		*err = grt_fail_memory();
		return NULL;
	}
	return grt_vec_at(&n->irqs, struct grt_nvidia_irq, i);
}

/* The first of several top halves that one bottom half serves is the one that waits longest. */
static int end_top_half(struct grt_nvidia *n, const struct grt_nvidia_call *begin, const struct grt_nvidia_call *end)
{
	int err;
	struct grt_nvidia_irq *irq = irq_of(n, begin, &err);

	if (!irq || irq->is_waiting || !grt_nvidia_has(end, GRT_NVIDIA_RESULT) ||
	    end->values[GRT_NVIDIA_RESULT] != IRQ_WAKE_THREAD)
		return err;
	irq->is_waiting = true;
	irq->since_ns = end->ns;
	return 0;
}

static int begin_bottom_half(struct grt_nvidia *n, const struct grt_nvidia_call *call)
{
	int err;
	struct grt_nvidia_irq *irq = irq_of(n, call, &err);

	if (!irq || !irq->is_waiting)
		return err;
	irq->is_waiting = false;
	return ADD_TIME(n, until_bh, call->ns - irq->since_ns);
}

/* --- power --- */

/* The GPU if it is suspended, else NULL. */
static struct grt_nvidia_suspended *find_suspended(const struct grt_nvidia *n, const char *device)
{
	for (size_t i = 0; i < grt_vec_count(&n->suspended, struct grt_nvidia_suspended); i++) {
		struct grt_nvidia_suspended *s = grt_vec_at(&n->suspended, struct grt_nvidia_suspended, i);

		if (!strcmp(s->device, device))
			return s;
	}
	return NULL;
}

static int end_suspend(struct grt_nvidia *n, const struct grt_nvidia_call *begin, uint64_t ns)
{
	struct grt_nvidia_suspended *s = find_suspended(n, begin->device);

	if (!s)
		s = grt_vec_grow(&n->suspended, sizeof(*s));
	if (!s)
		return grt_fail_memory();
	/* The machine may have slept before this call was read. */
	*s = (struct grt_nvidia_suspended){ .since_ns = ns, .slept_ns = n->slept_before_ns };
	memcpy(s->device, begin->device, sizeof(begin->device));
	return 0;
}

/* Sets how long the GPU was asleep; false: that is not known. */
static bool end_sleep(struct grt_nvidia *n, const struct grt_nvidia_call *resume, uint64_t *ns)
{
	struct grt_nvidia_suspended *s = find_suspended(n, resume->device);

	if (!s)
		return false;
	*ns = resume->ns - s->since_ns + n->slept_ns - s->slept_ns;
	n->suspended.bytes -= sizeof(*s);
	*s = *grt_vec_at(&n->suspended, struct grt_nvidia_suspended,
			 grt_vec_count(&n->suspended, struct grt_nvidia_suspended));
	return true;
}

/* --- calls that end --- */

static uint64_t call_key(const struct grt_nvidia_call *call)
{
	return (uint64_t)call->event << 1 | call->is_in_irq;
}

static uint64_t call_place(const struct grt_nvidia_call *call)
{
	return call->is_in_irq ? call->cpu : call->tid;
}

/* Forgets all calls that have begun: their returns may be among what was lost. */
static void cut_calls(struct grt_nvidia *n)
{
	n->all.cut += n->call_at.used;
	n->lap.cut += n->call_at.used;
	grt_keymap_free(&n->call_at);
	n->call_at = (struct grt_keymap){ .slots = NULL };
	n->calls.bytes = 0;
	n->free_call = 0;
	for (size_t i = 0; i < grt_vec_count(&n->irqs, struct grt_nvidia_irq); i++)
		grt_vec_at(&n->irqs, struct grt_nvidia_irq, i)->is_waiting = false;
}

static struct grt_nvidia_call *begun_at(const struct grt_nvidia *n, uint32_t number)
{
	return grt_vec_at(&n->calls, struct grt_nvidia_call, number - 1);
}

/* A place for a call that begins, from 1; 0 without memory.  A free one has the next free one in @tid. */
static uint32_t take_call(struct grt_nvidia *n)
{
	uint32_t number = n->free_call;

	if (number)
		n->free_call = begun_at(n, number)->tid;
	else if (grt_vec_grow(&n->calls, sizeof(struct grt_nvidia_call)))
		number = grt_vec_count(&n->calls, struct grt_nvidia_call);
	return number;
}

static int begin_call(struct grt_nvidia *n, const struct grt_nvidia_call *call)
{
	uint32_t number = grt_keymap_get(&n->call_at, call_key(call), call_place(call));

	/* The return of the earlier one was missed. */
	if (number != GRT_NONE) {
		*begun_at(n, number) = *call;
		n->all.cut++;
		n->lap.cut++;
		return 0;
	}
	if (n->call_at.used >= GRT_NVIDIA_CALLS)
		cut_calls(n);
	number = take_call(n);
	if (!number || grt_keymap_put(&n->call_at, call_key(call), call_place(call), number))
		return grt_fail_memory();
	*begun_at(n, number) = *call;
	return 0;
}

/* Finds the call that returns here, and forgets it.  False: it began before monitor did. */
static bool end_call(struct grt_nvidia *n, const struct grt_nvidia_call *end, struct grt_nvidia_call *begin)
{
	uint32_t number = grt_keymap_get(&n->call_at, call_key(end), call_place(end));

	if (number == GRT_NONE)
		return false;
	*begin = *begun_at(n, number);
	grt_keymap_del(&n->call_at, call_key(end), call_place(end));
	begun_at(n, number)->tid = n->free_call;
	n->free_call = number;
	return true;
}

static int fail_open(struct grt_nvidia *n, const struct grt_nvidia_call *call)
{
	struct grt_nvidia_sums *sums[] = { &n->all, n->has_laps ? &n->lap : NULL };
	uint32_t process;
	int err = call->tgid ? find_process(n, call->tgid, call->comm, &process) : 0;

	for (int i = 0; !err && i < 2 && sums[i]; i++) {
		struct grt_nvidia_counts *own = call->tgid ? counts_of(sums[i], process) : NULL;

		if (call->tgid && !own)
			return grt_fail_memory();
		sums[i]->all.failed_opens++;
		if (own)
			own->failed_opens++;
	}
	return err;
}

static int show(struct grt_nvidia *n, const struct grt_nvidia_row *row)
{
	return n->show ? n->show(n->arg, row) : 0;
}

static int take_return(struct grt_nvidia *n, const struct grt_nvidia_call *end)
{
	struct grt_nvidia_call begin;
	struct grt_nvidia_row row = { .call = &begin, .has_took = true };
	int err = 0;

	if (!end_call(n, end, &begin))
		return 0;
	row.took_ns = end->ns - begin.ns;
	row.has_result = grt_nvidia_has(end, GRT_NVIDIA_RESULT);
	row.result = end->values[GRT_NVIDIA_RESULT];
	err = add_time(n, offsetof(struct grt_nvidia_sums, times) + begin.event * sizeof(struct grt_hist), row.took_ns);
	if (err)
		return err;
	if (is_one_of(begin.event, BIT(ISR) | BIT(ISR_MSIX)))
		err = end_top_half(n, &begin, end);
	if (begin.event == GRT_NVIDIA_OPEN && row.has_result)
		err = row.result < 0 ? fail_open(n, &begin) : open_file(n, &begin);
	if (begin.event == GRT_NVIDIA_SUSPEND)
		err = end_suspend(n, &begin, end->ns);
	if (begin.event == GRT_NVIDIA_RESUME) {
		row.has_asleep = end_sleep(n, &begin, &row.asleep_ns);
		if (row.has_asleep)
			err = ADD_TIME(n, asleep, row.asleep_ns);
	}
	/* Rows come in the order of time. */
	begin.ns = end->ns;
	return err || !grt_nvidia_abouts[begin.event].every ? err : show(n, &row);
}

int grt_nvidia_add(struct grt_nvidia *n, const struct grt_nvidia_call *call)
{
	unsigned int every = grt_nvidia_abouts[call->event].every;
	const struct grt_nvidia_row row = { .call = call };
	uint32_t process = GRT_NONE;
	int err = 0;

	if (call->is_return)
		return take_return(n, call);
	if (has_process(call))
		err = find_process(n, call->tgid, call->comm, &process);
	if (!err)
		err = add_to_sums(&n->all, call, process);
	if (!err && n->has_laps)
		err = add_to_sums(&n->lap, call, process);
	if (!err && is_one_of(call->event, BIT(BH) | BIT(BH_MSIX)))
		err = begin_bottom_half(n, call);
	if (err)
		return err;
	if (call->event == GRT_NVIDIA_CLOSE)
		close_file(n, call);
	if (is_one_of(call->event, n->has_return))
		return begin_call(n, call);
	return every && (n->all.all.calls[call->event] - 1) % every == 0 ? show(n, &row) : 0;
}

void grt_nvidia_lose(struct grt_nvidia *n, uint64_t count)
{
	n->all.lost += count;
	n->lap.lost += count;
	n->lacks_files = true;
	cut_calls(n);
	n->suspended.bytes = 0;
}

void grt_nvidia_begin_lap(struct grt_nvidia *n)
{
	free_sums(&n->lap);
}

void grt_nvidia_free(struct grt_nvidia *n)
{
	free_sums(&n->all);
	free_sums(&n->lap);
	grt_vec_free(&n->processes);
	grt_vec_free(&n->calls);
	grt_vec_free(&n->irqs);
	grt_vec_free(&n->suspended);
	grt_keymap_free(&n->process_at);
	grt_keymap_free(&n->call_at);
	grt_keymap_free(&n->file_at);
}

/* --- errors --- */

void grt_nvidia_set_xid_text(struct grt_nvidia_call *call, const char *text)
{
	const char *name;
	char *end;
	unsigned long pid;

	call->text = text;
	if (strncmp(text, "pid=", strlen("pid=")) != 0)
		return;
	/* The driver writes '<unknown>' if it does not know. */
	pid = strtoul(text + strlen("pid="), &end, 10);
	if (end == text + strlen("pid=") || strncmp(end, ", name=", strlen(", name=")) != 0)
		return;
	name = end + strlen(", name=");
	call->tgid = pid;
	snprintf(call->comm, sizeof(call->comm), "%.*s", (int)strcspn(name, ","), name);
}

bool grt_nvidia_parse_xid(struct grt_nvidia_call *call, const char *line)
{
	static const char start[] = "NVRM: Xid (PCI:";
	const char *at = strstr(line, start);
	char *end;
	unsigned long code;

	if (!at)
		return false;
	at += strlen(start);
	/* A part of a GPU follows its address: "0000:01:00 GPU-I:05". */
	snprintf(call->device, sizeof(call->device), "%.*s", (int)strcspn(at, " )"), at);
	at = strstr(at, "): ");
	if (!at)
		return false;
	code = strtoul(at + strlen("): "), &end, 10);
	if (end == at + strlen("): "))
		return false;
	call->event = GRT_NVIDIA_XID;
	call->values[GRT_NVIDIA_CODE] = code;
	call->has |= 1u << GRT_NVIDIA_CODE;
	grt_nvidia_set_xid_text(call, end + strspn(end, ", "));
	return true;
}
