// SPDX-License-Identifier: GPL-2.0
/*
 * gen-jobs JOBS declared|popped FILE: writes a trace of the busy machine of schedule.h, as
 * 'grtrace record' would.  Dependencies come as Linux reports them: declared with the job (since
 * 6.17), or when the scheduler looks at them.  Prints the number of events.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "schedule.h"
#include "synth.h"
#include "writer.h"

#define SUBBUF_BYTES	(256 << 10)

struct gen {
	struct synth cpus[SCHEDULE_CPUS];
	struct grt_writer *writer;
	uint64_t events;
	int err;
};

static void begin(struct gen *g)
{
	struct grtrace_stream_info *info;
	struct grtrace_ring *row;
	char name[16];

	for (int cpu = 0; cpu < SCHEDULE_CPUS; cpu++) {
		synth_begin(&g->cpus[cpu], cpu);
		info = synth_find(&g->cpus[cpu], GRTRACE_STREAM_INFO, 0);
		info->features |= 1u << GRTRACE_FEATURE_DEPENDENCIES | 1u << GRTRACE_FEATURE_CLIENT_ID;
		for (int ring = 1; ring <= SCHEDULE_RINGS; ring++) {
			snprintf(name, sizeof(name), "ring%d", ring);
			synth_ring(&g->cpus[cpu], ring, name, SYNTH_START);
			row = synth_find(&g->cpus[cpu], GRTRACE_RING, ring - 1);
			row->credit_limit = SCHEDULE_CREDITS;
		}
		for (int i = 0; i < SCHEDULE_PROCESSES; i++) {
			snprintf(name, sizeof(name), "worker%d", i);
			synth_process(&g->cpus[cpu], SCHEDULE_TGID + i, name, SYNTH_START);
		}
		synth_subbuf(&g->cpus[cpu], SYNTH_START);
	}
}

static void take(void *arg, const struct grtrace_hdr *event)
{
	struct gen *g = arg;
	struct synth *s = &g->cpus[event->cpu];
	struct grtrace_hdr *copy = synth_event(s, event->type, event->ts);

	copy->flags = event->flags;
	memcpy(copy + 1, event + 1, event->size - sizeof(*event));
	g->events++;
	if (s->bytes.bytes < SUBBUF_BYTES)
		return;
	g->err = g->err ?: synth_write(g->writer, s);
	s->bytes.bytes = 0;
	synth_subbuf(s, event->ts);
}

static void finish(struct gen *g, uint64_t ns)
{
	int err;

	for (int cpu = 0; cpu < SCHEDULE_CPUS; cpu++) {
		synth_end(&g->cpus[cpu], ns);
		g->err = g->err ?: synth_write(g->writer, &g->cpus[cpu]);
		synth_free(&g->cpus[cpu]);
	}
	err = grt_writer_close(g->writer);
	g->err = g->err ?: err;
}

int main(int argc, char **argv)
{
	struct grt_file_header header = { .session_id = SYNTH_SESSION, .start_ns = SYNTH_START };
	struct schedule_options options = { .start_ns = SYNTH_START + 1000 };
	static struct gen g;

	if (argc == 4)
		options.jobs = strtoull(argv[1], NULL, 0);
	if (!options.jobs || (strcmp(argv[2], "declared") && strcmp(argv[2], "popped"))) {
		fprintf(stderr, "usage: gen-jobs JOBS declared|popped FILE\n");
		return 2;
	}
	options.is_popped = !strcmp(argv[2], "popped");
	if (grt_writer_create(&g.writer, argv[3], &header, geteuid(), getegid()))
		return 1;
	begin(&g);
	finish(&g, schedule_run(&options, take, &g));
	printf("%" PRIu64 "\n", g.events);
	return g.err != 0;
}
