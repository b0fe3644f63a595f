// SPDX-License-Identifier: GPL-2.0
/* Damaged and random bytes give an answer or one error, and reading always ends. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "error.h"
#include "event.h"
#include "event_query.h"
#include "file.h"
#include "reading.h"
#include "synth.h"

#define SEEDS	3000

static uint64_t seed;

static uint32_t next_random(void)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return seed >> 33;
}

static struct grt_event_names event_names;

/* Gives every record to every output format and to a filter. */
static void print_all(void *data, const struct grtrace_hdr *rec)
{
	static const char question[] = "ring == gfx and pid > 7 or text == a or flags == BLOCKED "
				       "or code == HANG or status < 0 and ts > 5 ms and comm != x";
	struct grt_event_sink **sinks = data;
	static struct grt_filter *filter;
	struct grt_event_view view;
	struct grt_event_query query = { .ctx = 1, .seqno = 1, .has_job = true };

	if (!filter && grt_filter_create_for_events(&filter, question, strlen(question)))
		fail_msg("%s", grt_cause());
	query.filter = filter;
	assert_int_equal(grt_event_names_learn(&event_names, rec), 0);
	if (!grt_event_view(&view, &event_names, rec))
		return;
	grt_event_query_wants(&query, &view);
	query.has_job = false;
	grt_event_query_wants(&query, &view);
	for (int i = 0; i < 3; i++)
		grt_event_sink_print(sinks[i], &view);
}

static void check(const uint8_t *bytes, size_t count, struct grt_event_sink **sinks)
{
	struct reading r = reading_bytes(bytes, count, print_all, sinks);

	grt_event_names_free(&event_names);
	if (r.err) {
		assert_int_equal(r.err, -EBADMSG);
		assert_int_not_equal(r.cause[0], '\0');
	}
	/* Each record comes from one in the file, or is one of its losses. */
	assert_true(r.records <= count / sizeof(struct grtrace_hdr) * (GRTRACE_NR_FATES + 1));
}

static void damage(uint8_t *bytes, size_t count)
{
	for (int n = 1 + next_random() % 8; n; n--) {
		size_t at = next_random() % count;

		switch (next_random() % 4) {
		case 0:
			bytes[at] = next_random();
			break;
		case 1:
			bytes[at] ^= 1u << next_random() % 8;
			break;
		case 2:
			bytes[at] = next_random() % 2 ? 0xff : 0;
			break;
		case 3:
			/* A piece moves: sizes and types are plausible elsewhere. */
			memmove(bytes + at / 8 * 8, bytes + next_random() % count / 8 * 8,
				(count - (at > count / 2 ? at : count / 2)) / 8 * 8 / 2);
			break;
		}
	}
}

static void open_sinks(struct grt_event_sink **sinks, FILE *out)
{
	static const char *const names[] = { "text", "csv", "json" };

	for (int i = 0; i < 3; i++)
		assert_int_equal(grt_event_sink_open(&sinks[i], names[i], i, out), 0);
}

static void test_damaged_streams(void **state)
{
	struct grt_event_sink *sinks[3];
	FILE *out = fopen("/dev/null", "w");
	uint8_t bytes[8192];
	struct synth s;
	size_t count;

	(void)state;
	open_sinks(sinks, out);
	synth_example(&s, 0);
	assert_true(s.bytes.bytes < sizeof(bytes));
	for (seed = 1; seed <= SEEDS; seed++) {
		uint64_t kept = seed;

		memcpy(bytes, s.bytes.data, s.bytes.bytes);
		count = s.bytes.bytes;
		/* The first record stays intact, so that the rest is read. */
		damage(bytes + sizeof(struct grtrace_stream_info),
		       count - sizeof(struct grtrace_stream_info));
		if (next_random() % 4 == 0)
			count = next_random() % count;
		check(bytes, count, sinks);
		seed = kept;
	}
	synth_free(&s);
	for (int i = 0; i < 3; i++)
		grt_event_sink_close(sinks[i]);
	fclose(out);
}

static void test_random_bytes(void **state)
{
	static const uint64_t grt_magic = GRT_FILE_MAGIC;
	struct grt_event_sink *sinks[3];
	FILE *out = fopen("/dev/null", "w");
	uint8_t bytes[4096];

	(void)state;
	open_sinks(sinks, out);
	for (uint64_t kept = 1; kept <= SEEDS / 3; kept++) {
		seed = kept;
		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = next_random();
		if (kept % 2)
			memcpy(bytes, &grt_magic, sizeof(grt_magic));
		check(bytes, next_random() % sizeof(bytes), sinks);
	}
	for (int i = 0; i < 3; i++)
		grt_event_sink_close(sinks[i]);
	fclose(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_damaged_streams),
		cmocka_unit_test(test_random_bytes),
	};

	return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
