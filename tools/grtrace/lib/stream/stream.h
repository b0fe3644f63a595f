/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Returns all records of a trace in one order, (ts, cpu, cseq), whatever the source.
 *
 * A consumer gets:
 *
 * - STREAM_INFO and METADATA first, once per trace.
 * - RING and PROCESS: before the first event, the first row of every ring and process.
 *   A row that changes (a process with a new name) comes again at its time; rows without news
 *   are left out.  A live session returns each row before the first event that uses it.
 * - CLOCK, STATS and POLICY at their time.
 * - Events at their time.
 * - LOSS, made here from SUBBUF and STREAM_END, which are never returned: one record per CPU,
 *   account and fate that lost events.  hdr.ts == to_ns, the time of the account: when a LOSS
 *   comes, the events between from_ns and to_ns on hdr.cpu were already returned.  Reason
 *   GRTRACE_FATE_WRITTEN: events were written, but are not in this trace (a cut or corrupt
 *   file); a warning says so, too.
 * - If a file ends before its streams, or a CPU has events after its last account: at the end
 *   a LOSS of that reason with count 0 (unknown).  Before its from_ns all CPUs are complete.
 */
#ifndef GRT_STREAM_H
#define GRT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/grtrace.h>

struct grt_input;
struct grt_trace_info;
struct grt_stream;

/* What the stream returned so far.  Counts of events never include definitions or LOSS. */
struct grt_stream_stats {
	uint64_t events;		/* events returned */
	uint64_t unknown_events;	/* records of types that this version does not know */
	uint64_t lost[GRTRACE_NR_FATES]; /* sums of LOSS; [WRITTEN]: missing here */
	uint64_t first_ns, last_ns;	/* times of the first and last event */
	uint64_t backwards;		/* records earlier than the one before on their CPU */
	uint64_t repeated;		/* events left out because they came before on their CPU */
	uint32_t cpus;			/* CPUs with a stream */
	uint32_t ended;			/* CPUs with a STREAM_END */
	uint32_t uncounted;		/* at the end: CPUs that may have lost more */
	uint64_t bad_sizes;		/* places where the size of a record is invalid */
	bool is_live;
};

/*
 * Takes ownership of @in, also on failure.  Reads all definitions of a file.  0 or -errno with a
 * cause.
 */
int grt_stream_open(struct grt_stream **s, struct grt_input *in);
void grt_stream_close(struct grt_stream *s);	/* NULL is allowed */

/*
 * Begins again with the first record, without a span, with statistics of 0.  0, -ESPIPE when
 * the input can be read only once, as a live session, or another -errno with a cause; after a
 * failure the stream can only be closed.
 */
int grt_stream_rewind(struct grt_stream *s);

/*
 * Returns 1 and *rec: valid until the next call, 8-byte aligned, and at least as large as the
 * struct of its type, so it may be cast.  0 at the end, -EAGAIN if a live session had no record
 * within the timeout, -EINTR after a signal, else -errno with a cause.
 */
int grt_stream_next(struct grt_stream *s, const struct grtrace_hdr **rec);

/* Whether the definitions that are known so far have one of this type; in a file, that are all. */
bool grt_stream_has(const struct grt_stream *s, uint32_t type);

/* Definition number @i of those that are known so far, NULL behind the last; as grt_stream_next(). */
const struct grtrace_hdr *grt_stream_definition(const struct grt_stream *s, size_t i);

/* How long grt_stream_next() waits for a live session; -1, the default: for ever. */
void grt_stream_set_timeout(struct grt_stream *s, int timeout_ms);

/*
 * From now on grt_stream_next() waits for nothing: it returns the records that came, in order as far as they are
 * known, then 0.  For a user who ends a live session or a pipe that others go on with.
 */
void grt_stream_wait_no_more(struct grt_stream *s);

/*
 * From now on the caller needs only events in [@from_ns, @to_ns).  Parts of a file that need not
 * be read are skipped; other events still come, and so does every record that is no event.  The
 * statistics count what was returned.
 */
void grt_stream_set_span(struct grt_stream *s, uint64_t from_ns, uint64_t to_ns);

/* Of a live session: every event before this time was returned, once it returned -EAGAIN. */
uint64_t grt_stream_safe_ns(const struct grt_stream *s);

const struct grt_stream_stats *grt_stream_stats(const struct grt_stream *s);

/*
 * At the end: whether all losses were reported.  True if the session ended, or if the recording
 * ended with an account.
 */
bool grt_stream_is_counted(const struct grt_stream *s);

/*
 * The numbers (cseq) of the last event of @cpu before the trace and of its last one in it, as far as both were
 * read.  False: not known.
 */
bool grt_stream_cseq(const struct grt_stream *s, uint16_t cpu, uint64_t *before, uint64_t *last);

/* Whether @rec, the current record, is the LOSS at the end which says that more may be missing. */
bool grt_stream_is_tail(const struct grt_stream *s, const struct grtrace_hdr *rec);

/* What is known of the whole trace, see lib/wire/input.h.  Never NULL. */
const struct grt_trace_info *grt_stream_info(const struct grt_stream *s);

/* The session that wrote the trace; all 0 until a live session has said so. */
const struct grtrace_stream_info *grt_stream_session(const struct grt_stream *s);

/* Session ids start again when the module is loaded; the start time tells sessions apart. */
static inline bool grt_is_one_session(const struct grtrace_stream_info *a, const struct grtrace_stream_info *b)
{
	return a->session_id == b->session_id && a->start_ns == b->start_ns;
}

#endif /* GRT_STREAM_H */
