// SPDX-License-Identifier: GPL-2.0
/*
 * The last 60 seconds.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "pipeline.h"
#include "seconds.h"

#define TENTH_NS	(NSEC_PER_SEC / GRT_TENTHS)
#define ROWS		64	/* at least GRT_SECONDS and the current second */
#define NEVER		MAX_JIFFY_OFFSET

struct row {
	u32 number;	/* the second + 1; 0: nothing was booked here */
	u32 fates[GRTRACE_NR_FATES];
	u32 tenths[GRT_TENTHS];
	u64 bytes;
};

/* Written by its own CPU with interrupts off, or for one that is offline. */
struct book {
	bool is_open;
	u64 tenth;			/* the current one, since the session began */
	struct grtrace_fates booked;	/* counters when they were booked last */
	u64 bytes_booked;
	struct row rows[ROWS];		/* second s is in rows[s % ROWS] */
};

static struct book __percpu *books;

/* Under the statistics' lock; start_ns is read without it, it is constant while books are open. */
static struct {
	u64 start_ns;
	u64 first;	/* the first second to be shown */
	u64 end;	/* the last second + 1, of a session that has ended */
	bool is_running;
} seconds;

/*
 * tokens[s % ROWS] has the tokens at the end of second s: (s + 1) << 32 | tokens.  The first
 * CPU with an event after second s computes them, before the event can take one.
 */
static atomic64_t tokens[ROWS];
static u64 tokens_until;	/* first second not computed; another CPU may see an old value */

int grt_seconds_create(void)
{
	books = alloc_percpu(struct book);
	return books ? 0 : -ENOMEM;
}

void grt_seconds_destroy(void)
{
	free_percpu(books);
	books = NULL;
}

static u64 tenth_at(u64 ns)
{
	return ns > seconds.start_ns ? div_u64(ns - seconds.start_ns, TENTH_NS) : 0;
}

static u64 second_now(void)
{
	return div_u64(tenth_at(ktime_get_mono_fast_ns()), GRT_TENTHS);
}

/* Computes the tokens of the seconds before @until that are not computed yet. */
static void note_tokens(u64 until)
{
	u64 second = max(READ_ONCE(tokens_until), until > ROWS ? until - ROWS : 0);

	for (; second < until; second++) {
		atomic64_t *place = &tokens[second % ROWS];
		u64 before = atomic64_read(place), left;

		if (before >> 32 > second)
			continue;
		left = grt_rate_tokens(seconds.start_ns + (second + 1) * NSEC_PER_SEC);
		if (left != GRT_NO_TOKENS)
			atomic64_cmpxchg(place, before, (second + 1) << 32 | left);
	}
	if (until > READ_ONCE(tokens_until))
		WRITE_ONCE(tokens_until, until);
}

static u64 tokens_of(u64 second)
{
	u64 noted = atomic64_read(&tokens[second % ROWS]);

	return noted >> 32 == second + 1 ? (u32)noted : GRT_NO_TOKENS;
}

static struct row *row_of(struct book *b, u64 second)
{
	struct row *row = &b->rows[second % ROWS];

	if (row->number != second + 1) {
		memset(row, 0, sizeof(*row));
		row->number = second + 1;
	}
	return row;
}

/* Adds what was counted since the last booking to the current tenth. */
static void book_counts(struct book *b, const struct grt_cpu *c)
{
	struct row *row = row_of(b, div_u64(b->tenth, GRT_TENTHS));
	struct grtrace_fates now;
	int f;

	grt_counts_fates(&c->counts, &now);
	for (f = 0; f < GRTRACE_NR_FATES; f++) {
		u32 count = *grt_fates_slot(&now, f) - *grt_fates_slot(&b->booked, f);

		row->fates[f] += count;
		row->tenths[b->tenth % GRT_TENTHS] += count;
	}
	row->bytes += c->bytes_written - b->bytes_booked;
	b->booked = now;
	b->bytes_booked = c->bytes_written;
}

/* Books the current tenth, if it is over, and begins the next one. */
static void advance(struct book *b, struct grt_cpu *c)
{
	u64 now_ns = ktime_get_mono_fast_ns(), tenth = tenth_at(now_ns), end_ns;

	if (!b->is_open) {
		c->tenth_until = jiffies + NEVER;
		return;
	}
	if (tenth > b->tenth) {		/* the clock may step back */
		book_counts(b, c);
		note_tokens(div_u64(tenth, GRT_TENTHS));
		b->tenth = tenth;
	}
	end_ns = seconds.start_ns + (b->tenth + 1) * TENTH_NS;
	c->tenth_until = jiffies + nsecs_to_jiffies(end_ns - now_ns) + 1;
}

void grt_seconds_advance(struct grt_cpu *c)
{
	advance(this_cpu_ptr(books), c);
}

static void open_book(int cpu)
{
	struct book *b = per_cpu_ptr(books, cpu);

	memset(b, 0, sizeof(*b));
	b->is_open = true;
	advance(b, per_cpu_ptr(grt_cpus, cpu));
}

static void close_book(int cpu)
{
	struct book *b = per_cpu_ptr(books, cpu);
	struct grt_cpu *c = per_cpu_ptr(grt_cpus, cpu);

	advance(b, c);
	book_counts(b, c);
	b->is_open = false;
	c->tenth_until = jiffies + NEVER;
}

void grt_seconds_begin(u64 start_ns)
{
	unsigned int i;

	seconds.start_ns = start_ns;
	seconds.first = 0;
	seconds.is_running = true;
	for (i = 0; i < ROWS; i++)
		atomic64_set(&tokens[i], 0);
	tokens_until = 0;
	grt_counters_each(open_book);
}

void grt_seconds_end(void)
{
	grt_counters_each(close_book);
	seconds.end = second_now() + 1;	/* also show the last, incomplete second */
	seconds.is_running = false;
}

void grt_seconds_clear(void)
{
	seconds.first = 0;
	seconds.end = 0;
}

void grt_seconds_reset(void)
{
	seconds.first = seconds.is_running ? second_now() : seconds.end;
}

void grt_seconds_rebase(int cpu)
{
	struct book *b = per_cpu_ptr(books, cpu);
	struct grt_cpu *c = per_cpu_ptr(grt_cpus, cpu);

	advance(b, c);	/* else the next events could be booked in an old second */
	grt_counts_fates(&c->counts, &b->booked);
	b->bytes_booked = c->bytes_written;
	memset(b->rows, 0, sizeof(b->rows));
}

struct reading {
	struct grt_second *rows;
	unsigned int nr;
};

static void add_row(struct grt_second *to, const struct row *row)
{
	int i;

	for (i = 0; i < GRTRACE_NR_FATES; i++) {
		*grt_fates_slot(&to->fates, i) += row->fates[i];
		to->fates.seen += row->fates[i];
	}
	for (i = 0; i < GRT_TENTHS; i++)
		to->tenths[i] += row->tenths[i];
	to->bytes += row->bytes;
}

static void add_cpu(int cpu, void *arg)
{
	struct book *b = per_cpu_ptr(books, cpu);
	const struct reading *reading = arg;
	unsigned int i;

	if (b->is_open)
		advance(b, per_cpu_ptr(grt_cpus, cpu));
	for (i = 0; i < reading->nr; i++) {
		struct grt_second *to = &reading->rows[i];
		const struct row *row = &b->rows[to->second % ROWS];

		if (row->number == to->second + 1)
			add_row(to, row);
	}
}

unsigned int grt_seconds_read(struct grt_second *rows)
{
	/* Only whole seconds; add_cpu() makes each CPU book its part first. */
	u64 end = seconds.is_running ? second_now() : seconds.end;
	u64 first = max(seconds.first, end > GRT_SECONDS ? end - GRT_SECONDS : 0);
	struct reading reading = { .rows = rows, .nr = end > first ? end - first : 0 };
	unsigned int i;
	int cpu;

	for (i = 0; i < reading.nr; i++)
		rows[i] = (struct grt_second){
			.second = first + i,
			.start_ns = seconds.start_ns + (first + i) * NSEC_PER_SEC,
		};
	for_each_possible_cpu(cpu)
		grt_counters_call(cpu, add_cpu, &reading);
	for (i = 0; i < reading.nr; i++)
		rows[i].tokens = tokens_of(rows[i].second);
	return reading.nr;
}
