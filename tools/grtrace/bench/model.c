// SPDX-License-Identifier: GPL-2.0
/*
 * bench-model [EVENTS]: how fast the model takes records, without reading files.
 *
 * 16 CPUs, 8 FIFO rings, 64 contexts of 16 processes, four jobs in flight per
 * context; per job SUBMIT, DEPENDENCY, COMMIT, END and COMPLETE; all rollups.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "summary.h"

#define RINGS	8
#define CTXS	64
#define DEPTH	4

struct bench {
	struct grt_model *model;
	struct grt_summary summary;
	uint64_t ts_ns, events, wrong;
};

static void take_job(void *arg, const struct grt_job *job)
{
	struct bench *b = arg;
	bool is_wanted;

	b->wrong += !grt_job_adds_up(job) || grt_summary_add(&b->summary, job, &is_wanted);
}

static void feed(struct bench *b, const struct grtrace_hdr *hdr)
{
	b->wrong += grt_model_feed(b->model, hdr) != 0;
	b->events++;
}

static struct grtrace_hdr header(struct bench *b, uint16_t type, uint16_t bytes)
{
	b->ts_ns += 100 + b->events % 7;
	return (struct grtrace_hdr){
		.type = type, .size = bytes, .cpu = b->events % 16, .ts = b->ts_ns,
	};
}

#define RECORD(name, TYPE, ...)	do {						\
	const struct grtrace_##name name = {					\
		.hdr = header(b, GRTRACE_##TYPE, sizeof(name)),			\
		.ctx = 1 + ctx, .seqno = seqno, __VA_ARGS__			\
	};									\
	feed(b, &name.hdr);							\
} while (0)

/* Job @n is submitted, and the one DEPTH rounds before it runs and is done. */
static void step(struct bench *b, uint64_t n)
{
	uint64_t ctx = n % CTXS, seqno = n / CTXS;
	uint32_t ring = 1 + ctx % RINGS;

	RECORD(submit, SUBMIT, .ring = ring, .tgid = 100 + ctx / 4, .credits = 1);
	RECORD(dependency, DEPENDENCY, .dep_ctx = 1 + (ctx + 1) % CTXS, .dep_seqno = seqno);
	if (seqno < DEPTH)
		return;
	seqno -= DEPTH;
	RECORD(commit, COMMIT, .ring = ring, .credits = 1, .hw_credits = 1);
	RECORD(end, END, .ring = ring, .hw_done_ns = b->ts_ns);
	RECORD(complete, COMPLETE, .ring = ring);
}

static void define(struct bench *b)
{
	for (uint32_t i = 1; i <= RINGS; i++) {
		struct grtrace_ring ring = {
			.hdr = { .type = GRTRACE_RING, .size = sizeof(ring) },
			.ring = i, .hw_ring = i, .order = GRTRACE_ORDER_FIFO,
			.name = "ring", .device = "0000:0b:00.0",
		};

		b->wrong += grt_model_feed(b->model, &ring.hdr) != 0;
	}
}

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	uint64_t events = argc > 1 ? strtoull(argv[1], NULL, 0) : 10000000;
	const struct grt_query query = { 0 };
	struct bench b = { .ts_ns = 1 };
	struct rusage usage;
	double begin, took;

	b.model = grt_model_create(take_job, &b);
	if (!b.model || grt_summary_init(&b.summary, b.model, &query, 3))
		return 1;
	define(&b);
	begin = seconds();
	for (uint64_t n = 0; b.events < events; n++)
		step(&b, n);
	if (grt_model_finish(b.model) || grt_summary_close(&b.summary))
		return 1;
	took = seconds() - begin;
	getrusage(RUSAGE_SELF, &usage);
	printf("model: %" PRIu64 " events, %" PRIu64 " jobs, %.3f s, %.1f M events/s, "
	       "peak RSS %.1f MiB\n", b.events, b.summary.all.jobs, took, b.events / took / 1e6,
	       usage.ru_maxrss / 1024.0);
	grt_summary_free(&b.summary);
	grt_model_destroy(b.model);
	return b.wrong != 0;
}
