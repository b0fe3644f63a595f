// SPDX-License-Identifier: LGPL-2.1
#include "frame_passers.h"

#include <stdlib.h>

#include "error.h"

/* A job that some nodes have. */
struct passer {
	uint32_t refs;		/* nodes that have it, and the caller that adds it */
	struct grt_frame_life *life;	/* owned */
};

/*
 * Node 1 stands for all places, nodes 2 and 3 for a half each, and so on.  A cell has the place of its
 * number modulo all places; the same place is used again in the next lap.
 */
struct grt_frame_passer_node {
	struct passer *passer;	/* NULL: none */
	uint64_t lap;
};

#define PLACES	GRT_FRAME_PASSERS

static struct passer *create(const struct grt_frame_life *life)
{
	struct passer *p = malloc(sizeof(*p));

	if (!p)
		return NULL;
	*p = (struct passer){ 1, grt_frame_life_keep(life, 0) };
	if (p->life)
		return p;
	free(p);
	return NULL;
}

static void put(struct passer *p)
{
	if (!p || --p->refs)
		return;
	free(p->life);
	free(p);
}

static void add_to_node(struct grt_frame_passer_node *node, uint64_t lap, struct passer *p)
{
	if (node->passer && node->lap == lap && grt_frame_is_earlier(&node->passer->life->stay, &p->life->stay))
		return;
	p->refs++;
	put(node->passer);
	*node = (struct grt_frame_passer_node){ p, lap };
}

/* Adds a job to the places from @from up to, without, @to. */
static void add_in_lap(struct grt_frame_passers *p, uint64_t lap, size_t from, size_t to, struct passer *passer)
{
	for (from += PLACES, to += PLACES; from < to; from /= 2, to /= 2) {
		if (from & 1)
			add_to_node(&p->nodes[from++], lap, passer);
		if (to & 1)
			add_to_node(&p->nodes[--to], lap, passer);
	}
}

int grt_frame_passers_add(struct grt_frame_passers *p, uint64_t first, uint64_t last,
			  const struct grt_frame_life *life)
{
	struct passer *passer;

	if (!p->nodes)
		p->nodes = calloc(2 * PLACES, sizeof(*p->nodes));
	passer = p->nodes ? create(life) : NULL;
	if (!passer)
		return grt_fail_memory();
	while (first <= last) {
		uint64_t lap = first / PLACES, to = last / PLACES == lap ? last : lap * PLACES + PLACES - 1;

		add_in_lap(p, lap, first % PLACES, to % PLACES + 1, passer);
		first = to + 1;
	}
	put(passer);
	return 0;
}

const struct grt_frame_life *grt_frame_passers_find(const struct grt_frame_passers *p, uint64_t number)
{
	const struct passer *best = NULL;

	for (size_t i = number % PLACES + PLACES; i && p->nodes; i /= 2) {
		const struct grt_frame_passer_node *node = &p->nodes[i];

		if (node->passer && node->lap == number / PLACES &&
		    (!best || grt_frame_is_earlier(&node->passer->life->stay, &best->life->stay)))
			best = node->passer;
	}
	return best ? best->life : NULL;
}

void grt_frame_passers_free(struct grt_frame_passers *p)
{
	for (size_t i = 0; i < 2 * PLACES && p->nodes; i++)
		put(p->nodes[i].passer);
	free(p->nodes);
	p->nodes = NULL;
}
