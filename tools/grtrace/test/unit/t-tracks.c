// SPDX-License-Identifier: GPL-2.0
/* Clocks, power and temperature in the columns of a picture, and what one record tells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "gauge.h"
#include "tracks.h"

#define SECOND	1000000000ull
#define SHORT	offsetof(struct grtrace_frequency, power_uw)	/* of the first version */
#define WHOLE	sizeof(struct grtrace_frequency)

static const struct value_case {
	const char *name;
	struct grtrace_frequency rec;
	bool is_known;
	int64_t value;
} value_cases[] = {
	{ "a clock", { .hdr.size = WHOLE, .freq_hz = 5 }, true, 5 },
	{ "a clock of an old record", { .hdr.size = SHORT, .freq_hz = 5 }, true, 5 },
	{ "a clock of 0 is off or not known", { .hdr.size = WHOLE }, false, 0 },
	{ "a clock beyond all numbers", { .hdr.size = WHOLE, .freq_hz = UINT64_MAX }, true, 1000000000000000000 },
	{ "memory", { .hdr.size = WHOLE, .gauge = GRTRACE_GAUGE_MEMORY, .freq_hz = 7 }, true, 7 },
	{ "power", { .hdr.size = WHOLE, .gauge = GRTRACE_GAUGE_POWER, .power_uw = 9, .freq_hz = 1 }, true, 9 },
	{ "no power is a value", { .hdr.size = WHOLE, .gauge = GRTRACE_GAUGE_POWER }, true, 0 },
	{ "an old record has no power", { .hdr.size = SHORT, .gauge = GRTRACE_GAUGE_POWER, .power_uw = 9 }, false, 0 },
	{ "below zero", { .hdr.size = WHOLE, .gauge = GRTRACE_GAUGE_TEMPERATURE, .temperature_mc = -1 }, true, -1 },
	{ "an old record has no temperature",
	  { .hdr.size = SHORT, .gauge = GRTRACE_GAUGE_TEMPERATURE, .temperature_mc = 9 }, false, 0 },
	{ "a gauge that nobody knows", { .hdr.size = WHOLE, .gauge = 4, .freq_hz = 3 }, false, 0 },
};

static void test_value(void **state)
{
	const struct value_case *c = *state;
	int64_t value = 0;

	assert_int_equal(grt_gauge_value(&c->rec, &value), c->is_known);
	if (c->is_known)
		assert_int_equal(value, c->value);
}

static void test_until(void **state)
{
	struct grtrace_frequency rec = { .hdr = { .size = WHOLE, .ts = 5 } };

	(void)state;
	assert_int_equal(grt_gauge_until(&rec), UINT64_MAX);
	rec.hdr.flags = GRTRACE_F_UPPER_BOUND;
	assert_int_equal(grt_gauge_until(&rec), 5 + GRT_GAUGE_HOLD_NS);
	rec.hdr.ts = UINT64_MAX - 1;
	assert_int_equal(grt_gauge_until(&rec), UINT64_MAX);
}

/* --- columns of one second --- */

#define COLUMNS	4

static void put(struct grt_tracks *t, double at, uint64_t hz, uint32_t gpu, uint16_t flags)
{
	struct grtrace_frequency rec = {
		.hdr = { .type = GRTRACE_FREQUENCY, .size = WHOLE, .ts = at * SECOND, .flags = flags },
		.freq_hz = hz, .pci_address = gpu,
	};

	assert_int_equal(grt_tracks_record(t, &rec.hdr), 0);
}

/* Mean and time of each column. */
static void expect(const struct grt_track_gauge *g, const double (*cells)[2])
{
	for (int i = 0; i < COLUMNS; i++) {
		assert_int_equal(g->cells[i].ns, (uint64_t)(cells[i][1] * SECOND));
		if (g->cells[i].ns)
			assert_int_equal(g->cells[i].sum / g->cells[i].ns, (int64_t)cells[i][0]);
	}
}

static void test_columns(void **state)
{
	const struct grt_lanes lanes = { .from_ns = 0, .to_ns = COLUMNS * SECOND, .columns = COLUMNS };
	struct grt_tracks t = { 0 };

	(void)state;
	assert_int_equal(grt_tracks_begin(&t, &lanes), 0);
	/* Of GPU 2: 100 from 0.5 s, 300 from 1.75 s to the end. */
	put(&t, 0.5, 100, 2, 0);
	/* Of GPU 1, sampled: 400 from 0.25 s, until a sample would be due; off from 2.5 s on. */
	put(&t, 0.25, 400, 1, GRTRACE_F_UPPER_BOUND);
	put(&t, 1.75, 300, 2, 0);
	put(&t, 2.5, 0, 1, GRTRACE_F_UPPER_BOUND);
	grt_tracks_close(&t);
	assert_int_equal(t.nr_gauges, 2);
	assert_int_equal(t.gauges[0].gpu, 1);
	assert_int_equal(t.gauges[0].most, 400);
	expect(&t.gauges[0], (const double[][2]){ { 400, 0.75 }, { 400, 1 }, { 400, 0.25 }, { 0, 0 } });
	assert_int_equal(t.gauges[1].most, 300);
	expect(&t.gauges[1], (const double[][2]){ { 100, 0.5 }, { 150, 1 }, { 300, 1 }, { 300, 1 } });
	grt_tracks_free(&t);
}

/* More than there is room for are left out, and nothing else. */
static void test_many(void **state)
{
	const struct grt_lanes lanes = { .from_ns = 0, .to_ns = COLUMNS * SECOND, .columns = COLUMNS };
	struct grt_tracks t = { 0 };

	(void)state;
	assert_int_equal(grt_tracks_begin(&t, &lanes), 0);
	for (uint32_t gpu = 1; gpu <= GRT_TRACKS_GAUGES + 1; gpu++)
		put(&t, 0, 100, gpu, 0);
	put(&t, 1, 200, 1, 0);
	grt_tracks_close(&t);
	assert_int_equal(t.nr_gauges, GRT_TRACKS_GAUGES);
	assert_true(t.lacks_gauges && !t.lacks_crtcs);
	expect(&t.gauges[0], (const double[][2]){ { 100, 1 }, { 200, 1 }, { 200, 1 }, { 200, 1 } });
	grt_tracks_free(&t);
}

int main(void)
{
	const struct CMUnitTest rest[] = {
		cmocka_unit_test(test_until),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_many),
	};
	enum { NR_VALUES = sizeof(value_cases) / sizeof(*value_cases), NR_REST = sizeof(rest) / sizeof(*rest) };
	struct CMUnitTest tests[NR_VALUES + NR_REST];

	for (int i = 0; i < NR_VALUES; i++)
		tests[i] = (struct CMUnitTest){ value_cases[i].name, test_value, NULL, NULL, (void *)&value_cases[i] };
	memcpy(tests + NR_VALUES, rest, sizeof(rest));
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
