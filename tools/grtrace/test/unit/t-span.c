// SPDX-License-Identifier: GPL-2.0
/*
 * A stream with a span of time leaves most of a file unread.  It gives the same as a stream
 * without a span: every event of the span and every loss, in the same order.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include <cmocka.h>

#include "cursor.h"
#include "input.h"
#include "source.h"
#include "stream.h"
#include "synth.h"
#include "vec.h"
#include "writer.h"

#define CPUS	3
#define SUBBUFS	120
#define JOBS	4		/* in a sub-buffer */
#define STEP_NS	10000
#define END_NS	(SYNTH_START + SUBBUFS * JOBS * STEP_NS)

/* Oddities that a file may have. */
enum odd {
	LOST	= 1 << 0,	/* events, between some sub-buffers */
	MISSING	= 1 << 1,	/* a chunk of the file */
	MIXED	= 1 << 2,	/* definitions and a POLICY within the data */
	LONG	= 1 << 3,	/* sub-buffers of several chunks */
	RAW	= 1 << 4,	/* no .grt */
	FOREIGN	= 1 << 5,	/* chunks without the mark for plain ones */
};

static uint64_t seed;

static uint32_t chance(uint32_t n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % n;
}

/* One sub-buffer as one chunk, whatever is in it. */
static void put_chunk(struct grt_writer *w, struct synth *s, unsigned int odd, bool is_plain)
{
	struct grt_cursor c = grt_cursor(s->bytes.data, s->bytes.bytes);
	struct grt_run run = { .data = s->bytes.data, .bytes = s->bytes.bytes };
	const struct grtrace_hdr *hdr;

	run.first_ts = ((const struct grtrace_hdr *)run.data)->ts;
	while ((hdr = grt_take_record(&c))) {
		run.last_ts = hdr->ts;
		run.events += hdr->type < GRTRACE_STREAM_BASE;
	}
	run.is_plain = is_plain && !(odd & FOREIGN);
	assert_int_equal(grt_writer_run(w, s->cpu, &run), 0);
	s->bytes.bytes = 0;
}

static void put(struct grt_writer *w, struct synth *s, unsigned int odd, bool is_plain)
{
	if (!w || !s->bytes.bytes)
		return;
	if (is_plain && odd & MISSING && !chance(40))
		s->bytes.bytes = 0;
	else
		put_chunk(w, s, odd, is_plain);
}

static void fill(struct synth *s, struct grt_writer *w, unsigned int odd, int n)
{
	uint64_t ns = SYNTH_START + 100 + s->cpu + (uint64_t)n * JOBS * STEP_NS;
	bool is_plain = true;

	if (odd & LOST && !chance(8))
		synth_lose(s, chance(2) ? GRTRACE_FATE_BUFFER_FULL : GRTRACE_FATE_SAMPLED, 1 + chance(9));
	if (!(odd & LONG) || !chance(3))
		synth_subbuf(s, ns);
	for (int i = 0; i < JOBS; i++)
		synth_job(s, 1 + s->cpu, n * JOBS + i, 1, 100, ns + i * STEP_NS);
	if (odd & MIXED && !chance(10)) {
		synth_process(s, 200 + n, "late", s->last_ns);
		is_plain = false;
	}
	if (odd & MIXED && !chance(10)) {
		synth_record(s, GRTRACE_POLICY, sizeof(struct grtrace_policy) + 8, s->last_ns);
		is_plain = false;
	}
	put(w, s, odd, is_plain);
}

static void make_file(const char *path, unsigned int odd)
{
	struct grt_file_header header = { .session_id = SYNTH_SESSION, .start_ns = SYNTH_START };
	struct synth s[CPUS];
	struct grt_writer *w = NULL;
	FILE *out = NULL;

	if (odd & RAW)
		out = fopen(path, "w");
	else
		assert_int_equal(grt_writer_create(&w, path, &header, geteuid(), getegid()), 0);
	for (int cpu = 0; cpu < CPUS; cpu++) {
		synth_begin(&s[cpu], cpu);
		synth_ring(&s[cpu], 1, "gfx", SYNTH_START);
		synth_process(&s[cpu], 100, "game", SYNTH_START);
		if (w)
			assert_int_equal(synth_write(w, &s[cpu]), 0);
	}
	for (int n = 0; n < SUBBUFS; n++)
		for (int cpu = 0; cpu < CPUS; cpu++)
			fill(&s[cpu], w, odd, n);
	for (int cpu = 0; cpu < CPUS; cpu++) {
		synth_end(&s[cpu], END_NS + 100000);
		put(w, &s[cpu], odd & ~MISSING, true);
		if (out)
			fwrite(s[cpu].bytes.data, 1, s[cpu].bytes.bytes, out);
		synth_free(&s[cpu]);
	}
	if (w)
		assert_int_equal(grt_writer_close(w), 0);
	else
		assert_int_equal(fclose(out), 0);
}

static bool is_wanted(const struct grtrace_hdr *rec, uint64_t from_ns, uint64_t to_ns)
{
	return rec->type >= GRTRACE_STREAM_BASE || (rec->ts >= from_ns && rec->ts < to_ns);
}

/* Returns hashes of the wanted records, and the number of all events in *events. */
static struct grt_vec read_stream(struct grt_stream *stream, uint64_t from_ns, uint64_t to_ns,
				  bool is_all, uint64_t *events)
{
	const struct grtrace_hdr *rec;
	struct grt_vec hashes = { 0 };
	bool has_span = is_all;
	uint64_t hash;
	int got;

	while ((got = grt_stream_next(stream, &rec)) == 1) {
		hash = XXH64(rec, rec->size, 0);
		if (is_wanted(rec, from_ns, to_ns) && grt_vec_append(&hashes, &hash, sizeof(hash)))
			abort();
		if (!has_span && rec->type < GRTRACE_NR_EVENTS) {
			grt_stream_set_span(stream, from_ns, to_ns);
			has_span = true;
		}
	}
	assert_int_equal(got, 0);
	*events = grt_stream_stats(stream)->events;
	return hashes;
}

static struct grt_stream *open_file(const char *path)
{
	struct grt_stream *stream;
	struct grt_input *in;

	assert_int_equal(grt_source_open(&in, 1, &(char *){ (char *)path }, 0), 0);
	assert_int_equal(grt_stream_open(&stream, in), 0);
	return stream;
}

static struct grt_vec read_file(const char *path, uint64_t from_ns, uint64_t to_ns, bool is_all,
				uint64_t *events)
{
	struct grt_stream *stream = open_file(path);
	struct grt_vec hashes = read_stream(stream, from_ns, to_ns, is_all, events);

	grt_stream_close(stream);
	return hashes;
}

/* Wherever the first reading stopped, the second one gives all, as @all of a new stream. */
static void check_rewind(const char *path, uint64_t from_ns, uint64_t to_ns,
			 const struct grt_vec *all, uint64_t events)
{
	struct grt_stream *stream = open_file(path);
	const struct grtrace_hdr *rec;
	struct grt_vec again;
	uint64_t more;

	grt_stream_set_span(stream, from_ns, to_ns);
	for (int n = chance(3 * SUBBUFS * JOBS); n && grt_stream_next(stream, &rec) == 1; n--)
		;
	assert_int_equal(grt_stream_rewind(stream), 0);
	again = read_stream(stream, from_ns, to_ns, true, &more);
	assert_int_equal(more, events);
	assert_int_equal(again.bytes, all->bytes);
	assert_memory_equal(again.data, all->data, all->bytes);
	grt_vec_free(&again);
	grt_stream_close(stream);
}

static void test_odd(unsigned int odd, uint64_t *given, uint64_t *all)
{
	static const char path[] = "span";
	struct grt_vec a, b;
	uint64_t from_ns, to_ns, some, every;

	make_file(path, odd);
	for (int i = 0; i < 12; i++) {
		from_ns = SYNTH_START + chance(SUBBUFS * JOBS) * (uint64_t)STEP_NS;
		to_ns = i % 4 ? from_ns + chance(20) * STEP_NS : UINT64_MAX;
		if (i % 3 == 2)
			from_ns = 0;
		a = read_file(path, from_ns, to_ns, true, &every);
		b = read_file(path, from_ns, to_ns, false, &some);
		assert_int_equal(a.bytes, b.bytes);
		assert_memory_equal(a.data, b.data, a.bytes);
		check_rewind(path, from_ns, to_ns, &a, every);
		grt_vec_free(&a);
		grt_vec_free(&b);
		*given += some;
		*all += every;
	}
	unlink(path);
}

static void test_same(void **state)
{
	unsigned int odd = (uintptr_t)*state;
	uint64_t given = 0, all = 0;

	for (uint64_t n = 1; n <= 8; n++) {
		seed = n;
		test_odd(odd, &given, &all);
	}
	printf("# %llu of %llu events were read\n", (unsigned long long)given,
	       (unsigned long long)all);
	/* A chunk that may hold anything is read, and these raw streams are one piece each. */
	if (odd & FOREIGN)
		assert_int_equal(given, all);
	else if (!(odd & RAW))
		assert_true(given < all * 9 / 10);
}

static void close_nothing(struct grt_input *in)
{
	(void)in;
}

/* An input that cannot begin again says so, as a live session does. */
static void test_only_once(void **state)
{
	static const struct grt_input_ops ops = { .close = close_nothing };
	struct grt_input in = { .ops = &ops, .info = { .name = "once", .is_live = true } };
	struct grt_stream *stream;

	(void)state;
	assert_int_equal(grt_stream_open(&stream, &in), 0);
	assert_int_equal(grt_stream_rewind(stream), -ESPIPE);
	grt_stream_close(stream);
}

static void test_reads_little(void **state)
{
	uint64_t events;
	struct grt_vec hashes;

	(void)state;
	seed = 1;
	make_file("span", 0);
	hashes = read_file("span", SYNTH_START, SYNTH_START + 1, false, &events);
	/* The first and the last sub-buffer of each CPU, whose last has the STREAM_END alone. */
	assert_true(events <= 2 * CPUS * JOBS * 4);
	grt_vec_free(&hashes);
	unlink("span");
}

int main(void)
{
	static const struct {
		const char *name;
		uintptr_t odd;
	} files[] = {
		{ "nothing odd", 0 }, { "losses", LOST }, { "missing chunks", MISSING | LOST },
		{ "definitions in data", MIXED }, { "long sub-buffers", LONG | LOST },
		{ "raw streams", RAW | LOST }, { "raw, definitions amid", RAW | MIXED },
		{ "chunks of others", FOREIGN | LOST | MIXED }, { "all", LOST | MISSING | MIXED | LONG },
	};
	struct CMUnitTest tests[sizeof(files) / sizeof(files[0]) + 2];
	char dir[] = "/tmp/grtrace-span.XXXXXX";
	int failed;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		tests[i] = (struct CMUnitTest){
			.name = files[i].name, .test_func = test_same,
			.initial_state = (void *)files[i].odd,
		};
	tests[sizeof(files) / sizeof(files[0])] =
		(struct CMUnitTest)cmocka_unit_test(test_reads_little);
	tests[sizeof(files) / sizeof(files[0]) + 1] =
		(struct CMUnitTest)cmocka_unit_test(test_only_once);
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	failed = cmocka_run_group_tests_name("span", tests, NULL, NULL);
	rmdir(dir);
	return failed;
}
