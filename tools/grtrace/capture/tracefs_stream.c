// SPDX-License-Identifier: GPL-2.0
/*
 * The pages of all CPUs are read often.  Their events are put in order of time, up to a time before
 * which no more events can come, and go through lib/import, whose records go to the stream of the
 * CPU that the event is from.
 */
#include <glob.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event-parse.h>
#include <linux/grtrace.h>

#include "choice.h"
#include "cpulist.h"
#include "error.h"
#include "grace.h"
#include "kinds.h"
#include "machine.h"
#include "tracefs_private.h"
#include "translate.h"

#define ROUND_NS	50000000ull	/* between two times that are waited for */
#define SLACK_NS	1000000		/* ftrace's clock may differ from ours by less than this */
#define MOST_BYTES	(8u << 20)	/* of the streams, to be taken before more are made */
#define TELL_NS		1000000000ull	/* between two accounts of refused events alone */
#define MOST_TASKS	65536	/* threads, before those that have ended are forgotten */
#define FORGET_NS	10000000000ull	/* between two looks for them */
#define SCAN_NS		1000000000ull	/* between two looks at all processes */

static struct grt_tracefs_lane *lane_of(const struct grt_tracefs *t, uint32_t cpu)
{
	return cpu < t->cpus && t->lane_of[cpu] ? &t->lanes[t->lane_of[cpu] - 1] : NULL;
}

static struct grtrace_fates fates_of(const struct grt_tracefs_lane *l)
{
	return (struct grtrace_fates){
		.seen = l->stream.cseq + l->lost + l->filtered + l->refused,
		.written = l->stream.cseq, .buffer_full = l->lost,
		.filtered_type = l->filtered, .filtered_ext = l->refused,
	};
}

static int begin_subbuf(struct grt_tracefs_lane *l, uint64_t ts)
{
	const struct grtrace_fates fates = fates_of(l);

	if (!l->needs_subbuf && l->told_lost == l->lost && l->told_filtered == l->filtered)
		return 0;
	l->needs_subbuf = false;
	l->told_lost = l->lost;
	l->told_filtered = l->filtered;
	l->told_refused = l->refused;
	return grt_capture_lane_subbuf(&l->stream, ts > l->stream.last_ns ? ts : l->stream.last_ns,
				       &fates);
}

/* Room for a record in @to, with its header. */
static struct grtrace_hdr *begin_record(struct grt_tracefs *t, struct grt_vec *to,
					const struct grtrace_hdr *from)
{
	struct grtrace_hdr *hdr = grt_vec_grow(to, from->size);

	if (!hdr) {
		t->err = grt_fail_memory();
		return NULL;
	}
	memset(hdr, 0, from->size);
	*hdr = *from;
	return hdr;
}

static struct grtrace_hdr *put_record(struct grt_tracefs *t, struct grt_tracefs_lane *l,
				      const struct grtrace_hdr *from)
{
	struct grtrace_hdr *hdr;

	if (!(t->options.types >> from->type & 1)) {
		l->filtered++;
		return NULL;
	}
	t->err = begin_subbuf(l, from->ts);
	hdr = t->err ? NULL : begin_record(t, &l->stream.out, from);
	if (hdr)
		grt_capture_lane_stamp(&l->stream, hdr);
	return hdr;
}

/* The record that was held back is whole now: its job is known. */
static void settle(struct grt_tracefs *t)
{
	const struct grtrace_hdr *held = t->held.data;
	struct grt_tracefs_lane *l = t->held_lane;
	struct grtrace_hdr *hdr;

	t->held_lane = NULL;
	if (!l || t->err)
		return;
	if (!grt_tracefs_chooses(t, held) || !grt_cpus_have(t->options.choice->cpus, l->stream.cpu)) {
		l->refused++;
		l->refused_ns = held->ts;
		return;
	}
	hdr = put_record(t, l, held);
	if (hdr)
		memcpy(hdr + 1, held + 1, held->size - sizeof(*held));
}

static void *add_record(void *arg, uint32_t cpu, uint64_t ts, unsigned int type, size_t bytes,
			unsigned int flags)
{
	const struct grtrace_hdr hdr = {
		.type = type, .size = bytes, .cpu = cpu, .flags = flags, .ts = ts,
	};
	struct grt_tracefs *t = arg;
	struct grt_tracefs_lane *l = lane_of(t, cpu);

	settle(t);
	if (!l || t->err)
		return NULL;
	if (!grt_capture_chooses(t->options.choice))
		return put_record(t, l, &hdr);
	t->held_lane = l;
	t->held.bytes = 0;
	return begin_record(t, &t->held, &hdr);
}

/* The driver that a device has in sysfs; its event names none. */
static void find_driver(struct grtrace_ring *ring)
{
	char pattern[96], link[PATH_MAX];
	glob_t found;
	ssize_t len;

	snprintf(pattern, sizeof(pattern), "/sys/bus/*/devices/%s/driver", ring->device);
	if (*ring->driver || !*ring->device || strpbrk(ring->device, "*?[/") ||
	    glob(pattern, 0, NULL, &found))
		return;
	len = readlink(found.gl_pathv[0], link, sizeof(link) - 1);
	globfree(&found);
	if (len < 0)
		return;
	link[len] = '\0';
	snprintf(ring->driver, sizeof(ring->driver), "%.23s", basename(link));
}

/* All streams have been begun, so any may define it. */
static void add_ring(void *arg, const struct grtrace_ring *from)
{
	struct grt_tracefs *t = arg;
	struct grtrace_ring ring = *from;

	find_driver(&ring);
	ring.hdr.ts = t->lanes[0].stream.last_ns;
	if (!t->err)
		t->err = grt_capture_defs_ring(&t->defs, &ring, &t->lanes[0].stream.out);
}

static void add_process(void *arg, uint32_t tgid, uint64_t ts)
{
	struct grt_tracefs *t = arg;
	const struct grt_task *task = grt_tasks_find(&t->tasks, tgid);
	struct grtrace_process process = {
		.hdr = { .type = GRTRACE_PROCESS, .size = sizeof(process), .ts = ts },
		.tgid = tgid,
	};

	settle(t);
	if (!task || t->err)
		return;
	process.start_ns = task->start_ns;
	memcpy(process.comm, task->comm, sizeof(process.comm));
	t->err = grt_proc_places_fill(&t->places, &process);
	if (!t->err)
		t->err = grt_capture_defs_process(&t->defs, &process, &t->lanes[0].stream.out);
}

/* At least one NUL ends the text, and its size is a multiple of 8. */
static void put_extra(struct grt_tracefs *t, const struct tep_record *record)
{
	struct grtrace_trace_event *rec;
	struct grt_piece text;
	int err = grt_event_text_print(&t->extra.text, record, GRTRACE_TRACE_EVENT_MAX, &text);

	if (err && !t->err)
		t->err = err;
	rec = err ? NULL : add_record(t, record->cpu, record->ts, GRTRACE_TRACE_EVENT,
				      sizeof(*rec) + (text.len / 8 + 1) * 8, 0);
	if (!rec)
		return;
	rec->tid = tep_data_pid(t->tep, (struct tep_record *)record);
	memcpy(rec + 1, text.at, text.len);
}

static void handle_event(struct grt_tracefs *t, const struct grt_tracefs_lane *l)
{
	struct tep_record record = {
		.data = l->event, .size = l->event_bytes, .ts = l->event_ns,
		.cpu = l->stream.cpu,
	};
	struct grt_foreign ev = { .cpu = l->stream.cpu, .ts = l->event_ns };
	const struct grt_task *task;
	bool is_task, is_extra;

	if (record.size < 8)
		return;
	is_task = grt_tasks_take(&t->tasks, &t->binder, &record);
	is_extra = grt_tracefs_extra_has(&t->extra, tep_data_type(t->tep, &record));
	if (is_extra)
		put_extra(t, &record);
	if (is_task || is_extra)
		return;
	if (!grt_bind(&t->binder, &record, &ev) || !ev.kind)
		return;
	ev.tid = tep_data_pid(t->tep, &record);
	task = grt_tasks_find(&t->tasks, ev.tid);
	if (task && task->is_kernel)
		grt_foreign_set(&ev, GRT_IN_KERNEL, 1);
	if (task)
		ev.tgid = task->tgid;
	grt_translator_event(t->translator, &ev);
}

/* A CPU whose events are all refused writes none that could tell their number: this tells it. */
static int tell_refused(struct grt_tracefs *t, bool is_end)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < t->nr_lanes; i++) {
		struct grt_tracefs_lane *l = &t->lanes[i];

		if (l->refused == l->told_refused ||
		    (!is_end && l->refused_ns < l->stream.last_ns + TELL_NS))
			continue;
		if (l->refused_ns > l->stream.last_ns)
			l->stream.last_ns = l->refused_ns;
		l->needs_subbuf = true;
		err = begin_subbuf(l, l->stream.last_ns);
	}
	return err;
}

/* Handles all events before @until_ns, in the order of time. */
static int translate(struct grt_tracefs *t, uint64_t until_ns)
{
	struct grt_tracefs_lane *l;
	int err = 0;

	grt_heap_clear(&t->queue);
	for (unsigned int i = 0; !err && i < t->nr_lanes; i++) {
		l = &t->lanes[i];
		l->needs_subbuf = true;
		if (l->event || grt_tracefs_lane_next(l, &t->place))
			err = grt_heap_put(&t->queue, l->event_ns, i);
	}
	while (!err && grt_heap_count(&t->queue) && grt_heap_first(&t->queue)->ns < until_ns) {
		l = &t->lanes[grt_heap_first(&t->queue)->id];
		handle_event(t, l);
		if (grt_tracefs_lane_next(l, &t->place))
			grt_heap_defer(&t->queue, l->event_ns);
		else
			grt_heap_pop(&t->queue);
	}
	settle(t);
	return err ? grt_fail_memory() : t->err;
}

static int read_pages(struct grt_tracefs *t)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < t->nr_lanes; i++)
		err = grt_tracefs_lane_read(&t->lanes[i], &t->place, t->most_pages);
	return err;
}

/* Lost events may be those that tell of new threads. */
static void scan_again(struct grt_tracefs *t)
{
	uint64_t lost = 0, now = grt_capture_now_ns();

	for (unsigned int i = 0; i < t->nr_lanes; i++)
		lost += t->lanes[i].lost;
	if (lost == t->scanned_lost || now - t->scanned_ns < SCAN_NS)
		return;
	t->scanned_lost = lost;
	t->scanned_ns = now;
	grt_tasks_scan(&t->tasks);
}

/* Threads that have ended take memory, too. */
static void forget_tasks(struct grt_tracefs *t)
{
	uint64_t now = grt_capture_now_ns();
	size_t running;

	if (!t->most_tasks)
		t->most_tasks = MOST_TASKS;
	if (grt_vec_count(&t->tasks.rows, struct grt_task) < t->most_tasks || now - t->forgot_ns < FORGET_NS)
		return;
	running = grt_tasks_forget(&t->tasks);
	t->forgot_ns = now;
	t->most_tasks = running > MOST_TASKS / 2 ? 2 * running : MOST_TASKS;
}

/*
 * Reads what there was at a time, after every event that had its stamp before it was written, too:
 * the ring buffer writes with preemption off.
 */
static int read_until_now(struct grt_tracefs *t)
{
	uint64_t now = grt_capture_now_ns();
	int err;

	grt_capture_grace();
	err = read_pages(t);
	if (!err)
		t->safe_ns = now - SLACK_NS;
	return err;
}

/* What the buffers of CPUs without a lane have: these came after the start. */
static uint64_t count_unread(const struct grt_tracefs *t)
{
	uint64_t count = 0;

	for (uint32_t cpu = 0; cpu < t->cpus; cpu++)
		if (!t->lane_of[cpu])
			count += grt_tracefs_lane_count(&t->place, cpu, "entries") +
				 grt_tracefs_lane_count(&t->place, cpu, "overrun");
	return count;
}

/* Whether the event of that name is recorded: one for jobs, of --probe, or of -e. */
static bool is_recorded(const void *arg, const char *name)
{
	const struct grt_tracefs *t = arg;
	const struct grt_vec *events = &t->extra.events;

	for (size_t i = 0; i < grt_vec_count(events, struct grt_tracefs_event); i++)
		if (!strcmp(grt_vec_at(events, struct grt_tracefs_event, i)->name, name))
			return true;
	return grt_event_kind_find(grt_event_kinds, grt_nr_event_kinds,
				   (struct grt_piece){ name, strlen(name) });
}

uint64_t grt_tracefs_count_missed(const struct grt_tracefs *t)
{
	uint64_t missed = grt_tracefs_missed(&t->place, is_recorded, t);

	/* Fewer than before: somebody removed a probe, and its count went with it. */
	return missed > t->missed_before ? missed - t->missed_before : 0;
}

static int end_streams(struct grt_tracefs *t)
{
	int err = tell_refused(t, true);

	for (unsigned int i = 0; !err && i < t->nr_lanes; i++) {
		struct grt_tracefs_lane *l = &t->lanes[i];
		uint32_t cpu = l->stream.cpu;
		uint64_t lost = grt_tracefs_lane_count(&t->place, cpu, "overrun") +
				grt_tracefs_lane_count(&t->place, cpu, "commit overrun") +
				grt_tracefs_lane_count(&t->place, cpu, "dropped events");
		struct grtrace_fates fates;

		if (lost > l->lost)
			l->lost = lost;
		if (!i) {
			t->missed = grt_tracefs_count_missed(t);
			l->lost += count_unread(t) + t->missed;
		}
		fates = fates_of(l);
		err = grt_capture_lane_end(&l->stream, &fates);
	}
	t->has_ended = true;
	return err;
}

int grt_tracefs_advance(struct grt_tracefs *t, bool is_asked)
{
	uint64_t bytes = 0;
	int err;

	for (unsigned int i = 0; i < t->nr_lanes; i++)
		bytes += t->lanes[i].stream.out.bytes - t->lanes[i].stream.out_at;
	if (t->has_ended || (bytes > MOST_BYTES && !is_asked))
		return 0;
	err = read_pages(t);
	if (!err && !t->is_stopped && (is_asked || grt_capture_now_ns() - t->safe_ns >= ROUND_NS))
		err = read_until_now(t);
	if (!err)
		err = translate(t, t->is_stopped ? UINT64_MAX : t->safe_ns);
	if (!err)
		err = tell_refused(t, false);
	scan_again(t);
	forget_tasks(t);
	return !err && t->is_stopped ? end_streams(t) : err;
}

void grt_tracefs_set_target(struct grt_tracefs *t)
{
	t->target = (struct grt_out_target){
		.add = add_record, .ring = add_ring, .process = add_process, .arg = t,
	};
}
