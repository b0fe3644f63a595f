// SPDX-License-Identifier: LGPL-2.1
#include "frame_life.h"

#include <stdlib.h>
#include <string.h>

#include "vec.h"

/* A life that owns what it points to. */
struct own {
	struct grt_frame_life life;	/* the first member: it is freed as this one */
	struct grt_job job;
	struct grt_root_span spans[];
};

bool grt_frame_is_earlier(const struct grt_frame_stay *a, const struct grt_frame_stay *b)
{
	if (a->complete_ns != b->complete_ns)
		return a->complete_ns < b->complete_ns;
	if (a->submit_ns != b->submit_ns)
		return a->submit_ns < b->submit_ns;
	return a->ctx != b->ctx ? a->ctx < b->ctx : a->seqno < b->seqno;
}

int grt_frame_life_walk(const struct grt_frame_life *life, uint64_t from_ns, uint64_t to_ns, grt_root_fn *fn,
			void *arg)
{
	return grt_roots_walk_parts(life->roots, life->spans, life->count, from_ns, to_ns, fn, arg);
}

static struct grt_frame_life *copy(const struct grt_frame_life *life, const struct grt_root_span *spans,
				   uint32_t count)
{
	struct own *own = malloc(sizeof(*own) + count * sizeof(*spans));

	if (!own)
		return NULL;
	own->life = *life;
	own->job = grt_job_alone(life->job);
	own->life.job = &own->job;
	own->life.spans = own->spans;
	own->life.count = count;
	if (count)
		memcpy(own->spans, spans, count * sizeof(*spans));
	return &own->life;
}

struct grt_frame_life *grt_frame_life_copy(const struct grt_frame_life *life)
{
	return copy(life, life->spans, life->count);
}

static int append(void *arg, const struct grt_root_span *span)
{
	return grt_vec_append(arg, span, sizeof(*span));
}

struct grt_frame_life *grt_frame_life_keep(const struct grt_frame_life *life, uint64_t from_ns)
{
	struct grt_frame_life *kept = NULL;
	struct grt_vec spans = { NULL };

	if (!grt_frame_life_walk(life, from_ns, UINT64_MAX, append, &spans))
		kept = copy(life, spans.data, grt_vec_count(&spans, struct grt_root_span));
	if (kept)
		kept->roots = NULL;
	grt_vec_free(&spans);
	return kept;
}
