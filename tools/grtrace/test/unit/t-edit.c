// SPDX-License-Identifier: GPL-2.0
/* Damaged traces in repair, slice and merge give a trace that can be read, or one error. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "error.h"
#include "merge.h"
#include "reading.h"
#include "repair.h"
#include "sim-file.h"
#include "sim-random.h"
#include "slice.h"
#include "synth.h"

#define SEEDS	150

static char *bad, *good, *made;	/* paths */
static uint64_t seed;

static uint32_t next_random(uint32_t n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % n;
}

/* Changes bytes of records, or writes numbers that are too large into fields. */
static void damage(uint8_t *bytes, size_t count)
{
	for (uint32_t n = 1 + next_random(8); n; n--) {
		size_t at = sizeof(struct grtrace_stream_info) +
			    next_random(count - sizeof(struct grtrace_stream_info) - 8);

		if (next_random(2))
			bytes[at] = next_random(256);
		else
			memset(bytes + at / 8 * 8, next_random(2) ? 0xff : 0, 8);
	}
}

static void check(int err)
{
	struct reading r;

	if (err) {
		assert_true(err == -EBADMSG || err == -EINVAL);
		assert_int_not_equal(grt_cause()[0], '\0');
		assert_int_equal(access(made, F_OK), -1);
		return;
	}
	r = reading_files(1, &made, NULL, NULL);
	assert_int_equal(r.err, 0);
	assert_true(r.is_complete);
	unlink(made);
}

static void edit(void)
{
	struct grt_target to = { .path = made, .uid = geteuid(), .gid = getegid() };
	struct grt_slice time = { .part = { 1000, 1000000 }, .line = "slice=" };
	struct grt_slice rings = { .part.until_ns = UINT64_MAX, .rings = "1,2", .line = "slice=" };
	struct grt_merge_input inputs[] = { { .path = good }, { .path = bad, .offset_ns = 1000000000 } };
	struct grt_merge merge = { .inputs = inputs, .count = 2, .line = "merge=" };
	struct grt_repair result;

	check(grt_repair_files(&result, 1, &bad, &to));
	check(grt_slice_write(&time, bad, &to));
	check(grt_slice_write(&rings, bad, &to));
	inputs[1].has_offset = true;
	check(grt_merge_files(&merge, &to));
}

static void test_damaged(void **state)
{
	struct sim *s = malloc(sizeof(*s));
	struct grt_vec bytes = { 0 };
	uint8_t *copy;

	(void)state;
	assert_non_null(s);
	sim_play(s, &sim_classes[sim_nr_classes - 1], 3, SIM_MAX_JOBS);
	sim_write(s, &bytes);
	free(s);
	reading_write(good, bytes.data, bytes.bytes);
	copy = malloc(bytes.bytes);
	assert_non_null(copy);
	for (uint64_t n = 1; n <= SEEDS; n++) {
		memcpy(copy, bytes.data, bytes.bytes);
		seed = n;
		damage(copy, bytes.bytes);
		reading_write(bad, copy, next_random(4) ? bytes.bytes :
			      sizeof(struct grtrace_stream_info) + next_random(bytes.bytes - 100));
		edit();
	}
	free(copy);
	grt_vec_free(&bytes);
}

/* Each word of the STREAM_INFO of each CPU but the first. */
static void test_later_info(void **state)
{
	struct synth streams[3];
	struct grt_vec bytes = { 0 };
	uint64_t *word;

	(void)state;
	for (int i = 0; i < 3; i++) {
		synth_example(&streams[i], i);
		assert_int_equal(grt_vec_append(&bytes, streams[i].bytes.data, streams[i].bytes.bytes), 0);
	}
	reading_write(good, bytes.data, bytes.bytes);
	for (size_t i = 0; i < sizeof(struct grtrace_stream_info) / 8; i++) {
		word = (uint64_t *)((char *)bytes.data + streams[0].bytes.bytes) + i;
		for (int n = 0; n < 4; n++) {
			const uint64_t was = *word;

			*word ^= 0xffull << 16 * n;
			reading_write(bad, bytes.data, bytes.bytes);
			edit();
			*word = was;
		}
	}
	for (int i = 0; i < 3; i++)
		synth_free(&streams[i]);
	grt_vec_free(&bytes);
}

static unsigned int warnings;
static char warning[256];

static void take_warning(const char *hint, const char *text)
{
	(void)hint;
	warnings++;
	snprintf(warning, sizeof(warning), "%s", text);
}

/* Lines of METADATA that a record has no room for are left out as a whole, and counted. */
static void test_metadata(void **state)
{
	struct grt_target to = { .path = made, .uid = geteuid(), .gid = getegid() };
	struct grt_merge_input inputs[] = { { .path = good }, { .path = bad, .offset_ns = 1000000000, .has_offset = true } };
	struct grt_merge merge = { .inputs = inputs, .count = 2, .line = "merge=" };
	struct synth s[2];
	grt_warn_fn *before;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct grtrace_stream_info *info;
		struct grtrace_metadata *meta;
		char *text;

		synth_begin(&s[i], 0);
		/* The first METADATA counts, so a long one takes its place. */
		s[i].bytes.bytes = sizeof(*info);
		info = s[i].bytes.data;
		info->session_id = s[i].session_id = i + 1;
		info->start_ns += i;
		meta = synth_record(&s[i], GRTRACE_METADATA, sizeof(*meta) + 400 * 100, SYNTH_START);
		meta->session_id = s[i].session_id;
		text = (char *)(meta + 1);
		for (int line = 0; line < 399; line++)
			snprintf(text + 100 * line, 101, "key%03d=%092d\n", line, line);
		synth_ring(&s[i], 1, "gfx", SYNTH_START);
		synth_job(&s[i], 7 + i, 1, 1, 100, SYNTH_START + 1000 * i);
		synth_end(&s[i], SYNTH_START + 1000000);
		reading_write(i ? bad : good, s[i].bytes.data, s[i].bytes.bytes);
		synth_free(&s[i]);
	}
	before = grt_warn_to(take_warning);
	assert_int_equal(grt_merge_files(&merge, &to), 0);
	grt_warn_to(before);
	assert_int_equal(warnings, 1);
	/* 399 lines of 100 bytes, then of 102: 60,000 less the head and two lines of the merge. */
	assert_string_equal(warning, "203 lines are left out: a record of METADATA has no room for more");
	check(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_metadata),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_later_info),
	};

	bad = strdup(reading_path("bad"));
	good = strdup(reading_path("good"));
	made = strdup(reading_path("made.grt"));
	return cmocka_run_group_tests_name("edit", tests, NULL, NULL);
}
