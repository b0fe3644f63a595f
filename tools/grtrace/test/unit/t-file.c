// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cursor.h"
#include "index.h"
#include "io.h"
#include "reading.h"
#include "synth.h"
#include "writer.h"

#define MAX_BYTES	65536

struct file {
	char path[128];
	uint8_t bytes[MAX_BYTES];
	size_t size;
	struct grt_index index;
};

static void write_runs(struct grt_writer *w, uint16_t cpu)
{
	struct grt_cursor c;
	struct grt_run run;
	struct synth s;

	synth_example(&s, cpu);
	c = grt_cursor(s.bytes.data, s.bytes.bytes);
	while (grt_next_run(&c, GRT_CHUNK_GOAL_BYTES, &run))
		assert_int_equal(grt_writer_run(w, cpu, &run), 0);
	synth_free(&s);
}

static void make_file(struct file *f)
{
	struct grt_file_header header = { .focus_pid = 100, .command = "game --fast" };
	struct grt_writer *w;
	FILE *in;

	snprintf(f->path, sizeof(f->path), "%s", reading_path("file.grt"));
	assert_int_equal(grt_writer_create(&w, f->path, &header, geteuid(), getegid()), 0);
	write_runs(w, 0);
	assert_int_equal(grt_writer_watermark(w, SYNTH_START + 5), 0);
	write_runs(w, 1);
	assert_int_equal(grt_writer_events(w), 26);
	assert_int_equal(grt_writer_close(w), 0);
	in = fopen(f->path, "r");
	assert_non_null(in);
	f->size = fread(f->bytes, 1, MAX_BYTES, in);
	assert_int_equal(grt_index_read(&f->index, fileno(in), "file"), 0);
	fclose(in);
}

static void free_file(struct file *f)
{
	grt_index_free(&f->index);
}

static struct reading read_prefix(struct file *f, size_t bytes)
{
	return reading_bytes(f->bytes, bytes, NULL, NULL);
}

static void test_whole(void **state)
{
	struct file f;
	struct reading r;
	struct stat st;

	(void)state;
	make_file(&f);
	r = read_prefix(&f, f.size);
	assert_int_equal(r.err, 0);
	assert_int_equal(r.events, 26);
	assert_int_equal(r.warnings, 0);
	assert_true(r.is_complete && r.is_ordered);
	assert_int_equal(r.stats.cpus, 2);
	assert_int_equal(r.stats.ended, 2);
	assert_int_equal(f.index.header.focus_pid, 100);
	assert_string_equal(f.index.header.command, "game --fast");
	assert_int_equal(stat(f.path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	free_file(&f);
}

/* The number of events in chunks that are whole in the first @bytes. */
static uint64_t whole_events(const struct file *f, size_t bytes)
{
	size_t count = grt_vec_count(&f->index.rows, struct grt_file_index);
	uint64_t events = 0;

	for (size_t i = 0; i < count; i++) {
		const struct grt_file_index *row =
			grt_vec_at(&f->index.rows, struct grt_file_index, i);

		if (row->offset + sizeof(row->chunk) + row->chunk.bytes <= bytes)
			events += row->chunk.events;
	}
	return events;
}

/* As after kill -9: wherever the file ends, its whole chunks are read. */
static void test_every_prefix(void **state)
{
	struct file f;
	struct reading r;

	(void)state;
	make_file(&f);
	for (size_t bytes = 0; bytes < f.size; bytes++) {
		r = read_prefix(&f, bytes);
		if (r.err) {
			/* Before the first definitions are whole: one clear error. */
			assert_int_equal(r.err, -EBADMSG);
			assert_int_not_equal(r.cause[0], '\0');
			assert_int_equal(whole_events(&f, bytes), 0);
			continue;
		}
		assert_int_equal(r.events, whole_events(&f, bytes));
		assert_true(r.warnings > 0);
		assert_false(r.is_complete);
	}
	free_file(&f);
}

/* One bad byte anywhere costs only its chunk, or is seen at once. */
static void test_every_bad_byte(void **state)
{
	struct file f;
	struct reading r;

	(void)state;
	make_file(&f);
	for (size_t i = 0; i < f.size; i++) {
		f.bytes[i] ^= 0x40;
		r = read_prefix(&f, f.size);
		f.bytes[i] ^= 0x40;
		if (r.err) {
			assert_int_equal(r.err, -EBADMSG);
			continue;
		}
		assert_true(r.events <= 26);
		/* In the index a bad byte costs nothing: chunks have headers of their own. */
		assert_true(r.warnings > 0 || r.events == 26);
		/* Lost events are counted, except those of the last chunk, which has the count. */
		assert_true(r.events + r.stats.lost[GRTRACE_FATE_WRITTEN] >= 26 - 4);
	}
	free_file(&f);
}

static void test_newer(void **state)
{
	struct file f;
	struct reading r;

	(void)state;
	make_file(&f);
	f.bytes[offsetof(struct grt_file_header, version)] = GRT_FILE_VERSION + 1;
	r = read_prefix(&f, f.size);
	assert_int_equal(r.err, -EBADMSG);
	assert_non_null(strstr(r.cause, "version 2"));
	free_file(&f);
}

static void test_replaces(void **state)
{
	struct file f;
	struct stat before, after;

	(void)state;
	make_file(&f);
	assert_int_equal(chmod(f.path, 0666), 0);
	assert_int_equal(stat(f.path, &before), 0);
	free_file(&f);
	make_file(&f);
	assert_int_equal(stat(f.path, &after), 0);
	assert_int_equal(after.st_mode & 07777, 0600);
	free_file(&f);
}

static void test_bad_paths(void **state)
{
	struct grt_file_header header = { 0 };
	struct grt_writer *w;

	(void)state;
	assert_int_equal(grt_writer_create(&w, reading_path("no/such/folder"), &header, 0, 0),
			 -ENOENT);
	assert_int_equal(symlink("/dev/null", reading_path("link")), 0);
	assert_int_equal(grt_writer_create(&w, reading_path("link"), &header, 0, 0), -ELOOP);
}

static void test_full_disk(void **state)
{
	struct grt_file_header header = { 0 };
	struct grt_writer *w;

	(void)state;
	assert_int_equal(grt_writer_create(&w, "/dev/full", &header, geteuid(), 0), -ENOSPC);
}

static void write_stream(struct grt_writer *w, uint16_t cpu)
{
	struct grt_cursor c;
	struct grt_run run;
	struct synth s;

	synth_begin(&s, cpu);
	((struct grtrace_stream_info *)s.bytes.data)->cpus = 2;
	synth_ring(&s, 1, "gfx", SYNTH_START);
	synth_subbuf(&s, SYNTH_START + 10);
	synth_job(&s, 7 + cpu, 1, 1, 100, SYNTH_START + 100);
	synth_end(&s, SYNTH_START + 1000000);
	c = grt_cursor(s.bytes.data, s.bytes.bytes);
	while (grt_next_run(&c, GRT_CHUNK_GOAL_BYTES, &run))
		assert_int_equal(grt_writer_run(w, cpu, &run), 0);
	synth_free(&s);
}

static void count_losses(void *data, const struct grtrace_hdr *rec)
{
	*(int *)data += rec->type == GRTRACE_LOSS;
}

/*
 * A file without its trailer, with the stream of CPU 0 and @other.  A CPU that is not in the file may
 * have had events; what the recorder sampled is numbered behind the CPUs, and stands for none of them.
 */
static int losses_with(uint16_t other)
{
	struct grt_file_header header = { .start_ns = SYNTH_START };
	struct grt_file_trailer trailer;
	static uint8_t bytes[MAX_BYTES];
	struct grt_writer *w;
	const char *path = reading_path("cut.grt");
	int losses = 0;
	size_t size;
	FILE *in;

	assert_int_equal(grt_writer_create(&w, path, &header, geteuid(), getegid()), 0);
	write_stream(w, 0);
	assert_int_equal(grt_writer_watermark(w, SYNTH_START + 50), 0);
	write_stream(w, other);
	assert_int_equal(grt_writer_close(w), 0);
	in = fopen(path, "r");
	assert_non_null(in);
	size = fread(bytes, 1, MAX_BYTES, in) - sizeof(trailer);
	fclose(in);
	assert_int_equal(reading_bytes(bytes, size, count_losses, &losses).err, 0);
	return losses;
}

static void test_recorder(void **state)
{
	(void)state;
	assert_int_equal(losses_with(1), 0);
	assert_int_equal(losses_with(2), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_every_prefix),
		cmocka_unit_test(test_every_bad_byte),
		cmocka_unit_test(test_newer),
		cmocka_unit_test(test_replaces),
		cmocka_unit_test(test_bad_paths),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_recorder),
	};

	return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
