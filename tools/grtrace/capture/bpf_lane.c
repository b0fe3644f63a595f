// SPDX-License-Identifier: GPL-2.0
#include "bpf_lane.h"

#include <string.h>

#include <linux/grtrace.h>

#include "capture.h"
#include "definitions.h"
#include "error.h"
#include "stacks.h"

#define BATCH_BYTES	(256u << 10)	/* records taken at a time */

void grt_bpf_lane_open(struct grt_bpf_lane *l, uint32_t cpu, uint8_t *buffer, size_t bytes,
		       struct grt_bpf_cpu *counters, enum grtrace_fate refused_fate, struct grt_capture_defs *defs)
{
	*l = (struct grt_bpf_lane){
		.stream = { .cpu = cpu, .defs = defs },
		.taker = { .buffer = buffer, .bytes = bytes, .counters = counters, .cpu = cpu },
		.refused_fate = refused_fate,
	};
}

void grt_bpf_lane_close(struct grt_bpf_lane *l)
{
	grt_vec_free(&l->pending);
	grt_vec_free(&l->order);
	grt_capture_lane_free(&l->stream);
}

static struct grtrace_hdr *record_at(const struct grt_bpf_lane *l, size_t nth)
{
	return (void *)((char *)l->pending.data + *grt_vec_at(&l->order, size_t, nth));
}

/*
 * Sorts by time.  Records are nearly in order already: only programs that interrupted another one
 * are out of place, by a few records.
 */
static int sort_pending(struct grt_bpf_lane *l)
{
	size_t count = 0, place;

	l->order.bytes = 0;
	for (size_t at = 0; at < l->pending.bytes; count++) {
		const struct grtrace_hdr *hdr = (void *)((char *)l->pending.data + at);

		if (grt_vec_append(&l->order, &at, sizeof(at)))
			return grt_fail_memory();
		place = count;
		while (place && record_at(l, place - 1)->ts > hdr->ts) {
			*grt_vec_at(&l->order, size_t, place) =
				*grt_vec_at(&l->order, size_t, place - 1);
			place--;
		}
		*grt_vec_at(&l->order, size_t, place) = at;
		at += hdr->size;
	}
	return 0;
}

/* The fates of all events before the next one, as far as @l has counted them. */
static struct grtrace_fates fates_so_far(const struct grt_bpf_lane *l)
{
	struct grtrace_fates fates = {
		.written = l->stream.cseq,
		.buffer_full = l->lost + l->missed,
		.filtered_type = __atomic_load_n(&l->taker.counters->filtered, __ATOMIC_RELAXED),
	};

	(&fates.written)[l->refused_fate] += l->refused;
	fates.seen = fates.written + fates.buffer_full + fates.filtered_type + l->refused;
	return fates;
}

static int begin_subbuf(struct grt_bpf_lane *l, uint64_t ts)
{
	const struct grtrace_fates fates = fates_so_far(l);

	l->missed_put = l->missed;
	return grt_capture_lane_subbuf(&l->stream, ts, &fates);
}

/* Cuts the text at its first NUL and takes line ends off; a BPF program cannot search a text. */
static void trim_mark(struct grtrace_mark *mark)
{
	size_t room = mark->hdr.size - sizeof(*mark), len;
	char *text = (char *)(mark + 1);

	len = strnlen(text, room);
	while (len && text[len - 1] == '\n')
		len--;
	memset(text + len, 0, room - len);
}

/* @low is half of a count.  Programs that interrupted the one that read it may have counted more. */
static uint64_t later_count(uint64_t last, uint32_t low)
{
	int32_t more = low - (uint32_t)last;

	return more > 0 ? last + more : last;
}

/* The counts before an event travel in its gseq, which a session without global_seq does not use. */
static void take_counts(struct grt_bpf_lane *l, uint64_t gseq)
{
	if (l->refused_fate) {
		l->lost = later_count(l->lost, gseq);
		l->refused = later_count(l->refused, gseq >> 32);
	} else if (gseq > l->lost) {
		l->lost = gseq;
	}
}

static int put_event(struct grt_bpf_lane *l, struct grtrace_hdr *hdr, bool *has_subbuf)
{
	uint64_t lost = l->lost;
	int err = 0;

	/* The last resort for a time that runs back: a program was held up for very long. */
	if (hdr->ts < l->stream.last_ns)
		hdr->ts = l->stream.last_ns;
	take_counts(l, hdr->gseq);
	if (!*has_subbuf || l->lost > lost)
		err = begin_subbuf(l, hdr->ts);
	*has_subbuf = true;
	if (hdr->type == GRTRACE_MARK)
		trim_mark((struct grtrace_mark *)hdr);
	if (!err && hdr->type == GRTRACE_STACK)
		err = grt_capture_stacks_take(l->stacks, (struct grtrace_stack *)hdr, &l->stream.out);
	hdr->gseq = 0;
	grt_capture_lane_stamp(&l->stream, hdr);
	if (!err && grt_vec_append(&l->stream.out, hdr, hdr->size))
		err = grt_fail_memory();
	return err;
}

/* A definition has no count. */
static int put_record(struct grt_bpf_lane *l, struct grtrace_hdr *hdr, bool *has_subbuf)
{
	if (hdr->type < GRTRACE_STREAM_BASE)
		return put_event(l, hdr, has_subbuf);
	hdr->gseq = 0;
	return hdr->type == GRTRACE_RING ?
	       grt_capture_defs_ring(l->stream.defs, (void *)hdr, &l->stream.out) :
	       grt_capture_defs_process(l->stream.defs, (void *)hdr, &l->stream.out);
}

/* Keeps the records from number @first on, which are in order then. */
static int keep_pending(struct grt_bpf_lane *l, size_t first)
{
	struct grt_vec kept = { NULL };
	int err = 0;

	for (size_t i = first; !err && i < grt_vec_count(&l->order, size_t); i++)
		err = grt_vec_append(&kept, record_at(l, i), record_at(l, i)->size);
	grt_vec_free(&l->pending);
	l->pending = kept;
	return err ? grt_fail_memory() : 0;
}

/* Turns the records before @until_ns into a part of the stream. */
static int put_pending(struct grt_bpf_lane *l, uint64_t until_ns)
{
	size_t count, i = 0;
	bool has_subbuf = false;
	int err = sort_pending(l);

	count = grt_vec_count(&l->order, size_t);
	for (; !err && i < count && record_at(l, i)->ts < until_ns; i++)
		err = put_record(l, record_at(l, i), &has_subbuf);
	if (!err && i < count)
		return keep_pending(l, i);
	l->pending.bytes = 0;
	return err;
}

/*
 * A record that is not complete yet may get an earlier time than those before it.  So all records
 * can be put in order only while there is none, or when too many would have to wait; those before
 * @safe_ns always can.
 */
static bool is_quiet(const struct grt_bpf_lane *l)
{
	return l->taker.taken == __atomic_load_n(&l->taker.counters->head, __ATOMIC_ACQUIRE) ||
	       l->pending.bytes >= BATCH_BYTES;
}

/*
 * Tells how many events were refused or lost until a moment after which no event was written: the next
 * event that would say so may never come.
 */
static int put_account(struct grt_bpf_lane *l)
{
	uint64_t ns = l->told_ns;

	l->told_ns = 0;
	if (ns <= l->stream.last_ns ||
	    (l->told_refused <= l->refused && l->told_lost <= l->lost && l->missed <= l->missed_put))
		return 0;
	if (l->told_refused > l->refused)
		l->refused = l->told_refused;
	if (l->told_lost > l->lost)
		l->lost = l->told_lost;
	l->stream.last_ns = ns;
	return begin_subbuf(l, ns);
}

void grt_bpf_lane_tell(struct grt_bpf_lane *l, uint64_t now_ns)
{
	if (l->refused_fate)
		l->told_refused = __atomic_load_n(&l->taker.counters->refused, __ATOMIC_RELAXED);
	l->told_lost = __atomic_load_n(&l->taker.counters->lost, __ATOMIC_RELAXED);
	l->told_ns = now_ns;
}

static int put_end(struct grt_bpf_lane *l)
{
	struct grtrace_fates fates;

	l->lost = l->taker.counters->lost;
	l->refused = l->taker.counters->refused;
	fates = fates_so_far(l);
	/* What the programs counted in their first step: not our sum, so that a gap is seen. */
	fates.seen = l->taker.counters->seen + l->missed;
	return grt_capture_lane_end(&l->stream, &fates);
}

/* Adds the next part of the stream to @out, if there is one now. */
static int read_more(struct grt_bpf_lane *l)
{
	int got = 1, err = 0;

	while (got > 0 && l->pending.bytes < BATCH_BYTES)
		got = grt_bpf_take(&l->taker, &l->pending);
	if (got < 0)
		return got;
	if (l->pending.bytes && (is_quiet(l) || l->is_stopped))
		return put_pending(l, UINT64_MAX);
	if (l->pending.bytes && l->safe_ns > l->stream.last_ns)
		return put_pending(l, l->safe_ns);
	if (l->told_ns && !l->pending.bytes)
		err = put_account(l);
	return !err && l->is_stopped && !l->stream.has_ended && !l->pending.bytes ? put_end(l) : err;
}

ssize_t grt_bpf_lane_read(struct grt_bpf_lane *l, void *to, size_t room)
{
	int err = 0;

	if (grt_capture_lane_is_empty(&l->stream)) {
		if (!l->stream.has_begun)
			err = grt_capture_lane_begin(&l->stream);
		else if (!l->stream.has_ended)
			err = read_more(l);
	}
	return err ? err : grt_capture_lane_take(&l->stream, to, room);
}
