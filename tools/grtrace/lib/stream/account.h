/* SPDX-License-Identifier: LGPL-2.1 */
/* What of one CPU's events is missing, and why. */
#ifndef GRT_ACCOUNT_H
#define GRT_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

/* One per fate, and one for events that were written but are not here. */
#define GRT_MAX_LOSSES	(GRTRACE_NR_FATES + 1)

struct grt_account {
	uint64_t last_cseq;
	uint64_t last_ns;		/* of the last event or account */
	bool has_fates, has_cseq;
	bool is_odd;			/* fates that do not add up were seen */
	struct grtrace_fates fates;	/* of the account before */
	uint64_t fates_ns;		/* its time */
};

enum grt_verdict {
	GRT_EVENT_NEXT,		/* follows the one before */
	GRT_EVENT_AFTER_GAP,	/* *loss says how many are missing before it */
	GRT_EVENT_REPEATED,	/* was there already */
};

/* Takes an event, known or not. */
enum grt_verdict grt_account_event(struct grt_account *a, const struct grtrace_hdr *ev,
				   struct grtrace_loss *loss);

/* Takes an event if it just follows the one before; else grt_account_event() is for it. */
static inline bool grt_account_follows(struct grt_account *a, const struct grtrace_hdr *ev)
{
	if (!a->has_cseq || ev->cseq != a->last_cseq + 1 || !ev->cseq)
		return false;
	a->last_cseq = ev->cseq;
	a->last_ns = ev->ts;
	return true;
}

/*
 * Takes the fates of a SUBBUF or STREAM_END, @cseq being the last event before it
 * and @is_first saying that nothing of this CPU was read before the trace began.
 * Fills @losses, GRT_MAX_LOSSES of them, and returns how many there are.
 */
unsigned int grt_account_fates(struct grt_account *a, const struct grtrace_hdr *hdr,
			       const struct grtrace_fates *fates, uint64_t cseq,
			       bool is_first, struct grtrace_loss *losses);

struct grt_input_skip;

/* Takes what the source did not read: nothing is missing in it. */
void grt_account_skip(struct grt_account *a, const struct grt_input_skip *skip);

#endif /* GRT_ACCOUNT_H */
