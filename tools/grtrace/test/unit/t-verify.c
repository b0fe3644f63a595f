// SPDX-License-Identifier: GPL-2.0
/* Plants each kind of violation: just the check for it fails, and no other. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cursor.h"
#include "error.h"
#include "reading.h"
#include "synth.h"
#include "verify.h"
#include "writer.h"

#define CPUS	2
#define T(ns)	(SYNTH_START + (ns))
#define BIT(n)	(1u << (n))

struct trace {
	struct synth cpu[CPUS];
	uint64_t gseq;
};

/* Times and gseq that interleave; sub-buffers, losses, an end. */
static void make_trace(struct trace *t)
{
	t->gseq = 0;
	for (int i = 0; i < CPUS; i++) {
		struct synth *s = &t->cpu[i];
		struct grtrace_stream_info *info;

		synth_begin(s, i);
		info = s->bytes.data;
		info->features |= 1u << GRTRACE_FEATURE_GLOBAL_SEQ;
		s->gseq = &t->gseq;
		synth_ring(s, 1, "gfx", T(0));
		synth_process(s, 100, "game", T(0));
		synth_subbuf(s, T(10));
	}
	for (int i = 0; i < 12; i++) {
		struct synth *s = &t->cpu[i % CPUS];

		if (i == 6 || i == 7) {
			synth_lose(s, GRTRACE_FATE_BUFFER_FULL, 3);
			synth_subbuf(s, T(100 + 10000000ull * i - 50));
		}
		synth_job(s, 7 + i % CPUS, i, 1, 100, T(100 + 10000000ull * i));
	}
	for (int i = 0; i < CPUS; i++)
		synth_end(&t->cpu[i], T(200000000));
}

static void free_trace(struct trace *t)
{
	for (int i = 0; i < CPUS; i++)
		synth_free(&t->cpu[i]);
}

static struct grtrace_submit *submit(struct trace *t, int cpu, unsigned int nth)
{
	return synth_find(&t->cpu[cpu], GRTRACE_SUBMIT, nth);
}

static struct grtrace_subbuf *subbuf(struct trace *t, int cpu, unsigned int nth)
{
	return synth_find(&t->cpu[cpu], GRTRACE_SUBBUF, nth);
}

static struct grtrace_stream_end *end_of(struct trace *t, int cpu)
{
	return synth_find(&t->cpu[cpu], GRTRACE_STREAM_END, 0);
}

/* Removes a record, and changes nothing else. */
static void cut_out(struct synth *s, struct grtrace_hdr *hdr)
{
	char *end = (char *)s->bytes.data + s->bytes.bytes, *at = (char *)hdr;
	uint16_t bytes = hdr->size;

	memmove(at, at + bytes, end - at - bytes);
	s->bytes.bytes -= bytes;
}

static void no_change(struct trace *t) { (void)t; }
static void bad_size(struct trace *t) { submit(t, 0, 1)->hdr.size = 20; }
static void cut_end(struct trace *t) { t->cpu[1].bytes.bytes -= 8; }
static void other_cpu(struct trace *t) { submit(t, 1, 2)->hdr.cpu = 9; }
static void other_session(struct trace *t) { subbuf(t, 0, 1)->session_id = 5; }
static void other_start(struct trace *t)
{
	struct grtrace_stream_info *info = synth_find(&t->cpu[1], GRTRACE_STREAM_INFO, 0);

	info->start_ns++;
}

static void time_back(struct trace *t) { submit(t, 0, 2)->hdr.ts = T(20); }
static void cseq_gap(struct trace *t)
{
	struct grtrace_submit *s = submit(t, 0, 2);
	struct synth *cpu = &t->cpu[0];

	/* All events behind it, so that it is one gap; the accounts agree. */
	for (size_t at = (char *)s - (char *)cpu->bytes.data; at < cpu->bytes.bytes; ) {
		struct grtrace_hdr *hdr = (void *)((char *)cpu->bytes.data + at);

		hdr->cseq += 2;
		at += hdr->size;
	}
	subbuf(t, 0, 1)->fates.written += 2;
	subbuf(t, 0, 1)->fates.seen += 2;
	end_of(t, 0)->fates.written += 2;
	end_of(t, 0)->fates.seen += 2;
	end_of(t, 0)->last_cseq += 2;
}

static void event_lost(struct trace *t) { cut_out(&t->cpu[0], &submit(t, 0, 2)->hdr); }
static void cseq_repeat(struct trace *t) { submit(t, 0, 2)->hdr.cseq--; }
static void gseq_zero(struct trace *t) { submit(t, 0, 0)->hdr.gseq = 0; }
static void gseq_repeat(struct trace *t)
{
	submit(t, 1, 1)->hdr.gseq = ((struct grtrace_hdr *)synth_find(&t->cpu[0], GRTRACE_COMPLETE, 1))->gseq;
}

static void gseq_gap(struct trace *t)
{
	for (int cpu = 0; cpu < CPUS; cpu++)
		for (size_t at = 0; at < t->cpu[cpu].bytes.bytes; ) {
			struct grtrace_hdr *hdr = (void *)((char *)t->cpu[cpu].bytes.data + at);

			hdr->gseq += hdr->gseq > 20;
			at += hdr->size;
		}
}

/* Two jobs of two CPUs change places: still one gseq each, but not in time. */
static void gseq_order(struct trace *t)
{
	static const uint16_t types[] = { GRTRACE_SUBMIT, GRTRACE_COMMIT, GRTRACE_END, GRTRACE_COMPLETE };

	for (int i = 0; i < 4; i++) {
		struct grtrace_hdr *a = synth_find(&t->cpu[0], types[i], 2);
		struct grtrace_hdr *b = synth_find(&t->cpu[1], types[i], 2);
		uint64_t gseq = a->gseq;

		a->gseq = b->gseq;
		b->gseq = gseq;
	}
}

/* The second stream is of the recorder: numbered behind the only CPU, without gseq. */
static void recorder(struct trace *t)
{
	for (int cpu = 0; cpu < CPUS; cpu++) {
		((struct grtrace_stream_info *)t->cpu[cpu].bytes.data)->cpus = 1;
		for (size_t at = 0; at < t->cpu[cpu].bytes.bytes; ) {
			struct grtrace_hdr *hdr = (void *)((char *)t->cpu[cpu].bytes.data + at);

			if (hdr->type < GRTRACE_STREAM_BASE)
				hdr->gseq = cpu ? 0 : hdr->cseq;
			at += hdr->size;
		}
	}
}

static void subbuf_gap(struct trace *t) { subbuf(t, 1, 1)->index = 2; }
static void subbuf_long(struct trace *t)
{
	for (int i = 0; i < CPUS; i++)
		((struct grtrace_stream_info *)t->cpu[i].bytes.data)->subbuf_bytes = 900;
}

static void no_subbuf(struct trace *t) { cut_out(&t->cpu[1], &subbuf(t, 1, 0)->hdr); }
static void fates_sum(struct trace *t) { subbuf(t, 0, 1)->fates.seen++; }
static void fates_fall(struct trace *t)
{
	end_of(t, 0)->fates.buffer_full--;
	end_of(t, 0)->fates.seen--;
}

static void not_written(struct trace *t)
{
	end_of(t, 1)->fates.written++;
	end_of(t, 1)->fates.seen++;
}

static void end_wrong(struct trace *t) { end_of(t, 1)->last_cseq--; }
static void behind_end(struct trace *t)
{
	synth_record(&t->cpu[0], 0xff77, sizeof(struct grtrace_hdr), T(300000000));
}

static void no_ring(struct trace *t)
{
	submit(t, 0, 1)->ring = 44;
	submit(t, 1, 1)->ring = 33;
}

static void timeless_job(struct trace *t)
{
	cut_out(&t->cpu[0], &end_of(t, 0)->hdr);
	synth_event(&t->cpu[0], GRTRACE_JOB, T(150000000));
	synth_end(&t->cpu[0], T(200000000));
}

static void no_name(struct trace *t) { submit(t, 1, 1)->tgid = 7777; }

static const struct plant {
	const char *name;
	void (*change)(struct trace *t);
	uint32_t failed;	/* bit per check that fails */
	enum grt_check_id id;	/* the check that says @words */
	const char *words;
} plants[] = {
	{ "nothing", no_change, 0, 0, "" },
	{ "a record whose size is none", bad_size,
	  BIT(GRT_CHECK_RECORDS), GRT_CHECK_RECORDS, "type 0 cannot have 20 bytes" },
	{ "a file that ends within a record", cut_end, BIT(GRT_CHECK_RECORDS), GRT_CHECK_RECORDS,
	  "ends within a record" },
	{ "a record of another CPU", other_cpu, BIT(GRT_CHECK_CPU), GRT_CHECK_CPU,
	  "a record of CPU 9 in the stream of CPU 1" },
	{ "another session", other_session, BIT(GRT_CHECK_SESSION), GRT_CHECK_SESSION,
	  "SUBBUF of session 5" },
	{ "another start", other_start, BIT(GRT_CHECK_SESSION), GRT_CHECK_SESSION, "began at 1000000001 ns" },
	{ "time that runs back", time_back, BIT(GRT_CHECK_TIME) | BIT(GRT_CHECK_ORDER),
	  GRT_CHECK_TIME, "1000000020 ns comes after 1020006100 ns on CPU 0" },
	{ "a gap in cseq", cseq_gap, BIT(GRT_CHECK_CSEQ) | BIT(GRT_CHECK_WRITTEN), GRT_CHECK_CSEQ,
	  "event 11 of CPU 0 comes after 8" },
	{ "an event that is gone", event_lost,
	  BIT(GRT_CHECK_CSEQ) | BIT(GRT_CHECK_GSEQ) | BIT(GRT_CHECK_WRITTEN), GRT_CHECK_GSEQ,
	  "1 number is missing before 18" },
	{ "a cseq used twice", cseq_repeat, BIT(GRT_CHECK_CSEQ), GRT_CHECK_CSEQ,
	  "event 8 of CPU 0 comes after 8" },
	{ "no gseq", gseq_zero, BIT(GRT_CHECK_GSEQ), GRT_CHECK_GSEQ, "an event of CPU 0 has no gseq" },
	{ "a gseq used twice", gseq_repeat, BIT(GRT_CHECK_GSEQ), GRT_CHECK_GSEQ, "" },
	{ "a gap in gseq", gseq_gap, BIT(GRT_CHECK_GSEQ), GRT_CHECK_GSEQ, "1 number is missing before 22" },
	{ "a recorder that has no gseq", recorder, 0, 0, "" },
	{ "gseq against time", gseq_order, BIT(GRT_CHECK_ORDER), GRT_CHECK_ORDER, "comes after an event of" },
	{ "a gap in the sub-buffers", subbuf_gap, BIT(GRT_CHECK_SUBBUFS), GRT_CHECK_SUBBUFS,
	  "sub-buffer 2 comes after 0" },
	{ "a sub-buffer that is too long", subbuf_long, BIT(GRT_CHECK_SUBBUFS), GRT_CHECK_SUBBUFS,
	  "allowed are 900" },
	{ "events without a sub-buffer", no_subbuf, BIT(GRT_CHECK_SUBBUFS), GRT_CHECK_SUBBUFS,
	  "before any SUBBUF" },
	{ "fates that do not sum to seen", fates_sum, BIT(GRT_CHECK_FATES), GRT_CHECK_FATES,
	  "seen is 16, the fates sum to 15" },
	{ "a fate that falls", fates_fall, BIT(GRT_CHECK_GROWTH), GRT_CHECK_GROWTH,
	  "BUFFER_FULL falls from 3 to 2" },
	{ "fewer events than were written", not_written, BIT(GRT_CHECK_WRITTEN), GRT_CHECK_WRITTEN,
	  "written is 25, the last cseq 24" },
	{ "an end that names another event", end_wrong, BIT(GRT_CHECK_END) | BIT(GRT_CHECK_WRITTEN),
	  GRT_CHECK_END, "names event 23 as the last, but it is 24" },
	{ "a record behind the end", behind_end, BIT(GRT_CHECK_END), GRT_CHECK_END,
	  "after its STREAM_END" },
	{ "rings without a definition", no_ring, BIT(GRT_CHECK_RINGS), GRT_CHECK_RINGS, "ring 33 is used" },
	{ "a process without a name", no_name, BIT(GRT_CHECK_PROCESSES), GRT_CHECK_PROCESSES,
	  "process 7777 is used" },
	{ "a JOB without a time", timeless_job, BIT(GRT_CHECK_JOBS), GRT_CHECK_JOBS, "job 0:0 has no time" },
};

static uint32_t failed_checks(const struct grt_verify *v)
{
	uint32_t failed = 0;

	for (int i = 0; i < GRT_NR_CHECKS; i++)
		failed |= grt_verify_check(v, i)->violations ? BIT(i) : 0;
	return failed;
}

static void expect(const struct plant *p, struct grt_verify *v)
{
	if (failed_checks(v) != p->failed || !strstr(grt_verify_check(v, p->id)->first, p->words)) {
		print_error("%s: failed 0x%x, not 0x%x; '%s'\n", p->name, failed_checks(v),
			    p->failed, grt_verify_check(v, p->id)->first);
		fail();
	}
	grt_verify_free(v);
}

static void test_raw(void **state)
{
	struct grt_verify *v;
	char *paths[CPUS];
	struct trace t;

	(void)state;
	for (size_t i = 0; i < sizeof(plants) / sizeof(plants[0]); i++) {
		make_trace(&t);
		plants[i].change(&t);
		for (int cpu = 0; cpu < CPUS; cpu++) {
			paths[cpu] = strdup(reading_path(cpu ? "events1" : "events0"));
			reading_write(paths[cpu], t.cpu[cpu].bytes.data, t.cpu[cpu].bytes.bytes);
		}
		assert_int_equal(grt_verify_files(&v, CPUS, paths, 1000), 0);
		expect(&plants[i], v);
		for (int cpu = 0; cpu < CPUS; cpu++)
			free(paths[cpu]);
		free_trace(&t);
	}
}

/* --- the same trace as a .grt, of which bytes are changed ----------------------- */

struct grt {
	char path[128];
	uint8_t bytes[65536];
	size_t size;
};

static void write_cpu(struct grt_writer *w, struct synth *s)
{
	struct grt_cursor c = grt_cursor(s->bytes.data, s->bytes.bytes);
	struct grt_run run;

	while (grt_next_run(&c, 4096, &run))
		assert_int_equal(grt_writer_run(w, s->cpu, &run), 0);
}

/* A watermark of @watermark_ns stands between the CPUs. */
static void make_grt(struct grt *g, struct trace *t, const char *name, uint64_t watermark_ns)
{
	struct grt_file_header header = { .start_ns = SYNTH_START };
	struct grt_writer *w;
	FILE *in;

	snprintf(g->path, sizeof(g->path), "%s", reading_path(name));
	assert_int_equal(grt_writer_create(&w, g->path, &header, geteuid(), getegid()), 0);
	write_cpu(w, &t->cpu[0]);
	assert_int_equal(grt_writer_watermark(w, watermark_ns), 0);
	write_cpu(w, &t->cpu[1]);
	assert_int_equal(grt_writer_close(w), 0);
	in = fopen(g->path, "r");
	assert_non_null(in);
	g->size = fread(g->bytes, 1, sizeof(g->bytes), in);
	fclose(in);
}

static struct grt_verify *verify_grt(const struct grt *g)
{
	char *path = (char *)g->path;
	struct grt_verify *v;

	reading_write(g->path, g->bytes, g->size);
	assert_int_equal(grt_verify_files(&v, 1, &path, 1000), 0);
	return v;
}

/* The first chunk of a kind. */
static struct grt_file_chunk *chunk(struct grt *g, uint16_t kind)
{
	size_t at = sizeof(struct grt_file_header);

	while (at < g->size) {
		struct grt_file_chunk *c = (void *)(g->bytes + at);

		assert_int_equal(c->magic, GRT_CHUNK_MAGIC);
		if (c->kind == kind)
			return c;
		at += sizeof(*c) + c->bytes;
	}
	fail();
	return NULL;
}

static void grt_nothing(struct grt *g) { (void)g; }
static void grt_cut(struct grt *g) { g->size -= sizeof(struct grt_file_trailer); }
static void grt_cut_chunk(struct grt *g) { g->size -= sizeof(struct grt_file_trailer) + 8; }
static void grt_bad_payload(struct grt *g) { ((uint8_t *)(chunk(g, GRT_CHUNK_DEFS) + 1))[200] ^= 1; }
static void grt_bad_header(struct grt *g) { chunk(g, GRT_CHUNK_WATERMARK)->cpu ^= 1; }
static void grt_bad_trailer(struct grt *g) { g->bytes[g->size - 10] ^= 1; }
static void grt_extra(struct grt *g)
{
	memmove(g->bytes + g->size - 32 + 16, g->bytes + g->size - 32, 32);
	memset(g->bytes + g->size - 32, 0, 16);
	g->size += 16;
}

static const struct grt_plant {
	const char *name;
	void (*change)(struct grt *g);
	struct plant plant;
} grt_plants[] = {
	{ "nothing", grt_nothing, { .words = "" } },
	{ "cut within a chunk", grt_cut_chunk,
	  { "cut within a chunk", NULL, BIT(GRT_CHECK_CLOSED), GRT_CHECK_CLOSED, "no trailer" } },
	{ "no trailer", grt_cut,
	  { "no trailer", NULL, BIT(GRT_CHECK_CLOSED), GRT_CHECK_CLOSED, "no trailer" } },
	{ "a bad trailer", grt_bad_trailer,
	  { "a bad trailer", NULL, BIT(GRT_CHECK_CLOSED) | BIT(GRT_CHECK_CHECKSUMS), GRT_CHECK_CLOSED,
	    "no trailer" } },
	{ "a bad payload", grt_bad_payload,
	  { "a bad payload", NULL, BIT(GRT_CHECK_CHECKSUMS), GRT_CHECK_CHECKSUMS,
	    "payload of a chunk does not fit" } },
	{ "a bad header", grt_bad_header,
	  { "a bad header", NULL, BIT(GRT_CHECK_CHECKSUMS) | BIT(GRT_CHECK_INDEX), GRT_CHECK_CHECKSUMS,
	    "64 bytes that are no chunk" } },
	{ "bytes before the trailer", grt_extra,
	  { "bytes", NULL, BIT(GRT_CHECK_CHECKSUMS), GRT_CHECK_CHECKSUMS, "16 bytes that are no chunk" } },
};

static void test_grt(void **state)
{
	struct trace t;
	struct grt g;

	(void)state;
	for (size_t i = 0; i < sizeof(grt_plants) / sizeof(grt_plants[0]); i++) {
		make_trace(&t);
		make_grt(&g, &t, "plant.grt", T(50));
		grt_plants[i].change(&g);
		expect(&grt_plants[i].plant, verify_grt(&g));
		free_trace(&t);
	}
}

/* A writer with wrong chunk headers and right checksums. */
static void test_chunk_headers(void **state)
{
	static const struct plant wrong_run = {
		"a wrong count", NULL, BIT(GRT_CHECK_CHUNKS) | BIT(GRT_CHECK_INDEX), GRT_CHECK_CHUNKS,
		"the chunk says 1 event, it has 24",
	};
	struct grt_file_header header = { .start_ns = SYNTH_START };
	struct grt_cursor c;
	struct grt_verify *v;
	struct grt_writer *w;
	struct grt_run run;
	struct trace t;
	char *path;

	(void)state;
	make_trace(&t);
	path = strdup(reading_path("run.grt"));
	assert_int_equal(grt_writer_create(&w, path, &header, geteuid(), getegid()), 0);
	write_cpu(w, &t.cpu[1]);
	c = grt_cursor(t.cpu[0].bytes.data, t.cpu[0].bytes.bytes);
	while (grt_next_run(&c, GRT_CHUNK_GOAL_BYTES, &run)) {
		if (run.events)
			run.events = 1;
		assert_int_equal(grt_writer_run(w, 0, &run), 0);
	}
	assert_int_equal(grt_writer_close(w), 0);
	assert_int_equal(grt_verify_files(&v, 1, &path, 1000), 0);
	expect(&wrong_run, v);
	free(path);
	free_trace(&t);
}

static void test_watermark(void **state)
{
	static const struct plant wrong = {
		"a watermark above events", NULL, BIT(GRT_CHECK_WATERMARKS), GRT_CHECK_WATERMARKS,
		"an event of 1010000100 ns below the watermark of 1010000200 ns",
	};
	struct trace t;
	struct grt g;

	(void)state;
	make_trace(&t);
	make_grt(&g, &t, "watermark.grt", T(10000200));
	expect(&wrong, verify_grt(&g));
	free_trace(&t);
}

/* A part of a session: events outside the part do not count as missing. */
static void test_part(void **state)
{
	static const struct plant good = { .name = "a part", .words = "" };
	struct grtrace_hdr *from;
	struct grt_verify *v;
	char *paths[CPUS];
	struct trace t;

	(void)state;
	make_trace(&t);
	for (int cpu = 0; cpu < CPUS; cpu++) {
		struct synth *s = &t.cpu[cpu];

		/* Without the first sub-buffer and without the end. */
		cut_out(s, &subbuf(&t, cpu, 0)->hdr);
		from = synth_find(s, GRTRACE_SUBMIT, 0);
		while (from->type != GRTRACE_SUBBUF)
			cut_out(s, from);
		s->bytes.bytes = (char *)end_of(&t, cpu) - (char *)s->bytes.data;
		paths[cpu] = strdup(reading_path(cpu ? "part1" : "part0"));
	}
	/* CPU 1 was cut earlier, at a record: later events of CPU 0 may lack events of CPU 1. */
	t.cpu[1].bytes.bytes = (char *)synth_find(&t.cpu[1], GRTRACE_COMPLETE, 1) -
			       (char *)t.cpu[1].bytes.data;
	for (int cpu = 0; cpu < CPUS; cpu++)
		reading_write(paths[cpu], t.cpu[cpu].bytes.data, t.cpu[cpu].bytes.bytes);
	assert_int_equal(grt_verify_files(&v, CPUS, paths, 1000), 0);
	assert_int_equal(grt_verify_sums(v).events, 12 + 7);
	expect(&good, v);
	for (int cpu = 0; cpu < CPUS; cpu++)
		free(paths[cpu]);
	free_trace(&t);
}

static void test_no_trace(void **state)
{
	char *path = strdup(reading_path("zeros"));
	static const char zeros[4000];
	struct grt_verify *v;
	struct trace t;
	struct grt g;

	(void)state;
	reading_write(path, zeros, sizeof(zeros));
	assert_int_equal(grt_verify_files(&v, 1, &path, 0), -EBADMSG);
	reading_write(path, "", 0);
	assert_int_equal(grt_verify_files(&v, 1, &path, 0), -EBADMSG);
	free(path);
	make_trace(&t);
	((struct grtrace_stream_info *)t.cpu[0].bytes.data)->version = GRTRACE_FORMAT_VERSION + 1;
	make_grt(&g, &t, "newer.grt", 0);
	path = g.path;
	assert_int_equal(grt_verify_files(&v, 1, &path, 0), -EBADMSG);
	assert_non_null(strstr(grt_cause(), "format version 2, this grtrace ("));
	free_trace(&t);
}

/* Any byte changed: never a crash, and never a file that still passes. */
static void test_every_bad_byte(void **state)
{
	unsigned int silent = 0;
	struct grt_verify *v;
	struct trace t;
	struct grt g;
	char *path;

	(void)state;
	make_trace(&t);
	make_grt(&g, &t, "byte.grt", T(50));
	path = g.path;
	for (size_t i = 0; i < g.size; i++) {
		g.bytes[i] ^= 0x40;
		reading_write(g.path, g.bytes, g.size);
		g.bytes[i] ^= 0x40;
		if (grt_verify_files(&v, 1, &path, 1000))
			continue;
		silent += !failed_checks(v);
		grt_verify_free(v);
	}
	assert_int_equal(silent, 0);
	free_trace(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_raw),
		cmocka_unit_test(test_grt),
		cmocka_unit_test(test_chunk_headers),
		cmocka_unit_test(test_watermark),
		cmocka_unit_test(test_part),
		cmocka_unit_test(test_no_trace),
		cmocka_unit_test(test_every_bad_byte),
	};

	return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
