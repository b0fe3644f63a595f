/* SPDX-License-Identifier: LGPL-2.1 */
/* Finds out how many events of one CPU are missing, and why. */
#ifndef GRT_ACCOUNT_H
#define GRT_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

/* One per fate, and one for events that were written but are not in the trace. */
#define GRT_MAX_LOSSES	(GRTRACE_NR_FATES + 1)

struct grt_account {
	uint64_t last_cseq;
	uint64_t last_ns;		/* time of the last event or account */
	bool has_fates, has_cseq;	/* fates, last_cseq: known */
	bool has_account;		/* an account was read */
	bool is_odd;			/* the fates of an account did not add up */
	struct grtrace_fates fates;	/* fates of the last account */
	uint64_t fates_ns;		/* time of the last account */
	uint64_t fates_cseq;		/* cseq of the last event before it */
	uint64_t first_cseq;		/* cseq of the last event before the trace, if has_cseq */
};

enum grt_verdict {
	GRT_EVENT_NEXT,		/* the next event in order */
	GRT_EVENT_AFTER_GAP,	/* *loss says how many events are missing before it */
	GRT_EVENT_REPEATED,	/* this event was read before */
};

/*
 * Says that the trace has this CPU from its first event on: events that are missing before its
 * first account are losses since @start_ns.
 */
void grt_account_begin(struct grt_account *a, uint64_t start_ns);

/* Accounts for an event, of a known type or not. */
enum grt_verdict grt_account_event(struct grt_account *a, const struct grtrace_hdr *ev,
				   struct grtrace_loss *loss);

/*
 * Fast path: accounts for an event that directly follows the one before.  If it returns false,
 * call grt_account_event().
 */
static inline bool grt_account_follows(struct grt_account *a, const struct grtrace_hdr *ev)
{
	if (!a->has_cseq || ev->cseq != a->last_cseq + 1 || !ev->cseq)
		return false;
	a->last_cseq = ev->cseq;
	a->last_ns = ev->ts;
	return true;
}

/*
 * Accounts for the fates of a SUBBUF or STREAM_END.  @cseq is the last event before it; @is_first
 * says that nothing of this CPU came before the trace.  Fills @losses, GRT_MAX_LOSSES entries, and
 * returns their number.
 */
unsigned int grt_account_fates(struct grt_account *a, const struct grtrace_hdr *hdr,
			       const struct grtrace_fates *fates, uint64_t cseq,
			       bool is_first, struct grtrace_loss *losses);

/* Whether all losses are known: no event came after the last account. */
static inline bool grt_account_is_counted(const struct grt_account *a)
{
	return a->has_account && a->last_cseq == a->fates_cseq;
}

struct grt_input_skip;

/* Accounts for bytes that the source skipped, in which nothing is missing. */
void grt_account_skip(struct grt_account *a, const struct grt_input_skip *skip);

#endif /* GRT_ACCOUNT_H */
