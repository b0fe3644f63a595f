// SPDX-License-Identifier: GPL-2.0
/* The files of one recording, merged: how many events are missing between them. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "file.h"
#include "merge.h"
#include "reading.h"
#include "synth.h"
#include "writer.h"

#define CPUS	2
#define MOST	4	/* files */
#define SECOND	1000000000ull
#define T(s)	(SYNTH_START + (s) * SECOND)

/* A recording whose files take a second each. */
struct recording {
	struct synth cpus[CPUS];
	struct grt_writer *w;
	char *paths[MOST];
	unsigned int count;	/* files that were begun */
	int fd;
};

/* Like record: the lane of each CPU begins with a copy of its last account. */
static void next_cpu(struct synth *s, bool is_first, uint64_t ns)
{
	struct synth next;

	synth_begin(&next, s->cpu);
	next.cseq = s->cseq;
	next.fates = s->fates;
	next.subbufs = s->subbufs;
	synth_free(s);
	*s = next;
	if (!is_first)
		synth_subbuf(s, ns);
}

static void begin_file(struct recording *r)
{
	struct grt_file_header header = {
		.flags = r->count ? GRT_FILE_GOES_ON : 0, .session_id = SYNTH_SESSION, .start_ns = T(r->count),
	};
	char name[32];

	snprintf(name, sizeof(name), "part-%u.grt", r->count);
	r->paths[r->count] = strdup(reading_path(name));
	r->fd = open(r->paths[r->count], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_int_equal(grt_writer_begin(&r->w, r->fd, name, &header), 0);
	for (int cpu = 0; cpu < CPUS; cpu++) {
		r->cpus[cpu].cpu = cpu;
		next_cpu(&r->cpus[cpu], !r->count, T(r->count));
	}
	r->count++;
}

/* @n events of @cpu in the file that was begun last. */
static void add_events(struct recording *r, unsigned int cpu, unsigned int n)
{
	uint64_t ns = T(r->count - 1) + SECOND / 2;

	synth_subbuf(&r->cpus[cpu], ns);
	while (n--)
		synth_event(&r->cpus[cpu], GRTRACE_VBLANK, ++ns);
}

/* Events that were written, and are in no file. */
static void forget_events(struct recording *r, unsigned int cpu, unsigned int n)
{
	r->cpus[cpu].cseq += n;
	r->cpus[cpu].fates.written += n;
	r->cpus[cpu].fates.seen += n;
}

static void end_file(struct recording *r)
{
	for (int cpu = 0; cpu < CPUS; cpu++)
		assert_int_equal(synth_write(r->w, &r->cpus[cpu]), 0);
	assert_int_equal(grt_writer_close(r->w), 0);
	close(r->fd);
}

static void free_recording(struct recording *r)
{
	for (unsigned int i = 0; i < r->count; i++) {
		unlink(r->paths[i]);
		free(r->paths[i]);
	}
	for (int cpu = 0; cpu < CPUS; cpu++)
		synth_free(&r->cpus[cpu]);
}

static void add_missing(void *data, const struct grtrace_hdr *rec)
{
	const struct grtrace_loss *loss = (const void *)rec;

	if (rec->type == GRTRACE_LOSS && loss->reason == GRTRACE_FATE_WRITTEN)
		*(uint64_t *)data += loss->count;
}

/* Merges the files that have a bit in @files; returns how many events are missing. */
static uint64_t missing_in(const struct recording *r, unsigned int files)
{
	struct grt_merge_input inputs[MOST] = { 0 };
	struct grt_merge merge = { .inputs = inputs, .line = "merge=" };
	char *made = strdup(reading_path("made.grt"));
	struct grt_target to = { .path = made, .uid = geteuid(), .gid = getegid() };
	uint64_t missing = 0;

	for (unsigned int i = 0; i < r->count; i++)
		if (files >> i & 1)
			inputs[merge.count++].path = r->paths[i];
	assert_int_equal(grt_merge_files(&merge, &to), 0);
	assert_int_equal(reading_files(1, &made, add_missing, &missing).err, 0);
	unlink(made);
	free(made);
	return missing;
}

/* CPU 1 has no event in the second file. */
static void test_idle(void **state)
{
	static const unsigned int events[MOST][CPUS] = { { 3, 122 }, { 3, 0 }, { 3, 5 } };
	struct recording r = { .count = 0 };

	(void)state;
	for (int i = 0; i < 3; i++) {
		begin_file(&r);
		for (int cpu = 0; cpu < CPUS; cpu++)
			if (events[i][cpu])
				add_events(&r, cpu, events[i][cpu]);
		end_file(&r);
	}
	assert_int_equal(missing_in(&r, 7), 0);
	assert_int_equal(missing_in(&r, 3), 0);
	assert_int_equal(missing_in(&r, 6), 0);
	/* Without the second file, three events of CPU 0 are missing. */
	assert_int_equal(missing_in(&r, 5), 3);
	free_recording(&r);
}

/* The second file's first account tells of events that were lost before it. */
static void test_told_once(void **state)
{
	struct recording r = { .count = 0 };

	(void)state;
	begin_file(&r);
	add_events(&r, 0, 3);
	end_file(&r);
	begin_file(&r);
	forget_events(&r, 0, 7);
	add_events(&r, 0, 3);
	end_file(&r);
	begin_file(&r);
	add_events(&r, 0, 3);
	end_file(&r);
	assert_int_equal(missing_in(&r, 3), 7);
	assert_int_equal(missing_in(&r, 6), 7);
	assert_int_equal(missing_in(&r, 5), 10);
	free_recording(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_told_once),
	};

	return cmocka_run_group_tests_name("rotated", tests, NULL, NULL);
}
