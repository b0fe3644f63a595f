// SPDX-License-Identifier: GPL-2.0
/* The file of a stream: its sender can announce thousands of CPUs, and memory must not grow with what comes of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../cmd/clock_snapshot.c"
#include "../../cmd/kept.c"
#include "../../cmd/output.c"
#include "../../cmd/tally.c"
/* Both files have a function of that name. */
#define begin_file	begin_file_of_stream
#include "../../cmd/stream_file.c"

#include "synth.h"

#define CPUS	4000
#define TURNS	40		/* CPUs whose turn comes */
#define MARKS	4000		/* that each sends then: about 300 KiB */
#define ROUNDS	100

static char folder[] = "/tmp/t-stream-file-XXXXXX";

bool grt_task_has_ended(uint32_t tgid)
{
	(void)tgid;
	return false;
}

static bool is_taken(const void *arg, const char *path)
{
	(void)arg;
	(void)path;
	return false;
}

static void begin_stream(struct grt_stream_file *f, uint64_t max_index_bytes)
{
	*f = (struct grt_stream_file){
		.folder = folder, .host = "node", .uid = getuid(), .gid = getgid(), .is_taken = is_taken,
		.max_index_bytes = max_index_bytes,
	};
	assert_int_equal(grt_stream_file_open(f), 0);
}

/* Sends what @s has, in pieces as a connection gives them, and empties it.  0 or -errno. */
static int give(struct grt_stream_file *f, struct synth *s)
{
	const uint8_t *at = s->bytes.data;
	size_t left = s->bytes.bytes;
	ssize_t took = 0;

	while (left && (took = grt_stream_file_take(f, at, left < 65536 ? left : 65536)) > 0) {
		at += took;
		left -= took;
	}
	s->bytes.bytes = 0;
	return took < 0 ? took : 0;
}

static void begin_turn(struct synth *s, uint16_t cpu)
{
	struct grtrace_stream_info *info;

	synth_begin(s, cpu);
	info = synth_find(s, GRTRACE_STREAM_INFO, 0);
	info->cpus = CPUS;
}

static size_t held_bytes(const struct grt_stream_file *f)
{
	size_t bytes = f->defs.capacity + f->tally.seen.entries.capacity;

	for (unsigned int i = 0; i < f->nr_lanes; i++)
		bytes += f->lanes[i].events.capacity;
	return bytes;
}

/* Each CPU in turn sends much. */
static void test_lanes(void **state)
{
	struct grt_stream_file f;
	uint64_t events = 0;
	struct synth s;

	(void)state;
	begin_stream(&f, 0);
	for (uint16_t cpu = 0; cpu < TURNS; cpu++) {
		begin_turn(&s, cpu);
		for (unsigned int i = 0; i < MARKS; i++)
			synth_mark_of(&s, cpu * MARKS + i, "a mark of a process", SYNTH_START + i);
		events += MARKS;
		assert_int_equal(give(&f, &s), 0);
		synth_free(&s);
		/* Twice what is flushed, as vectors double; and definitions. */
		assert_true(held_bytes(&f) < 3 * PENDING_BYTES);
	}
	assert_int_equal(grt_stream_file_close(&f, true), 0);
	assert_int_equal(f.tally.events, events);
	assert_int_equal(unlink(f.path), 0);
	grt_stream_file_free(&f);
}

/* Jobs of ever new processes. */
static void test_processes(void **state)
{
	struct grt_stream_file f;
	struct synth s;

	(void)state;
	begin_stream(&f, 0);
	begin_turn(&s, 0);
	for (uint32_t i = 1; i <= 10 * MARKS; i++)
		synth_job(&s, 7, i, 1, i, SYNTH_START + 1000 * i);
	assert_int_equal(give(&f, &s), 0);
	assert_int_equal(f.tally.seen.entries.capacity, 0);
	synth_free(&s);
	assert_int_equal(grt_stream_file_close(&f, true), 0);
	assert_int_equal(f.tally.jobs, 10 * MARKS);
	assert_int_equal(unlink(f.path), 0);
	grt_stream_file_free(&f);
}

/* Many small chunks: the row of each stays in memory. */
static void test_index(void **state)
{
	const uint64_t most = 1000 * sizeof(struct grt_file_index);
	struct grt_stream_file f;
	struct synth s;
	int err = 0;

	(void)state;
	begin_stream(&f, most);
	for (unsigned int round = 0; !err && round < ROUNDS; round++) {
		for (uint16_t cpu = 0; !err && cpu < TURNS; cpu++) {
			begin_turn(&s, cpu);
			synth_mark(&s, "a mark", SYNTH_START + round);
			err = give(&f, &s);
			synth_free(&s);
		}
		/* As if a second passed. */
		f.flushed_ns = 0;
		err = err ? err : grt_stream_file_pass(&f);
		assert_true(grt_writer_index_bytes(f.output.writer) <= most + (TURNS + 2) * sizeof(struct grt_file_index));
	}
	assert_int_equal(err, -EFBIG);
	assert_string_equal(grt_cause(), "the index of its file takes too much memory");
	assert_int_equal(grt_stream_file_close(&f, false), -EFBIG);
	assert_int_equal(unlink(f.path), 0);
	grt_stream_file_free(&f);
}

/* What never begins leaves no file. */
static void test_nothing(void **state)
{
	struct grt_stream_file f;
	char path[sizeof(f.path)];

	(void)state;
	begin_stream(&f, 0);
	memcpy(path, f.output.file.temp_name, strlen(f.output.file.temp_name) + 1);
	assert_int_equal(access(path, F_OK), 0);
	grt_stream_file_free(&f);
	assert_int_not_equal(access(path, F_OK), 0);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_processes),
		cmocka_unit_test(test_index),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
