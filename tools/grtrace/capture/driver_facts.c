// SPDX-License-Identifier: GPL-2.0
#include "driver_facts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gauges.h"
#include "gpus.h"
#include "kernel_look.h"
#include "ring_kind.h"

const char * const grt_topic_names[GRT_NR_TOPICS] = {
#define X(NAME, text, is_of_job) [GRT_TOPIC_##NAME] = text,
	GRT_TOPICS(X)
#undef X
};

const bool grt_topic_is_of_job[GRT_NR_TOPICS] = {
#define X(NAME, text, is_of_job) [GRT_TOPIC_##NAME] = is_of_job,
	GRT_TOPICS(X)
#undef X
};

const char * const grt_certainty_names[GRT_NR_CERTAINTIES] = {
#define X(NAME, text, meaning) [GRT_##NAME] = text,
	GRT_CERTAINTIES(X)
#undef X
};

const char * const grt_certainty_meanings[GRT_NR_CERTAINTIES] = {
#define X(NAME, text, meaning) [GRT_##NAME] = meaning,
	GRT_CERTAINTIES(X)
#undef X
};

static const char * const source_names[GRT_NR_FACTS_SOURCES] = {
	[GRT_OF_MODULE] = "module", [GRT_OF_BPF] = "bpf", [GRT_OF_TRACEFS] = "tracefs",
};

static bool is_driver(const struct grt_driver *d, const char *name)
{
	return *name && (!strcmp(d->name, name) || (d->also && !strcmp(d->also, name)));
}

/*
 * The module's name is the surest.  Some drivers without hardware have no driver in sysfs either, and their
 * device has its name.
 */
const struct grt_driver *grt_driver_find(const struct grt_gpu *gpu)
{
	const char * const names[] = { gpu->module, gpu->driver, gpu->device };
	char base[64];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(base, sizeof(base), "%.*s", (int)strcspn(names[i], "."), names[i]);
		for (const struct grt_driver *d = grt_drivers; d->name; d++)
			if (is_driver(d, base))
				return d;
	}
	for (const struct grt_driver *d = grt_drivers;; d++)
		if (!d->name)
			return d;
}

enum grtrace_order grt_driver_order(const char *driver)
{
	struct grtrace_ring ring = { 0 };

	snprintf(ring.driver, sizeof(ring.driver), "%.*s", (int)sizeof(ring.driver) - 1, driver);
	grt_ring_classify(&ring);
	return ring.order;
}

enum grt_queue grt_gpu_queue(const struct grt_kernel_look *k, const struct grt_gpu *gpu)
{
	const struct grt_driver *d = grt_driver_find(gpu);
	enum grt_answer uses = grt_kernel_module_uses(k, gpu->module, "gpu_sched");

	if (uses == GRT_YES)
		return GRT_QUEUE_SCHED;
	/* nouveau of Linux 6.1, for example, does not use it yet. */
	if (uses == GRT_NO && (d->queue == GRT_QUEUE_SCHED || d->queue == GRT_QUEUE_UNKNOWN))
		return GRT_QUEUE_OWN;
	return d->queue;
}

static bool has_card(const struct grt_gpu *gpu, unsigned int *card)
{
	return sscanf(gpu->nodes, "card%u", card) == 1;
}

/* Whether the driver has files that record --gauges samples for @topic. */
static bool has_file_of(const struct grt_kernel_look *k, const struct grt_gpu *gpu, enum grt_topic topic)
{
	char path[PATH_MAX];
	unsigned int card;

	if (!has_card(gpu, &card) ||
	    snprintf(path, sizeof(path), "%s/sys/class/drm/card%u", k->root, card) >= (int)sizeof(path))
		return false;
	if (topic == GRT_TOPIC_POWER)
		return grt_gauges_has(path, GRTRACE_GAUGE_POWER);
	return grt_gauges_has(path, GRTRACE_GAUGE_CORE) || grt_gauges_has(path, GRTRACE_GAUGE_MEMORY);
}

/*
 * Whether i915's firmware (GuC) schedules.  With it, the driver has a switch of the firmware's power
 * management (intel_gt_sysfs_pm.c:861 of 6.12, not in 6.1); only root may read which parameter it took.
 */
static enum grt_answer uses_guc(const struct grt_kernel_look *k, const struct grt_gpu *gpu)
{
	char path[192], text[32];
	unsigned int card;

	if (!has_card(gpu, &card))
		return GRT_NOT_KNOWN;
	snprintf(path, sizeof(path), "/sys/class/drm/card%u/gt/gt0/slpc_ignore_eff_freq", card);
	if (grt_kernel_has_file(k, path))
		return GRT_YES;
	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%u/i915_params/enable_guc", card);
	if (!grt_kernel_read_line(k, path, text, sizeof(text)))
		return GRT_NOT_KNOWN;
	return strtol(text, NULL, 0) & 1 ? GRT_YES : GRT_NO;	/* ENABLE_GUC_SUBMISSION, i915_params.h */
}

static bool is_for(const struct grt_way *way, const char *driver, enum grt_queue queue)
{
	if (!way->driver)
		return queue == GRT_QUEUE_SCHED;
	return !*way->driver || !strcmp(way->driver, driver);
}

/* A module of ours that is not installed is none. */
static bool has_source(const struct grt_kernel_look *k, const struct grt_way *way,
		       enum grt_facts_source source)
{
	switch (source) {
	case GRT_OF_MODULE:
		return way->adapter && (grt_kernel_has_module(k, way->adapter) ||
					grt_kernel_may_load(k, way->adapter));
	case GRT_OF_BPF:
		return way->has_bpf;
	default:
		return way->has_tracefs;
	}
}

/* The search for a way: the best reason why none was possible. */
struct search {
	const struct grt_kernel_look *k;
	const struct grt_gpu *gpu;
	enum grt_facts_source source;
	const struct grt_way *elsewhere;	/* another source has it */
	const struct grt_way *no_adapter;	/* its module is not loaded */
	const struct grt_way *no_event;		/* the kernel does not have its event */
	const struct grt_way *not_known;	/* this user cannot see whether it has */
};

static bool is_possible(struct search *s, const struct grt_way *way)
{
	enum grt_answer event;

	if (way->is_sampled)
		return has_file_of(s->k, s->gpu, way->topic);
	event = way->events ? grt_kernel_has_event(s->k, way->events) : GRT_YES;
	if (event == GRT_NO) {
		s->no_event = s->no_event ? s->no_event : way;
		return false;
	}
	if (!has_source(s->k, way, s->source)) {
		s->elsewhere = s->elsewhere ? s->elsewhere : way;
		return false;
	}
	if (s->source == GRT_OF_MODULE && !grt_kernel_has_module(s->k, way->adapter)) {
		s->no_adapter = s->no_adapter ? s->no_adapter : way;
		return false;
	}
	/* The fields and the scheduler's firmware matter only where the event is there. */
	if (event == GRT_YES && way->field)
		event = grt_kernel_has_field(s->k, way->events, way->field);
	if (event == GRT_NO)
		return false;
	if (event == GRT_YES && way->guc) {
		enum grt_answer guc = uses_guc(s->k, s->gpu);

		if (guc != GRT_NOT_KNOWN && guc != way->guc)
			return false;
		if (guc == GRT_NOT_KNOWN)
			event = guc;
	}
	if (event == GRT_NOT_KNOWN)
		s->not_known = s->not_known ? s->not_known : way;
	return event == GRT_YES;
}

static void set_fact(struct grt_fact *f, enum grt_certainty certainty, const char *text)
{
	*f = (struct grt_fact){ .certainty = certainty };
	snprintf(f->text, sizeof(f->text), "%s", text ? text : "");
}

static void set_lack(const struct search *s, struct grt_fact *f)
{
	const struct grt_way *way;

	if (s->not_known) {
		set_fact(f, GRT_UNKNOWN, "only root can see whether the kernel has it");
	} else if (s->no_adapter) {
		way = s->no_adapter;
		set_fact(f, GRT_MISSING, "");
		snprintf(f->text, sizeof(f->text), "%s is not loaded", way->adapter);
		snprintf(f->hint, sizeof(f->hint), "sudo modprobe %s", way->adapter);
	} else if (s->elsewhere) {
		way = s->elsewhere;
		set_fact(f, GRT_MISSING, "");
		snprintf(f->text, sizeof(f->text), "the source %s does not record it",
			 source_names[s->source]);
		if (way->has_bpf || way->has_tracefs)
			snprintf(f->hint, sizeof(f->hint), "sudo grtrace record --source=%s",
				 source_names[way->has_bpf ? GRT_OF_BPF : GRT_OF_TRACEFS]);
		else if (grt_kernel_may_load(s->k, way->adapter))
			snprintf(f->hint, sizeof(f->hint), "sudo modprobe %s", way->adapter);
	} else if (s->no_event) {
		way = s->no_event;
		set_fact(f, GRT_MISSING, way->lack);
		if (!way->lack)
			snprintf(f->text, sizeof(f->text), "this kernel has no event %.*s",
				 (int)strcspn(way->events, "|"), way->events);
	} else {
		set_fact(f, GRT_UNSEEN, "");
	}
}

/* The scheduler tells no start: other events may. */
static void infer_start(const struct grt_kernel_look *k, const struct grt_gpu *gpu,
			enum grt_facts_source source, const char *driver, struct grt_fact *f)
{
	switch (grt_driver_order(*gpu->driver ? gpu->driver : driver)) {
	case GRTRACE_ORDER_FIFO:
		/* It takes the other two.  A late END still has the exact time of the hardware's fence. */
		grt_gpu_fact(k, gpu, source, GRT_TOPIC_END, f);
		if (f->certainty != GRT_EXACT && f->certainty != GRT_LATE)
			return;
		set_fact(f, GRT_INFERRED, "");
		snprintf(f->text, sizeof(f->text), "%s reports no start; max(commit, previous end)", driver);
		break;
	case GRTRACE_ORDER_FIRMWARE:
		set_fact(f, GRT_UNSEEN, "the firmware decides when a job runs; commit to end is exact");
		break;
	default:
		set_fact(f, GRT_UNSEEN,
			 "its rings are not known to run one job at a time; commit to end is exact");
	}
}

void grt_gpu_fact(const struct grt_kernel_look *k, const struct grt_gpu *gpu, enum grt_facts_source source,
		  enum grt_topic topic, struct grt_fact *fact)
{
	const struct grt_driver *d = grt_driver_find(gpu);
	const char *driver = d->name ? d->name : *gpu->module ? gpu->module : gpu->driver;
	enum grt_queue queue = grt_gpu_queue(k, gpu);
	struct search s = { .k = k, .gpu = gpu, .source = source };

	/* The kernel has the event, but nothing of this GPU would raise it. */
	if (topic == GRT_TOPIC_VBLANK && !gpu->has_display) {
		set_fact(fact, GRT_UNSEEN, NULL);
		return;
	}
	for (size_t i = 0; i < grt_nr_ways; i++)
		if (grt_ways[i].topic == topic && is_for(&grt_ways[i], driver, queue) &&
		    is_possible(&s, &grt_ways[i])) {
			set_fact(fact, grt_ways[i].certainty, grt_ways[i].text);
			return;
		}
	if (topic == GRT_TOPIC_START && queue == GRT_QUEUE_SCHED)
		infer_start(k, gpu, source, driver, fact);
	else
		set_lack(&s, fact);
}

/* Whether @source records jobs by what @driver itself tells, besides those of the scheduler. */
static bool has_own_submit(const struct grt_kernel_look *k, const char *driver,
			   enum grt_facts_source source)
{
	for (size_t i = 0; i < grt_nr_ways; i++) {
		const struct grt_way *w = &grt_ways[i];

		if (!w->driver || strcmp(w->driver, driver) || w->topic != GRT_TOPIC_SUBMIT)
			continue;
		if (source == GRT_OF_MODULE ? w->adapter && grt_kernel_has_module(k, w->adapter) :
		    source == GRT_OF_BPF ? w->has_bpf : w->has_tracefs)
			return true;
	}
	return false;
}

bool grt_bypass_is_there(const struct grt_kernel_look *k, const struct grt_bypass *bypass,
			 enum grt_facts_source source)
{
	char text[32];

	if (bypass->adapter && has_own_submit(k, bypass->driver, source))
		return false;
	if (!bypass->parameter)
		return true;
	return grt_kernel_read_line(k, bypass->parameter, text, sizeof(text)) && strcmp(text, "0");
}
