/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * All records of a trace in one order, whatever the source: (ts, cpu, cseq).
 *
 * What a consumer gets:
 *
 * - STREAM_INFO and METADATA first, once per trace (not once per CPU).
 * - RING and PROCESS: the first row of every ring and every process before the
 *   first event; a row that differs from the one before (a process changed its
 *   name) again at its own time.  Rows that say nothing new are left out.  A
 *   live session gives each row before the first event that uses it.
 * - CLOCK, STATS, POLICY at their time.
 * - Events at their time.
 * - LOSS, made here from SUBBUF and STREAM_END, which are never passed on: one
 *   record per CPU, account and fate with a difference.  hdr.ts == to_ns, the
 *   time of the account: the events between from_ns and to_ns on hdr.cpu were
 *   already given when it comes.  Reason GRTRACE_FATE_WRITTEN: these events were
 *   written, but this trace lacks them (a cut or corrupt file); a warning says
 *   so as well.
 * - At last, where a file ends before its streams do, a LOSS of that reason with a
 *   count of 0, not known: from_ns is up to when all CPUs are there.
 */
#ifndef GRT_STREAM_H
#define GRT_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

struct grt_input;
struct grt_trace_info;
struct grt_stream;

/* What went by so far.  Counts of events never include definitions or LOSS. */
struct grt_stream_stats {
	uint64_t events;		/* events given */
	uint64_t unknown_events;	/* records of types this reader does not know */
	uint64_t lost[GRTRACE_NR_FATES]; /* sums of LOSS; [WRITTEN] = missing here */
	uint64_t first_ns, last_ns;	/* times of the first and last event given */
	uint64_t backwards;		/* records earlier than the one before on their CPU */
	uint64_t repeated;		/* events left out: their CPU gave them before */
	uint32_t cpus;			/* CPUs with a stream */
	uint32_t ended;			/* CPUs whose STREAM_END was seen */
	bool is_live;
};

/*
 * Takes ownership of @in, also on failure.  Reads all definitions of a file.
 * 0 or -errno with a cause.
 */
int grt_stream_open(struct grt_stream **s, struct grt_input *in);
void grt_stream_close(struct grt_stream *s);	/* NULL is fine */

/*
 * Returns 1 and *rec: valid until the next call, 8-byte aligned, its size checked
 * and at least that of its type's struct, so it may be cast.  0 at the end,
 * -EAGAIN when a live session gave nothing within the time-out, -EINTR when a
 * signal came, else -errno with a cause.
 */
int grt_stream_next(struct grt_stream *s, const struct grtrace_hdr **rec);

/* How long _next() waits for a live session; -1, the default, for ever. */
void grt_stream_set_timeout(struct grt_stream *s, int timeout_ms);

/*
 * Only events in [@from_ns, @to_ns) are needed from now on.  Some others are given all the
 * same, those of a file that need not be read are not; all that is no event still comes.
 * Statistics then tell of what was given.
 */
void grt_stream_set_span(struct grt_stream *s, uint64_t from_ns, uint64_t to_ns);

const struct grt_stream_stats *grt_stream_stats(const struct grt_stream *s);

/* What is known of the trace as a whole; lib/wire/input.h.  Never NULL. */
const struct grt_trace_info *grt_stream_info(const struct grt_stream *s);

#endif /* GRT_STREAM_H */
