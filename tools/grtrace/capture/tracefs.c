// SPDX-License-Identifier: GPL-2.0
/*
 * The pages of all CPUs are read often.  Their events are put in order of time, up to a time before
 * which no more events can come, and go through lib/import, whose records go to the stream of the
 * CPU that the event is from.
 */
#include "tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <event-parse.h>
#include <linux/grtrace.h>

#include "definitions.h"
#include "error.h"
#include "grace.h"
#include "guard.h"
#include "heap.h"
#include "import_private.h"
#include "live.h"
#include "machine.h"
#include "tracefs_events.h"
#include "tracefs_lane.h"
#include "tracefs_place.h"
#include "tracefs_tasks.h"
#include "translate.h"
#include "types.h"

#define ROUND_NS	50000000ull	/* between two times that are waited for */
#define SLACK_NS	1000000		/* ftrace's clock may differ from ours by less than this */
#define MOST_BYTES	(8u << 20)	/* of the streams, to be taken before more are made */
#define WAKE_PERCENT	"25"		/* of a buffer, when its reader is woken */
#define SCAN_NS		1000000000ull	/* between two looks at all processes */

struct grt_tracefs {
	struct grt_tracefs_options options;
	struct grt_tracefs_place place;
	struct grt_guard guard;
	struct grt_types types;
	struct grt_tracefs_events events;
	struct grt_capture_defs defs;
	struct tep_handle *tep;			/* owned */
	struct grt_binder binder;
	struct grt_tasks tasks;
	struct grt_out_target target;
	struct grt_translator *translator;	/* owned */
	char driver[24];			/* of the only GPU, if there is one */
	struct grt_tracefs_lane *lanes;		/* owned */
	unsigned int nr_lanes;
	uint32_t *lane_of;			/* owned: CPU -> number of its lane + 1 */
	unsigned int cpus;			/* possible ones */
	unsigned int most_pages;		/* more than a buffer has */
	struct grt_heap queue;			/* lanes, by the time of their next event */
	uint64_t safe_ns;			/* every event before it was read */
	uint64_t scanned_ns, scanned_lost;
	struct grt_live *live;
	bool has_instance, is_stopped, has_ended;
	int err;				/* of an event that could not be written */
};

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* --- records: the target of the translation --- */

static struct grt_tracefs_lane *lane_of(const struct grt_tracefs *t, uint32_t cpu)
{
	return cpu < t->cpus && t->lane_of[cpu] ? &t->lanes[t->lane_of[cpu] - 1] : NULL;
}

static struct grtrace_fates fates_of(const struct grt_tracefs_lane *l)
{
	return (struct grtrace_fates){
		.seen = l->stream.cseq + l->lost + l->filtered, .written = l->stream.cseq,
		.buffer_full = l->lost, .filtered_type = l->filtered,
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
	return grt_capture_lane_subbuf(&l->stream, ts > l->stream.last_ns ? ts : l->stream.last_ns,
				       &fates);
}

static void *add_record(void *arg, uint32_t cpu, uint64_t ts, unsigned int type, size_t bytes,
			unsigned int flags)
{
	struct grt_tracefs *t = arg;
	struct grt_tracefs_lane *l = lane_of(t, cpu);
	struct grtrace_hdr *hdr;

	if (!l || t->err)
		return NULL;
	if (!(t->options.types >> type & 1)) {
		l->filtered++;
		return NULL;
	}
	t->err = begin_subbuf(l, ts);
	hdr = t->err ? NULL : grt_vec_grow(&l->stream.out, bytes);
	if (!hdr) {
		t->err = grt_fail_memory();
		return NULL;
	}
	memset(hdr, 0, bytes);
	hdr->type = type;
	hdr->size = bytes;
	hdr->cpu = cpu;
	hdr->flags = flags;
	hdr->ts = ts;
	grt_capture_lane_stamp(&l->stream, hdr);
	return hdr;
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

	if (!task || t->err)
		return;
	process.start_ns = task->start_ns;
	memcpy(process.comm, task->comm, sizeof(process.comm));
	t->err = grt_capture_defs_process(&t->defs, &process, &t->lanes[0].stream.out);
}

/* --- events --- */

static void handle_event(struct grt_tracefs *t, const struct grt_tracefs_lane *l)
{
	struct tep_record record = {
		.data = l->event, .size = l->event_bytes, .ts = l->event_ns,
		.cpu = l->stream.cpu,
	};
	struct grt_foreign ev = { .cpu = l->stream.cpu, .ts = l->event_ns };
	const struct grt_task *task;

	if (record.size < 8 || grt_tasks_take(&t->tasks, &t->binder, &record))
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
	uint64_t lost = 0, now = now_ns();

	for (unsigned int i = 0; i < t->nr_lanes; i++)
		lost += t->lanes[i].lost;
	if (lost == t->scanned_lost || now - t->scanned_ns < SCAN_NS)
		return;
	t->scanned_lost = lost;
	t->scanned_ns = now;
	grt_tasks_scan(&t->tasks);
}

/*
 * Reads what there was at a time, after every event that had its stamp before it was written, too:
 * the ring buffer writes with preemption off.
 */
static int read_until_now(struct grt_tracefs *t)
{
	uint64_t now = now_ns();
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

/* Times that a probe of a function did not run, because the CPU was in one already. */
static uint64_t count_missed(const struct grt_tracefs *t)
{
	int fd = grt_tracefs_open_file(&t->place, "kprobe_profile", O_RDONLY);
	char *text = grt_tracefs_read(fd, NULL), *rest, *line;
	uint64_t count = 0, missed;
	char name[128];

	if (fd >= 0)
		close(fd);
	/* It names events without their group: another's may be called the same, which is rare. */
	for (line = text ? strtok_r(text, "\n", &rest) : NULL; line;
	     line = strtok_r(NULL, "\n", &rest))
		if (sscanf(line, " %127s %*u %" SCNu64, name, &missed) == 2 &&
		    grt_event_kind_find(grt_event_kinds, grt_nr_event_kinds,
					(struct grt_piece){ name, strlen(name) }))
			count += missed;
	free(text);
	return count;
}

static int end_streams(struct grt_tracefs *t)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < t->nr_lanes; i++) {
		struct grt_tracefs_lane *l = &t->lanes[i];
		uint32_t cpu = l->stream.cpu;
		uint64_t lost = grt_tracefs_lane_count(&t->place, cpu, "overrun") +
				grt_tracefs_lane_count(&t->place, cpu, "commit overrun") +
				grt_tracefs_lane_count(&t->place, cpu, "dropped events");
		struct grtrace_fates fates;

		if (lost > l->lost)
			l->lost = lost;
		if (!i)
			l->lost += count_unread(t) + count_missed(t);
		fates = fates_of(l);
		err = grt_capture_lane_end(&l->stream, &fates);
	}
	t->has_ended = true;
	return err;
}

/* Makes the next part of the streams. */
static int advance(struct grt_tracefs *t, bool is_asked)
{
	uint64_t bytes = 0;
	int err;

	for (unsigned int i = 0; i < t->nr_lanes; i++)
		bytes += t->lanes[i].stream.out.bytes - t->lanes[i].stream.out_at;
	if (t->has_ended || (bytes > MOST_BYTES && !is_asked))
		return 0;
	err = read_pages(t);
	if (!err && !t->is_stopped && (is_asked || now_ns() - t->safe_ns >= ROUND_NS))
		err = read_until_now(t);
	if (!err)
		err = translate(t, t->is_stopped ? UINT64_MAX : t->safe_ns);
	scan_again(t);
	return !err && t->is_stopped ? end_streams(t) : err;
}

static ssize_t tracefs_read(void *source, unsigned int lane, void *to, size_t room)
{
	struct grt_tracefs *t = source;
	struct grt_capture_lane *stream = &t->lanes[lane].stream;
	int err = 0;

	/* All lanes advance together; their readers begin with the first. */
	if (grt_capture_lane_is_empty(stream) && !lane)
		err = advance(t, false);
	return err ? err : grt_capture_lane_take(stream, to, room);
}

static uint64_t tracefs_flush(void *source)
{
	struct grt_tracefs *t = source;

	if (t->is_stopped || advance(t, true))
		return 0;
	return t->safe_ns;
}

static void tracefs_close(void *source)
{
	grt_tracefs_close(source);
}

static const struct grt_live_ops tracefs_ops = {
	.read	= tracefs_read,
	.flush	= tracefs_flush,
	.close	= tracefs_close,
	.file	= "buffer of CPU ",
};

/* --- the session --- */

static int make(const void *arg)
{
	return grt_tracefs_place_create(arg);
}

static void clean(const void *arg)
{
	grt_tracefs_place_remove(arg);
}

/* A process that is killed while it makes an instance gets a warning from the kernel. */
static const struct grt_guard_ops guard_ops = { .make = make, .clean = clean };

void grt_tracefs_close(struct grt_tracefs *t)
{
	for (unsigned int i = 0; i < t->nr_lanes; i++)
		grt_tracefs_lane_close(&t->lanes[i]);
	if (t->has_instance)
		grt_tracefs_place_remove(&t->place);
	grt_guard_end(&t->guard);
	grt_translator_free(t->translator);
	grt_tasks_free(&t->tasks);
	grt_binder_free(&t->binder);
	if (t->tep)
		tep_free(t->tep);
	grt_tracefs_events_free(&t->events);
	grt_types_free(&t->types);
	grt_capture_defs_free(&t->defs);
	grt_heap_free(&t->queue);
	free(t->lanes);
	free(t->lane_of);
	free(t);
}

static int open_session(struct grt_tracefs *t)
{
	int err = grt_tracefs_place_find(&t->place);

	if (err)
		return err;
	grt_tracefs_place_sweep(&t->place);
	/* Without types there are still the usual offsets of keys. */
	grt_types_load(&t->types);
	err = grt_guard_begin(&t->guard, &guard_ops, &t->place);
	if (err) {
		errno = -err;
		return grt_fail_errno(NULL, "cannot make an instance in '%s'", t->place.dir);
	}
	t->has_instance = true;
	return grt_tracefs_events_define(&t->events, &t->place, &t->types);
}

int grt_tracefs_open(struct grt_tracefs **tracefs, const struct grt_tracefs_options *options)
{
	struct grt_tracefs *t = calloc(1, sizeof(*t));
	int err;

	if (!t)
		return grt_fail_memory();
	t->options = *options;
	t->guard.fd = -1;
	err = open_session(t);
	if (err)
		grt_tracefs_close(t);
	else
		*tracefs = t;
	return err;
}

/* CPUs have folders called cpuN. */
static unsigned int count_cpus(const struct grt_tracefs *t)
{
	char pattern[256];
	glob_t found;
	unsigned int count = 0, cpu;

	snprintf(pattern, sizeof(pattern), "%s/per_cpu/cpu*", t->place.dir);
	if (glob(pattern, 0, NULL, &found))
		return 0;
	for (size_t i = 0; i < found.gl_pathc; i++)
		if (sscanf(strrchr(found.gl_pathv[i], '/'), "/cpu%u", &cpu) == 1 && cpu >= count &&
		    cpu < UINT16_MAX)
			count = cpu + 1;
	globfree(&found);
	return count;
}

/* Events of a CPU that comes later are counted as lost. */
static int open_lanes(struct grt_tracefs *t)
{
	int err = 0;

	t->cpus = count_cpus(t);
	t->lanes = calloc(t->cpus, sizeof(*t->lanes));
	t->lane_of = calloc(t->cpus, sizeof(*t->lane_of));
	if (!t->lanes || !t->lane_of)
		return grt_fail_memory();
	for (uint32_t cpu = 0; !err && cpu < t->cpus; cpu++) {
		struct grt_tracefs_lane *l = &t->lanes[t->nr_lanes];

		if (!grt_capture_cpu_is_online(cpu))
			continue;
		l->stream.cpu = cpu;
		l->stream.defs = &t->defs;
		err = grt_tracefs_lane_open(l, &t->place);
		t->lane_of[cpu] = ++t->nr_lanes;
		if (!err)
			err = grt_capture_lane_begin(&l->stream);
	}
	return err;
}

/* The driver of the machine's GPUs, if all have the same one. */
static void find_only_driver(struct grt_tracefs *t)
{
	char link[PATH_MAX];
	const char *name;
	glob_t found;
	ssize_t len;

	if (glob("/sys/class/drm/card[0-9]*/device/driver", 0, NULL, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		len = readlink(found.gl_pathv[i], link, sizeof(link) - 1);
		if (len < 0)
			continue;
		link[len] = '\0';
		name = basename(link);
		if (*t->driver && strncmp(t->driver, name, sizeof(t->driver) - 1)) {
			*t->driver = '\0';
			break;
		}
		snprintf(t->driver, sizeof(t->driver), "%.23s", name);
	}
	globfree(&found);
}

static int create_translator(struct grt_tracefs *t)
{
	struct grt_translator_options options = {
		.target = &t->target, .has_exact_deps = t->events.has_exact_deps,
		.has_errors = t->events.has_errors, .kernel_priority = UINT64_MAX,
	};
	int32_t priority;

	t->target = (struct grt_out_target){
		.add = add_record, .ring = add_ring, .process = add_process, .arg = t,
	};
	if (!grt_types_value(&t->types, "drm_sched_priority.DRM_SCHED_PRIORITY_KERNEL", &priority))
		options.kernel_priority = (uint32_t)priority;
	/* Before credits, each job counted as one. */
	if (grt_types_offset(&t->types, "drm_sched_job.s_fence") >= 0 &&
	    grt_types_offset(&t->types, "drm_sched_job.credits") < 0)
		options.credits = 1;
	options.errors_pipeline = !grt_types_has(&t->types, "drm_sched_entity_error",
						 BTF_KIND_FUNC);
	find_only_driver(t);
	options.driver = *t->driver ? t->driver : NULL;
	return grt_translator_create(&t->translator, &options);
}

static int prepare(struct grt_tracefs *t)
{
	int err;

	t->tep = tep_alloc();
	if (!t->tep)
		return grt_fail_memory();
	tep_set_loglevel(TEP_LOG_NONE);
	err = grt_tracefs_events_parse(&t->events, &t->place, t->tep);
	if (!err)
		err = grt_binder_create(&t->binder, t->tep, grt_event_kinds,
						grt_nr_event_kinds);
	if (!err)
		err = create_translator(t);
	if (!err)
		grt_tasks_bind(&t->tasks, t->tep);
	return err;
}

/* The instance keeps the latest events when its buffer is full, and tells where others were. */
static int set_up_instance(struct grt_tracefs *t)
{
	const uint64_t bytes = grt_capture_buffer_bytes(t->options.buffer_bytes);
	char kb[32];
	int err;

	snprintf(kb, sizeof(kb), "%" PRIu64, (bytes + 1023) / 1024);
	t->most_pages = bytes / sysconf(_SC_PAGESIZE) + 16;
	err = grt_tracefs_write_own(&t->place, "tracing_on", "0");
	if (!err)
		err = grt_tracefs_write_own(&t->place, "trace_clock", "mono");
	if (!err)
		err = grt_tracefs_write_own(&t->place, "options/overwrite", "1");
	if (!err)
		err = grt_tracefs_write_own(&t->place, "buffer_percent", WAKE_PERCENT);
	if (err || !grt_tracefs_write_own(&t->place, "buffer_size_kb", kb))
		return err;
	return grt_fail_errno("sudo grtrace record --source=tracefs -b 1M    # a smaller buffer",
			      "cannot make buffers of %s KiB for each CPU", kb);
}

static uint64_t features_of(const struct grt_tracefs *t)
{
	uint64_t bits = 0;

	if (t->events.has_dependencies)
		bits |= 1ull << GRTRACE_FEATURE_DEPENDENCIES;
	if (t->events.has_recovery)
		bits |= 1ull << GRTRACE_FEATURE_RECOVERY;
	if (t->events.has_keys && grt_types_offset(&t->types, "drm_sched_fence.drm_client_id") >= 0)
		bits |= 1ull << GRTRACE_FEATURE_CLIENT_ID;
	return bits;
}

static int create_live(struct grt_tracefs *t)
{
	struct grt_live_lane *lanes = calloc(t->nr_lanes, sizeof(*lanes));
	int err;

	if (!lanes)
		return grt_fail_memory();
	for (unsigned int i = 0; i < t->nr_lanes; i++)
		lanes[i] = (struct grt_live_lane){
			.fd = t->lanes[i].fd, .cpu = t->lanes[i].stream.cpu,
		};
	err = grt_live_create(&t->live, &tracefs_ops, t, lanes, t->nr_lanes);
	free(lanes);
	return err;
}

int grt_tracefs_start(struct grt_tracefs *t)
{
	int err = prepare(t);

	if (!err)
		err = set_up_instance(t);
	if (!err)
		err = grt_tracefs_events_enable(&t->events, &t->place, t->translator);
	if (!err)
		err = grt_capture_defs_begin(&t->defs, "tracefs", features_of(t), count_cpus(t),
					     t->most_pages * sysconf(_SC_PAGESIZE));
	if (!err)
		err = open_lanes(t);
	if (!err)
		err = grt_tracefs_write_own(&t->place, "tracing_on", "1");
	/* Now: threads that begin later have events. */
	if (!err)
		grt_tasks_scan(&t->tasks);
	t->safe_ns = t->scanned_ns = now_ns();
	grt_types_free(&t->types);
	return err ? err : create_live(t);
}

struct grt_live *grt_tracefs_live(struct grt_tracefs *t)
{
	return t->live;
}

int grt_tracefs_stop(struct grt_tracefs *t)
{
	int err = t->is_stopped ? 0 : grt_tracefs_write_own(&t->place, "tracing_on", "0");

	if (err)
		return err;
	grt_capture_grace();
	t->is_stopped = true;
	return 0;
}

bool grt_tracefs_has_keys(const struct grt_tracefs *t)
{
	return t->events.has_keys || !t->events.has_sched;
}

pid_t grt_tracefs_guard(const struct grt_tracefs *t)
{
	return t->guard.pid;
}

const char *grt_tracefs_instance(const struct grt_tracefs *t)
{
	return t->place.instance;
}

size_t grt_tracefs_stats(struct grt_tracefs *t, char *to, size_t room)
{
	struct grt_translator_counts counts = grt_translator_counts(t->translator);
	uint64_t events = 0, written = 0, lost = 0, filtered = 0;
	int len;

	for (unsigned int i = 0; i < t->nr_lanes; i++) {
		events += t->lanes[i].events;
		written += t->lanes[i].stream.cseq;
		lost += t->lanes[i].lost;
		filtered += t->lanes[i].filtered;
	}
	len = snprintf(to, room, "source=tracefs\nseen=%" PRIu64 "\nwritten=%" PRIu64
		       "\nbuffer_full=%" PRIu64 "\nfiltered_type=%" PRIu64 "\nftrace_events=%" PRIu64
		       "\nunjoined=%" PRIu64 "\ninferred_keys=%" PRIu64 "\n",
		       written + lost + filtered, written, lost, filtered, events, counts.unjoined,
		       counts.inferred_keys);
	return len < 0 ? 0 : (size_t)len < room ? (size_t)len : room - 1;
}
