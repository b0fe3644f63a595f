/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a recording knows of the jobs of each driver: exactly, inferred, or not at all.  One table
 * for grtrace doctor and for Documentation/drivers.rst.
 */
#ifndef GRT_CAPTURE_DRIVER_FACTS_H
#define GRT_CAPTURE_DRIVER_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/grtrace.h>

#include "kernel_look.h"

struct grt_gpu;

/* What there is to know: X(NAME, text, of a job). */
#define GRT_TOPICS(X)					\
	X(SUBMIT, "submit", true)			\
	X(DEPENDENCY, "dependencies", true)		\
	X(COMMIT, "commit", true)			\
	X(START, "start", true)				\
	X(END, "end", true)				\
	X(COMPLETE, "complete", true)			\
	X(PROCESS, "process", true)			\
	X(RECOVERY, "recovery", false)			\
	X(WAIT, "waits", false)				\
	X(MEMORY, "memory", false)			\
	X(VBLANK, "vblank", false)			\
	X(FREQUENCY, "frequency", false)		\
	X(POWER, "power", false)			\
	X(CTX_SWITCH, "context switches", false)	\
	X(IRQ, "interrupts", false)

enum grt_topic {
#define GRT_X(NAME, text, is_of_job) GRT_TOPIC_##NAME,
	GRT_TOPICS(GRT_X)
#undef GRT_X
	GRT_NR_TOPICS
};

extern const char * const grt_topic_names[GRT_NR_TOPICS];
extern const bool grt_topic_is_of_job[GRT_NR_TOPICS];

/* How well it is known: X(NAME, text, meaning). */
#define GRT_CERTAINTIES(X)							\
	X(EXACT, "exact", "an event of the kernel tells it")			\
	X(INFERRED, "inferred", "other events tell it; the value has a flag")	\
	X(SAMPLED, "sampled", "record reads a file of the driver, 10 times a second unless --gauges says otherwise") \
	X(LATE, "late", "the driver may notice it late: the value is an upper bound, and has a flag") \
	X(PARTLY, "in part", "some jobs have it, others do not")		\
	X(MISSING, "missing", "it could be recorded, but this machine or this source lacks something") \
	X(UNSEEN, "not seen", "no source records it")				\
	X(UNKNOWN, "unknown", "this user may not look, or grtrace does not know the driver")

enum grt_certainty {
#define GRT_X(NAME, text, meaning) GRT_##NAME,
	GRT_CERTAINTIES(GRT_X)
#undef GRT_X
	GRT_NR_CERTAINTIES
};

extern const char * const grt_certainty_names[GRT_NR_CERTAINTIES];
extern const char * const grt_certainty_meanings[GRT_NR_CERTAINTIES];

enum grt_facts_source { GRT_OF_MODULE, GRT_OF_BPF, GRT_OF_TRACEFS, GRT_NR_FACTS_SOURCES };

/* How a driver's jobs get to its hardware. */
enum grt_queue {
	GRT_QUEUE_SCHED,	/* through the DRM scheduler */
	GRT_QUEUE_OWN,		/* the driver queues them itself */
	GRT_QUEUE_NONE,		/* it has no jobs: it only shows pictures, or none */
	GRT_QUEUE_SECRET,	/* not a driver of the kernel's source: nothing is known */
	GRT_QUEUE_UNKNOWN,	/* not in the table */
};

struct grt_driver {
	const char *name;	/* of its module */
	const char *also;	/* another name that sysfs has for it; NULL: none */
	enum grt_queue queue;
	const char *kernels;	/* of 6.1, 6.12 and 7.2: those that have it so */
	const char *text;	/* "a GPU of AMD" */
};

/* A way in which a topic can be known.  Of several for one topic, the first possible one counts. */
struct grt_way {
	const char *driver;	/* NULL: all drivers whose jobs go through the scheduler; "": all drivers */
	enum grt_topic topic;
	const char *adapter;	/* the module of ours that records it; NULL: not with the source module */
	bool has_bpf, has_tracefs;
	bool is_sampled;	/* record --gauges reads a file of sysfs, whatever the source */
	const char *events;	/* that must be there, see grt_kernel_has_event(); NULL: any kernel */
	const char *field;	/* of that event, that must be there; NULL: none */
	enum grt_answer guc;	/* i915: only if GuC schedules, or only if it does not; NOT_KNOWN: both */
	enum grt_certainty certainty;
	const char *text;	/* what records it, or why it is not certain */
	const char *lack;	/* what is to say if the events are not there; NULL: nothing special */
};

/* What goes past all sources. */
struct grt_bypass {
	const char *driver;
	const char *parameter;	/* a file: if it is not there, or 0, the driver cannot; NULL: it always can */
	const char *adapter;	/* the module of ours that sees them; NULL: none */
	const char *text;
};

struct grt_fact {
	enum grt_certainty certainty;
	char text[200];		/* why; "": nothing to say */
	char hint[128];		/* what would help; "": nothing */
};

/* The tables, each up to a row that is all 0; but grt_ways by its count. */
extern const struct grt_driver grt_drivers[];
extern const struct grt_bypass grt_bypasses[];
extern const struct grt_way grt_ways[];
extern const size_t grt_nr_ways;

/* The row of a GPU's driver; one of queue UNKNOWN if there is none. */
const struct grt_driver *grt_driver_find(const struct grt_gpu *gpu);

/* The order of its rings: see linux/grtrace_rings.h. */
enum grtrace_order grt_driver_order(const char *driver);

/* How jobs of @gpu get to the hardware on this kernel: the table's word, or what the kernel shows. */
enum grt_queue grt_gpu_queue(const struct grt_kernel_look *k, const struct grt_gpu *gpu);

/* What a recording with @source knows of @gpu. */
void grt_gpu_fact(const struct grt_kernel_look *k, const struct grt_gpu *gpu, enum grt_facts_source source,
		  enum grt_topic topic, struct grt_fact *fact);

/* Whether the bypass is possible on this machine, and @source does not see it. */
bool grt_bypass_is_there(const struct grt_kernel_look *k, const struct grt_bypass *bypass,
			 enum grt_facts_source source);

#endif /* GRT_CAPTURE_DRIVER_FACTS_H */
