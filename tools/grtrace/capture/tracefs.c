// SPDX-License-Identifier: GPL-2.0
#include "tracefs.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>
#include <event-parse.h>
#include <linux/grtrace.h>

#include "choice.h"
#include "error.h"
#include "grace.h"
#include "kinds.h"
#include "live.h"
#include "lockdown.h"
#include "machine.h"
#include "tracefs_private.h"
#include "translate.h"

#define LOOK_NS		100000000ull	/* between looks whether a driver was loaded */
#define WAKE_PERCENT	"25"		/* of a buffer, when its reader is woken */

void grt_tracefs_close(struct grt_tracefs *t)
{
	for (unsigned int i = 0; i < t->nr_lanes; i++)
		grt_tracefs_lane_close(&t->lanes[i]);
	if (t->has_instance)
		grt_tracefs_place_remove(&t->place);
	grt_guard_end(&t->guard);
	grt_translator_free(t->translator);
	grt_tasks_free(&t->tasks);
	grt_proc_places_close(&t->places);
	grt_keymap_free(&t->jobs);
	grt_vec_free(&t->held);
	grt_binder_free(&t->binder);
	grt_tracefs_extra_free(&t->extra);
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
	if (grt_capture_is_confidential())
		return grt_fail(EPERM, GRT_CAPTURE_UNLOCK_HINT,
				"the kernel is locked down (confidentiality) and refuses tracing");
	/* Before anything is made: it may fail. */
	err = grt_tracefs_extra_choose(&t->extra, &t->place, t->options.events);
	if (err)
		return err;
	grt_tracefs_place_sweep(&t->place);
	/* Without types there are still the usual offsets of keys, so libbpf need not complain. */
	libbpf_set_print(NULL);
	grt_types_load(&t->types);
	err = grt_guard_begin(&t->guard, &grt_tracefs_place_guard, &t->place);
	if (err) {
		errno = -err;
		return grt_fail_errno(NULL, "cannot make an instance in '%s'", t->place.dir);
	}
	t->has_instance = true;
	err = grt_tracefs_extra_define(&t->extra, &t->place, t->options.probes);
	if (!err)
		err = grt_tracefs_events_define(&t->events, &t->place, &t->types);
	if (!err)
		grt_tracefs_extra_drop(&t->extra, &t->events);
	return err;
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

static struct grt_translator_options translator_options(struct grt_tracefs *t)
{
	struct grt_translator_options options = {
		.target = &t->target, .has_exact_deps = t->events.has_exact_deps,
		.has_errors = t->events.has_errors, .kernel_priority = UINT64_MAX,
		.page_bytes = sysconf(_SC_PAGESIZE),
	};
	int32_t priority;

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
	return options;
}

static int create_translator(struct grt_tracefs *t)
{
	const struct grt_translator_options options = translator_options(t);

	grt_tracefs_set_target(t);
	return grt_translator_create(&t->translator, &options);
}

/* Whether the types of a scheduler that has just come are there, too; they come a moment later. */
static bool has_types(struct grt_tracefs *t)
{
	bool is_again = t->has_seen_more;

	t->has_seen_more = true;
	return is_again || grt_types_modules() & GRT_TYPES_SCHED;
}

static int use_more(struct grt_tracefs *t)
{
	struct grt_translator_options options;
	bool had_sched = t->events.has_sched;
	int err = grt_tracefs_events_define(&t->events, &t->place, &t->types);

	if (err)
		return err;
	grt_tracefs_extra_drop(&t->extra, &t->events);
	options = translator_options(t);
	grt_translator_update(t->translator, &options);
	err = grt_tracefs_events_parse(&t->events, &t->place, t->tep);
	if (!err)
		err = grt_tracefs_extra_parse(&t->extra, &t->place, t->tep);
	if (!err)
		err = grt_tracefs_events_enable(&t->events, &t->place, t->translator);
	if (err || had_sched || !t->events.has_sched)
		return err;
	grt_tracefs_warn(t);
	if (t->has_promised && !t->events.has_recovery)
		grt_warn(NULL, "the kernel refused to probe the scheduler, so timeouts and resets are not recorded");
	return 0;
}

/* The scheduler's module, or a driver, may be loaded while we record. */
static int follow_modules(struct grt_tracefs *t)
{
	uint64_t now = grt_capture_now_ns();
	int err;

	if (t->is_stopped || now - t->looked_ns < LOOK_NS)
		return 0;
	t->looked_ns = now;
	if (!grt_tracefs_events_are_more(&t->events, &t->place) || !has_types(t))
		return 0;
	t->has_seen_more = false;
	grt_types_load(&t->types);
	err = use_more(t);
	grt_types_free(&t->types);
	return err;
}

static ssize_t tracefs_read(void *source, unsigned int lane, void *to, size_t room)
{
	struct grt_tracefs *t = source;
	struct grt_capture_lane *stream = &t->lanes[lane].stream;
	int err = 0;

	/* All lanes advance together; their readers begin with the first. */
	if (grt_capture_lane_is_empty(stream) && !lane)
		err = follow_modules(t);
	if (!err && grt_capture_lane_is_empty(stream) && !lane)
		err = grt_tracefs_advance(t, false);
	return err ? err : grt_capture_lane_take(stream, to, room);
}

static uint64_t tracefs_flush(void *source)
{
	struct grt_tracefs *t = source;

	if (t->is_stopped || grt_tracefs_advance(t, true))
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

static int prepare(struct grt_tracefs *t)
{
	int err;

	t->tep = tep_alloc();
	if (!t->tep)
		return grt_fail_memory();
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(t->tep, sizeof(long));
	err = grt_tracefs_events_parse(&t->events, &t->place, t->tep);
	if (!err)
		err = grt_tracefs_extra_parse(&t->extra, &t->place, t->tep);
	if (!err)
		err = grt_binder_create(&t->binder, t->tep, grt_event_kinds, grt_nr_event_kinds);
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

/* A stream tells its features when it begins, so those of a scheduler that comes later are promised then. */
static uint64_t features_of(const struct grt_tracefs *t)
{
	bool is_early = !t->events.has_sched && !t->events.has_others;
	uint64_t bits = 0;

	if (t->events.has_dependencies || is_early)
		bits |= 1ull << GRTRACE_FEATURE_DEPENDENCIES;
	if (t->events.has_recovery || (is_early && t->events.can_probe))
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
	t->has_promised = features_of(t) >> GRTRACE_FEATURE_RECOVERY & 1;
	if (!err)
		err = grt_capture_defs_begin(&t->defs, "tracefs", features_of(t), count_cpus(t),
					     t->most_pages * sysconf(_SC_PAGESIZE));
	if (!err)
		err = grt_capture_choice_tell(t->options.choice, t->options.types, &t->defs);
	if (!err)
		err = open_lanes(t);
	if (!err)
		grt_tracefs_extra_enable(&t->extra, &t->place);
	if (!err)
		t->missed_before = grt_tracefs_count_missed(t);
	if (!err)
		err = grt_tracefs_write_own(&t->place, "tracing_on", "1");
	/* Now: threads that begin later have events. */
	if (!err)
		grt_tasks_scan(&t->tasks);
	grt_proc_places_open(&t->places);
	t->safe_ns = t->scanned_ns = grt_capture_now_ns();
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

void grt_tracefs_warn(const struct grt_tracefs *t)
{
	if (!t->events.has_sched && !t->events.has_others)
		grt_warn(NULL, "no driver with GPU jobs is loaded yet: its jobs are recorded once it is");
	if (t->events.has_sched && !t->events.has_keys)
		grt_warn(NULL, "this kernel refuses event probes: jobs are known by addresses only, and their keys are inferred");
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
	uint64_t events = 0, written = 0, lost = 0, filtered = 0, refused = 0;
	int len;

	for (unsigned int i = 0; i < t->nr_lanes; i++) {
		events += t->lanes[i].events;
		written += t->lanes[i].stream.cseq;
		lost += t->lanes[i].lost;
		filtered += t->lanes[i].filtered;
		refused += t->lanes[i].refused;
	}
	len = snprintf(to, room, "source=tracefs\nseen=%" PRIu64 "\nwritten=%" PRIu64
		       "\nbuffer_full=%" PRIu64 "\nfiltered_type=%" PRIu64
		       "\nfiltered_ext=%" PRIu64 "\nmissed=%" PRIu64 "\nftrace_events=%" PRIu64
		       "\nunjoined=%" PRIu64 "\ninferred_keys=%" PRIu64 "\n",
		       written + lost + filtered + refused, written, lost, filtered, refused, t->missed, events,
		       counts.unjoined, counts.inferred_keys);
	return len < 0 ? 0 : (size_t)len < room ? (size_t)len : room - 1;
}
