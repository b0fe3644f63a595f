// SPDX-License-Identifier: LGPL-2.1
/*
 * The merge.  Lanes are read one record ahead, and the earliest of their heads comes next:
 * by time, then by the number of its lane.  Lanes are in the order of their CPUs, and
 * definitions come before the events of the same instant.
 */
#include "stream.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "account.h"
#include "cursor.h"
#include "defs.h"
#include "error.h"
#include "heads.h"
#include "input.h"

/*
 * The chunks of many CPUs do not fit the caches, and their records come in turns: what a
 * CPU has next is asked for while the others have theirs.
 */
#define READ_AHEAD_BYTES	256

#define LATER	0	/* the lane of definitions that changed; the input's follow it */

/* What is looked at for each record is one line of a cache. */
struct lane {
	const uint8_t *pos, *end;	/* records that are still to be read */
	const struct grtrace_hdr *head;	/* next to be given */
	uint64_t key;			/* its place in time; never runs back */
	uint32_t nr;
	uint16_t cpu;
	bool has_waiting;		/* losses, or an event behind them, come first */
	bool has_ended;			/* its STREAM_END was seen */
	struct grt_account account;
	const struct grtrace_hdr *event; /* comes after the losses */
	unsigned int nr_losses, next_loss;
	struct grtrace_loss losses[GRT_MAX_LOSSES];
} __attribute__((aligned(64)));

struct grt_stream {
	struct grt_input *in;		/* owned */
	struct grt_defs defs;
	size_t next_first, next_later;
	struct lane *lanes;		/* owned; one more than the input has */
	struct lane *current;		/* its head was given, and none is loaded yet; NULL = none */
	struct lane *ready;		/* its head comes next; NULL = to be found out */
	struct lane **idle;		/* owned; live lanes without data */
	struct grt_heads heads;		/* of the lanes */
	unsigned int nr_lanes, nr_idle;
	uint64_t safe_ns;		/* everything before it can be had */
	int timeout_ms;
	bool has_warned_corrupt, has_warned_fates, has_warned_missing;
	struct grt_stream_stats stats;
	struct grtrace_loss tail;	/* what comes last, of type LOSS once it was made */
};

static struct grt_cursor rest_of(const struct lane *lane)
{
	return (struct grt_cursor){ lane->pos, lane->end, false };
}

/* Lane @nr, NULL where that is GRT_NONE. */
static struct lane *lane_at(const struct grt_stream *s, uint32_t nr)
{
	return nr == GRT_NONE ? NULL : &s->lanes[nr];
}

static void set_head(struct grt_stream *s, struct lane *lane, const struct grtrace_hdr *hdr,
		     uint64_t ts)
{
	lane->head = hdr;
	lane->cpu = hdr->cpu;
	if (ts >= lane->key) {
		lane->key = ts;
		return;
	}
	if (!s->stats.backwards++)
		grt_warn(NULL, "time runs backwards on CPU %u at %" PRIu64
			 " ns: the trace is damaged", hdr->cpu, (uint64_t)hdr->ts);
}

static bool take_loss(struct grt_stream *s, struct lane *lane)
{
	const struct grtrace_loss *loss;

	if (lane->next_loss == lane->nr_losses)
		return false;
	loss = &lane->losses[lane->next_loss++];
	s->stats.lost[loss->reason] += loss->count;
	if (loss->reason == GRTRACE_FATE_WRITTEN && !s->has_warned_missing) {
		s->has_warned_missing = true;
		grt_warn(NULL, "events are missing in this trace although they were written: "
			 "%" PRIu64 " on CPU %u before %" PRIu64 " ns",
			 (uint64_t)loss->count, loss->hdr.cpu, (uint64_t)loss->to_ns);
	}
	set_head(s, lane, &loss->hdr, loss->to_ns < lane->key ? lane->key : loss->to_ns);
	return true;
}

static void take_fates(struct grt_stream *s, struct lane *lane, const struct grtrace_hdr *hdr)
{
	const struct grtrace_subbuf *sub = (const void *)hdr;
	const struct grtrace_stream_end *end = (const void *)hdr;
	bool is_end = hdr->type == GRTRACE_STREAM_END;

	/* Nothing before: the sub-buffers of this CPU begin with this one, and it is no copy. */
	bool is_first = is_end ? !lane->account.has_cseq && !end->last_cseq :
				 !sub->index && !hdr->cseq;

	lane->next_loss = 0;
	lane->nr_losses = grt_account_fates(&lane->account, hdr,
					    is_end ? &end->fates : &sub->fates,
					    is_end ? end->last_cseq : hdr->cseq,
					    is_first, lane->losses);
	lane->has_waiting = lane->nr_losses;
	s->stats.ended += is_end && !lane->has_ended;
	lane->has_ended |= is_end;
	if (lane->account.is_odd && !s->has_warned_fates) {
		s->has_warned_fates = true;
		grt_warn(NULL, "the fates of CPU %u at %" PRIu64 " ns do not add up: "
			 "the counts of lost events are not exact", hdr->cpu, (uint64_t)hdr->ts);
	}
}

/* True when the record, or a loss before it, is the lane's head. */
static bool take_event(struct grt_stream *s, struct lane *lane, const struct grtrace_hdr *hdr)
{
	bool is_known = hdr->type < GRTRACE_NR_EVENTS;

	switch (grt_account_event(&lane->account, hdr, &lane->losses[0])) {
	case GRT_EVENT_REPEATED:
		if (!s->stats.repeated++)
			grt_warn("name each file once",
				 "events of CPU %u are in the trace twice: left out once", hdr->cpu);
		return false;
	case GRT_EVENT_AFTER_GAP:
		lane->next_loss = 0;
		lane->nr_losses = 1;
		lane->has_waiting = true;
		lane->event = is_known ? hdr : NULL;
		s->stats.unknown_events += !is_known;
		return take_loss(s, lane);
	case GRT_EVENT_NEXT:
		break;
	}
	if (!is_known) {
		s->stats.unknown_events++;
		return false;
	}
	set_head(s, lane, hdr, hdr->ts);
	return true;
}

static bool load_later(struct grt_stream *s, struct lane *lane)
{
	const struct grtrace_hdr *def;

	if (s->next_later == grt_vec_count(&s->defs.later, void *))
		return false;
	def = *grt_vec_at(&s->defs.later, const struct grtrace_hdr *, s->next_later++);
	set_head(s, lane, def, def->ts);
	return true;
}

/*
 * It comes before the first event under it, but also before older ones that are yet to be
 * read: it waits for its time among the definitions.  The same, or -errno with a cause.
 */
static int take_policy(struct grt_stream *s, struct lane *lane, const struct grtrace_hdr *hdr)
{
	struct lane *later = &s->lanes[LATER];
	const struct grtrace_hdr *copy;
	int is_news = grt_defs_take(&s->defs, hdr);

	if (is_news != 1)
		return is_news;
	/* Files have theirs among their definitions; one amid the data is where it belongs. */
	if (!s->in->info.is_live) {
		set_head(s, lane, hdr, hdr->ts);
		return 1;
	}
	copy = grt_defs_keep(&s->defs, hdr);
	if (!copy || grt_vec_append(&s->defs.later, &copy, sizeof(copy)))
		return grt_fail_memory();
	if (!grt_heads_has(&s->heads, LATER) && load_later(s, later))
		grt_heads_set(&s->heads, LATER, later->key);
	return 0;
}

/* The same for any record: 1, 0 when it is not for consumers, or -errno. */
static int take_record(struct grt_stream *s, struct lane *lane, const struct grtrace_hdr *hdr)
{
	int is_news;

	if (hdr->type < GRTRACE_STREAM_BASE)
		return take_event(s, lane, hdr);
	switch (hdr->type) {
	case GRTRACE_SUBBUF:
	case GRTRACE_STREAM_END:
		take_fates(s, lane, hdr);
		return take_loss(s, lane);
	case GRTRACE_POLICY:
		return take_policy(s, lane, hdr);
	case GRTRACE_LOSS:
		/* An importer's.  Its reason indexes a table. */
		if (((const struct grtrace_loss *)hdr)->reason >= GRTRACE_NR_FATES)
			break;
		s->stats.lost[((const struct grtrace_loss *)hdr)->reason] +=
			((const struct grtrace_loss *)hdr)->count;
		set_head(s, lane, hdr, hdr->ts);
		return 1;
	case GRTRACE_STREAM_INFO:
	case GRTRACE_METADATA:
	case GRTRACE_RING:
	case GRTRACE_PROCESS:
	case GRTRACE_CLOCK:
	case GRTRACE_STATS:
		is_news = grt_defs_take(&s->defs, hdr);
		/* At once: other lanes may need it for what they hold already. */
		if (is_news == 1)
			set_head(s, lane, hdr, lane->key);
		return is_news;
	}
	s->stats.unknown_events++;
	return 0;
}

/* Makes the lane's head: 1, 0 at its end, -EAGAIN when live, or -errno. */
static int load(struct grt_stream *s, struct lane *lane)
{
	const struct grtrace_hdr *hdr;
	struct grt_cursor bytes;
	const void *data;
	size_t count;
	int got;

	if (lane->nr == LATER)
		return load_later(s, lane);
	if (take_loss(s, lane))
		return 1;
	if (lane->event) {
		set_head(s, lane, lane->event, lane->event->ts);
		lane->event = NULL;
		return 1;
	}
	lane->has_waiting = false;
	for (;;) {
		bytes = rest_of(lane);
		while ((hdr = grt_take_record(&bytes))) {
			lane->pos = bytes.pos;
			got = take_record(s, lane, hdr);
			if (got)
				return got;
		}
		if (bytes.failed && !s->has_warned_corrupt) {
			s->has_warned_corrupt = true;
			grt_warn(NULL, "a chunk of CPU %u is corrupt after %" PRIu64
				 " ns: its rest is left out", lane->cpu, lane->account.last_ns);
		}
		got = s->in->ops->fill(s->in, lane->nr - 1, &data, &count);
		if (got <= 0)
			return got;
		if (got == GRT_INPUT_SKIPPED) {
			grt_account_skip(&lane->account, data);
			continue;
		}
		lane->pos = data;
		lane->end = lane->pos + count;
	}
}

/* Makes the lane's head and puts it where it belongs.  0 or -errno. */
static int advance(struct grt_stream *s, struct lane *lane)
{
	int got = load(s, lane);

	if (got == 1) {
		grt_heads_set(&s->heads, lane->nr, lane->key);
		return 0;
	}
	if (got < 0 && got != -EAGAIN)
		return got;
	grt_heads_remove(&s->heads, lane->nr);
	if (got == -EAGAIN)
		s->idle[s->nr_idle++] = lane;
	return 0;
}

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ull + ts.tv_nsec / 1000000;
}

static int wait_round(struct grt_stream *s, int timeout_ms)
{
	unsigned int count = s->nr_idle;
	int err = s->in->ops->wait(s->in, timeout_ms, &s->safe_ns);

	if (err)
		return err;
	s->nr_idle = 0;
	for (unsigned int i = 0; i < count && !err; i++)
		err = advance(s, s->idle[i]);
	return err;
}

/* The lane with the earliest head; NULL at the end. */
static int choose(struct grt_stream *s, struct lane **lane)
{
	int err;

	if (s->current) {
		err = advance(s, s->current);
		if (err)
			return err;
		s->current = NULL;
	}
	*lane = lane_at(s, grt_heads_first(&s->heads));
	return 0;
}

/* Nearly all records are events that follow the one before: the same as load() for these. */
static inline bool load_next_event(struct lane *lane)
{
	struct grt_cursor bytes = rest_of(lane);
	const struct grtrace_hdr *hdr;

	if (lane->has_waiting)
		return false;
	hdr = grt_take_record(&bytes);
	if (!hdr || hdr->type >= GRTRACE_NR_EVENTS || hdr->ts < lane->key ||
	    !grt_account_follows(&lane->account, hdr))
		return false;
	lane->pos = bytes.pos;
	lane->head = hdr;
	lane->cpu = hdr->cpu;
	lane->key = hdr->ts;
	__builtin_prefetch((const char *)hdr + READ_AHEAD_BYTES);
	return true;
}

/*
 * Nearly always the lane goes on, and what is earliest then is found out ahead of time: what
 * the record leads to need not wait for it, nor it for that.
 */
static inline void give(struct grt_stream *s, struct lane *lane, const struct grtrace_hdr **rec)
{
	const struct grtrace_hdr *hdr = lane->head;

	*rec = hdr;
	if (hdr->type < GRTRACE_STREAM_BASE) {
		if (!s->stats.events++)
			s->stats.first_ns = hdr->ts;
		s->stats.last_ns = hdr->ts;
	}
	if (!s->nr_idle && load_next_event(lane)) {
		s->ready = &s->lanes[grt_heads_set(&s->heads, lane->nr, lane->key)];
		return;
	}
	s->current = lane;
	s->ready = NULL;
}

/*
 * Up to when nothing is missing, given that not all streams end.  What was dropped after
 * the last account of a CPU would have been told by the next one.
 */
static uint64_t whole_until(const struct grt_stream *s)
{
	uint64_t until_ns = UINT64_MAX;

	/* Of a CPU that is not there it is not known whether it had events. */
	if (s->in->info.is_file && s->nr_lanes - 1 < s->defs.info.cpus)
		return s->in->safe_ns;
	for (unsigned int i = LATER + 1; i < s->nr_lanes; i++)
		if (!s->lanes[i].has_ended && s->lanes[i].account.fates_ns < until_ns)
			until_ns = s->lanes[i].account.fates_ns;
	return until_ns > s->in->safe_ns ? until_ns : s->in->safe_ns;
}

/* Whether more was to come.  A file that was closed may go on in the next one. */
static bool is_cut(const struct grt_stream *s)
{
	const struct grt_trace_info *info = &s->in->info;

	if (info->is_live || info->is_file)
		return info->is_file && (!info->is_complete || info->is_cut);
	return !s->stats.cpus || s->stats.ended < s->stats.cpus;
}

/* All was given.  1 and the record that says that more was to come, or 0. */
static int end(struct grt_stream *s, const struct grtrace_hdr **rec)
{
	uint64_t from_ns;

	if (!is_cut(s) || s->tail.hdr.type)
		return 0;
	s->tail.hdr.type = GRTRACE_LOSS;
	if (!s->in->info.is_file && !s->in->has_warned)
		grt_warn(NULL, "'%s' ends before the streams of its CPUs do: what came then is not "
			 "in it", s->in->info.name);
	from_ns = whole_until(s);
	if (from_ns < s->stats.first_ns)
		from_ns = s->stats.first_ns;
	if (from_ns >= s->stats.last_ns)
		return 0;
	s->tail.hdr.size = sizeof(s->tail);
	s->tail.hdr.ts = s->tail.to_ns = s->stats.last_ns;
	s->tail.from_ns = from_ns;
	s->tail.reason = GRTRACE_FATE_WRITTEN;
	*rec = &s->tail.hdr;
	return 1;
}

/* Any record; waits for a live session. */
static __attribute__((noinline)) int next(struct grt_stream *s, const struct grtrace_hdr **rec)
{
	uint64_t begin_ms = 0, spent_ms = 0;
	struct lane *lane;
	int err;

	if (s->next_first < grt_vec_count(&s->defs.first, void *)) {
		*rec = *grt_vec_at(&s->defs.first, const struct grtrace_hdr *, s->next_first++);
		return 1;
	}
	for (;;) {
		err = choose(s, &lane);
		if (err)
			return err;
		/* With a head on every lane that goes on, nothing earlier can come. */
		if (lane && (!s->nr_idle || lane->key < s->safe_ns))
			break;
		if (!s->nr_idle)
			return end(s, rec);
		if (!begin_ms)
			begin_ms = now_ms();
		spent_ms = now_ms() - begin_ms;
		if (s->timeout_ms >= 0 && spent_ms >= (uint64_t)s->timeout_ms && spent_ms)
			return -EAGAIN;
		err = wait_round(s, s->timeout_ms < 0 ? -1 : s->timeout_ms - (int)spent_ms);
		if (err)
			return err;
	}
	give(s, lane, rec);
	return 1;
}

int grt_stream_next(struct grt_stream *s, const struct grtrace_hdr **rec)
{
	if (!s->ready)
		return next(s, rec);
	give(s, s->ready, rec);
	return 1;
}

static int make_lanes(struct grt_stream *s)
{
	unsigned int count = s->in->lanes + 1;
	int err = 0;

	s->lanes = aligned_alloc(_Alignof(struct lane), count * sizeof(*s->lanes));
	s->idle = calloc(count, sizeof(*s->idle));
	if (!s->lanes || !s->idle)
		return grt_fail_memory();
	err = grt_heads_init(&s->heads, count);
	s->nr_lanes = count;
	memset(s->lanes, 0, count * sizeof(*s->lanes));
	for (unsigned int i = 0; i < count && !err; i++) {
		s->lanes[i].nr = i;
		err = advance(s, &s->lanes[i]);
	}
	return err;
}

static void fill_info(struct grt_stream *s)
{
	const struct grtrace_stream_info *si = &s->defs.info;
	struct grt_trace_info *info = &s->in->info;

	if (!s->defs.has_info)
		return;
	if (!info->session_id)
		info->session_id = si->session_id;
	if (!info->start_ns) {
		info->start_ns = si->start_ns;
		info->start_real_ns = si->start_real_ns;
	}
}

int grt_stream_open(struct grt_stream **out, struct grt_input *in)
{
	struct grt_stream *s = calloc(1, sizeof(*s));
	int err;

	if (!s) {
		grt_input_close(in);
		return grt_fail_memory();
	}
	s->in = in;
	s->timeout_ms = -1;
	s->stats.cpus = in->lanes;
	s->stats.is_live = in->info.is_live;
	err = grt_defs_collect(&s->defs, in->defs, in->defs_bytes);
	if (!err && !in->info.is_live && !s->defs.has_info)
		err = grt_fail(EBADMSG, "record again; the recording ended before it began",
			       "'%s' has no stream in it", in->info.name);
	if (!err)
		err = make_lanes(s);
	if (err) {
		grt_stream_close(s);
		return err;
	}
	fill_info(s);
	*out = s;
	return 0;
}

void grt_stream_close(struct grt_stream *s)
{
	if (!s)
		return;
	grt_input_close(s->in);
	grt_defs_free(&s->defs);
	free(s->lanes);
	grt_heads_free(&s->heads);
	free(s->idle);
	free(s);
}

void grt_stream_set_timeout(struct grt_stream *s, int timeout_ms)
{
	s->timeout_ms = timeout_ms;
}

void grt_stream_set_span(struct grt_stream *s, uint64_t from_ns, uint64_t to_ns)
{
	if (s->in->ops->set_span)
		s->in->ops->set_span(s->in, from_ns, to_ns);
}

const struct grt_stream_stats *grt_stream_stats(const struct grt_stream *s)
{
	return &s->stats;
}

const struct grt_trace_info *grt_stream_info(const struct grt_stream *s)
{
	return &s->in->info;
}
