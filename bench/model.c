// SPDX-License-Identifier: GPL-2.0
/*
 * bench-model [JOBS]: how fast the model handles records, with all rollups and without reading
 * files.  The jobs are those of schedule.h; each batch is made while the clock is stopped.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "schedule.h"
#include "summary.h"

struct bench {
	struct grt_model *model;
	struct grt_summary summary;
	uint64_t events, wrong;
	double took_s;
	size_t bytes;
	_Alignas(8) char batch[1 << 20];
};

static void take_job(void *arg, const struct grt_job *job)
{
	struct bench *b = arg;
	bool is_wanted;

	b->wrong += !grt_job_adds_up(job) || grt_summary_add(&b->summary, job, &is_wanted);
}

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void feed_batch(struct bench *b)
{
	double begin = seconds();

	for (size_t at = 0; at < b->bytes; b->events++) {
		const struct grtrace_hdr *event = (const void *)(b->batch + at);

		b->wrong += grt_model_feed(b->model, event) != 0;
		at += event->size;
	}
	b->bytes = 0;
	b->took_s += seconds() - begin;
}

static void take_event(void *arg, const struct grtrace_hdr *event)
{
	struct bench *b = arg;

	if (b->bytes + event->size > sizeof(b->batch))
		feed_batch(b);
	memcpy(b->batch + b->bytes, event, event->size);
	b->bytes += event->size;
}

static void define(struct bench *b)
{
	for (uint32_t i = 1; i <= SCHEDULE_RINGS; i++) {
		struct grtrace_ring ring = {
			.hdr = { .type = GRTRACE_RING, .size = sizeof(ring) },
			.ring = i, .hw_ring = i, .order = GRTRACE_ORDER_FIFO,
			.credit_limit = SCHEDULE_CREDITS,
			.name = { 'r', 'i', 'n', 'g', '0' + i }, .device = "0000:0b:00.0",
		};

		b->wrong += grt_model_feed(b->model, &ring.hdr) != 0;
	}
}

int main(int argc, char **argv)
{
	struct schedule_options options = {
		.jobs = argc > 1 ? strtoull(argv[1], NULL, 0) : 2000000, .start_ns = 1,
	};
	const struct grt_summary_wants wants = {
		.groups = UINT32_MAX, .max_worst = 3, .has_quantiles = true, .has_blame = true,
	};
	static struct bench b;
	struct rusage usage;
	double begin;

	b.model = grt_model_create(take_job, &b);
	if (!b.model || grt_summary_init(&b.summary, b.model, &wants))
		return 1;
	define(&b);
	schedule_run(&options, take_event, &b);
	feed_batch(&b);
	begin = seconds();
	if (grt_model_finish(b.model) || grt_summary_close(&b.summary))
		return 1;
	b.took_s += seconds() - begin;
	getrusage(RUSAGE_SELF, &usage);
	printf("model: %" PRIu64 " events, %" PRIu64 " jobs, %.3f s, %.1f M events/s, "
	       "peak RSS %.1f MiB\n", b.events, b.summary.all.jobs, b.took_s,
	       b.events / b.took_s / 1e6, usage.ru_maxrss / 1024.0);
	b.wrong += b.summary.all.jobs != options.jobs;
	grt_summary_free(&b.summary);
	grt_model_destroy(b.model);
	return b.wrong != 0;
}
