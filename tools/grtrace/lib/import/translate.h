/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Turns ftrace's events into records while they are recorded: an import in one pass, which the
 * probes of a recording make possible.  What a file's first pass learns is known here from the
 * events that are enabled; keys, states of fences and processes come with the events.
 */
#ifndef GRT_TRANSLATE_H
#define GRT_TRANSLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "foreign.h"
#include "out.h"

struct grt_translator;

struct grt_translator_options {
	const struct grt_out_target *target;	/* takes the records; not owned */
	bool has_exact_deps;		/* dependencies tell the state of their fence */
	bool has_errors;		/* errors of fences come as events before their end */
	bool errors_pipeline;		/* even failed jobs let jobs of their ring go on */
	uint64_t kernel_priority;	/* of entities of the kernel; UINT64_MAX: not known */
	uint32_t credits;		/* of a job whose event has none */
	uint32_t page_bytes;		/* size of the machine's pages */
	const char *driver;		/* driver of rings if no event names it; NULL: not known */
};

/* 0 or -ENOMEM with a cause. */
int grt_translator_create(struct grt_translator **t, const struct grt_translator_options *options);
void grt_translator_free(struct grt_translator *t);

/* Sets them anew: later events tell more.  @target must be the same. */
void grt_translator_update(struct grt_translator *t, const struct grt_translator_options *options);

/* Says that events of this name are enabled. */
void grt_translator_uses(struct grt_translator *t, const char *event);

/* Handles an event; they come in the order of time. */
void grt_translator_event(struct grt_translator *t, const struct grt_foreign *ev);

struct grt_translator_counts {
	uint64_t unjoined;	/* events of jobs that could not be identified */
	uint64_t inferred_keys;	/* jobs whose keys were inferred from addresses */
};

struct grt_translator_counts grt_translator_counts(const struct grt_translator *t);

#endif /* GRT_TRANSLATE_H */
