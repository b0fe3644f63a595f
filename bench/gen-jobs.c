// SPDX-License-Identifier: GPL-2.0
/*
 * gen-jobs EVENTS FILE: a trace of a busy machine.  16 CPUs, 8 rings, 64 contexts;
 * each job waits for the one before, which is another context's on another ring, and
 * its SUBMIT, COMMIT and END come from different CPUs, as they do in life.  Several
 * hundred jobs are under way at any time.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "synth.h"
#include "writer.h"

enum {
	CPUS = 16, RINGS = 8, CONTEXTS = 64, PROCESSES = 8,
	EVENTS_PER_JOB = 5,
	COMMIT_AFTER = 100, END_AFTER = 300,	/* jobs later */
	SUBBUF_BYTES = 256 << 10,
};

static struct synth cpus[CPUS];

static uint64_t ctx_of(uint64_t job) { return 1000 + 2 * (job % CONTEXTS); }
static uint64_t seqno_of(uint64_t job) { return 1 + job / CONTEXTS; }
static uint32_t ring_of(uint64_t job) { return 1 + job % RINGS; }
static uint32_t tgid_of(uint64_t job) { return 100 + job % CONTEXTS % PROCESSES; }

/* An event of class JOB on any CPU. */
static void *job_event(uint16_t type, uint64_t job, uint64_t cpu, uint64_t ns)
{
	struct grtrace_job_key *key = synth_event(&cpus[cpu % CPUS], type, ns);

	key->ctx = ctx_of(job);
	key->seqno = seqno_of(job);
	key->ring = ring_of(job);
	return key;
}

static void submit(uint64_t job, uint64_t ns)
{
	struct grtrace_submit *ev = job_event(GRTRACE_SUBMIT, job, job, ns);
	struct grtrace_dependency *dep;

	ev->tgid = tgid_of(job);
	ev->tid = tgid_of(job);
	ev->credits = 1;
	dep = synth_event(&cpus[job % CPUS], GRTRACE_DEPENDENCY, ns + 200);
	dep->ctx = ctx_of(job);
	dep->seqno = seqno_of(job);
	/* The first one waits for somebody unknown. */
	dep->dep_ctx = job ? ctx_of(job - 1) : 1;
	dep->dep_seqno = job ? seqno_of(job - 1) : 1;
}

static void commit(uint64_t job, uint64_t ns)
{
	struct grtrace_commit *ev = job_event(GRTRACE_COMMIT, job, job * 5 + 3, ns);

	ev->credits = 1;
	ev->hw_credits = 1;
}

static void end(uint64_t job, uint64_t ns)
{
	struct grtrace_end *ev = job_event(GRTRACE_END, job, job * 3 + 1, ns);

	ev->hw_done_ns = ns - 100;
	job_event(GRTRACE_COMPLETE, job, job * 3 + 1, ns + 200);
}

static void begin(void)
{
	char name[16];

	for (int cpu = 0; cpu < CPUS; cpu++) {
		synth_begin(&cpus[cpu], cpu);
		for (int ring = 1; ring <= RINGS; ring++) {
			snprintf(name, sizeof(name), "ring%d", ring);
			synth_ring(&cpus[cpu], ring, name, SYNTH_START);
		}
		for (int i = 0; i < PROCESSES; i++)
			synth_process(&cpus[cpu], 100 + i, "worker", SYNTH_START);
		synth_subbuf(&cpus[cpu], SYNTH_START);
	}
}

static int flush_full(struct grt_writer *w, uint64_t ns)
{
	for (int cpu = 0; cpu < CPUS; cpu++) {
		if (cpus[cpu].bytes.bytes < SUBBUF_BYTES)
			continue;
		if (synth_write(w, &cpus[cpu]))
			return 1;
		synth_subbuf(&cpus[cpu], ns);
	}
	return 0;
}

static int finish(struct grt_writer *w, uint64_t ns)
{
	for (int cpu = 0; cpu < CPUS; cpu++) {
		synth_end(&cpus[cpu], ns);
		if (synth_write(w, &cpus[cpu]))
			return 1;
		synth_free(&cpus[cpu]);
	}
	return grt_writer_close(w) != 0;
}

int main(int argc, char **argv)
{
	struct grt_file_header header = { .session_id = SYNTH_SESSION, .start_ns = SYNTH_START };
	uint64_t jobs, dice = 1, ns = SYNTH_START + 1000;
	struct grt_writer *w;

	jobs = argc == 3 ? strtoull(argv[1], NULL, 0) / EVENTS_PER_JOB : 0;
	if (!jobs) {
		fprintf(stderr, "usage: gen-jobs EVENTS FILE\n");
		return 2;
	}
	if (grt_writer_create(&w, argv[2], &header, geteuid(), getegid()))
		return 1;
	begin();
	for (uint64_t now = 0; now < jobs + END_AFTER; now++) {
		if (now < jobs)
			submit(now, ns);
		if (now >= COMMIT_AFTER && now < jobs + COMMIT_AFTER)
			commit(now - COMMIT_AFTER, ns + 300);
		if (now >= END_AFTER)
			end(now - END_AFTER, ns + 400);
		dice = dice * 6364136223846793005u + 1442695040888963407u;
		ns += 1000 + (dice >> 33) % 4000;
		if (flush_full(w, ns))
			return 1;
	}
	return finish(w, ns);
}
