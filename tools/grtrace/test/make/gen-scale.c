// SPDX-License-Identifier: GPL-2.0
/*
 * gen-scale KIND N FILE: writes a .grt with N of something, for tests and benches of the cost of a
 * report.  The table of kinds is at the end.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scale-index.h"
#include "synth.h"
#include "writer.h"

#define SUBBUF_BYTES	(192 << 10)
#define JOB_NS		10000
#define RING		1
#define TGID		100

struct scale {
	struct synth cpu;
	struct grt_writer *writer;
	uint64_t ns;
	uint32_t n;
};

static void check(int err)
{
	if (!err)
		return;
	fprintf(stderr, "gen-scale: cannot write: %s\n", strerror(-err));
	exit(1);
}

/* Called before each event: writes a full sub-buffer. */
static void make_room(struct scale *s)
{
	if (s->cpu.bytes.bytes < SUBBUF_BYTES)
		return;
	check(synth_write(s->writer, &s->cpu));
	synth_subbuf(&s->cpu, s->ns);
}

static void *event(struct scale *s, uint16_t type, uint64_t ctx, uint64_t seqno, uint32_t ring)
{
	struct grtrace_job_key *key;

	make_room(s);
	key = synth_event(&s->cpu, type, s->ns);
	key->ctx = ctx;
	key->seqno = seqno;
	key->ring = ring;
	return key;
}

static void submit(struct scale *s, uint64_t ctx, uint64_t seqno, uint32_t ring, uint32_t tgid)
{
	struct grtrace_submit *e = event(s, GRTRACE_SUBMIT, ctx, seqno, ring);

	e->tgid = e->tid = tgid;
	e->credits = 1;
}

static void commit(struct scale *s, uint64_t ctx, uint64_t seqno, uint32_t ring)
{
	struct grtrace_commit *e = event(s, GRTRACE_COMMIT, ctx, seqno, ring);

	e->credits = e->hw_credits = 1;
}

static void run(struct scale *s, uint64_t ctx, uint64_t seqno, uint32_t ring)
{
	commit(s, ctx, seqno, ring);
	s->ns += JOB_NS / 2;
	((struct grtrace_end *)event(s, GRTRACE_END, ctx, seqno, ring))->hw_done_ns = s->ns;
	s->ns += 10;
	event(s, GRTRACE_COMPLETE, ctx, seqno, ring);
	s->ns += JOB_NS / 2;
}

static void job(struct scale *s, uint64_t ctx, uint64_t seqno, uint32_t ring, uint32_t tgid)
{
	submit(s, ctx, seqno, ring, tgid);
	s->ns += 100;
	run(s, ctx, seqno, ring);
}

static void process(struct scale *s, uint32_t tgid, uint32_t nr)
{
	char name[16];

	snprintf(name, sizeof(name), "p%u", nr);
	make_room(s);
	synth_process(&s->cpu, tgid, name, s->ns);
}

static void procs(struct scale *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		process(s, TGID + i, i);
	for (uint32_t i = 0; i < s->n; i++)
		job(s, 10 + i, 1, RING, TGID + i);
}

/* Each pod has one job, which waits for that of the pod before. */
static void pods(struct scale *s)
{
	char path[72] = "";

	for (uint32_t i = 0; i < s->n; i++) {
		struct grtrace_process *p;
		struct grtrace_cgroup *c;

		make_room(s);
		p = synth_record(&s->cpu, GRTRACE_PROCESS, sizeof(*p), s->ns);
		p->tgid = TGID + 1 + i;
		p->cgroup_id = 100 + i;
		snprintf(p->comm, sizeof(p->comm), "p%u", i);
		c = synth_record(&s->cpu, GRTRACE_CGROUP, sizeof(*c) + sizeof(path), s->ns);
		c->cgroup_id = 100 + i;
		snprintf(path, sizeof(path), "/kubepods/pod%08x-0000-4000-8000-000000000000/x", i);
		memcpy(c + 1, path, sizeof(path));
	}
	for (uint32_t i = 0; i < s->n; i++) {
		submit(s, 10 + i, 1, RING, TGID + 1 + i);
		s->ns += 10;
		if (i)
			run(s, 10 + i - 1, 1, RING);
	}
	run(s, 10 + s->n - 1, 1, RING);
}

static void ctxs(struct scale *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		job(s, 10 + i, 1, RING, TGID + i % 8);
}

static void alias(struct scale *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		process(s, TGID, i);
		s->ns += 100;
	}
	job(s, 10, 1, RING, TGID);
}

/* The newest name first. */
static void past(struct scale *s)
{
	uint64_t first_ns = s->ns, last_ns = first_ns + s->n * 100;

	for (uint32_t i = 0; i < s->n; i++) {
		s->ns = last_ns - i * 100;
		process(s, TGID, i);
	}
	s->ns = first_ns;
	for (uint32_t i = 0; i < s->n; i++)
		job(s, 10, 1 + i, RING, TGID);
}

/* A job under each name. */
static void renamed(struct scale *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		process(s, TGID, i);
		job(s, 10, 1 + i, RING, TGID);
	}
}

/* Processes that had the same pid one after the other, with a job each. */
static void reused(struct scale *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		struct grtrace_process *p;

		make_room(s);
		p = synth_record(&s->cpu, GRTRACE_PROCESS, sizeof(*p), s->ns);
		p->tgid = TGID;
		p->start_ns = s->ns;
		snprintf(p->comm, sizeof(p->comm), "again");
		job(s, 10, 1 + i, RING, TGID);
	}
}

static void never(struct scale *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		submit(s, 10, 1 + i, RING, TGID);
		s->ns += 10;
	}
}

static void neverctx(struct scale *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		submit(s, 10 + i, 1, RING, TGID);
		s->ns += 10;
	}
}

static void uncommitted(struct scale *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		submit(s, 10, 1 + i, RING, TGID);
		s->ns += 10;
	}
	for (uint32_t i = 0; i < s->n; i++) {
		event(s, GRTRACE_COMPLETE, 10, 1 + i, RING);
		s->ns += 10;
	}
}

static void waiting(struct scale *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		submit(s, 10 + i, 1, RING, TGID + i % 4);
		s->ns += 10;
	}
	for (uint32_t i = 0; i < s->n; i++)
		run(s, 10 + i, 1, RING);
}

/* The job with the shortest wait goes first. */
static void newest(struct scale *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		submit(s, 10 + i, 1, RING, TGID + i % 4);
		s->ns += 10;
	}
	for (uint32_t i = s->n; i--;)
		run(s, 10 + i, 1, RING);
}

static void ordered(struct scale *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		submit(s, 10, 1 + i, RING, TGID);
		s->ns += 10;
	}
	for (uint32_t i = 0; i < s->n; i++)
		run(s, 10, 1 + i, RING);
}

static void alternate(struct scale *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		submit(s, 10 + i % 2, 1 + i / 2, RING, TGID + i % 2);
		s->ns += 10;
	}
	for (uint32_t i = 0; i < s->n; i++)
		run(s, 10 + i % 2, 1 + i / 2, RING);
}

/* All complete at the same time, the last one first. */
static void tied(struct scale *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		submit(s, 10 + i, 1, RING, TGID);
		commit(s, 10 + i, 1, RING);
	}
	s->ns += JOB_NS;
	for (uint32_t i = s->n; i--;)
		event(s, GRTRACE_COMPLETE, 10 + i, 1, RING);
	s->ns += JOB_NS;
	job(s, 9, 1, RING, TGID);
}

/* Each job waits behind a hundred jobs of other processes. */
static void queues(struct scale *s)
{
	for (uint32_t i = 0; i < s->n + 100; i++) {
		if (i < s->n) {
			process(s, TGID + i, i);
			submit(s, 10 + i, 1, RING, TGID + i);
		}
		if (i >= 100)
			run(s, 10 + i - 100, 1, RING);
	}
}

static void rings(struct scale *s)
{
	char name[16];

	for (uint32_t i = 0; i < s->n; i++) {
		snprintf(name, sizeof(name), "r%u", i);
		make_room(s);
		synth_ring(&s->cpu, 2 + i, name, s->ns);
	}
	for (uint32_t i = 0; i < 2 * s->n; i++)
		job(s, 10 + i % s->n, 1 + i / s->n, 2 + i % s->n, TGID);
}

/* One ring works; the others have finished their work. */
static void silent(struct scale *s)
{
	char name[16];

	for (uint32_t i = 0; i < s->n; i++) {
		snprintf(name, sizeof(name), "r%u", i);
		make_room(s);
		synth_ring(&s->cpu, 2 + i, name, s->ns);
	}
	for (uint32_t i = 0; i < s->n; i++)
		job(s, 10 + i, 1, 2 + i, TGID);
	for (uint32_t i = 0; i < 4 * s->n; i++)
		job(s, 9, 1 + i, RING, TGID);
}

static void depend(struct scale *s, uint64_t ctx, uint64_t seqno, uint64_t dep_ctx,
		   uint64_t dep_seqno)
{
	struct grtrace_dependency *e;

	make_room(s);
	e = synth_event(&s->cpu, GRTRACE_DEPENDENCY, s->ns);
	e->ctx = ctx;
	e->seqno = seqno;
	e->dep_ctx = dep_ctx;
	e->dep_seqno = dep_seqno;
	e->hdr.flags = GRTRACE_F_DECLARED;
}

static void deps(struct scale *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		submit(s, 10 + i, 1, RING, TGID);
		depend(s, 10 + i, 1, 9, 1);
		s->ns += 10;
	}
	job(s, 9, 1, RING, TGID);
	for (uint32_t i = 0; i < s->n; i++)
		run(s, 10 + i, 1, RING);
}

#define LIMIT	2	/* credits of a ring, see synth_ring() */

static void submit_large(struct scale *s, uint64_t ctx, uint64_t seqno, uint32_t tgid, uint32_t hw_credits)
{
	struct grtrace_submit *e = event(s, GRTRACE_SUBMIT, ctx, seqno, RING);

	e->tgid = e->tid = tgid;
	e->credits = LIMIT;
	e->hw_credits = hw_credits;
	s->ns += 10;
}

static void commit_large(struct scale *s, uint64_t ctx, uint64_t seqno)
{
	struct grtrace_commit *e = event(s, GRTRACE_COMMIT, ctx, seqno, RING);

	e->credits = e->hw_credits = LIMIT;
	s->ns += JOB_NS;
}

/* Each job fills the ring, while the others wait: in a context each, or in one. */
static void fill(struct scale *s, bool is_one)
{
	for (uint32_t i = 0; i < s->n; i++) {
		submit_large(s, is_one ? 10 : 10 + i, is_one ? 1 + i : 1, TGID + i % 4,
			     i ? LIMIT : 0);
		if (!i)
			commit_large(s, 10, 1);
	}
	for (uint32_t i = 0; i < s->n; i++) {
		uint64_t ctx = is_one ? 10 : 10 + i, seqno = is_one ? 1 + i : 1;

		((struct grtrace_end *)event(s, GRTRACE_END, ctx, seqno, RING))->hw_done_ns = s->ns;
		event(s, GRTRACE_COMPLETE, ctx, seqno, RING);
		s->ns += 100;
		if (i + 1 < s->n)
			commit_large(s, is_one ? ctx : ctx + 1, is_one ? seqno + 1 : 1);
	}
}

static void full(struct scale *s)
{
	fill(s, false);
}

static void fullctx(struct scale *s)
{
	fill(s, true);
}

/* All are submitted first, and each depends on the one before. */
static void chain(struct scale *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		submit(s, 10 + i, 1, RING, TGID);
		if (i)
			depend(s, 10 + i, 1, 10 + i - 1, 1);
		s->ns += 10;
	}
	for (uint32_t i = 0; i < s->n; i++)
		run(s, 10 + i, 1, RING);
}

/* All jobs of the chain belong to one frame, which the pause behind them ends. */
static void framed(struct scale *s)
{
	chain(s);
	s->ns += 1000000000;
	job(s, 9, 1, RING, TGID);
}

/* The source reports all dependencies, so the scheduler could have handed them over. */
static void ready(struct scale *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		submit(s, 10 + i, 1, RING, TGID);
		s->ns += 10;
	}
	submit(s, 9, 1, RING, TGID);
	depend(s, 9, 1, 8, 1);
}

/* A hundred jobs, each waiting for as many others. */
static void fences(struct scale *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		submit(s, 10 + i, 1, RING, TGID);
		s->ns += 10;
	}
	for (uint32_t i = 0; i < s->n; i++) {
		if (i % 100 == 0)
			submit(s, 9, 1 + i / 100, RING, TGID);
		depend(s, 9, 1 + i / 100, 10 + i, 1);
	}
	for (uint32_t i = 0; i < s->n; i++)
		run(s, 10 + i, 1, RING);
}

/* Losses while jobs are in flight. */
static void losses(struct scale *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		submit(s, 10 + i, 1, RING, TGID);
		commit(s, 10 + i, 1, RING);
		s->ns += 10;
	}
	for (uint32_t i = 0; i < s->n; i++) {
		synth_lose(&s->cpu, GRTRACE_FATE_BUFFER_FULL, 1);
		synth_subbuf(&s->cpu, s->ns);
		s->ns += 20;
		job(s, 9, 1 + i, RING, TGID);
	}
}

static void reset(struct scale *s, uint64_t ctx, uint64_t seqno, uint32_t ring, uint32_t code)
{
	struct grtrace_error *e = event(s, GRTRACE_ERROR, ctx, seqno, ring);

	e->code = code;
	s->ns += 10;
}

/* Rings of one GPU, each with a job: all are reset because of the first one's. */
static void resets(struct scale *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		make_room(s);
		synth_ring(&s->cpu, 2 + i, "gfx", s->ns);
		submit(s, 10 + i, 1, 2 + i, TGID);
		commit(s, 10 + i, 1, 2 + i);
		s->ns += 10;
	}
	for (uint32_t i = 0; i < s->n; i++)
		reset(s, i ? 0 : 10, i ? 0 : 1, 2 + i, GRTRACE_ERROR_RESET);
	for (uint32_t i = 0; i < s->n; i++)
		reset(s, 0, 0, 2 + i, GRTRACE_ERROR_RECOVERED);
}

static void cpus(struct scale *s)
{
	for (uint32_t i = 1; i < s->n; i++) {
		struct synth other = { .cpu = i, .session_id = SYNTH_SESSION };
		struct scale one = { .cpu = other, .writer = s->writer, .ns = s->ns + i };

		synth_subbuf(&one.cpu, one.ns);
		job(&one, 10 + i, 1, RING, TGID);
		check(synth_write(s->writer, &one.cpu));
		synth_free(&one.cpu);
	}
}

/* A trace with large chunks; the index is changed when it is closed. */
static void large(struct scale *s)
{
	for (uint32_t i = 0; i < 5000; i++)
		process(s, TGID + i, i);
	job(s, 10, 1, RING, TGID);
}

static const struct kind {
	const char *name, *text;
	void (*make)(struct scale *s);
	void (*change)(const char *path, uint32_t n);	/* after the close, or NULL */
} kinds[] = {
	{ "procs", "processes, a job of each", procs, NULL },
	{ "pods", "pods, a job of each", pods, NULL },
	{ "ctxs", "fence contexts, a job of each", ctxs, NULL },
	{ "alias", "names of one process", alias, NULL },
	{ "past", "names of one process, the newest first, and as many jobs", past, NULL },
	{ "renamed", "names of one process, a job under each", renamed, NULL },
	{ "reused", "processes with one pid, a job of each", reused, NULL },
	{ "never", "jobs that are never handed over, of one context", never, NULL },
	{ "neverctx", "such jobs, each of a context of its own", neverctx, NULL },
	{ "uncommitted", "jobs that are complete without a COMMIT", uncommitted, NULL },
	{ "waiting", "contexts waiting on one ring at once", waiting, NULL },
	{ "ordered", "jobs of one context waiting at once", ordered, NULL },
	{ "full", "contexts waiting for room on one ring", full, NULL },
	{ "fullctx", "jobs of one context waiting for room on its ring", fullctx, NULL },
	{ "newest", "contexts waiting at once, the newest of which goes first", newest, NULL },
	{ "alternate", "jobs of two contexts waiting at once", alternate, NULL },
	{ "tied", "jobs without an END that are complete at one instant", tied, NULL },
	{ "chain", "contexts, a job of each, which depends on the one before", chain, NULL },
	{ "framed", "the same, and one job behind a pause", framed, NULL },
	{ "ready", "jobs that could have been handed over and are not", ready, NULL },
	{ "fences", "dependencies, a hundred of one job", fences, NULL },
	{ "losses", "losses while as many jobs are under way", losses, NULL },
	{ "resets", "rings of one GPU, all reset because of one job", resets, NULL },
	{ "silent", "rings, one of which works on when the others are done", silent, NULL },
	{ "queues", "processes, each behind a hundred others", queues, NULL },
	{ "rings", "rings of one GPU, two jobs of each", rings, NULL },
	{ "deps", "jobs that wait for one fence", deps, NULL },
	{ "cpus", "CPUs, a job on each", cpus, NULL },
	{ "twice", "rows of the index, all of one large chunk", large, scale_index_repeat },
	{ "sparse", "MiB that an index claims to take, of which the file has none", large, scale_index_claim },
};

#define NR_KINDS	(sizeof(kinds) / sizeof(kinds[0]))

static const struct kind *find_kind(const char *name)
{
	for (size_t i = 0; i < NR_KINDS; i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}

static void begin(struct scale *s)
{
	struct grtrace_stream_info *info;

	synth_begin(&s->cpu, 0);
	info = synth_find(&s->cpu, GRTRACE_STREAM_INFO, 0);
	info->features |= 1u << GRTRACE_FEATURE_DEPENDENCIES;
	info->cpus = 1;
	synth_ring(&s->cpu, RING, "gfx", SYNTH_START);
	synth_process(&s->cpu, TGID, "game", SYNTH_START);
	synth_subbuf(&s->cpu, SYNTH_START);
	s->ns = SYNTH_START + 1000;
}

int main(int argc, char **argv)
{
	struct grt_file_header header = { .session_id = SYNTH_SESSION, .start_ns = SYNTH_START };
	const struct kind *kind = argc == 4 ? find_kind(argv[1]) : NULL;
	struct scale s = { 0 };

	if (!kind) {
		fprintf(stderr, "usage: gen-scale KIND N FILE\n");
		for (size_t i = 0; i < NR_KINDS; i++)
			fprintf(stderr, "  %-12s N %s\n", kinds[i].name, kinds[i].text);
		return 2;
	}
	s.n = strtoul(argv[2], NULL, 0);
	check(grt_writer_create(&s.writer, argv[3], &header, geteuid(), getegid()));
	begin(&s);
	kind->make(&s);
	synth_end(&s.cpu, s.ns);
	check(synth_write(s.writer, &s.cpu));
	synth_free(&s.cpu);
	check(grt_writer_close(s.writer));
	if (kind->change)
		kind->change(argv[3], s.n);
	return 0;
}
