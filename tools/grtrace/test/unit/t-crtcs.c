// SPDX-License-Identifier: GPL-2.0
/* Counts of vertical blanks: exact in small examples; in random ones, each event counts once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "crtcs.h"
#include "error.h"

#define EXACT	GRTRACE_F_HIGH_PRECISION
#define ASKS	GRTRACE_F_QUEUED
#define TOLD	GRTRACE_F_DELIVERED
#define US	1000ull
#define OLD	offsetof(struct grtrace_vblank, client_id)	/* size in the first version */

/* @begin_us: of the blank, 0: that of the record. */
struct event {
	uint64_t us, begin_us;
	uint32_t frame;
	uint16_t flags;
	uint64_t client;
};

#define BLANK(us, frame)		{ us, 0, frame, 0, 0 }
#define BEGAN(us, begin_us, frame)	{ us, begin_us, frame, 0, 0 }
#define STAMPED(us, begin_us, frame)	{ us, begin_us, frame, EXACT, 0 }
#define ASK(us, frame, client)		{ us, 0, frame, ASKS, client }
#define TELL(us, frame, client)		{ us, 0, frame, TOLD, client }

struct counts {
	uint64_t seen, missing, restarts, refresh_us;
	uint64_t asked, in_time, missed, passed, asked_unknown;
	uint64_t told, prompt, late, told_unknown;
};

static const struct crtc_case {
	const char *name;
	struct event events[8];
	struct counts counts;
} cases[] = {
	{ "one blank has no rate", { BLANK(10, 5) }, { .seen = 1 } },
	{ "two that follow", { BLANK(10, 5), BLANK(26, 6) }, { .seen = 2, .refresh_us = 16 } },
	{ "two with one between them", { BLANK(10, 5), BLANK(42, 7) }, { .seen = 2, .missing = 1 } },
	{ "the same one again", { BLANK(10, 5), BLANK(11, 5), BLANK(26, 6) }, { .seen = 2, .refresh_us = 16 } },
	{ "numbers begin again at 0", { BLANK(10, UINT32_MAX), BLANK(26, 0), BLANK(58, 2) },
	  { .seen = 3, .missing = 1, .refresh_us = 16 } },
	{ "numbers begin anew", { BLANK(10, 900), BLANK(26, 3), BLANK(42, 4) },
	  { .seen = 3, .restarts = 1, .refresh_us = 16 } },
	{ "the middle one of three distances",
	  { BLANK(10, 1), BLANK(20, 2), BLANK(40, 3), BLANK(55, 4) }, { .seen = 4, .refresh_us = 15 } },
	{ "the hardware's stamps are better",
	  { STAMPED(1000, 990, 1), STAMPED(1030, 1000, 2), STAMPED(1032, 1010, 3), BLANK(1092, 4) },
	  { .seen = 4, .refresh_us = 10 } },
	{ "unless they are of another clock",
	  { STAMPED(9000000, 1, 1), STAMPED(9000020, 11, 2) }, { .seen = 2, .refresh_us = 20 } },
	{ "told a millisecond later is in time", { BLANK(10, 5), TELL(1010, 5, 1) },
	  { .seen = 1, .told = 1, .prompt = 1 } },
	{ "told later than that is late", { BLANK(10, 5), TELL(1011, 5, 1) },
	  { .seen = 1, .told = 1, .late = 1 } },
	{ "a client that is not known may have asked late", { BLANK(10, 5), ASK(1005, 5, 0), TELL(1011, 5, 0) },
	  { .seen = 1, .told = 1, .told_unknown = 1, .asked = 1, .passed = 1 } },
	{ "but told at once it was told in time", { BLANK(10, 5), TELL(1010, 5, 0) },
	  { .seen = 1, .told = 1, .prompt = 1 } },
	{ "late after the begin, which the record tells later", { TELL(2011, 5, 1), BEGAN(2012, 1010, 5) },
	  { .seen = 1, .told = 1, .late = 1 } },
	{ "told of one that never came", { BLANK(10, 5), TELL(20, 6, 1), BLANK(42, 7) },
	  { .seen = 2, .missing = 1, .told = 1, .told_unknown = 1 } },
	{ "told of one, and then the trace ends", { TELL(20, 6, 1) }, { .told = 1, .told_unknown = 1 } },
	{ "asked and told", { BLANK(10, 5), ASK(12, 6, 1), TELL(26, 6, 1), BLANK(27, 6) },
	  { .seen = 2, .refresh_us = 17, .asked = 1, .in_time = 1, .told = 1, .prompt = 1 } },
	{ "told of a later one", { BLANK(10, 5), ASK(12, 6, 1), BLANK(42, 7), TELL(43, 7, 1) },
	  { .seen = 2, .missing = 1, .asked = 1, .missed = 1, .told = 1, .prompt = 1 } },
	{ "told of a later one; whether it had passed is not known",
	  { ASK(12, 6, 1), BLANK(42, 7), TELL(43, 7, 1) },
	  { .seen = 1, .asked = 1, .asked_unknown = 1, .told = 1, .prompt = 1 } },
	{ "asked for one that had passed: told at once, which is not late",
	  { BLANK(10, 5), ASK(2000, 5, 1), TELL(2001, 5, 1) },
	  { .seen = 1, .asked = 1, .passed = 1, .told = 1, .prompt = 1 } },
	{ "another client was told", { BLANK(10, 5), ASK(12, 6, 1), TELL(26, 6, 2), BLANK(27, 6) },
	  { .seen = 2, .refresh_us = 17, .asked = 1, .asked_unknown = 1, .told = 1, .prompt = 1 } },
	{ "a client that is not known has no answer", { BLANK(10, 5), ASK(12, 6, 0), TELL(26, 6, 0) },
	  { .seen = 1, .asked = 1, .asked_unknown = 1, .told = 1, .told_unknown = 1 } },
	{ "the answer goes to the question for this one",
	  { BLANK(10, 5), ASK(12, 6, 1), ASK(13, 7, 1), BLANK(41, 7), TELL(42, 7, 1) },
	  { .seen = 2, .missing = 1, .asked = 2, .in_time = 1, .asked_unknown = 1, .told = 1, .prompt = 1 } },
	{ "then to the oldest one",
	  { BLANK(10, 5), ASK(12, 6, 1), ASK(13, 7, 1), BLANK(41, 7), TELL(42, 7, 1), TELL(43, 7, 1) },
	  { .seen = 2, .missing = 1, .asked = 2, .in_time = 1, .missed = 1, .told = 2, .prompt = 2 } },
};

static struct grtrace_vblank record(const struct event *e)
{
	return (struct grtrace_vblank){
		.hdr = { .type = GRTRACE_VBLANK, .size = sizeof(struct grtrace_vblank), .ts = e->us * US,
			 .flags = e->flags },
		.vblank_ns = (e->begin_us ? e->begin_us : e->us) * US, .frame = e->frame, .client_id = e->client,
	};
}

static void put(struct grt_crtcs *c, const struct event *e)
{
	struct grtrace_vblank rec = record(e);

	assert_int_equal(grt_crtcs_record(c, &rec.hdr), 0);
}

static void put_loss(struct grt_crtcs *c, uint64_t from_us, uint64_t to_us, uint32_t reason)
{
	const struct grtrace_loss loss = {
		.hdr = { .type = GRTRACE_LOSS, .size = sizeof(loss), .ts = to_us * US },
		.reason = reason, .from_ns = from_us * US, .to_ns = to_us * US, .count = 1,
	};

	assert_int_equal(grt_crtcs_record(c, &loss.hdr), 0);
}

static void test_case(void **state)
{
	const struct crtc_case *c = *state;
	const struct counts *want = &c->counts;
	struct grt_crtcs all = { .count = 0 };
	const struct grt_crtc *got = &all.at[0];

	for (const struct event *e = c->events; e->us; e++)
		put(&all, e);
	grt_crtcs_close(&all);
	assert_int_equal(all.count, 1);
	assert_int_equal(got->seen, want->seen);
	assert_int_equal(got->missing, want->missing);
	assert_int_equal(got->missing_lost, 0);
	assert_int_equal(got->restarts, want->restarts);
	assert_int_equal(got->refresh_ns, want->refresh_us * US);
	assert_int_equal(got->sums.asked, want->asked);
	assert_int_equal(got->sums.in_time, want->in_time);
	assert_int_equal(got->sums.missed, want->missed);
	assert_int_equal(got->sums.passed, want->passed);
	assert_int_equal(got->sums.asked_unknown, want->asked_unknown);
	assert_int_equal(got->sums.told, want->told);
	assert_int_equal(got->sums.prompt, want->prompt);
	assert_int_equal(got->sums.late, want->late);
	assert_int_equal(got->sums.told_unknown, want->told_unknown);
	grt_crtcs_free(&all);
}

/* A gap and a miss, with a loss from @from to @to. */
static const struct loss_case {
	const char *name;
	uint64_t from_us, to_us;
	uint32_t reason;
	bool is_lost;
} loss_cases[] = {
	{ "before both", 1, 9, GRTRACE_FATE_BUFFER_FULL, false },
	{ "in both", 20, 30, GRTRACE_FATE_BUFFER_FULL, true },
	{ "events that are missing in the file", 20, 30, GRTRACE_FATE_WRITTEN, true },
	{ "over the rate limit", 20, 30, GRTRACE_FATE_RATE_LIMITED, true },
	{ "other types were not asked for", 20, 30, GRTRACE_FATE_FILTERED_TYPE, false },
	{ "jobs were sampled", 20, 30, GRTRACE_FATE_SAMPLED, false },
	{ "behind both", 50, 60, GRTRACE_FATE_BUFFER_FULL, false },
};

static void test_loss(void **state)
{
	static const struct event events[] = {
		BLANK(10, 5), ASK(12, 6, 1), BLANK(42, 7), TELL(43, 7, 1),
	};
	const struct loss_case *c = *state;
	struct grt_crtcs all = { .count = 0 };

	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		put(&all, &events[i]);
	/* It is told of when its CPU has the next event, which may be later. */
	put_loss(&all, c->from_us, c->to_us, c->reason);
	grt_crtcs_close(&all);
	assert_int_equal(all.at[0].missing, 1);
	assert_int_equal(all.at[0].missing_lost, c->is_lost);
	assert_int_equal(all.at[0].sums.missed, !c->is_lost);
	assert_int_equal(all.at[0].sums.asked_unknown, c->is_lost);
	assert_int_equal(all.at[0].sums.latency.count, !c->is_lost);
	grt_crtcs_free(&all);
}

/* Records of the first version have neither a client nor a GPU; what lies behind them is not read. */
static void test_old(void **state)
{
	struct grt_crtcs all = { .count = 0 };
	struct grtrace_vblank rec = record(&(struct event)ASK(12, 6, 77));

	(void)state;
	rec.hdr.size = OLD;
	rec.pci_address = 88;
	assert_int_equal(grt_crtcs_record(&all, &rec.hdr), 0);
	assert_int_equal(all.at[0].gpu, 0);
	assert_int_equal(all.at[0].sums.asked_unknown, 1);
	grt_crtcs_free(&all);
}

static void put_of(struct grt_crtcs *c, const struct event *e, uint32_t gpu, uint32_t crtc)
{
	struct grtrace_vblank rec = record(e);

	rec.pci_address = gpu;
	rec.crtc = crtc;
	assert_int_equal(grt_crtcs_record(c, &rec.hdr), 0);
}

static void test_gpus(void **state)
{
	struct grt_crtcs all = { .count = 0 };

	(void)state;
	for (uint32_t i = 0; i < GRT_CRTCS + 2; i++)
		put_of(&all, &(struct event)BLANK(12, 6), i / 2 + 1, i % 2);
	grt_crtcs_close(&all);
	assert_int_equal(all.count, GRT_CRTCS);
	assert_int_equal(all.left_out, 2);
	assert_int_equal(all.at[3].gpu, 2);
	assert_int_equal(all.at[3].crtc, 1);
	assert_int_equal(all.at[3].seen, 1);
	assert_false(all.at[3].is_mixed);
	grt_crtcs_free(&all);
}

/* The kernel names the GPU of clients, not that of blanks. */
static void test_nameless(void **state)
{
	struct grt_crtcs all = { .count = 0 };
	const struct grt_crtc *c = &all.at[0];

	(void)state;
	put_of(&all, &(struct event)BLANK(10, 5), 0, 0);
	put_of(&all, &(struct event)ASK(12, 6, 1), 9, 0);
	put_of(&all, &(struct event)TELL(26, 6, 1), 9, 0);
	put_of(&all, &(struct event)BLANK(27, 6), 0, 0);
	grt_crtcs_close(&all);
	assert_int_equal(all.count, 1);
	assert_int_equal(c->gpu, 9);
	assert_int_equal(c->seen, 2);
	assert_int_equal(c->sums.in_time, 1);
	assert_int_equal(c->sums.prompt, 1);
	assert_false(c->is_mixed);
	grt_crtcs_free(&all);
}

/* Clients of two GPUs: whose blanks these are is not known, but that a client was told of the one it asked for is. */
static void test_mixed(void **state)
{
	struct grt_crtcs all = { .count = 0 };

	(void)state;
	put_of(&all, &(struct event)BLANK(10, 5), 0, 0);
	put_of(&all, &(struct event)ASK(12, 6, 1), 9, 0);
	put_of(&all, &(struct event)ASK(13, 106, 2), 8, 0);
	put_of(&all, &(struct event)ASK(14, 4, 1), 9, 0);
	put_of(&all, &(struct event)TELL(26, 6, 1), 9, 0);
	put_of(&all, &(struct event)BLANK(27, 6), 0, 0);
	put_of(&all, &(struct event)TELL(30, 106, 2), 8, 0);
	grt_crtcs_close(&all);
	assert_int_equal(all.count, 2);
	for (int i = 0; i < 2; i++) {
		const struct grt_crtc *c = &all.at[i];

		assert_true(c->is_mixed);
		assert_int_equal(c->gpu, 9 - i);
		assert_int_equal(c->refresh_ns, 0);
		assert_int_equal(c->sums.in_time, 1);
		assert_int_equal(c->sums.asked_unknown, c->sums.asked - 1);
		assert_int_equal(c->sums.told_unknown, c->sums.told);
	}
	grt_crtcs_free(&all);
}

/* --- laws --- */

struct truth {
	uint64_t blanks, span, asked, told;
};

/* What clients were told is that of the CRTC. */
static void check_clients(const struct grt_crtc *c)
{
	struct grt_crtc_sums sum = { .asked = 0 };
	uint64_t latencies = 0, deliveries = 0;

	for (size_t i = 0; i < grt_crtc_clients(c); i++) {
		const struct grt_crtc_sums *own = &grt_crtc_client_at(c, i)->sums;

		assert_int_equal(own->in_time + own->missed + own->passed + own->asked_unknown, own->asked);
		assert_int_equal(own->prompt + own->late + own->told_unknown, own->told);
		assert_int_equal(own->latency.count, own->in_time + own->missed);
		assert_int_equal(own->delivery.count, own->prompt + own->late);
		sum.asked += own->asked;
		sum.in_time += own->in_time;
		sum.missed += own->missed;
		sum.told += own->told;
		sum.late += own->late;
		latencies += own->latency.count;
		deliveries += own->delivery.count;
	}
	assert_int_equal(sum.asked, c->sums.asked);
	assert_int_equal(sum.in_time, c->sums.in_time);
	assert_int_equal(sum.missed, c->sums.missed);
	assert_int_equal(sum.told, c->sums.told);
	assert_int_equal(sum.late, c->sums.late);
	assert_int_equal(latencies, c->sums.latency.count);
	assert_int_equal(deliveries, c->sums.delivery.count);
}

/* Two clients of one CRTC ask for the same blank: one is told at once, the other a frame late. */
static void test_clients(void **state)
{
	static const struct event events[] = {
		BLANK(10, 5), ASK(12, 6, 1), ASK(13, 6, 2), TELL(26, 6, 1), BLANK(27, 6), BLANK(2042, 7),
		TELL(4043, 7, 2),
	};
	struct grt_crtcs all = { .count = 0 };
	const struct grt_crtc *c = &all.at[0];

	(void)state;
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		put(&all, &events[i]);
	grt_crtcs_close(&all);
	assert_int_equal(grt_crtc_clients(c), 2);
	assert_int_equal(grt_crtc_client_at(c, 0)->sums.in_time, 1);
	assert_int_equal(grt_crtc_client_at(c, 0)->sums.prompt, 1);
	assert_int_equal(grt_crtc_client_at(c, 1)->sums.missed, 1);
	assert_int_equal(grt_crtc_client_at(c, 1)->sums.late, 1);
	assert_int_equal(grt_crtc_client_at(c, 1)->sums.latency.max, 4030 * US);
	assert_int_equal(grt_crtc_client_at(c, 1)->sums.delivery.max, 2001 * US);
	check_clients(c);
	grt_crtcs_free(&all);
}

/* More clients than there are rows for: the others share one. */
static void test_many_clients(void **state)
{
	struct grt_crtcs all = { .count = 0 };
	const struct grt_crtc *c = &all.at[0];

	(void)state;
	for (uint64_t i = 1; i <= 2 * GRT_CRTC_CLIENTS; i++)
		put(&all, &(struct event)ASK(i, 6, i));
	grt_crtcs_close(&all);
	assert_int_equal(grt_crtc_clients(c), GRT_CRTC_CLIENTS + 1);
	assert_true(grt_crtc_client_at(c, GRT_CRTC_CLIENTS)->is_others);
	assert_int_equal(grt_crtc_client_at(c, GRT_CRTC_CLIENTS)->sums.asked, GRT_CRTC_CLIENTS);
	check_clients(c);
	grt_crtcs_free(&all);
}

static unsigned int warned_gaps, warned_misses;

static void count_warning(const char *hint, const char *text)
{
	(void)hint;
	warned_gaps += strstr(text, "more than 65536 gaps") != NULL;
	warned_misses += strstr(text, "more than 65536 later vertical blanks") != NULL;
}

/* Of more gaps and misses than are kept it is not known whether events were lost: a warning says so, once. */
static void test_many_gaps(void **state)
{
	struct grt_crtcs all = { .count = 0 };
	const struct grt_crtc *c = &all.at[0];
	grt_warn_fn *before = grt_warn_to(count_warning);

	(void)state;
	put(&all, &(struct event)BLANK(1, 0));
	for (uint32_t i = 1; i <= GRT_CRTC_KEPT + 3; i++) {
		assert_int_equal(warned_gaps, i > GRT_CRTC_KEPT + 1);
		assert_int_equal(warned_misses, i > GRT_CRTC_KEPT + 1);
		put(&all, &(struct event)ASK(100 * i, 2 * i - 1, 1));
		put(&all, &(struct event)BLANK(100 * i + 20, 2 * i));
		put(&all, &(struct event)TELL(100 * i + 21, 2 * i, 1));
	}
	grt_crtcs_close(&all);
	grt_warn_to(before);
	assert_int_equal(c->missing, GRT_CRTC_KEPT + 3);
	assert_int_equal(c->missing_lost, 3);
	assert_int_equal(c->sums.missed, GRT_CRTC_KEPT);
	assert_int_equal(c->sums.asked_unknown, 3);
	assert_int_equal(warned_gaps, 1);
	assert_int_equal(warned_misses, 1);
	grt_crtcs_free(&all);
}

/* A question that is open at the end of a lap counts in the next one; laps sum to the whole. */
static void test_laps(void **state)
{
	static const struct event events[] = {
		BLANK(10, 5), ASK(12, 6, 1), ASK(13, 7, 2), TELL(26, 6, 1), BLANK(27, 6), BLANK(60, 8),
		TELL(61, 8, 2), ASK(70, 9, 1), TELL(75, 9, 1), BLANK(76, 9), BLANK(100, 11),
	};
	const size_t nr = sizeof(events) / sizeof(*events);

	(void)state;
	for (size_t cut = 0; cut <= nr; cut++) {
		struct grt_crtcs all = { .count = 0 }, laps = { .count = 0 };
		const struct grt_crtc *whole = &all.at[0], *lap = &laps.at[0];
		struct counts sum = { .seen = 0 };

		for (size_t i = 0; i <= nr; i++) {
			if (i == cut) {
				assert_int_equal(grt_crtcs_end_lap(&laps), 0);
				check_clients(lap);
				assert_int_equal(lap->sums.in_time + lap->sums.missed + lap->sums.passed + lap->sums.asked_unknown, lap->sums.asked);
				sum = (struct counts){
					.seen = lap->seen, .missing = lap->missing, .asked = lap->sums.asked,
					.missed = lap->sums.missed, .told = lap->sums.told, .prompt = lap->sums.prompt,
				};
				grt_crtcs_begin_lap(&laps);
			}
			if (i == nr)
				break;
			put(&all, &events[i]);
			put(&laps, &events[i]);
		}
		grt_crtcs_close(&all);
		grt_crtcs_close(&laps);
		check_clients(lap);
		assert_int_equal(sum.seen + lap->seen, whole->seen);
		assert_int_equal(sum.missing + lap->missing, whole->missing);
		assert_int_equal(sum.asked + lap->sums.asked, whole->sums.asked);
		assert_int_equal(sum.missed + lap->sums.missed, whole->sums.missed);
		assert_int_equal(sum.told + lap->sums.told, whole->sums.told);
		assert_int_equal(sum.prompt + lap->sums.prompt, whole->sums.prompt);
		grt_crtcs_free(&all);
		grt_crtcs_free(&laps);
	}
}

static unsigned int up_to(unsigned int *seed, unsigned int most)
{
	return rand_r(seed) % (most + 1);
}

static void one_round(unsigned int seed)
{
	uint32_t frame = up_to(&seed, 1) ? UINT32_MAX - up_to(&seed, 100) : up_to(&seed, 100);
	struct grt_crtcs all = { .count = 0 };
	struct truth truth = { .span = 0 };
	const struct grt_crtc *c = &all.at[0];
	uint64_t us = 1000;

	for (unsigned int i = up_to(&seed, 2000); i--;) {
		struct event e = { .us = us += 1 + up_to(&seed, 3000), .client = up_to(&seed, 3) };
		unsigned int what = up_to(&seed, 9);

		e.begin_us = us - up_to(&seed, 900);
		if (what < 4) {
			unsigned int step = up_to(&seed, 9) ? 1 : 1 + up_to(&seed, 20);

			/* Some begin anew, far behind. */
			if (!up_to(&seed, 50)) {
				frame -= 1000000;
				step = 1;
			}
			truth.span += truth.blanks ? step : 1;
			truth.blanks++;
			e.frame = frame += step;
			e.flags = up_to(&seed, 1) ? EXACT : 0;
		} else if (what < 9) {
			e.flags = what < 6 ? ASKS : TOLD;
			e.frame = frame + up_to(&seed, 4) - 2;
			truth.asked += what < 6;
			truth.told += what >= 6;
		} else {
			put_loss(&all, us - up_to(&seed, 3000) % us, us, GRTRACE_FATE_BUFFER_FULL);
			continue;
		}
		put(&all, &e);
	}
	grt_crtcs_close(&all);
	if (all.count) {
		assert_int_equal(c->seen, truth.blanks);
		assert_int_equal(c->seen + c->missing, truth.span);
		assert_true(c->missing_lost <= c->missing);
		assert_int_equal(c->sums.asked, truth.asked);
		assert_int_equal(c->sums.in_time + c->sums.missed + c->sums.passed + c->sums.asked_unknown, truth.asked);
		assert_int_equal(c->sums.told, truth.told);
		assert_int_equal(c->sums.prompt + c->sums.late + c->sums.told_unknown, truth.told);
		assert_int_equal(c->sums.latency.count, c->sums.in_time + c->sums.missed);
		check_clients(c);
	}
	grt_crtcs_free(&all);
}

static void test_laws(void **state)
{
	(void)state;
	for (unsigned int seed = 1; seed <= 500; seed++)
		one_round(seed);
}

int main(void)
{
	const struct CMUnitTest rest[] = {
		cmocka_unit_test(test_old), cmocka_unit_test(test_gpus),
		cmocka_unit_test(test_nameless), cmocka_unit_test(test_mixed), cmocka_unit_test(test_clients),
		cmocka_unit_test(test_many_clients), cmocka_unit_test(test_many_gaps), cmocka_unit_test(test_laps), cmocka_unit_test(test_laws),
	};
	enum { NR_CASES = sizeof(cases) / sizeof(*cases), NR_LOSSES = sizeof(loss_cases) / sizeof(*loss_cases),
	       NR_REST = sizeof(rest) / sizeof(*rest) };
	struct CMUnitTest tests[NR_CASES + NR_LOSSES + NR_REST];

	for (int i = 0; i < NR_CASES; i++)
		tests[i] = (struct CMUnitTest){ cases[i].name, test_case, NULL, NULL, (void *)&cases[i] };
	for (int i = 0; i < NR_LOSSES; i++)
		tests[NR_CASES + i] = (struct CMUnitTest){
			loss_cases[i].name, test_loss, NULL, NULL, (void *)&loss_cases[i] };
	memcpy(tests + NR_CASES + NR_LOSSES, rest, sizeof(rest));
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
