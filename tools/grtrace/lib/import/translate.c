// SPDX-License-Identifier: LGPL-2.1
#include "translate.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "import_private.h"

/*
 * Contexts for jobs without a key.  The kernel counts its contexts from 1, and some events have
 * their lower 32 bits only.
 */
#define FIRST_MINTED	0xc0000000u

struct grt_translator {
	struct grt_import im;
	struct grt_live_facts live;
};

/* What an event is evidence of; an import finds out in its first pass. */
static const struct {
	const char *event;
	enum grt_fact fact;
} facts[] = {
	{ "drm_sched_job", GRT_FACT_SCHED },
	{ "drm_sched_job_queue", GRT_FACT_SCHED },
	{ "submit", GRT_FACT_SCHED },
	{ "drm_sched_process_job", GRT_FACT_END },
	{ "drm_sched_job_done", GRT_FACT_END },
	{ "end", GRT_FACT_END },
	{ "i915_request_out", GRT_FACT_END },
	{ "virtio_gpu_cmd_response", GRT_FACT_END },
	{ "dma_fence_signaled", GRT_FACT_COMPLETE },
	{ "fence_end", GRT_FACT_COMPLETE },
	{ "i915_request_add", GRT_FACT_ADD },
	{ "msm_gpu_submit", GRT_FACT_MSM_SUBMIT },
};

void grt_translator_update(struct grt_translator *t, const struct grt_translator_options *options)
{
	t->live.has_exact_deps = options->has_exact_deps;
	t->live.has_errors = options->has_errors;
	t->live.errors_pipeline = options->errors_pipeline;
	t->live.kernel_priority = options->kernel_priority;
	t->live.credits = options->credits;
	t->im.page_bytes = options->page_bytes;
	t->im.rings.driver = options->driver;
}

int grt_translator_create(struct grt_translator **to, const struct grt_translator_options *options)
{
	struct grt_translator *t = calloc(1, sizeof(*t));

	if (!t)
		return grt_fail_memory();
	t->im.live = &t->live;
	t->im.out.target = t->im.rings.target = t->im.procs.target = options->target;
	grt_translator_update(t, options);
	t->im.ctxs.next_minted = FIRST_MINTED;
	*to = t;
	return 0;
}

void grt_translator_free(struct grt_translator *t)
{
	if (!t)
		return;
	grt_ctxs_free(&t->im.ctxs);
	grt_map_free(&t->im.objects);
	grt_join_free(&t->im.join);
	grt_import_free_tables(&t->im);
	grt_out_rings_free(&t->im.rings);
	grt_out_procs_free(&t->im.procs);
	free(t);
}

void grt_translator_uses(struct grt_translator *t, const char *event)
{
	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++)
		if (!strcmp(facts[i].event, event))
			t->im.facts[facts[i].fact]++;
}

void grt_translator_event(struct grt_translator *t, const struct grt_foreign *ev)
{
	if (ev->kind)
		ev->kind->handle(&t->im, ev);
}

struct grt_translator_counts grt_translator_counts(const struct grt_translator *t)
{
	return (struct grt_translator_counts){
		.unjoined = t->im.unjoined, .inferred_keys = t->im.inferred_keys,
	};
}
