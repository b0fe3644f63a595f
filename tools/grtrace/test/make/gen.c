// SPDX-License-Identifier: GPL-2.0
/*
 * gen example CPU			the example stream of one CPU
 * gen bulk CPU EVENTS			one stream with many jobs
 * gen grt CPUS EVENTS FILE [BEFORE]	a .grt with many jobs on many CPUs; with BEFORE of a
 *					session that goes on, where each CPU wrote so many
 *					events before: it ends with an account of each
 * gen boot HOST BOOT_S START_S FILE	a .grt of 2 CPUs with losses, of a machine that was
 *					booted then, recorded so long after
 * gen future FILE FILE0 FILE1		what a later version may write: a .grt, and raw
 *					streams with the same events
 * gen scene NAME [FILE]		a small trace of scene.c: a stream, or FILE as a .grt
 * gen load WORD...			a trace of load.c
 * gen busy WORD...			a trace of busy.c
 * gen every FILE			a .grt with a record of each type
 * gen hostile FILE FILE0 FILE1	the trace of hostile.c: a .grt, and raw streams with the same records
 * gen pair FILE			a .grt of the example streams of two CPUs
 * gen dat NAME				a trace.dat of dat-scene.c
 * gen dat-text NAME			the same as text
 * gen damage NUMBER FILE			the file with one of many kinds of damage
 * gen policy CPU [whole]			policy-trace.c, with its losses or without
 * gen timeline [all]			the trace of timeline.c
 * gen scenes				their names, and the job of each to ask for
 * gen wild				the trace of wild.c
 * gen sim CLASS SEED			a random schedule of sim-random.c, by number of its class
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "busy.h"
#include "cursor.h"
#include "dat.h"
#include "describe.h"
#include "every.h"
#include "hostile.h"
#include "load.h"
#include "policy-trace.h"
#include "scene.h"
#include "sim-file.h"
#include "sim-random.h"
#include "synth.h"
#include "timeline.h"
#include "wild.h"
#include "writer.h"

#define JOBS_PER_SUBBUF	200

static void fill_subbuf(struct synth *s, uint64_t *seqno, uint64_t *ns)
{
	synth_subbuf(s, *ns);
	for (int i = 0; i < JOBS_PER_SUBBUF; i++) {
		synth_job(s, 1 + s->cpu * 4 + i % 4, ++*seqno, 1 + i % 8, 100 + i % 4, *ns);
		*ns += 8000;
	}
}

static void put(struct synth *s)
{
	fwrite(s->bytes.data, 1, s->bytes.bytes, stdout);
	s->bytes.bytes = 0;
}

static void begin(struct synth *s, uint16_t cpu)
{
	char name[16];

	synth_begin(s, cpu);
	for (int i = 1; i <= 8; i++) {
		snprintf(name, sizeof(name), "ring%d", i);
		synth_ring(s, i, name, SYNTH_START);
	}
	for (int i = 100; i < 104; i++)
		synth_process(s, i, "worker", SYNTH_START);
}

static int bulk(uint16_t cpu, uint64_t events)
{
	uint64_t seqno = 0, ns = SYNTH_START + 1000 + cpu;
	struct synth s;

	begin(&s, cpu);
	while (s.cseq < events) {
		fill_subbuf(&s, &seqno, &ns);
		put(&s);
	}
	synth_end(&s, ns);
	put(&s);
	synth_free(&s);
	return ferror(stdout);
}

static int grt(int cpus, uint64_t events, const char *path, const char *before)
{
	struct grt_file_header header = { .session_id = SYNTH_SESSION, .start_ns = SYNTH_START };
	struct synth *s = calloc(cpus, sizeof(*s));
	uint64_t begun = before ? strtoull(before, NULL, 0) : 0, done = 0;
	uint64_t seqno = begun, ns = SYNTH_START + begun * 1000000;
	struct grtrace_stream_info *info;
	struct grt_writer *w;

	/* Not if the recording began with the session. */
	if (before)
		header.start_ns = ns + 1;
	if (!s || grt_writer_create(&w, path, &header, geteuid(), getegid()))
		return 1;
	for (int i = 0; i < cpus; i++) {
		begin(&s[i], i);
		info = synth_find(&s[i], GRTRACE_STREAM_INFO, 0);
		info->cpus = cpus;
		s[i].cseq = s[i].fates.written = s[i].fates.seen = s[i].subbufs = begun;
	}
	for (int i = 0; done < events; i = (i + 1) % cpus) {
		uint64_t own = ns + i, cseq = s[i].cseq;

		fill_subbuf(&s[i], &seqno, &own);
		done += s[i].cseq - cseq;
		if (synth_write(w, &s[i]))
			return 1;
		if (i == cpus - 1)
			ns = own;
	}
	for (int i = 0; i < cpus; i++) {
		if (before)
			synth_subbuf(&s[i], ns + 10000000);
		else
			synth_end(&s[i], ns + 10000000);
		if (synth_write(w, &s[i]))
			return 1;
		synth_free(&s[i]);
	}
	free(s);
	return grt_writer_close(w) != 0;
}

/* 3 sub-buffers with 200 jobs each on each CPU; 5 events are lost between them. */
static void make_boot(struct synth *s, uint16_t cpu, uint64_t boot_ns, uint64_t start_ns)
{
	uint64_t seqno = 0, ns = start_ns + 1000 + cpu;
	struct grtrace_stream_info *info;

	begin(s, cpu);
	info = s->bytes.data;
	info->session_id = s->session_id = start_ns / 1000000;
	info->start_ns = start_ns;
	info->start_real_ns = boot_ns + start_ns;
	((struct grtrace_metadata *)((char *)info + info->hdr.size))->session_id = s->session_id;
	for (int i = 0; i < 3; i++) {
		fill_subbuf(s, &seqno, &ns);
		synth_lose(s, GRTRACE_FATE_BUFFER_FULL, 5);
	}
	synth_end(s, ns + 10000);
}

static int boot(const char *host, uint64_t boot_ns, uint64_t start_ns, const char *path)
{
	struct grt_file_header header = {
		.session_id = start_ns / 1000000, .start_ns = start_ns,
		.start_real_ns = boot_ns + start_ns, .kernel = "6.1.0-test",
	};
	struct grt_writer *w;
	struct synth s;
	int err;

	snprintf(header.host, sizeof(header.host), "%s", host);
	err = grt_writer_create(&w, path, &header, geteuid(), getegid());
	for (int cpu = 0; cpu < 2 && !err; cpu++) {
		make_boot(&s, cpu, boot_ns, start_ns);
		err = synth_write(w, &s);
		synth_free(&s);
	}
	return err || grt_writer_close(w);
}

/* Adds unknown fields to every record without a tail of its own. */
static void lengthen(struct synth *s)
{
	struct grt_cursor c = grt_cursor(s->bytes.data, s->bytes.bytes);
	const struct grtrace_hdr *hdr;
	struct grt_vec longer = { 0 };
	struct grtrace_hdr *to;

	while ((hdr = grt_take_record(&c))) {
		const struct grt_type *type = grt_type_by_number(hdr->type);
		size_t more = type && !grt_type_tail(type) ? 24 : 0;

		to = grt_vec_grow(&longer, hdr->size + more);
		if (!to)
			abort();
		memcpy(to, hdr, hdr->size);
		memset((char *)to + hdr->size, 0xff, more);
		to->size += more;
	}
	grt_vec_free(&s->bytes);
	s->bytes = longer;
}

static void make_future(struct synth *s, uint16_t cpu)
{
	uint64_t seqno = 1000 * cpu, ns = SYNTH_START + 1000 + cpu;

	begin(s, cpu);
	/* Longer records need longer sub-buffers. */
	((struct grtrace_stream_info *)s->bytes.data)->subbuf_bytes *= 2;
	for (int i = 0; i < 3; i++) {
		fill_subbuf(s, &seqno, &ns);
		/* An event and a stream record of unknown types. */
		s->cseq++;
		s->fates.seen++;
		s->fates.written++;
		synth_record(s, 77, 64, ns);
		synth_record(s, 0xff77, 40, ns);
		synth_lose(s, GRTRACE_FATE_BUFFER_FULL, 5);
	}
	synth_mark(s, "the end", ns);
	synth_end(s, ns + 1000);
	lengthen(s);
}

/* METADATA comes before STREAM_INFO here. */
static int flush_swapped(struct grt_writer *w, struct synth *s)
{
	size_t at = ((struct grtrace_hdr *)s->bytes.data)->size;
	const struct grtrace_hdr *meta = (void *)((char *)s->bytes.data + at);
	struct grt_run run = {
		.data = meta, .bytes = meta->size, .is_defs = true,
		.first_ts = meta->ts, .last_ts = meta->ts,
	};
	int err = grt_writer_run(w, s->cpu, &run);

	return err ? err : synth_write(w, s);
}

static int future(const char *path, char **raw_paths)
{
	struct grt_file_header header = { .session_id = SYNTH_SESSION, .start_ns = SYNTH_START };
	struct grt_writer *w;
	struct synth s;
	int err = grt_writer_create(&w, path, &header, geteuid(), getegid());

	for (int cpu = 0; cpu < 2 && !err; cpu++) {
		FILE *raw = fopen(raw_paths[cpu], "w");

		make_future(&s, cpu);
		if (!raw || fwrite(s.bytes.data, 1, s.bytes.bytes, raw) != s.bytes.bytes ||
		    fclose(raw))
			return 1;
		err = flush_swapped(w, &s);
		synth_free(&s);
	}
	return err || grt_writer_close(w);
}

static int write_wild(void)
{
	struct synth s;

	wild_write(&s);
	put(&s);
	synth_free(&s);
	return ferror(stdout);
}

static int list_scenes(void)
{
	for (size_t i = 0; i < nr_scenes; i++)
		printf("%s %s\n", scenes[i].name, scenes[i].why);
	return ferror(stdout);
}

/* Writes streams as a .grt, with a watermark before the end. */
static int write_headed(const char *path, const struct grt_file_header *header, struct synth *s, int count)
{
	struct grt_file_header own = *header;
	struct grt_writer *w;
	int err = grt_writer_create(&w, path, &own, geteuid(), getegid());

	if (err)
		return 1;
	for (int i = 0; i < count && !err; i++)
		err = synth_write(w, &s[i]);
	if (!err)
		err = grt_writer_watermark(w, s[0].last_ns);
	return err || grt_writer_close(w);
}

static int write_grt(const char *path, struct synth *s, int count)
{
	const struct grt_file_header header = { .session_id = SYNTH_SESSION, .start_ns = SYNTH_START };

	return write_headed(path, &header, s, count);
}

static int write_pair(const char *path)
{
	struct synth s[2];
	int code;

	synth_example(&s[0], 0);
	synth_example(&s[1], 1);
	code = write_grt(path, s, 2);
	synth_free(&s[0]);
	synth_free(&s[1]);
	return code;
}

static int write_every(const char *path)
{
	struct synth s;
	int code;

	every_type(&s);
	code = write_grt(path, &s, 1);
	synth_free(&s);
	return code;
}

static int put_file(const char *path, const struct grt_vec *bytes)
{
	FILE *f = fopen(path, "w");

	return !f || fwrite(bytes->data, 1, bytes->bytes, f) != bytes->bytes || fclose(f);
}

static int write_hostile(const char *path, char **raw_paths)
{
	struct synth s[HOSTILE_CPUS];
	struct grt_file_header header;
	int code = 0;

	hostile_write(s, &header);
	for (int i = 0; i < HOSTILE_CPUS; i++)
		code |= put_file(raw_paths[i], &s[i].bytes);
	code |= write_headed(path, &header, s, HOSTILE_CPUS);
	for (int i = 0; i < HOSTILE_CPUS; i++)
		synth_free(&s[i]);
	return code;
}

static int write_timeline(bool has_all)
{
	struct synth s;

	timeline_scene(&s, has_all);
	put(&s);
	synth_free(&s);
	return ferror(stdout);
}

static int write_policy(uint16_t cpu, bool has_loss)
{
	struct synth s;

	policy_trace(&s, cpu, has_loss);
	put(&s);
	synth_free(&s);
	return ferror(stdout);
}

static int write_words(bool (*write)(struct synth *s, int count, char **words), int count, char **words)
{
	struct synth s = { .cpu = 0 };

	if (!write(&s, count, words))
		return 1;
	put(&s);
	synth_free(&s);
	return ferror(stdout);
}

static int write_scene(const char *name, const char *path)
{
	const struct scene *scene = scene_find(name);
	struct synth s;
	int code = 0;

	if (!scene)
		return 1;
	scene_write(&s, scene);
	if (path)
		code = write_grt(path, &s, 1);
	else
		put(&s);
	synth_free(&s);
	return code || ferror(stdout);
}

/* Changes the time of boot, by CLOCK_REALTIME, to @boot_ns. */
static void set_boot(struct grt_vec *bytes, uint64_t boot_ns)
{
	struct grt_cursor c = grt_cursor(bytes->data, bytes->bytes);
	const struct grtrace_hdr *hdr;

	while ((hdr = grt_take_record(&c))) {
		struct grtrace_stream_info *info = (void *)hdr;

		if (hdr->type == GRTRACE_STREAM_INFO)
			info->start_real_ns = boot_ns + info->start_ns;
	}
}

static int write_sim(unsigned long class, uint64_t seed, uint64_t boot_ns)
{
	struct sim *s = malloc(sizeof(*s));
	struct grt_vec bytes = { 0 };

	if (!s || class >= sim_nr_classes)
		return 1;
	sim_play(s, &sim_classes[class], seed, SIM_MAX_JOBS);
	sim_write(s, &bytes);
	if (boot_ns)
		set_boot(&bytes, boot_ns);
	fwrite(bytes.data, 1, bytes.bytes, stdout);
	grt_vec_free(&bytes);
	free(s);
	return ferror(stdout);
}

static int write_dat(const char *name, bool as_text)
{
	struct dat *d = dat_scene(name);

	if (!d)
		return 1;
	if (as_text)
		dat_print(d, stdout);
	else
		dat_write(d, stdout);
	dat_free(d);
	return ferror(stdout);
}

/* A pseudo-random number, always the same for the same state. */
static uint64_t draw(uint64_t *state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return *state >> 33;
}

/* Cuts every third file; changes some bytes of the others, anywhere or in the head. */
static int damage(uint64_t number, const char *path)
{
	static unsigned char bytes[1 << 20];
	FILE *f = fopen(path, "r");
	size_t count = f ? fread(bytes, 1, sizeof(bytes), f) : 0, within;
	uint64_t state = number;

	if (!count || fclose(f))
		return 1;
	draw(&state);
	if (number % 3 == 0)
		count = draw(&state) % count;
	within = number % 3 == 1 && count > 8192 ? 8192 : count;
	for (int i = draw(&state) % 8; i >= 0 && number % 3; i--)
		bytes[draw(&state) % within] = draw(&state);
	return fwrite(bytes, 1, count, stdout) != count;
}

int main(int argc, char **argv)
{
	struct synth s;

	if (argc == 3 && !strcmp(argv[1], "example")) {
		synth_example(&s, strtoul(argv[2], NULL, 0));
		put(&s);
		synth_free(&s);
		return ferror(stdout);
	}
	if (argc == 4 && !strcmp(argv[1], "bulk"))
		return bulk(strtoul(argv[2], NULL, 0), strtoull(argv[3], NULL, 0));
	if ((argc == 5 || argc == 6) && !strcmp(argv[1], "grt"))
		return grt(strtol(argv[2], NULL, 0), strtoull(argv[3], NULL, 0), argv[4],
			   argc == 6 ? argv[5] : NULL);
	if (argc == 5 && !strcmp(argv[1], "future"))
		return future(argv[2], argv + 3);
	if (argc == 6 && !strcmp(argv[1], "boot"))
		return boot(argv[2], strtoull(argv[3], NULL, 0) * 1000000000,
			    strtod(argv[4], NULL) * 1e9, argv[5]);
	if (argc == 3 && (!strcmp(argv[1], "dat") || !strcmp(argv[1], "dat-text")))
		return write_dat(argv[2], !strcmp(argv[1], "dat-text"));
	if (argc == 4 && !strcmp(argv[1], "damage"))
		return damage(strtoul(argv[2], NULL, 0), argv[3]);
	if (argc == 2 && !strcmp(argv[1], "scenes"))
		return list_scenes();
	if ((argc == 3 || argc == 4) && !strcmp(argv[1], "scene"))
		return write_scene(argv[2], argv[3]);
	if ((argc == 3 || argc == 4) && !strcmp(argv[1], "policy"))
		return write_policy(strtoul(argv[2], NULL, 0), argc == 3);
	if (argc >= 2 && !strcmp(argv[1], "load"))
		return write_words(load_write, argc - 2, argv + 2);
	if (argc >= 2 && !strcmp(argv[1], "busy"))
		return write_words(busy_write, argc - 2, argv + 2);
	if (argc == 3 && !strcmp(argv[1], "every"))
		return write_every(argv[2]);
	if (argc == 5 && !strcmp(argv[1], "hostile"))
		return write_hostile(argv[2], argv + 3);
	if (argc == 3 && !strcmp(argv[1], "pair"))
		return write_pair(argv[2]);
	if ((argc == 2 || argc == 3) && !strcmp(argv[1], "timeline"))
		return write_timeline(argc == 3);
	if ((argc == 4 || argc == 5) && !strcmp(argv[1], "sim"))
		return write_sim(strtoul(argv[2], NULL, 0), strtoull(argv[3], NULL, 0),
				 argc == 5 ? strtoull(argv[4], NULL, 0) * 1000000000 : 0);
	if (argc == 2 && !strcmp(argv[1], "wild"))
		return write_wild();
	fprintf(stderr, "usage: gen example CPU | bulk CPU EVENTS | grt CPUS EVENTS FILE [BEFORE] | "
		"boot HOST BOOT_S START_S FILE | future FILE FILE0 FILE1 | scene NAME [FILE] | "
		"policy CPU [whole] | load WORD... | every FILE | hostile FILE FILE0 FILE1 | pair FILE | scenes | sim CLASS SEED [BOOT_S] | dat NAME | dat-text NAME | "
		"timeline [all] | wild | damage NUMBER FILE\n");
	return 2;
}
