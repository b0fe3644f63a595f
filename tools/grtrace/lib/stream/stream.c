// SPDX-License-Identifier: LGPL-2.1
/*
 * Merges the records of all CPUs.  Each CPU has a queue that is read one record ahead.  The
 * earliest head comes next; at equal times the CPU with the lower number comes first, and
 * definitions come before events.
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
#include "input.h"
#include "lines.h"
#include "meaning.h"
#include "merge_tree.h"
#include "number.h"

#define LATER	0	/* the queue of definitions that changed; the CPUs follow it */

/* All that is used for each record fits one cache line. */
struct queue {
	const uint8_t *pos, *end;	/* records still to be read */
	const struct grtrace_hdr *head;	/* the next record to return */
	uint64_t key;			/* its time in the merge; never runs back */
	uint32_t nr;
	uint16_t cpu;
	bool has_waiting;		/* losses, or an event after them, come first */
	bool has_ended;			/* its STREAM_END was seen */
	uint64_t late_ns;		/* events before this time are missing; 0: none */
	struct grt_account account;
	const struct grtrace_hdr *event; /* comes after the losses */
	unsigned int nr_losses, next_loss;
	struct grtrace_loss losses[GRT_MAX_LOSSES];
} __attribute__((aligned(64)));

/*
 * CPUs whose events begin later than those of the first CPU.  The warning comes with their first
 * LOSS record.
 */
struct late {
	unsigned int count;		/* 0: no warning to print */
	uint16_t last_cpu;		/* the CPU that begins last */
	uint64_t first_ns, last_ns;
};

struct grt_stream {
	struct grt_input *in;		/* owned */
	struct grt_defs defs;
	size_t next_first, next_later;
	struct queue *queues;		/* owned; LATER and one per lane of the input */
	struct queue *current;		/* its head was returned, none is loaded yet; NULL = none */
	struct queue *ready;		/* its head comes next; NULL = not known yet */
	struct queue **idle;		/* owned; live queues without data */
	struct grt_merge_tree tree;		/* of the queues */
	unsigned int nr_queues, nr_idle;
	uint64_t safe_ns;		/* every event before this time can be read */
	int timeout_ms;
	bool waits_no_more;
	bool has_warned_corrupt, has_warned_fates, has_warned_missing;
	bool is_counted_later;		/* at the end: see the function of that name */
	struct late late;
	struct grt_stream_stats stats;
	struct grtrace_loss tail;	/* the last record; its type is LOSS once it exists */
};

static struct grt_cursor rest_of(const struct queue *queue)
{
	return (struct grt_cursor){ queue->pos, queue->end, false };
}

/* Queue @nr, NULL for GRT_NONE. */
static struct queue *queue_at(const struct grt_stream *s, uint32_t nr)
{
	return nr == GRT_NONE ? NULL : &s->queues[nr];
}

static void set_head(struct grt_stream *s, struct queue *queue, const struct grtrace_hdr *hdr,
		     uint64_t ts)
{
	queue->head = hdr;
	queue->cpu = hdr->cpu;
	if (ts >= queue->key) {
		queue->key = ts;
		return;
	}
	if (!s->stats.backwards++)
		grt_warn(NULL, "time runs backwards on CPU %u at %" PRIu64
			 " ns: the trace is damaged", hdr->cpu, (uint64_t)hdr->ts);
}

static bool next_loss(struct grt_stream *s, struct queue *queue)
{
	const struct grtrace_loss *loss;

	if (queue->next_loss == queue->nr_losses)
		return false;
	loss = &queue->losses[queue->next_loss++];
	s->stats.lost[loss->reason] += loss->count;
	if (loss->reason == GRTRACE_FATE_WRITTEN && !s->has_warned_missing) {
		s->has_warned_missing = true;
		grt_warn(NULL, "events are missing in this trace although they were written: "
			 "%" PRIu64 " on CPU %u before %" PRIu64 " ns",
			 (uint64_t)loss->count, loss->hdr.cpu, (uint64_t)loss->to_ns);
	}
	set_head(s, queue, &loss->hdr, loss->to_ns < queue->key ? queue->key : loss->to_ns);
	return true;
}

static void add_fates(struct grt_stream *s, struct queue *queue, const struct grtrace_hdr *hdr)
{
	const struct grtrace_subbuf *sub = (const void *)hdr;
	const struct grtrace_stream_end *end = (const void *)hdr;
	bool is_end = hdr->type == GRTRACE_STREAM_END;

	queue->cpu = hdr->cpu;
	/* The first account of this CPU, and not a copy in the next file. */
	bool is_first = is_end ? !queue->account.has_cseq && !end->last_cseq :
				 !sub->index && !hdr->cseq;

	if (!is_first && !is_end && !queue->account.has_cseq)
		queue->late_ns = hdr->ts;
	queue->next_loss = 0;
	queue->nr_losses = grt_account_fates(&queue->account, hdr,
					     is_end ? &end->fates : &sub->fates,
					     is_end ? end->last_cseq : hdr->cseq,
					     is_first, queue->losses);
	queue->has_waiting = queue->nr_losses;
	s->stats.ended += is_end && !queue->has_ended;
	queue->has_ended |= is_end;
	if (queue->account.is_odd && !s->has_warned_fates) {
		s->has_warned_fates = true;
		grt_warn(NULL, "the fates of CPU %u at %" PRIu64 " ns do not add up: "
			 "the counts of lost events are not exact", hdr->cpu, (uint64_t)hdr->ts);
	}
}

/* True if the queue now has a head: this event, or a loss before it. */
static bool add_event(struct grt_stream *s, struct queue *queue, const struct grtrace_hdr *hdr)
{
	bool is_known = hdr->type < GRTRACE_NR_EVENTS;

	switch (grt_account_event(&queue->account, hdr, &queue->losses[0])) {
	case GRT_EVENT_REPEATED:
		if (!s->stats.repeated++)
			grt_warn("name each file once",
				 "events of CPU %u are in the trace twice: left out once", hdr->cpu);
		return false;
	case GRT_EVENT_AFTER_GAP:
		queue->next_loss = 0;
		queue->nr_losses = 1;
		queue->has_waiting = true;
		queue->event = is_known ? hdr : NULL;
		s->stats.unknown_events += !is_known;
		return next_loss(s, queue);
	case GRT_EVENT_NEXT:
		break;
	}
	if (!is_known) {
		s->stats.unknown_events++;
		return false;
	}
	set_head(s, queue, hdr, hdr->ts);
	return true;
}

static bool load_later(struct grt_stream *s, struct queue *queue)
{
	const struct grtrace_hdr *def;

	if (s->next_later == grt_vec_count(&s->defs.later, void *))
		return false;
	def = *grt_vec_at(&s->defs.later, const struct grtrace_hdr *, s->next_later++);
	set_head(s, queue, def, def->ts);
	return true;
}

/*
 * A live POLICY comes before the first event that it applies to, but other CPUs may still have
 * older events to read.  So it goes to the queue of definitions until its time.  1, 0 or -errno
 * with a cause.
 */
static int add_policy(struct grt_stream *s, struct queue *queue, const struct grtrace_hdr *hdr)
{
	struct queue *later = &s->queues[LATER];
	const struct grtrace_hdr *copy;
	int is_news = grt_defs_add(&s->defs, hdr);

	if (is_news != 1)
		return is_news;
	/*
	 * In a file the other POLICY records are among the definitions; this one is already in
	 * place.
	 */
	if (!s->in->info.is_live) {
		set_head(s, queue, hdr, hdr->ts);
		return 1;
	}
	copy = grt_defs_keep(&s->defs, hdr);
	if (!copy || grt_vec_append(&s->defs.later, &copy, sizeof(copy)))
		return grt_fail_memory();
	if (!grt_merge_tree_has(&s->tree, LATER) && load_later(s, later))
		grt_merge_tree_set(&s->tree, LATER, later->key);
	return 0;
}

/*
 * Handles a record of any type: 1 if the queue now has a head, 0 if the record is not for
 * consumers, or -errno.
 */
static int add_record(struct grt_stream *s, struct queue *queue, const struct grtrace_hdr *hdr)
{
	int is_news;

	if (hdr->type < GRTRACE_STREAM_BASE)
		return add_event(s, queue, hdr);
	switch (hdr->type) {
	case GRTRACE_SUBBUF:
	case GRTRACE_STREAM_END:
		add_fates(s, queue, hdr);
		return next_loss(s, queue);
	case GRTRACE_POLICY:
		return add_policy(s, queue, hdr);
	case GRTRACE_LOSS:
		/* A LOSS from an importer.  Check its reason, which is used as an index. */
		if (((const struct grtrace_loss *)hdr)->reason >= GRTRACE_NR_FATES)
			break;
		s->stats.lost[((const struct grtrace_loss *)hdr)->reason] +=
			((const struct grtrace_loss *)hdr)->count;
		set_head(s, queue, hdr, hdr->ts);
		return 1;
	case GRTRACE_STREAM_INFO:
	case GRTRACE_METADATA:
	case GRTRACE_RING:
	case GRTRACE_PROCESS:
	case GRTRACE_CLOCK:
	case GRTRACE_STATS:
	case GRTRACE_STACK_TEXT:
	case GRTRACE_SNAPSHOT:
	case GRTRACE_NOTE:
	case GRTRACE_MACHINE:
	case GRTRACE_CGROUP:
	case GRTRACE_PEER:
		is_news = grt_defs_add(&s->defs, hdr);
		/* Pass it on at once: the next events of other CPUs may need it. */
		if (is_news == 1)
			set_head(s, queue, hdr, queue->key);
		return is_news;
	}
	s->stats.unknown_events++;
	return 0;
}

static void warn_of_late(struct grt_stream *s)
{
	const struct late *late = &s->late;
	uint64_t us = (late->last_ns - late->first_ns + 999) / 1000;

	if (!late->count || grt_late_is_told)
		return;
	grt_warn(NULL, "the %s of %u %s late, the last (CPU %u) %" PRIu64 ".%06" PRIu64
		 " s after the first: earlier events are not in the trace; --since %" PRIu64
		 "us leaves that time out", grt_plural(late->count, "buffer", "buffers"),
		 late->count, grt_plural(late->count, "CPU begins", "CPUs begin"), late->last_cpu,
		 us / 1000000, us % 1000000, us);
	s->late.count = 0;
}

/* Sets the queue's head: 1, 0 at its end, -EAGAIN when live, or -errno. */
static int load(struct grt_stream *s, struct queue *queue)
{
	const struct grtrace_hdr *hdr;
	struct grt_cursor bytes;
	const void *data;
	size_t count;
	int got;

	if (queue->nr == LATER)
		return load_later(s, queue);
	if (next_loss(s, queue))
		return 1;
	if (queue->event) {
		warn_of_late(s);
		set_head(s, queue, queue->event, queue->event->ts);
		queue->event = NULL;
		return 1;
	}
	queue->has_waiting = false;
	for (;;) {
		bytes = rest_of(queue);
		while ((hdr = grt_take_record(&bytes))) {
			queue->pos = bytes.pos;
			got = add_record(s, queue, hdr);
			if (got)
				return got;
		}
		s->stats.bad_sizes += bytes.failed;
		if (bytes.failed && !s->has_warned_corrupt) {
			s->has_warned_corrupt = true;
			grt_warn(NULL, "a chunk of CPU %u is corrupt after %" PRIu64
				 " ns: its rest is left out", queue->cpu, queue->account.last_ns);
		}
		got = s->in->ops->fill(s->in, queue->nr - 1, &data, &count);
		if (got <= 0)
			return got;
		if (got == GRT_INPUT_SKIPPED) {
			grt_account_skip(&queue->account, data);
			continue;
		}
		queue->pos = data;
		queue->end = queue->pos + count;
	}
}

/* Sets the queue's head and updates the tree.  0 or -errno. */
static int advance(struct grt_stream *s, struct queue *queue)
{
	int got = load(s, queue);

	if (got == 1) {
		grt_merge_tree_set(&s->tree, queue->nr, queue->key);
		return 0;
	}
	if (got < 0 && got != -EAGAIN)
		return got;
	grt_merge_tree_remove(&s->tree, queue->nr);
	if (got == -EAGAIN)
		s->idle[s->nr_idle++] = queue;
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

/* Finds the queue with the earliest head; NULL at the end. */
static int choose(struct grt_stream *s, struct queue **queue)
{
	int err;

	if (s->current) {
		err = advance(s, s->current);
		if (err)
			return err;
		s->current = NULL;
	}
	*queue = queue_at(s, grt_merge_tree_first(&s->tree));
	return 0;
}

/* Fast path of load() for an event that directly follows the one before, as nearly all do. */
static inline bool load_next_event(struct queue *queue)
{
	struct grt_cursor bytes = rest_of(queue);
	const struct grtrace_hdr *hdr;

	if (queue->has_waiting)
		return false;
	hdr = grt_take_record(&bytes);
	if (!hdr || hdr->type >= GRTRACE_NR_EVENTS || hdr->ts < queue->key ||
	    !grt_account_follows(&queue->account, hdr))
		return false;
	queue->pos = bytes.pos;
	queue->head = hdr;
	queue->cpu = hdr->cpu;
	queue->key = hdr->ts;
	return true;
}

/* Whether nothing can come that is earlier than the earliest head, which is @queue's. */
static inline bool is_next(const struct grt_stream *s, const struct queue *queue)
{
	return !s->nr_idle || queue->key < s->safe_ns;
}

/*
 * Returns the head.  Usually the queue has another record: then the next winner is computed
 * already here, so that the CPU can do that and the caller's work in parallel.
 */
static inline void give(struct grt_stream *s, struct queue *queue, const struct grtrace_hdr **rec)
{
	const struct grtrace_hdr *hdr = queue->head;
	struct queue *winner;

	*rec = hdr;
	if (hdr->type < GRTRACE_STREAM_BASE) {
		if (!s->stats.events++)
			s->stats.first_ns = hdr->ts;
		s->stats.last_ns = hdr->ts;
	}
	if (!load_next_event(queue)) {
		s->current = queue;
		s->ready = NULL;
		return;
	}
	winner = &s->queues[grt_merge_tree_set(&s->tree, queue->nr, queue->key)];
	s->ready = is_next(s, winner) ? winner : NULL;
}

/* The fate of as many events as all CPUs counted in their last accounts. */
static uint64_t counted(const struct grt_stream *s, unsigned int fate)
{
	uint64_t sum = 0;

	for (unsigned int i = LATER + 1; i < s->nr_queues; i++)
		sum += (&s->queues[i].account.fates.written)[fate];
	return sum;
}

/* Whether @stats have no more events that were lost or left out than the accounts of all CPUs. */
static bool says_nothing_more(const struct grt_stream *s, const struct grtrace_stats *stats)
{
	const char *text = (const char *)(stats + 1), *value;
	size_t bytes = strnlen(text, stats->hdr.size - sizeof(*stats)), len;
	char number[24];

#define GRT_X(NAME, name, nr, CLASS, words)						\
	if (!(GRTRACE_KEPT_FATES >> nr & 1)) {						\
		value = grt_line_value(text, bytes, #name, &len);			\
		if (!value || !len || len >= sizeof(number))				\
			return false;							\
		memcpy(number, value, len);						\
		number[len] = '\0';							\
		if (strtoull(number, NULL, 10) != counted(s, nr))			\
			return false;							\
	}
	GRTRACE_FATES(GRT_X)
#undef GRT_X
	return true;
}

/*
 * Whether the last STATS were read after the last watermark, and count no more losses than the accounts.  Then
 * nothing was lost between the last account of each CPU and the watermark.
 */
static bool is_counted_later(const struct grt_stream *s)
{
	const struct grtrace_hdr *last = NULL;

	for (size_t i = 0; i < grt_vec_count(&s->defs.later, void *); i++) {
		const struct grtrace_hdr *def = *grt_vec_at(&s->defs.later, const struct grtrace_hdr *, i);

		if (def->type == GRTRACE_STATS)
			last = def;
	}
	return last && last->ts >= s->in->safe_ns && !s->in->has_warned &&
	       says_nothing_more(s, (const struct grtrace_stats *)last);
}

/*
 * Until when the events of a queue without an end are complete.  A watermark promises all written
 * events before it; only accounts report dropped ones.
 */
static uint64_t queue_whole_until(const struct grt_stream *s, const struct queue *queue)
{
	uint64_t fates_ns = queue->account.fates_ns;

	/* If something was damaged, it may have been the last account. */
	if ((s->is_counted_later || grt_account_is_counted(&queue->account)) && fates_ns < s->in->safe_ns &&
	    !s->in->has_warned)
		return s->in->safe_ns;
	return fates_ns;
}

static unsigned int count_cpus(const struct grt_stream *s)
{
	unsigned int count = 0;

	for (unsigned int i = LATER + 1; i < s->nr_queues; i++)
		count += grt_is_cpu(&s->defs.info, s->queues[i].cpu);
	return count;
}

/* Until when the events of all CPUs are complete, if some streams have no end. */
static uint64_t whole_until(const struct grt_stream *s)
{
	uint64_t until_ns = UINT64_MAX, queue_ns;

	/* A CPU that is not in the file may have had events. */
	if (s->in->info.is_file && count_cpus(s) < s->defs.info.cpus)
		until_ns = s->in->safe_ns;
	for (unsigned int i = LATER + 1; i < s->nr_queues; i++) {
		if (s->queues[i].has_ended)
			continue;
		queue_ns = queue_whole_until(s, &s->queues[i]);
		if (queue_ns < until_ns)
			until_ns = queue_ns;
	}
	return until_ns;
}

/* Counts the CPUs that may have lost events after their last account. */
static unsigned int count_uncounted(const struct grt_stream *s)
{
	unsigned int count = 0;

	for (unsigned int i = LATER + 1; i < s->nr_queues; i++)
		count += !s->queues[i].has_ended &&
			 (s->in->has_warned || !grt_account_is_counted(&s->queues[i].account));
	return count;
}

/*
 * Whether the end of the trace is missing.  A closed file may lack ends: its recording went on in
 * the next file, or its session went on.  It has all accounts until then.
 */
static bool is_cut(const struct grt_stream *s)
{
	const struct grt_trace_info *info = &s->in->info;

	if (info->is_file)
		return !info->is_complete || info->is_cut || s->stats.uncounted;
	return !info->is_live && (!s->stats.cpus || s->stats.ended < s->stats.cpus);
}

/* At the end: 1 and the record that says that more is missing, or 0. */
static int end(struct grt_stream *s, const struct grtrace_hdr **rec)
{
	uint64_t from_ns;

	s->stats.uncounted = count_uncounted(s);
	s->is_counted_later = s->stats.uncounted && is_counted_later(s);
	if (!is_cut(s) || s->tail.hdr.type)
		return 0;
	s->tail.hdr.type = GRTRACE_LOSS;
	if (!s->in->info.is_file && !s->in->has_warned)
		grt_warn(NULL, "'%s' ends before the streams of its CPUs do: what came then is not "
			 "in it", s->in->info.name);
	from_ns = whole_until(s);
	if (from_ns < s->stats.first_ns)
		from_ns = s->stats.first_ns;
	if (s->stats.events && from_ns >= s->stats.last_ns && !s->stats.uncounted)
		return 0;
	if (from_ns > s->stats.last_ns)
		from_ns = s->stats.last_ns;
	s->tail.hdr.size = sizeof(s->tail);
	s->tail.hdr.ts = s->tail.to_ns = s->stats.last_ns;
	s->tail.from_ns = from_ns;
	s->tail.reason = GRTRACE_FATE_WRITTEN;
	*rec = &s->tail.hdr;
	return 1;
}

/* The next record of any kind; waits for a live session. */
static __attribute__((noinline)) int next(struct grt_stream *s, const struct grtrace_hdr **rec)
{
	uint64_t begin_ms = 0, spent_ms = 0;
	struct queue *queue;
	int err;

	if (s->next_first < grt_vec_count(&s->defs.first, void *)) {
		*rec = *grt_vec_at(&s->defs.first, const struct grtrace_hdr *, s->next_first++);
		return 1;
	}
	for (;;) {
		err = choose(s, &queue);
		if (err)
			return err;
		if (queue && is_next(s, queue))
			break;
		if (!s->nr_idle || s->waits_no_more)
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
	give(s, queue, rec);
	return 1;
}

int grt_stream_next(struct grt_stream *s, const struct grtrace_hdr **rec)
{
	if (!s->ready)
		return next(s, rec);
	give(s, s->ready, rec);
	return 1;
}

/* Whether a file has its session from the start. */
static bool is_from_start(const struct grt_stream *s)
{
	return s->in->info.is_file && s->defs.has_info &&
	       s->in->info.start_ns == s->defs.info.start_ns;
}

/* Time of the first event; UINT64_MAX: not known yet. */
static uint64_t first_event_ns(const struct grt_stream *s)
{
	uint64_t first_ns = UINT64_MAX;

	for (unsigned int i = LATER + 1; i < s->nr_queues; i++) {
		const struct queue *queue = &s->queues[i];

		if (queue->head && queue->head->type < GRTRACE_STREAM_BASE && queue->key < first_ns)
			first_ns = queue->key;
	}
	return first_ns;
}

/*
 * Buffers that were overwritten, as in a flight recorder, begin at different times.  Until the
 * last one begins, an unknown number of events is missing.
 */
static void find_late_begins(struct grt_stream *s)
{
	uint64_t first_ns = first_event_ns(s);
	struct late late = { .first_ns = first_ns };

	for (unsigned int i = LATER + 1; i < s->nr_queues; i++) {
		struct queue *queue = &s->queues[i];

		if (queue->late_ns <= first_ns || !queue->head ||
		    queue->head->type >= GRTRACE_STREAM_BASE)
			continue;
		queue->losses[0] = (struct grtrace_loss){
			.hdr.type = GRTRACE_LOSS, .hdr.size = sizeof(queue->losses[0]),
			.hdr.cpu = queue->cpu, .hdr.ts = queue->late_ns,
			.reason = GRTRACE_FATE_WRITTEN, .from_ns = first_ns, .to_ns = queue->late_ns,
		};
		queue->event = queue->head;
		queue->has_waiting = true;
		queue->head = &queue->losses[0].hdr;
		queue->key = queue->late_ns;
		grt_merge_tree_set(&s->tree, queue->nr, queue->key);
		if (!late.count++ || queue->late_ns > late.last_ns) {
			late.last_cpu = queue->cpu;
			late.last_ns = queue->late_ns;
		}
	}
	/* With record --rotate no warning: each CPU goes on to the new file at its own time. */
	if (!s->in->info.goes_on)
		s->late = late;
}

static int make_queues(struct grt_stream *s)
{
	unsigned int count = s->in->lanes + 1;
	bool is_whole = is_from_start(s);
	int err = 0;

	s->queues = aligned_alloc(_Alignof(struct queue), count * sizeof(*s->queues));
	s->idle = calloc(count, sizeof(*s->idle));
	if (!s->queues || !s->idle)
		return grt_fail_memory();
	err = grt_merge_tree_init(&s->tree, count);
	s->nr_queues = count;
	memset(s->queues, 0, count * sizeof(*s->queues));
	for (unsigned int i = 0; i < count && !err; i++) {
		s->queues[i].nr = i;
		if (is_whole)
			grt_account_begin(&s->queues[i].account, s->defs.info.start_ns);
		err = advance(s, &s->queues[i]);
	}
	if (!err && !s->in->info.is_live)
		find_late_begins(s);
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

/* Fills in *@s, which owns @in from here on. */
static int begin_reading(struct grt_stream *s, struct grt_input *in)
{
	int err;

	*s = (struct grt_stream){
		.in = in, .timeout_ms = -1,
		.stats = {
			.cpus = in->lanes, .bad_sizes = in->bad_sizes, .is_live = in->info.is_live,
		},
	};
	err = grt_defs_collect(&s->defs, in->defs, in->defs_bytes);
	s->stats.unknown_events = s->defs.unknown;
	if (!err && !in->info.is_live && !s->defs.has_info)
		err = grt_fail(EBADMSG, "record again; the recording ended before it began",
			       "'%s' has no stream in it", in->info.name);
	return err ? err : make_queues(s);
}

/* Frees what begin_reading() made, without the input. */
static void end_reading(struct grt_stream *s)
{
	grt_defs_free(&s->defs);
	free(s->queues);
	grt_merge_tree_free(&s->tree);
	free(s->idle);
}

int grt_stream_open(struct grt_stream **out, struct grt_input *in)
{
	struct grt_stream *s = calloc(1, sizeof(*s));
	int err;

	if (!s) {
		grt_input_close(in);
		return grt_fail_memory();
	}
	err = begin_reading(s, in);
	if (err) {
		grt_stream_close(s);
		return err;
	}
	fill_info(s);
	*out = s;
	return 0;
}

int grt_stream_rewind(struct grt_stream *s)
{
	struct grt_input *in = s->in;

	if (!in->ops->rewind)
		return grt_fail(ESPIPE, NULL, "'%s' can be read only once", in->info.name);
	in->ops->rewind(in);
	end_reading(s);
	return begin_reading(s, in);
}

void grt_stream_close(struct grt_stream *s)
{
	if (!s)
		return;
	grt_input_close(s->in);
	end_reading(s);
	free(s);
}

void grt_stream_set_timeout(struct grt_stream *s, int timeout_ms)
{
	s->timeout_ms = timeout_ms;
}

void grt_stream_wait_no_more(struct grt_stream *s)
{
	s->waits_no_more = true;
	s->safe_ns = UINT64_MAX;
}

void grt_stream_set_span(struct grt_stream *s, uint64_t from_ns, uint64_t to_ns)
{
	/* No warning if the user leaves that time out. */
	if (from_ns >= s->late.last_ns || to_ns <= s->late.first_ns)
		s->late.count = 0;
	if (s->in->ops->set_span)
		s->in->ops->set_span(s->in, from_ns, to_ns);
}

const struct grtrace_hdr *grt_stream_definition(const struct grt_stream *s, size_t i)
{
	const struct grt_vec *first = &s->defs.first, *later = &s->defs.later;
	size_t count = grt_vec_count(first, void *);

	if (i < count)
		return *grt_vec_at(first, const struct grtrace_hdr *, i);
	i -= count;
	return i < grt_vec_count(later, void *) ? *grt_vec_at(later, const struct grtrace_hdr *, i) : NULL;
}

bool grt_stream_has(const struct grt_stream *s, uint32_t type)
{
	const struct grtrace_hdr *def;

	for (size_t i = 0; (def = grt_stream_definition(s, i)); i++)
		if (def->type == type)
			return true;
	return false;
}

uint64_t grt_stream_safe_ns(const struct grt_stream *s)
{
	return s->safe_ns;
}

const struct grt_stream_stats *grt_stream_stats(const struct grt_stream *s)
{
	return &s->stats;
}

bool grt_stream_is_counted(const struct grt_stream *s)
{
	return s->stats.ended == s->stats.cpus || !s->tail.hdr.type;
}

bool grt_stream_cseq(const struct grt_stream *s, uint16_t cpu, uint64_t *before, uint64_t *last)
{
	for (unsigned int i = LATER + 1; i < s->nr_queues; i++) {
		const struct queue *queue = &s->queues[i];

		if (queue->cpu != cpu || !queue->account.has_cseq)
			continue;
		*before = queue->account.first_cseq;
		*last = queue->account.last_cseq;
		return true;
	}
	return false;
}

bool grt_stream_is_tail(const struct grt_stream *s, const struct grtrace_hdr *rec)
{
	return rec == &s->tail.hdr;
}

const struct grt_trace_info *grt_stream_info(const struct grt_stream *s)
{
	return &s->in->info;
}

const struct grtrace_stream_info *grt_stream_session(const struct grt_stream *s)
{
	return &s->defs.info;
}
