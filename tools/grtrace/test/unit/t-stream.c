// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "reading.h"
#include "synth.h"
#include "writer.h"

#define T(ns)	(SYNTH_START + (ns))

/* Reads several streams as several files, or joined into one. */
static struct reading read_streams(struct synth *s, unsigned int count, bool is_joined,
				   reading_fn *fn, void *data)
{
	struct grt_vec all = { 0 };
	char *paths[8], name[32];
	struct reading r;

	for (unsigned int i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "events%u", i);
		paths[i] = strdup(reading_path(name));
		reading_write(paths[i], s[i].bytes.data, s[i].bytes.bytes);
		assert_int_equal(grt_vec_append(&all, s[i].bytes.data, s[i].bytes.bytes), 0);
	}
	if (is_joined)
		r = reading_bytes(all.data, all.bytes, fn, data);
	else
		r = reading_files(count, paths, fn, data);
	for (unsigned int i = 0; i < count; i++)
		free(paths[i]);
	grt_vec_free(&all);
	return r;
}

static void free_streams(struct synth *s, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		synth_free(&s[i]);
}

/* Four CPUs, times that cross and coincide; a fixed generator, so it repeats. */
static void test_order(void **state)
{
	struct synth s[4];
	struct reading r;
	uint32_t random = 1;

	(void)state;
	for (int cpu = 0; cpu < 4; cpu++) {
		uint64_t ns = T(0);

		synth_begin(&s[cpu], cpu);
		for (int i = 0; i < 1000; i++) {
			random = random * 1664525 + 1013904223;
			if (i % 100 == 0)
				synth_subbuf(&s[cpu], ns);
			synth_event(&s[cpu], GRTRACE_VBLANK, ns);
			ns += random >> 30;
		}
		synth_end(&s[cpu], ns);
	}
	r = read_streams(s, 4, false, NULL, NULL);
	assert_int_equal(r.err, 0);
	assert_int_equal(r.events, 4000);
	assert_true(r.is_ordered);
	assert_int_equal(r.warnings, 0);
	assert_int_equal(r.stats.cpus, 4);
	free_streams(s, 4);
}

struct text {
	char bytes[4096];
	size_t used;
};

/* Every record as a word: what came, where. */
static void note(void *data, const struct grtrace_hdr *rec)
{
	const struct grtrace_process *p = (const void *)rec;
	const struct grtrace_loss *l = (const void *)rec;
	struct text *t = data;
	char *to = t->bytes + t->used;
	size_t room = sizeof(t->bytes) - t->used;
	long at = rec->ts - SYNTH_START;

	if (rec->type == GRTRACE_LOSS)
		t->used += snprintf(to, room, "%u:loss%u=%u(%ld..%ld) ", rec->cpu, l->reason,
				    (unsigned int)l->count, (long)(l->from_ns - SYNTH_START),
				    (long)(l->to_ns - SYNTH_START));
	else if (rec->type == GRTRACE_PROCESS)
		t->used += snprintf(to, room, "%s ", p->comm);
	else if (rec->type == GRTRACE_RING)
		t->used += snprintf(to, room, "%s ", ((const struct grtrace_ring *)rec)->name);
	else if (rec->type < GRTRACE_STREAM_BASE)
		t->used += snprintf(to, room, "%u:%ld ", rec->cpu, at);
	else
		t->used += snprintf(to, room, "def%x ", rec->type & 0xff);
}

static void expect(struct synth *s, unsigned int count, const char *words)
{
	struct text t = { .used = 0 };
	struct reading r = read_streams(s, count, false, note, &t);

	assert_int_equal(r.err, 0);
	assert_string_equal(t.bytes, words);
	free_streams(s, count);
}

static void test_ties(void **state)
{
	struct synth s[2];

	(void)state;
	/* CPU 3 is named first, but the smaller number comes first. */
	synth_begin(&s[0], 3);
	synth_begin(&s[1], 1);
	synth_event(&s[0], GRTRACE_VBLANK, T(5));
	synth_event(&s[0], GRTRACE_VBLANK, T(5));
	synth_event(&s[1], GRTRACE_VBLANK, T(5));
	expect(s, 2, "def0 def1 1:5 3:5 3:5 0:loss0=0(5..5) ");
}

static void test_definitions(void **state)
{
	struct synth s[2];

	(void)state;
	synth_begin(&s[0], 0);
	synth_begin(&s[1], 1);
	/* Known to CPU 1 only, after its event, and needed by CPU 0 before. */
	synth_event(&s[0], GRTRACE_VBLANK, T(10));
	synth_event(&s[1], GRTRACE_VBLANK, T(20));
	synth_ring(&s[1], 1, "gfx", T(15));
	synth_process(&s[1], 7, "sh", T(15));
	/* A new name counts from its time; the repeated row says nothing. */
	synth_process(&s[1], 7, "game", T(25));
	synth_process(&s[0], 7, "sh", T(15));
	synth_process(&s[0], 7, "game", T(25));
	synth_event(&s[1], GRTRACE_VBLANK, T(25));
	synth_end(&s[0], T(25));
	synth_end(&s[1], T(25));
	expect(s, 2, "def0 def1 sh gfx 0:10 1:20 game 1:25 ");
}

static void test_loss(void **state)
{
	struct synth s;

	(void)state;
	synth_begin(&s, 0);
	synth_lose(&s, GRTRACE_FATE_FILTERED_TYPE, 2);
	synth_subbuf(&s, T(10));
	synth_event(&s, GRTRACE_VBLANK, T(11));
	synth_event(&s, GRTRACE_VBLANK, T(12));
	synth_lose(&s, GRTRACE_FATE_BUFFER_FULL, 3);
	synth_lose(&s, GRTRACE_FATE_SAMPLED, 4);
	synth_subbuf(&s, T(20));
	synth_event(&s, GRTRACE_VBLANK, T(21));
	synth_subbuf(&s, T(30));
	synth_lose(&s, GRTRACE_FATE_OVERSIZE, 1);
	synth_end(&s, T(40));
	expect(&s, 1, "def0 def1 0:loss2=2(-1000000000..10) 0:11 0:12 "
	       "0:loss7=4(10..20) 0:loss12=3(12..20) 0:21 0:loss13=1(30..40) ");
}

static void test_nothing_written(void **state)
{
	struct synth s;

	(void)state;
	synth_begin(&s, 2);
	synth_lose(&s, GRTRACE_FATE_FILTERED_TYPE, 9);
	synth_end(&s, T(40));
	expect(&s, 1, "def0 def1 2:loss2=9(-1000000000..40) ");
}

/* The session ran before this trace began: its earlier events do not count as lost. */
static void test_attached(void **state)
{
	struct synth s;

	(void)state;
	synth_begin(&s, 0);
	s.subbufs = 7;
	s.cseq = 1000;
	s.fates.written = 1000;
	s.fates.seen = 1000;
	synth_lose(&s, GRTRACE_FATE_BUFFER_FULL, 50);
	synth_subbuf(&s, T(10));
	synth_event(&s, GRTRACE_VBLANK, T(11));
	synth_lose(&s, GRTRACE_FATE_BUFFER_FULL, 1);
	synth_subbuf(&s, T(20));
	expect(&s, 1, "def0 def1 0:11 0:loss12=1(11..20) ");
}

/* The second file of a rotation: a copy of the account so far, then later records. */
static void test_goes_on(void **state)
{
	struct grtrace_subbuf *copy;
	struct synth s;

	(void)state;
	synth_begin(&s, 0);
	s.cseq = 20;
	s.fates.written = 20;
	s.fates.seen = 20;
	synth_lose(&s, GRTRACE_FATE_FILTERED_TYPE, 7);
	synth_subbuf(&s, T(10));
	copy = synth_find(&s, GRTRACE_SUBBUF, 0);
	assert_int_equal(copy->index, 0);
	synth_lose(&s, GRTRACE_FATE_BUFFER_FULL, 3);
	synth_subbuf(&s, T(20));
	synth_event(&s, GRTRACE_VBLANK, T(21));
	synth_end(&s, T(30));
	expect(&s, 1, "def0 def1 0:loss12=3(10..20) 0:21 ");
}

/* Events were written, but the file lacks them: reported without a made-up reason. */
static void test_gap(void **state)
{
	struct synth s;
	struct text t = { .used = 0 };
	struct reading r;

	(void)state;
	synth_begin(&s, 0);
	synth_subbuf(&s, T(10));
	synth_event(&s, GRTRACE_VBLANK, T(11));
	s.cseq += 5;
	s.fates.written += 5;
	s.fates.seen += 5;
	synth_event(&s, GRTRACE_VBLANK, T(20));
	s.cseq += 2;
	s.fates.written += 2;
	s.fates.seen += 2;
	synth_end(&s, T(30));
	r = read_streams(&s, 1, false, note, &t);
	assert_int_equal(r.err, 0);
	assert_string_equal(t.bytes, "def0 def1 0:11 0:loss0=5(11..20) 0:20 0:loss0=2(20..30) ");
	assert_int_equal(r.warnings, 1);
	assert_int_equal(r.stats.lost[GRTRACE_FATE_WRITTEN], 7);
	synth_free(&s);
}

static void test_joined(void **state)
{
	struct text apart = { .used = 0 }, joined = { .used = 0 };
	struct synth s[3];
	struct reading r;

	(void)state;
	for (int i = 0; i < 3; i++)
		synth_example(&s[i], i);
	r = read_streams(s, 3, false, note, &apart);
	assert_int_equal(r.err, 0);
	assert_int_equal(r.events, 39);
	r = read_streams(s, 3, true, note, &joined);
	assert_int_equal(r.err, 0);
	assert_int_equal(r.stats.ended, 3);
	assert_string_equal(apart.bytes, joined.bytes);
	free_streams(s, 3);
}

/* A CPU that was read in two goes: the second stream goes on where the first ended. */
static void test_two_goes(void **state)
{
	struct synth s[2];

	(void)state;
	synth_begin(&s[1], 0);
	synth_subbuf(&s[1], T(10));
	synth_event(&s[1], GRTRACE_VBLANK, T(11));
	synth_begin(&s[0], 0);
	s[0].cseq = s[1].cseq;
	s[0].fates = s[1].fates;
	s[0].subbufs = 1;
	synth_lose(&s[0], GRTRACE_FATE_BUFFER_FULL, 1);
	synth_subbuf(&s[0], T(20));
	synth_event(&s[0], GRTRACE_VBLANK, T(21));
	synth_end(&s[0], T(21));
	expect(s, 2, "def0 def1 0:11 0:loss12=1(11..20) 0:21 ");
}

/* Streams without an end: what is missing after the last account is unknown. */
static void test_no_end(void **state)
{
	struct synth s[2];

	(void)state;
	synth_begin(&s[0], 0);
	synth_subbuf(&s[0], T(10));
	synth_event(&s[0], GRTRACE_VBLANK, T(11));
	synth_begin(&s[1], 1);
	synth_subbuf(&s[1], T(9));
	synth_event(&s[1], GRTRACE_VBLANK, T(12));
	synth_subbuf(&s[1], T(13));
	synth_event(&s[1], GRTRACE_VBLANK, T(14));
	expect(s, 2, "def0 def1 0:11 1:12 1:14 0:loss0=0(11..14) ");
}

static void test_same_file_twice(void **state)
{
	struct synth s[2];
	struct reading r;

	(void)state;
	synth_example(&s[0], 0);
	synth_example(&s[1], 0);
	r = read_streams(s, 2, false, NULL, NULL);
	assert_int_equal(r.err, 0);
	assert_int_equal(r.events, 13);
	assert_int_equal(r.stats.repeated, 13);
	assert_int_equal(r.stats.lost[GRTRACE_FATE_BUFFER_FULL], 5);
	assert_int_equal(r.warnings, 1);
	free_streams(s, 2);
}

static void test_two_sessions(void **state)
{
	struct synth s[2];
	struct reading r;

	(void)state;
	synth_example(&s[0], 0);
	synth_example(&s[1], 1);
	((struct grtrace_stream_info *)s[1].bytes.data)->session_id++;
	for (int is_joined = 0; is_joined < 2; is_joined++) {
		r = read_streams(s, 2, is_joined, NULL, NULL);
		assert_int_equal(r.err, -EBADMSG);
		assert_non_null(strstr(r.cause, "two sessions"));
	}
	free_streams(s, 2);
}

static void test_newer(void **state)
{
	struct synth s;
	struct reading r;

	(void)state;
	synth_example(&s, 0);
	((struct grtrace_stream_info *)s.bytes.data)->version = GRTRACE_FORMAT_VERSION + 1;
	r = read_streams(&s, 1, false, NULL, NULL);
	assert_int_equal(r.err, -EBADMSG);
	assert_non_null(strstr(r.cause, "format version 2"));
	synth_free(&s);
}

/* Counts that contradict each other: one warning, and reading goes on. */
static void test_odd_fates(void **state)
{
	struct synth s;
	struct reading r;

	(void)state;
	synth_begin(&s, 0);
	synth_subbuf(&s, T(10));
	synth_event(&s, GRTRACE_VBLANK, T(11));
	synth_subbuf(&s, T(20));
	synth_end(&s, T(21));
	r = read_streams(&s, 1, false, NULL, NULL);
	assert_int_equal(r.warnings, 0);
	s.fates.seen++;
	synth_end(&s, T(22));
	synth_end(&s, T(23));
	r = read_streams(&s, 1, false, NULL, NULL);
	assert_int_equal(r.err, 0);
	assert_int_equal(r.warnings, 1);
	assert_non_null(strstr(r.warning, "do not add up"));
	synth_free(&s);
}

/* A later version's records are stepped over and counted; they do not count as lost. */
static void test_unknown(void **state)
{
	struct synth s;
	struct text t = { .used = 0 };
	struct reading r;
	struct grtrace_hdr *hdr;

	(void)state;
	synth_begin(&s, 0);
	synth_subbuf(&s, T(10));
	synth_event(&s, GRTRACE_VBLANK, T(11));
	s.cseq++;
	s.fates.seen++;
	s.fates.written++;
	synth_record(&s, 31, 32, T(12));
	synth_record(&s, 0xff55, 64, T(12));
	/* A known type with fields behind those that we know. */
	s.cseq++;
	s.fates.seen++;
	s.fates.written++;
	hdr = synth_record(&s, GRTRACE_VBLANK, sizeof(struct grtrace_vblank) + 24, T(13));
	memset((char *)hdr + sizeof(struct grtrace_vblank), 0xff, 24);
	synth_end(&s, T(20));
	r = read_streams(&s, 1, false, note, &t);
	assert_int_equal(r.err, 0);
	assert_int_equal(r.warnings, 0);
	assert_string_equal(t.bytes, "def0 def1 0:11 0:13 ");
	assert_int_equal(r.stats.unknown_events, 2);
	synth_free(&s);
}

static void test_backwards(void **state)
{
	struct synth s;
	struct reading r;

	(void)state;
	synth_begin(&s, 0);
	synth_event(&s, GRTRACE_VBLANK, T(20));
	synth_event(&s, GRTRACE_VBLANK, T(10));
	synth_event(&s, GRTRACE_VBLANK, T(30));
	synth_end(&s, T(30));
	r = read_streams(&s, 1, false, NULL, NULL);
	assert_int_equal(r.err, 0);
	assert_int_equal(r.events, 3);
	assert_int_equal(r.stats.backwards, 1);
	assert_int_equal(r.warnings, 1);
	synth_free(&s);
}

/* Every prefix of a raw stream gives its whole records, and a warning for a cut one. */
static void test_every_prefix(void **state)
{
	struct synth s;
	struct reading r;
	uint64_t events = 0;

	(void)state;
	synth_example(&s, 0);
	for (size_t bytes = 0; bytes <= s.bytes.bytes; bytes++) {
		r = reading_bytes(s.bytes.data, bytes, NULL, NULL);
		if (bytes < sizeof(struct grtrace_stream_info)) {
			assert_int_equal(r.err, -EBADMSG);
			continue;
		}
		assert_int_equal(r.err, 0);
		assert_true(r.events >= events);
		events = r.events;
		assert_int_equal(r.warnings, bytes < s.bytes.bytes);
	}
	assert_int_equal(events, 13);
	synth_free(&s);
}

/* A damaged stream among joined streams does not harm the others. */
static void test_damaged_middle(void **state)
{
	struct synth s[3];
	struct reading r;

	(void)state;
	for (int i = 0; i < 3; i++)
		synth_example(&s[i], i);
	/* The size of the record behind STREAM_INFO. */
	((struct grtrace_stream_info *)s[1].bytes.data)[1].hdr.size = 3;
	r = read_streams(s, 3, true, NULL, NULL);
	assert_int_equal(r.err, 0);
	assert_int_equal(r.events, 26);
	assert_int_equal(r.warnings, 1);
	assert_non_null(strstr(r.warning, "corrupt at byte"));
	free_streams(s, 3);
}

/* CPU 1 begins a second after CPU 0, and not with its first sub-buffer. */
static unsigned int warnings_of_late(uint64_t flags)
{
	struct grt_file_header header = { .flags = flags, .session_id = SYNTH_SESSION };
	char *path = strdup(reading_path("late.grt"));
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	struct grt_writer *w;
	struct reading r;

	assert_int_equal(grt_writer_begin(&w, fd, path, &header), 0);
	for (int cpu = 0; cpu < 2; cpu++) {
		struct synth s;

		synth_begin(&s, cpu);
		s.subbufs = 7;
		s.cseq = s.fates.written = s.fates.seen = 1000;
		synth_subbuf(&s, T(10 + cpu * 1000000000));
		synth_event(&s, GRTRACE_VBLANK, T(11 + cpu * 1000000000));
		synth_end(&s, T(2000000000));
		assert_int_equal(synth_write(w, &s), 0);
		synth_free(&s);
	}
	assert_int_equal(grt_writer_close(w), 0);
	close(fd);
	r = reading_files(1, &path, NULL, NULL);
	assert_int_equal(r.err, 0);
	assert_int_equal(r.events, 2);
	free(path);
	return r.warnings;
}

/* Only the file that should hold the missing events causes a warning. */
static void test_late(void **state)
{
	(void)state;
	assert_int_equal(warnings_of_late(0), 1);
	assert_int_equal(warnings_of_late(GRT_FILE_GOES_ON), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_ties),
		cmocka_unit_test(test_definitions),
		cmocka_unit_test(test_loss),
		cmocka_unit_test(test_nothing_written),
		cmocka_unit_test(test_attached),
		cmocka_unit_test(test_goes_on),
		cmocka_unit_test(test_gap),
		cmocka_unit_test(test_joined),
		cmocka_unit_test(test_two_goes),
		cmocka_unit_test(test_no_end),
		cmocka_unit_test(test_same_file_twice),
		cmocka_unit_test(test_two_sessions),
		cmocka_unit_test(test_newer),
		cmocka_unit_test(test_odd_fates),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_backwards),
		cmocka_unit_test(test_every_prefix),
		cmocka_unit_test(test_damaged_middle),
		cmocka_unit_test(test_late),
	};

	return cmocka_run_group_tests_name("stream", tests, NULL, NULL);
}
