// SPDX-License-Identifier: GPL-2.0
/*
 * Threads on CPUs.  Scripts, one word per record; threads below 100 are followed:
 *
 *	0@100:5s7	at 100 ns CPU 0 switches from thread 5, which sleeps, to 7;
 *			r: thread 5 could run on
 *	W5@100		thread 5 may run again
 *	E5@100=1.7	thread 5 begins to wait for job 1:7; Q: it ends
 *	D1.7@100	job 1:7 is complete
 *	L@100		LOSS
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cpu.h"

struct run {
	struct grt_cpu cpu;
	uint16_t flags;		/* of all records */
	char woke[256];		/* "1.7 20;" or "1.7 -;" per callback */
};

static void woke(void *arg, uint64_t ctx, uint64_t seqno, uint64_t wake_ns)
{
	struct run *r = arg;
	size_t len = strlen(r->woke);
	int width = snprintf(r->woke + len, sizeof(r->woke) - len, "%u.%u ", (unsigned int)ctx,
			     (unsigned int)seqno);

	if (wake_ns == GRT_WAKE_UNKNOWN)
		snprintf(r->woke + len + width, sizeof(r->woke) - len - width, "-;");
	else
		snprintf(r->woke + len + width, sizeof(r->woke) - len - width, "%u;",
			 (unsigned int)wake_ns);
}

static void feed_switch(struct run *r, unsigned int cpu, unsigned int ns, unsigned int prev,
			char state, unsigned int next)
{
	struct grtrace_cpu_switch rec = {
		.hdr = { .type = GRTRACE_CPU_SWITCH, .size = sizeof(rec), .cpu = cpu, .ts = ns,
			 .flags = r->flags },
		.prev_tid = prev, .next_tid = next, .prev_state = state == 's',
	};

	if (prev < 100)
		rec.hdr.flags |= GRTRACE_F_PREV_FOLLOWED;
	if (next < 100)
		rec.hdr.flags |= GRTRACE_F_NEXT_FOLLOWED;
	assert_int_equal(grt_cpu_feed(&r->cpu, &rec.hdr), 0);
}

static void feed_wait(struct run *r, char letter, unsigned int tid, unsigned int ns,
		      unsigned int ctx, unsigned int seqno)
{
	struct grtrace_sync_wait_enter rec = {
		.hdr = { .type = GRTRACE_SYNC_WAIT_ENTER, .size = sizeof(rec), .ts = ns,
			 .flags = r->flags | GRTRACE_F_CPU_WAIT },
		.ctx = ctx, .seqno = seqno, .tgid = tid, .tid = tid,
	};

	if (letter == 'Q')
		rec.hdr.type = GRTRACE_SYNC_WAIT_EXIT;
	assert_int_equal(grt_cpu_feed(&r->cpu, &rec.hdr), 0);
}

static void feed_word(struct run *r, const char *word)
{
	unsigned int a, b, ns, other;
	char letter;

	if (sscanf(word, "W%u@%u", &a, &ns) == 2) {
		struct grtrace_cpu_wake rec = {
			.hdr = { .type = GRTRACE_CPU_WAKE, .size = sizeof(rec), .ts = ns,
				 .flags = r->flags },
			.tid = a,
		};

		assert_int_equal(grt_cpu_feed(&r->cpu, &rec.hdr), 0);
	} else if (sscanf(word, "L@%u", &ns) == 1) {
		struct grtrace_loss rec = {
			.hdr = { .type = GRTRACE_LOSS, .size = sizeof(rec), .ts = ns },
		};

		assert_int_equal(grt_cpu_feed(&r->cpu, &rec.hdr), 0);
	} else if (sscanf(word, "D%u.%u@%u", &a, &b, &ns) == 3) {
		grt_cpu_complete(&r->cpu, a, b, ns);
	} else if (sscanf(word, "%u@%u:%u%c%u", &a, &ns, &b, &letter, &other) == 5) {
		feed_switch(r, a, ns, b, letter, other);
	} else if (sscanf(word, "%c%u@%u=%u.%u", &letter, &other, &ns, &a, &b) == 5) {
		feed_wait(r, letter, other, ns, a, b);
	} else {
		fail_msg("bad word '%s'", word);
	}
}

static void feed(struct run *r, const char *script)
{
	char word[32];
	int used;

	r->cpu.woke = woke;
	r->cpu.arg = r;
	for (; sscanf(script, "%31s%n", word, &used) == 1; script += used)
		feed_word(r, word);
}

static const struct runnable_case {
	const char *name, *script;
	uint32_t tid;
	uint64_t from_ns, to_ns;
	int64_t ns;		/* -1: not known */
} runnable_cases[] = {
	{ "nobody knows it", "", 5, 0, 10, -1 },
	{ "woken, and ran later", "0@10:5s900 W5@100 0@130:900s5", 5, 50, 140, 30 },
	{ "the question begins while it is runnable",
	  "0@10:5s900 W5@100 0@130:900s5", 5, 110, 140, 20 },
	{ "and ends while it still is", "0@10:5s900 W5@100", 5, 50, 120, 20 },
	{ "at one instant", "0@10:5s900 W5@100", 5, 110, 110, 0 },
	{ "it slept all the time", "0@10:5s900", 5, 20, 120, 0 },
	{ "it ran all the time", "0@10:900s5", 5, 20, 120, 0 },
	{ "preempted: it could run on", "0@10:900s5 0@40:5r900 0@70:900r5", 5, 10, 100, 30 },
	{ "twice", "0@10:5s900 W5@20 0@30:900s5 0@40:5r900 1@60:900s5", 5, 10, 70, 30 },
	{ "on another CPU", "0@10:5s900 W5@20 1@50:901s5", 5, 10, 60, 30 },
	{ "one followed thread after the other", "0@10:5r7 0@40:7s5", 5, 10, 50, 30 },
	{ "the question begins before anything is known of it",
	  "0@10:5s900 W5@20", 5, 9, 30, -1 },
	{ "woken before anything is known of it: it may be running",
	  "W5@10", 5, 10, 30, -1 },
	{ "woken while it runs: it does not wait", "0@10:900s5 W5@20", 5, 10, 50, 0 },
	{ "woken while it is runnable: since the first time",
	  "0@10:5r900 W5@20", 5, 10, 50, 40 },
	{ "a stranger is not known", "0@10:5s900", 900, 10, 50, -1 },
	{ "another thread", "0@10:5s900 W5@20", 6, 10, 30, -1 },
	{ "a loss: nothing before it counts",
	  "0@10:5s900 W5@20 L@30", 5, 20, 40, -1 },
	{ "a loss, and known again",
	  "0@10:5s900 L@30 0@40:5s900 W5@50", 5, 40, 70, 20 },
	{ "not followed for a while: a span that begins in that time is not known",
	  "0@10:900s5 0@20:5s900 0@50:5s900 W5@60", 5, 30, 70, -1 },
	{ "a span that begins when it is followed again is known",
	  "0@10:900s5 0@20:5s900 0@50:5s900 W5@60", 5, 55, 70, 10 },
	{ "time runs back: nothing before it counts",
	  "0@100:5s900 0@50:900s5 0@60:5r900", 5, 55, 70, 10 },
};

static void test_runnable(void **state)
{
	const struct runnable_case *c = *state;
	struct run r = { 0 };
	uint64_t ns = 0;

	feed(&r, c->script);
	assert_int_equal(grt_cpu_runnable_ns(&r.cpu, c->tid, c->from_ns, c->to_ns, &ns), c->ns >= 0);
	if (c->ns >= 0)
		assert_int_equal(ns, c->ns);
	grt_cpu_free(&r.cpu);
}

static const struct wake_case {
	const char *name, *script, *woke;
} wake_cases[] = {
	{ "nobody waits", "D1.7@100", "" },
	{ "asleep, woken, runs",
	  "E5@10=1.7 0@20:5s900 D1.7@100 W5@101 0@150:900s5 Q5@151=1.7", "1.7 50;" },
	{ "it has not slept yet", "0@5:900s5 E5@10=1.7 D1.7@100 0@110:5r900 0@150:900s5", "1.7 0;" },
	{ "preempted before it slept", "E5@10=1.7 0@20:5r900 D1.7@100 0@150:900s5", "1.7 50;" },
	{ "it gave up before", "E5@10=1.7 0@20:5s900 0@50:900s5 Q5@60=1.7 0@70:5s900 D1.7@100 "
	  "0@150:900s5", "" },
	{ "it came after", "D1.7@100 E5@110=1.7 0@120:5s900 0@150:900s5", "" },
	{ "woken for nothing and asleep again, before",
	  "E5@10=1.7 0@20:5s900 0@50:900s5 0@60:5s900 D1.7@100 0@130:900s5", "1.7 30;" },
	{ "two wait: the first to run counts",
	  "E5@10=1.7 0@20:5s900 E6@30=1.7 0@40:6s900 D1.7@100 0@120:900s6 0@190:6s5", "1.7 20;" },
	{ "two wait and one gives up, the first",
	  "E5@10=1.7 0@20:5s900 E6@30=1.7 0@40:6s900 0@50:900s5 Q5@51=1.7 0@60:5s900 D1.7@100 "
	  "0@120:900s5 0@130:5s6", "1.7 30;" },
	{ "three wait and one gives up, the last",
	  "E5@1=1.7 0@2:5s900 E6@3=1.7 0@4:6s900 E7@5=1.7 0@6:7s900 Q7@50=1.7 D1.7@100 "
	  "0@120:900s7 0@130:7s6", "1.7 30;" },
	{ "two threads, two jobs",
	  "E5@10=1.7 0@20:5s900 E6@30=1.8 0@40:6s900 D1.7@100 D1.8@110 0@120:900s6 0@140:6s5",
	  "1.8 10;1.7 40;" },
	{ "its end of waiting came, its switch did not",
	  "E5@10=1.7 0@20:5s900 D1.7@100 Q5@150=1.7 0@160:900s5", "1.7 -;" },
	{ "it waits for something else already",
	  "E5@10=1.7 0@20:5s900 D1.7@100 E5@150=1.9 0@160:900s5", "1.7 -;" },
	{ "nothing is known of the thread but that it waits",
	  "E5@10=1.7 D1.7@100 Q5@150=1.7", "1.7 -;" },
	{ "a loss in between", "E5@10=1.7 0@20:5s900 D1.7@100 L@110 0@120:900s5", "1.7 -;" },
	{ "a loss before it was complete",
	  "E5@10=1.7 0@20:5s900 L@50 D1.7@100 0@120:900s5", "" },
	{ "it ran before that, says the clock",
	  "E5@10=1.7 0@20:5s900 D1.7@100 0@90:900s5", "1.7 -;" },
	{ "the trace ends", "E5@10=1.7 0@20:5s900 D1.7@100", "" },
};

static void test_wake(void **state)
{
	const struct wake_case *c = *state;
	struct run r = { 0 };

	feed(&r, c->script);
	assert_string_equal(r.woke, c->woke);
	grt_cpu_free(&r.cpu);
}

static void test_who_runs(void **state)
{
	struct run r = { 0 };

	(void)state;
	assert_int_equal(grt_cpu_thread(&r.cpu, 0), 0);
	feed(&r, "1@10:900s5");
	assert_int_equal(grt_cpu_thread(&r.cpu, 1), 5);
	assert_int_equal(grt_cpu_thread(&r.cpu, 0), 0);
	assert_int_equal(grt_cpu_thread(&r.cpu, 2), 0);
	feed(&r, "1@20:5s901");
	/* Switches between threads that are not followed are not recorded: 901 may be gone. */
	assert_int_equal(grt_cpu_thread(&r.cpu, 1), 0);
	feed(&r, "1@30:901s6 L@40");
	assert_int_equal(grt_cpu_thread(&r.cpu, 1), 0);
	grt_cpu_free(&r.cpu);
}

static void test_synthetic(void **state)
{
	struct run r = { .flags = GRTRACE_F_SYNTHETIC };
	uint64_t ns;

	(void)state;
	feed(&r, "E5@10=1.7 0@20:5s900 D1.7@100 0@150:900s5");
	assert_string_equal(r.woke, "");
	assert_false(grt_cpu_runnable_ns(&r.cpu, 5, 30, 40, &ns));
	grt_cpu_free(&r.cpu);
}

static void commit(struct run *r, uint16_t cpu, uint32_t ring, uint32_t want_tid)
{
	uint32_t tid;

	assert_int_equal(grt_cpu_commit(&r->cpu, cpu, ring, &tid), 0);
	assert_int_equal(tid, want_tid);
}

static void expect_runnable(struct run *r, uint32_t tid, uint64_t from_ns, uint64_t to_ns,
			    uint64_t want_ns)
{
	uint64_t ns;

	assert_true(grt_cpu_runnable_ns(&r->cpu, tid, from_ns, to_ns, &ns));
	assert_int_equal(ns, want_ns);
}

/* Threads that serve the same rings stand in for each other; others do not. */
static void test_groups(void **state)
{
	struct run r = { 0 };
	uint64_t ns;

	(void)state;
	feed(&r, "0@1:900s5 0@2:5s6 0@3:6s7 0@4:7s900 "
		 "W5@100 W6@120 W7@150 0@200:900s5");
	commit(&r, 0, 3, 5);
	commit(&r, 1, 3, 0);
	expect_runnable(&r, 5, 90, 210, 100);
	feed(&r, "0@250:5s6");
	commit(&r, 0, 0, 6);
	expect_runnable(&r, 6, 90, 260, 130);
	expect_runnable(&r, 5, 90, 260, 100);
	/* 6 serves the ring of 5: one of them waits from the first wake-up on. */
	commit(&r, 0, 3, 6);
	expect_runnable(&r, 5, 90, 260, 150);
	expect_runnable(&r, 6, 90, 260, 150);
	expect_runnable(&r, 6, 110, 115, 5);
	feed(&r, "0@300:6s7");
	expect_runnable(&r, 7, 90, 310, 150);
	/* 7 shares another ring with 6, so it joins the group. */
	commit(&r, 0, 0, 7);
	commit(&r, 0, 3, 7);
	commit(&r, 0, GRT_NONE, 7);
	expect_runnable(&r, 5, 90, 310, 200);
	/* 8 joins: the answer is unknown for the time in which little is known of 8. */
	feed(&r, "0@400:7s8");
	commit(&r, 0, 3, 8);
	assert_false(grt_cpu_runnable_ns(&r.cpu, 5, 390, 410, &ns));
	expect_runnable(&r, 5, 400, 410, 0);
	grt_cpu_free(&r.cpu);
}

/* A thread that switches for ever takes no more memory, and its latest switches are known. */
static void test_long_history(void **state)
{
	struct run r = { 0 };
	uint64_t ns = 0;

	(void)state;
	for (unsigned int i = 0; i < 100000; i++) {
		feed_switch(&r, 0, 100 * i + 10, 5, 'r', 900);
		feed_switch(&r, 0, 100 * i + 30, 900, 's', 5);
	}
	assert_true(grt_cpu_runnable_ns(&r.cpu, 5, 9999000, 10000000, &ns));
	assert_int_equal(ns, 200);
	assert_true(grt_cpu_runnable_ns(&r.cpu, 5, 9950000, 9990000, &ns));
	assert_int_equal(ns, 8000);
	assert_false(grt_cpu_runnable_ns(&r.cpu, 5, 1000, 10000000, &ns));
	assert_true(r.cpu.threads.bytes < 65536);
	grt_cpu_free(&r.cpu);
}

/* Endless thread numbers do not take endless memory. */
static void test_many_threads(void **state)
{
	struct run r = { 0 };
	size_t bytes;

	(void)state;
	r.flags = GRTRACE_F_PREV_FOLLOWED;
	for (unsigned int i = 1; i < 5000; i++)
		feed_switch(&r, 0, i, i, 's', 900000);
	bytes = r.cpu.threads.bytes;
	for (unsigned int i = 5000; i < 20000; i++)
		feed_switch(&r, 0, i, i, 's', 900000);
	assert_int_equal(r.cpu.threads.bytes, bytes);
	grt_cpu_free(&r.cpu);
}

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

int main(void)
{
	struct CMUnitTest tests[COUNT(runnable_cases) + COUNT(wake_cases) + 5], *t = tests;

	for (size_t i = 0; i < COUNT(runnable_cases); i++)
		*t++ = (struct CMUnitTest){ runnable_cases[i].name, test_runnable, NULL, NULL,
					    (void *)&runnable_cases[i] };
	for (size_t i = 0; i < COUNT(wake_cases); i++)
		*t++ = (struct CMUnitTest){ wake_cases[i].name, test_wake, NULL, NULL,
					    (void *)&wake_cases[i] };
	*t++ = (struct CMUnitTest)cmocka_unit_test(test_who_runs);
	*t++ = (struct CMUnitTest)cmocka_unit_test(test_synthetic);
	*t++ = (struct CMUnitTest)cmocka_unit_test(test_groups);
	*t++ = (struct CMUnitTest)cmocka_unit_test(test_long_history);
	*t++ = (struct CMUnitTest)cmocka_unit_test(test_many_threads);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
