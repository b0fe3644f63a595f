// SPDX-License-Identifier: GPL-2.0
/* The order of events while a session runs: an event comes when nothing earlier can come, and not later. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "input.h"
#include "stream.h"
#include "synth.h"

#define LANES	2
#define MOST	4
#define T(ns)	(SYNTH_START + (ns))

/* What a wait brings, and what can be read then.  If both lanes have an event, it does not matter what is safe. */
static const struct step {
	uint64_t brings[LANES][MOST];	/* times of events, up to a 0 */
	uint64_t safe;
	uint64_t gives[MOST];
} steps[] = {
	{ { { 10, 20, 30, 40 } },	15,	{ 10 } },
	{ { { 0 }, { 12, 18 } },	25,	{ 12, 18, 20 } },
	{ { { 0 } },			25,	{ 0 } },
	{ { { 50 }, { 30, 60 } },	41,	{ 30, 30, 40, 50 } },
	{ { { 0 } },			100,	{ 60 } },
	{ { { 110, 120 }, { 105 } },	100,	{ 105 } },
	{ { { 0 }, { 130 } },		100,	{ 110, 120 } },
	{ { { 0 } },			130,	{ 0 } },
	{ { { 0 } },			131,	{ 130 } },
};
#define NR_STEPS	(sizeof(steps) / sizeof(steps[0]))

struct live {
	struct grt_input in;
	struct synth lanes[LANES];
	struct grt_vec given[LANES];
	size_t step;		/* the next one */
};

static int fill(struct grt_input *in, unsigned int lane, const void **data, size_t *bytes)
{
	struct live *live = (struct live *)in;

	if (!live->lanes[lane].bytes.bytes)
		return -EAGAIN;
	grt_vec_free(&live->given[lane]);
	live->given[lane] = live->lanes[lane].bytes;
	live->lanes[lane].bytes = (struct grt_vec){ 0 };
	*data = live->given[lane].data;
	*bytes = live->given[lane].bytes;
	return 1;
}

static int bring(struct grt_input *in, int timeout_ms, uint64_t *safe_ns)
{
	struct live *live = (struct live *)in;
	const struct step *step = &steps[live->step];

	(void)timeout_ms;
	if (live->step == NR_STEPS)
		return -EINTR;
	for (int lane = 0; lane < LANES; lane++)
		for (int i = 0; i < MOST && step->brings[lane][i]; i++)
			synth_event(&live->lanes[lane], GRTRACE_VBLANK, T(step->brings[lane][i]));
	*safe_ns = T(step->safe);
	live->step++;
	return 0;
}

static void close_input(struct grt_input *in)
{
	struct live *live = (struct live *)in;

	for (int lane = 0; lane < LANES; lane++) {
		synth_free(&live->lanes[lane]);
		grt_vec_free(&live->given[lane]);
	}
}

static const struct grt_input_ops ops = { .fill = fill, .wait = bring, .close = close_input };

static void test_order(void **state)
{
	struct live live = { .in = { .ops = &ops, .lanes = LANES, .info.is_live = true }, .lanes[1].cpu = 1 };
	const struct grtrace_hdr *rec;
	struct grt_stream *stream;

	(void)state;
	assert_int_equal(grt_stream_open(&stream, &live.in), 0);
	for (size_t i = 0; i < NR_STEPS; i++)
		for (int k = 0; k < MOST && steps[i].gives[k]; k++) {
			assert_int_equal(grt_stream_next(stream, &rec), 1);
			assert_int_equal(live.step, i + 1);
			assert_int_equal(rec->ts, T(steps[i].gives[k]));
		}
	assert_int_equal(grt_stream_next(stream, &rec), -EINTR);
	assert_int_equal(live.step, NR_STEPS);
	assert_int_equal(grt_stream_stats(stream)->backwards, 0);
	grt_stream_close(stream);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_order) };

	return cmocka_run_group_tests_name("stream, live", tests, NULL, NULL);
}
