// SPDX-License-Identifier: GPL-2.0
#include "probe_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event-parse.h>

#include "bind.h"
#include "error.h"
#include "grace.h"
#include "guard.h"
#include "heap.h"
#include "machine.h"
#include "probe_define.h"
#include "tracefs_events.h"
#include "tracefs_lane.h"
#include "tracefs_place.h"
#include "tracefs_tasks.h"
#include "words.h"

#define HARDIRQ		0x08	/* TRACE_FLAG_HARDIRQ: bit of the common flags of an event */
#define MOST_TASKS	65536	/* threads that are remembered */

/* An event that is enabled. */
struct watched {
	struct grt_tracefs_event event;
	bool is_of_tasks;			/* it tells of a thread, and is no hit */
	const struct tep_event *format;		/* owned by @tep */
	const struct tep_format_field *values[GRT_PROBE_VALUES];	/* NULL: it has none of that name */
};

struct grt_probe_watch {
	struct grt_tracefs_place place;
	struct grt_guard guard;
	bool has_instance, is_stopped;
	struct tep_handle *tep;			/* owned */
	struct tep_format_field *tid, *flags;	/* that all events have */
	struct grt_binder binder;
	struct grt_probe_watch_options options;
	struct grt_tasks tasks;
	struct grt_vec probes;			/* struct watched */
	unsigned int nr_defined;		/* of them; others may be missing */
	struct grt_tracefs_lane *lanes;		/* owned */
	unsigned int nr_lanes;
	unsigned int most_pages;		/* more than a buffer has */
	struct grt_heap queue;			/* lanes, by the time of their next event */
};

static struct watched *watched_at(const struct grt_probe_watch *w, size_t i)
{
	return grt_vec_at(&w->probes, struct watched, i);
}

static size_t count_watched(const struct grt_probe_watch *w)
{
	return grt_vec_count(&w->probes, struct watched);
}

void grt_probe_watch_close(struct grt_probe_watch *w)
{
	for (unsigned int i = 0; i < w->nr_lanes; i++)
		grt_tracefs_lane_close(&w->lanes[i]);
	if (w->has_instance)
		grt_tracefs_place_remove(&w->place);
	grt_guard_end(&w->guard);
	grt_tasks_free(&w->tasks);
	grt_binder_free(&w->binder);
	if (w->tep)
		tep_free(w->tep);
	grt_vec_free(&w->probes);
	grt_heap_free(&w->queue);
	free(w->lanes);
	free(w);
}

/* A probe that the kernel refused keeps its number, without an event, if it may be missing. */
static int define(struct grt_probe_watch *w, const char *text)
{
	struct grt_vec made = { NULL };
	struct watched watched = { .format = NULL };
	bool may_lack = w->options.may_lack;
	int err = w->options.are_found ? grt_probe_define_found(&w->place, w->place.group, text, &made) :
		  grt_probe_define(&w->place, w->place.group, text, &made);

	if (!err && grt_vec_count(&made, struct grt_tracefs_event) > 1)
		err = grt_fail(EINVAL, "name one of them", "'%s' means %zu functions", text,
			       grt_vec_count(&made, struct grt_tracefs_event));
	if (!err) {
		watched.event = *grt_vec_at(&made, struct grt_tracefs_event, 0);
		w->nr_defined++;
	}
	if ((!err || may_lack) && grt_vec_append(&w->probes, &watched, sizeof(watched)))
		err = grt_fail_memory();
	grt_vec_free(&made);
	return may_lack && err != -ENOMEM ? 0 : err;
}

static int define_all(struct grt_probe_watch *w, const struct grt_words *probes)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < probes->count; i++)
		err = define(w, probes->words[i]);
	/* The cause is that of the last one. */
	return err || w->nr_defined ? err : -EINVAL;
}

static bool is_there(const struct watched *p)
{
	return *p->event.name;
}

/* Adds an event of the kernel. */
static int add_event(struct grt_probe_watch *w, const char *word, bool is_of_tasks)
{
	struct watched watched = { .is_of_tasks = is_of_tasks };

	if (sscanf(word, "%63[^:]:%63s", watched.event.system, watched.event.name) != 2)
		return grt_fail(EINVAL, NULL, "'%s' is no SYSTEM:EVENT", word);
	return grt_vec_append(&w->probes, &watched, sizeof(watched)) ? grt_fail_memory() : 0;
}

static int add_events(struct grt_probe_watch *w)
{
	const struct grt_words *events = w->options.events;
	int err = 0;

	for (unsigned int i = 0; !err && events && i < events->count; i++)
		err = add_event(w, events->words[i], false);
	if (!err && w->options.has_tasks)
		err = add_event(w, "task:task_newtask", true);
	if (!err && w->options.has_tasks)
		err = add_event(w, "task:task_rename", true);
	return err;
}

static int parse_format(struct grt_probe_watch *w, struct watched *p)
{
	struct tep_event *format;
	int err = grt_tracefs_parse(&w->place, w->tep, p->event.system, p->event.name);

	if (err)
		return err;
	format = tep_find_event_by_name(w->tep, p->event.system, p->event.name);
	w->tid = format ? tep_find_common_field(format, "common_pid") : NULL;
	w->flags = format ? tep_find_common_field(format, "common_flags") : NULL;
	if (!w->tid || !w->flags)
		return grt_fail(EBADMSG, NULL, "cannot parse the format of '%s'", p->event.name);
	p->format = format;
	for (unsigned int i = 0; i < w->options.nr_values; i++)
		p->values[i] = tep_find_field(format, w->options.values[i]);
	return 0;
}

static int parse_formats(struct grt_probe_watch *w)
{
	int err = 0;

	w->tep = tep_alloc();
	if (!w->tep)
		return grt_fail_memory();
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(w->tep, sizeof(long));
	for (size_t i = 0; !err && i < count_watched(w); i++)
		err = is_there(watched_at(w, i)) ? parse_format(w, watched_at(w, i)) : 0;
	if (!err)
		err = grt_binder_create(&w->binder, w->tep, NULL, 0);
	if (!err && w->options.has_tasks)
		grt_tasks_bind(&w->tasks, w->tep);
	return err;
}

static int open_lanes(struct grt_probe_watch *w)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	char file[64];
	int err = 0, fd;

	w->lanes = calloc(cpus, sizeof(*w->lanes));
	if (!w->lanes)
		return grt_fail_memory();
	for (long cpu = 0; !err && cpu < cpus; cpu++) {
		struct grt_tracefs_lane *l = &w->lanes[w->nr_lanes];

		/* A CPU that was never there has no buffer. */
		snprintf(file, sizeof(file), "per_cpu/cpu%ld/stats", cpu);
		fd = grt_tracefs_open_own(&w->place, file, O_RDONLY);
		if (fd < 0)
			continue;
		close(fd);
		l->stream.cpu = cpu;
		l->fd = -1;
		w->nr_lanes++;
		err = grt_tracefs_lane_open(l, &w->place);
	}
	return err;
}

static int set_up(struct grt_probe_watch *w)
{
	const uint64_t bytes = grt_capture_buffer_bytes(w->options.buffer_bytes);
	char kb[32];
	int err = grt_probe_check(&w->place);

	if (err)
		return err;
	grt_tracefs_place_sweep(&w->place);
	err = grt_guard_begin(&w->guard, &grt_tracefs_place_guard, &w->place);
	if (err) {
		errno = -err;
		return grt_fail_errno(NULL, "cannot make an instance in '%s'", w->place.dir);
	}
	w->has_instance = true;
	if (!err)
		err = define_all(w, w->options.probes);
	if (!err)
		err = add_events(w);
	if (!err)
		err = parse_formats(w);
	if (!err)
		err = grt_tracefs_write_own(&w->place, "tracing_on", "0");
	if (!err)
		err = grt_tracefs_write_own(&w->place, "trace_clock", "mono");
	snprintf(kb, sizeof(kb), "%" PRIu64, (bytes + 1023) / 1024);
	w->most_pages = bytes / sysconf(_SC_PAGESIZE) + 16;
	if (!err)
		err = grt_tracefs_write_own(&w->place, "buffer_size_kb", kb);
	return err ? err : open_lanes(w);
}

int grt_probe_watch_open(struct grt_probe_watch **watch, const struct grt_probe_watch_options *options)
{
	struct grt_probe_watch *w = calloc(1, sizeof(*w));
	int err;

	if (!w)
		return grt_fail_memory();
	w->guard.fd = -1;
	w->options = *options;
	err = set_up(w);
	if (err)
		grt_probe_watch_close(w);
	else
		*watch = w;
	return err;
}

/* The later probe first, so that no end of a call comes without its beginning. */
int grt_probe_watch_start(struct grt_probe_watch *w)
{
	char file[192];
	int err = 0;

	for (size_t i = count_watched(w); !err && i--; ) {
		if (!is_there(watched_at(w, i)))
			continue;
		snprintf(file, sizeof(file), "events/%s/%s/enable", watched_at(w, i)->event.system,
			 watched_at(w, i)->event.name);
		err = grt_tracefs_write_own(&w->place, file, "1");
	}
	if (!err)
		err = grt_tracefs_write_own(&w->place, "tracing_on", "1");
	/* Only now, because threads that begin later are told by events. */
	if (!err && w->options.has_tasks)
		grt_tasks_scan(&w->tasks);
	return err;
}

int grt_probe_watch_stop(struct grt_probe_watch *w)
{
	int err = w->is_stopped ? 0 : grt_tracefs_write_own(&w->place, "tracing_on", "0");

	if (err)
		return err;
	grt_capture_grace();
	w->is_stopped = true;
	return 0;
}

/* --- hits --- */

/* Threads that have ended take memory, too: from time to time those that are there are read anew. */
static void take_task(struct grt_probe_watch *w, const struct tep_record *record)
{
	if (grt_vec_count(&w->tasks.rows, struct grt_task) >= MOST_TASKS) {
		grt_tasks_free(&w->tasks);
		w->tasks = (struct grt_tasks){ .rows = { NULL } };
		grt_tasks_bind(&w->tasks, w->tep);
		grt_tasks_scan(&w->tasks);
	}
	grt_tasks_take(&w->tasks, &w->binder, record);
}

static void set_task(struct grt_probe_watch *w, struct grt_probe_hit *hit)
{
	const struct grt_task *task = grt_tasks_find(&w->tasks, hit->tid);

	hit->tgid = task ? task->tgid : 0;
	task = hit->tgid ? grt_tasks_find(&w->tasks, hit->tgid) : NULL;
	snprintf(hit->comm, sizeof(hit->comm), "%s", task ? task->comm : "");
}

static void set_value(struct grt_probe_watch *w, const struct tep_record *record,
		      const struct tep_format_field *field, struct grt_probe_value *value)
{
	if (!field)
		return;
	value->is_known = field->flags & TEP_FIELD_IS_STRING ? grt_bind_text(&w->binder, record, field, &value->text) :
			  grt_bind_number(&w->binder, record, field, &value->number);
}

/* The current event of a lane. */
static int hand_out(struct grt_probe_watch *w, const struct grt_tracefs_lane *l,
		    const struct grt_probe_watch_ops *ops, void *arg)
{
	struct tep_record record = {
		.ts = l->event_ns, .data = l->event, .size = l->event_bytes, .cpu = l->stream.cpu,
	};
	int id = tep_data_type(w->tep, &record);
	struct grt_probe_hit hit = { .ns = l->event_ns, .cpu = l->stream.cpu };
	const struct watched *p;
	uint64_t tid, flags;
	size_t i = 0;

	while (i < count_watched(w) && (!watched_at(w, i)->format || watched_at(w, i)->format->id != id))
		i++;
	if (i == count_watched(w) || !grt_bind_number(&w->binder, &record, w->tid, &tid) ||
	    !grt_bind_number(&w->binder, &record, w->flags, &flags))
		return 0;
	p = watched_at(w, i);
	if (p->is_of_tasks) {
		take_task(w, &record);
		return 0;
	}
	hit.probe = i;
	hit.tid = tid;
	hit.is_in_irq = flags & HARDIRQ;
	if (w->options.has_tasks)
		set_task(w, &hit);
	for (unsigned int k = 0; k < w->options.nr_values; k++)
		set_value(w, &record, p->values[k], &hit.values[k]);
	return ops->hit(arg, &hit);
}

/* Moves to the next event of a lane, and tells of those that are missing before it. */
static bool move(struct grt_probe_watch *w, struct grt_tracefs_lane *l, const struct grt_probe_watch_ops *ops,
		 void *arg)
{
	bool has_next = grt_tracefs_lane_next(l, &w->place);

	if (l->lost > l->told_lost)
		ops->lost(arg, l->lost - l->told_lost);
	l->told_lost = l->lost;
	return has_next;
}

static int fill(struct grt_probe_watch *w, const struct grt_probe_watch_ops *ops, void *arg)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < w->nr_lanes; i++) {
		struct grt_tracefs_lane *l = &w->lanes[i];

		err = grt_tracefs_lane_read(l, &w->place, w->most_pages);
		if (err || l->event || !move(w, l, ops, arg))
			continue;
		if (grt_heap_put(&w->queue, l->event_ns, i))
			err = grt_fail_memory();
	}
	return err;
}

int grt_probe_watch_read(struct grt_probe_watch *w, const struct grt_probe_watch_ops *ops, void *arg)
{
	/* What another CPU writes now comes with a later time. */
	uint64_t safe_ns = w->is_stopped ? UINT64_MAX : grt_capture_now_ns();
	const struct grt_due *first;
	int err;

	if (!w->is_stopped)
		grt_capture_grace();
	err = fill(w, ops, arg);
	while (!err && (first = grt_heap_first(&w->queue)) && first->ns < safe_ns) {
		struct grt_tracefs_lane *l = &w->lanes[first->id];

		err = hand_out(w, l, ops, arg);
		if (err)
			break;
		if (move(w, l, ops, arg))
			grt_heap_defer(&w->queue, l->event_ns);
		else
			grt_heap_pop(&w->queue);
	}
	return err;
}

static bool is_watched(const void *watch, const char *name)
{
	for (size_t i = 0; i < count_watched(watch); i++)
		if (!strcmp(watched_at(watch, i)->event.name, name))
			return true;
	return false;
}

uint64_t grt_probe_watch_missed(const struct grt_probe_watch *w)
{
	return grt_tracefs_missed(&w->place, is_watched, w);
}

bool grt_probe_watch_has(const struct grt_probe_watch *w, unsigned int probe)
{
	return is_there(watched_at(w, probe));
}

pid_t grt_probe_watch_guard(const struct grt_probe_watch *w)
{
	return w->guard.pid;
}
