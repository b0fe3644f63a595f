/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The global seqnos of i915's requests.  An engine numbers its requests once more, in the order in which they run; its
 * interrupt tells the number that it has come to (intel_engine_notify).  So all requests with that number or a lower one
 * are over then.  The first pass learns the numbers, which most events tell only when the request is over, or change
 * when it is preempted; the second one uses the last number of each request.
 */
#ifndef GRT_GLOBALS_H
#define GRT_GLOBALS_H

#include <stdbool.h>
#include <stdint.h>

#include "keyrows.h"

/* Zeroed memory is empty. */
struct grt_globals {
	struct grt_keymap known;	/* context and seqno of a request -> its number */
	struct grt_keyrows engines;	/* struct engine, by ring */
	struct grt_keyrows ctxs;	/* struct progress, by context */
};

struct grt_global_request {
	uint64_t ctx, seqno;
};

/*
 * Learns the number of a request; a later one replaces it.  Only for events when the engine has the request, and that
 * tell that it is over: else a request may be preempted, and no event tells that the number is no longer its own.
 */
void grt_globals_learn(struct grt_globals *t, uint64_t ctx, uint64_t seqno, uint32_t global);

/*
 * A request is on its way to the engine of @ring, or the engine has it (@is_there); @global is what the event tells,
 * 0: nothing.
 */
void grt_globals_open(struct grt_globals *t, uint32_t ring, uint64_t ctx, uint64_t seqno, uint32_t global, bool is_there);

/*
 * The engine of @ring preempts: it takes back the numbers of all requests that it has.  They come again, also those of which
 * no event tells that they were preempted.
 */
void grt_globals_preempted(struct grt_globals *t, uint32_t ring);

/* A request, and so each earlier one of its context, is over. */
void grt_globals_over(struct grt_globals *t, uint64_t ctx, uint64_t seqno);

/*
 * The next request on the engine of @ring that is over because it has come to @global: the lowest number first.
 * False: there are no more.
 */
bool grt_globals_next(struct grt_globals *t, uint32_t ring, uint32_t global, struct grt_global_request *request);

/* Whether the engine has a later request of the same context, so that it may report the end of that one only. */
bool grt_globals_has_later(struct grt_globals *t, const struct grt_global_request *request);

void grt_globals_free(struct grt_globals *t);

#endif /* GRT_GLOBALS_H */
