// SPDX-License-Identifier: GPL-2.0
/* A recording of many processes: its files stay small, and each has the names of the processes of its events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* Replaces the clock. */
#define grt_snapshot_now	now_as_told
#include "../../cmd/output.c"
#include "../../cmd/kept.c"
#include "../../cmd/flight_ring.c"

#include "reading.h"
#include "synth.h"

#define SECOND		1000000000ull
#define EACH_SECOND	10		/* new processes */
#define PIDS		4000		/* numbers are used again */
#define LASTING		1		/* runs all the time */
#define SECONDS		3600
#define ROTATE_BYTES	(256u << 10)

static uint64_t now_ns;
static uint32_t latest;		/* tgid of the latest process */

uint64_t now_as_told(int clock)
{
	(void)clock;
	return now_ns;
}

void grt_snapshot_clock(struct grtrace_clock *clock)
{
	*clock = (struct grtrace_clock){
		.hdr = { .type = GRTRACE_CLOCK, .size = sizeof(*clock), .ts = now_ns }, .mono_ns = now_ns,
	};
}

/* A process runs for ten seconds. */
bool grt_task_has_ended(uint32_t tgid)
{
	return tgid != LASTING && (latest + PIDS - tgid) % PIDS > 10 * EACH_SECOND;
}

/* --- what is recorded --- */

static void next_process(struct synth *s, unsigned int nth)
{
	char name[16];

	latest = LASTING + 1 + nth % PIDS;
	snprintf(name, sizeof(name), "worker-%u", nth);
	synth_process(s, latest, name, now_ns);
	synth_mark_of(s, latest, name, now_ns);
}

static void begin_stream(struct synth *s)
{
	now_ns = SYNTH_START;
	synth_begin(s, 0);
	synth_ring(s, 1, "gfx", now_ns);
	synth_process(s, LASTING, "lasting", now_ns);
	synth_subbuf(s, now_ns);
}

/* Gives what @s has to @take, and empties it. */
static void give(struct synth *s, int (*take)(void *arg, struct grt_run *run), void *arg)
{
	struct grt_cursor c = grt_cursor(s->bytes.data, s->bytes.bytes);
	struct grt_run run;

	while (grt_next_run(&c, GRT_CHUNK_GOAL_BYTES, &run))
		assert_int_equal(take(arg, &run), 0);
	assert_false(c.failed);
	s->bytes.bytes = 0;
}

static int to_output(void *arg, struct grt_run *run)
{
	return grt_output_run(arg, 0, 0, run);
}

static int to_ring(void *arg, struct grt_run *run)
{
	struct grtrace_snapshot why = { 0 };

	return grt_flight_ring_add(arg, 0, 0, run, &why);
}

/* --- what a file says --- */

struct said {
	char names[PIDS + LASTING + 1][16];
	unsigned int marks;
};

static void check_name(void *arg, const struct grtrace_hdr *rec)
{
	const struct grtrace_process *process = (const void *)rec;
	const struct grtrace_mark *mark = (const void *)rec;
	struct said *said = arg;
	char name[16];

	if (rec->type == GRTRACE_PROCESS)
		memcpy(said->names[process->tgid], process->comm, sizeof(process->comm));
	if (rec->type != GRTRACE_MARK)
		return;
	/* The text of each mark is the name of its process then. */
	snprintf(name, sizeof(name), "%.*s", (int)(rec->size - sizeof(*mark)), (const char *)(mark + 1));
	assert_string_equal(said->names[mark->tgid], name);
	said->marks++;
}

/* The number of marks; each has the name of its process. */
static unsigned int check_file(char *path)
{
	static struct said said;
	struct reading r;

	memset(&said, 0, sizeof(said));
	r = reading_files(1, &path, check_name, &said);
	assert_int_equal(r.err, 0);
	return said.marks;
}

static uint64_t file_bytes(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_size;
}

/* --- the cases --- */

static void open_output(struct grt_output *o, const char *name)
{
	const struct grt_file_header header = { .session_id = SYNTH_SESSION, .start_ns = SYNTH_START };

	o->path = reading_path(name);
	assert_int_equal(grt_output_open(o, geteuid(), getegid()), 0);
	assert_int_equal(grt_output_begin(o, &header, 1), 0);
}

static void test_files(void **state)
{
	struct grt_output o = { .rotate_bytes = ROTATE_BYTES };
	struct synth s = { 0 };
	unsigned int nth = 0, marks = 0;
	char path[128];

	(void)state;
	begin_stream(&s);
	open_output(&o, "many.grt");
	for (unsigned int second = 0; second < SECONDS; second++) {
		now_ns += SECOND;
		for (int i = 0; i < EACH_SECOND; i++)
			next_process(&s, nth++);
		synth_mark_of(&s, LASTING, "lasting", now_ns);
		give(&s, to_output, &o);
		if (!grt_output_is_due(&o, now_ns))
			continue;
		assert_int_equal(grt_output_rotate(&o), 0);
		/* The definitions at its begin take less than half of a file. */
		assert_true(grt_output_bytes(&o) - o.past_bytes < ROTATE_BYTES / 2);
	}
	assert_int_equal(grt_output_close(&o, true), 0);
	for (unsigned int i = 1; i <= o.number; i++) {
		assert_int_equal(grt_output_name(path, sizeof(path), o.path, i), 0);
		marks += check_file(path);
	}
	assert_int_equal(marks, (EACH_SECOND + 1) * SECONDS);
	grt_output_destroy(&o);
	synth_free(&s);
}

/* Events of a process that was replaced or has ended, in the file after that. */
static void test_late_events(void **state)
{
	struct grt_output o = { .rotate_bytes = ROTATE_BYTES };
	struct synth s = { 0 };

	(void)state;
	begin_stream(&s);
	open_output(&o, "late.grt");
	now_ns = 10 * SECOND;
	next_process(&s, 0);
	now_ns = 12 * SECOND;
	next_process(&s, PIDS);
	give(&s, to_output, &o);
	latest = PIDS / 2;
	assert_true(grt_task_has_ended(LASTING + 1));
	assert_int_equal(grt_output_rotate(&o), 0);
	synth_mark_of(&s, LASTING + 1, "worker-0", 11 * SECOND);
	synth_mark_of(&s, LASTING + 1, "worker-4000", 12 * SECOND);
	give(&s, to_output, &o);
	now_ns += GRT_KEPT_NS / 2;
	assert_int_equal(grt_output_rotate(&o), 0);
	synth_mark_of(&s, LASTING + 1, "worker-4000", now_ns);
	give(&s, to_output, &o);
	now_ns += GRT_KEPT_NS;
	assert_int_equal(grt_output_rotate(&o), 0);
	synth_mark_of(&s, LASTING, "lasting", now_ns);
	/* The process after it has the same name and all else, too. */
	synth_process(&s, LASTING + 1, "worker-4000", now_ns);
	synth_mark_of(&s, LASTING + 1, "worker-4000", now_ns);
	give(&s, to_output, &o);
	latest = LASTING + 1;
	assert_int_equal(grt_output_rotate(&o), 0);
	synth_mark_of(&s, LASTING + 1, "worker-4000", now_ns);
	synth_mark_of(&s, LASTING, "lasting", now_ns);
	give(&s, to_output, &o);
	assert_int_equal(grt_output_close(&o, true), 0);
	for (unsigned int i = 1; i <= 5; i++) {
		char path[128];

		assert_int_equal(grt_output_name(path, sizeof(path), o.path, i), 0);
		assert_int_equal(check_file(path), i == 3 ? 1 : 2);
	}
	grt_output_destroy(&o);
	synth_free(&s);
}

/* Saves the events of the ring in a new file @name, and sets @path to where that is. */
static void save(struct grt_flight_ring *ring, const char *name, char path[128], struct grt_flight_part *part)
{
	const struct grtrace_snapshot why = { .hdr = { .type = GRTRACE_SNAPSHOT, .size = sizeof(why), .ts = now_ns } };
	struct grt_output o = { 0 };

	open_output(&o, name);
	assert_int_equal(grt_flight_ring_save(ring, &o, &why, part), 0);
	assert_int_equal(grt_output_close(&o, true), 0);
	snprintf(path, 128, "%s", o.path);
	grt_output_destroy(&o);
}

static void test_flight(void **state)
{
	struct grt_flight_ring *ring = grt_flight_ring_create(1, 64 << 10, 0);
	struct grt_flight_part part;
	struct synth s = { 0 };
	char path[128];

	(void)state;
	assert_non_null(ring);
	begin_stream(&s);
	for (unsigned int nth = 0; nth < 100000; nth++) {
		now_ns += SECOND / EACH_SECOND;
		next_process(&s, nth);
		if (nth % 100)
			continue;
		synth_mark_of(&s, LASTING, "lasting", now_ns);
		give(&s, to_ring, ring);
	}
	give(&s, to_ring, ring);
	save(ring, "flight.grt", path, &part);
	assert_int_equal(check_file(path), part.events);
	assert_true(part.events > 300);
	assert_true(file_bytes(path) < 2 << 20);
	grt_flight_ring_destroy(ring);
	synth_free(&s);
}

/* A CPU that is idle has events of long ago. */
static void test_flight_of_idle_cpu(void **state)
{
	struct grt_flight_ring *ring = grt_flight_ring_create(1, 64 << 10, 0);
	struct grt_flight_part part;
	struct synth s = { 0 };
	char path[128];

	(void)state;
	assert_non_null(ring);
	begin_stream(&s);
	now_ns += SECOND;
	next_process(&s, 0);
	for (unsigned int nth = 1; nth < 100000; nth++) {
		char name[16];

		now_ns += SECOND / EACH_SECOND;
		latest = LASTING + 1 + nth % PIDS;
		snprintf(name, sizeof(name), "worker-%u", nth);
		synth_process(&s, latest, name, now_ns);
		if (nth % 100 == 0)
			give(&s, to_ring, ring);
	}
	save(ring, "idle.grt", path, &part);
	assert_int_equal(check_file(path), 1);
	assert_true(file_bytes(path) < 2 << 20);
	grt_flight_ring_destroy(ring);
	synth_free(&s);
}

/* --- rings that come and go --- */

#define ROWS		16
#define RINGS		50000

/* Row 1 is that of a ring that stays; a new ring has another row, in turns, with a number of its own. */
static uint32_t next_ring(struct synth *s, unsigned int nth)
{
	uint32_t ring = 2 + nth % (ROWS - 2) + nth / (ROWS - 2) * ROWS;
	char name[16];

	snprintf(name, sizeof(name), "queue-%u", nth);
	synth_ring(s, ring, name, now_ns);
	return ring;
}

struct ring_counts {
	bool is_defined[RINGS * 2];
	unsigned int rings, events, unknown;
};

static void check_ring(void *arg, const struct grtrace_hdr *rec)
{
	struct ring_counts *counts = arg;

	if (rec->type == GRTRACE_RING) {
		counts->is_defined[((const struct grtrace_ring *)rec)->ring] = true;
		counts->rings++;
	}
	if (rec->type != GRTRACE_COMPLETE)
		return;
	counts->events++;
	counts->unknown += !counts->is_defined[((const struct grtrace_complete *)rec)->ring];
}

static struct ring_counts *rings_of(char *path)
{
	static struct ring_counts counts;
	struct reading r;

	memset(&counts, 0, sizeof(counts));
	r = reading_files(1, &path, check_ring, &counts);
	assert_int_equal(r.err, 0);
	assert_int_equal(counts.unknown, 0);
	return &counts;
}

static void test_rings_of_files(void **state)
{
	struct grt_output o = { .rotate_bytes = ROTATE_BYTES, .kept.ring_rows = ROWS };
	struct synth s = { 0 };
	unsigned int events = 0;
	char path[128];

	(void)state;
	begin_stream(&s);
	open_output(&o, "rings.grt");
	for (unsigned int nth = 0; nth < RINGS; nth++) {
		now_ns += SECOND;
		synth_job(&s, 7 + nth, 1, next_ring(&s, nth), LASTING, now_ns);
		synth_job(&s, 6, nth, 1, LASTING, now_ns + SECOND / 2);
		if (nth % 10)
			continue;
		give(&s, to_output, &o);
		if (grt_output_is_due(&o, now_ns))
			assert_int_equal(grt_output_rotate(&o), 0);
	}
	give(&s, to_output, &o);
	assert_int_equal(grt_output_close(&o, true), 0);
	assert_true(o.number > 3);
	for (unsigned int i = 1; i <= o.number; i++) {
		struct ring_counts *counts;

		assert_int_equal(grt_output_name(path, sizeof(path), o.path, i), 0);
		counts = rings_of(path);
		events += counts->events;
		/* Those of its own events, of the last two minutes, and those that stay. */
		assert_true(counts->rings < counts->events / 2 + GRT_KEPT_NS / SECOND + 2 * ROWS);
	}
	assert_int_equal(events, 2 * RINGS);
	grt_output_destroy(&o);
	synth_free(&s);
}

/* One CPU has only the job of a ring that is long gone. */
static void test_rings_of_flight(void **state)
{
	struct grt_flight_ring *ring = grt_flight_ring_create(1, 64 << 10, ROWS);
	struct grt_flight_part part;
	struct ring_counts *counts;
	struct synth s = { 0 };
	char path[128];

	(void)state;
	assert_non_null(ring);
	begin_stream(&s);
	synth_job(&s, 7, 1, next_ring(&s, 0), LASTING, now_ns);
	for (unsigned int nth = 1; nth < RINGS; nth++) {
		now_ns += SECOND;
		next_ring(&s, nth);
		if (nth % 100 == 0)
			give(&s, to_ring, ring);
	}
	give(&s, to_ring, ring);
	save(ring, "rings-flight.grt", path, &part);
	counts = rings_of(path);
	assert_int_equal(counts->events, 1);
	assert_true(counts->rings < RINGS / 2);
	grt_flight_ring_destroy(ring);
	synth_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_late_events),
		cmocka_unit_test(test_flight),
		cmocka_unit_test(test_flight_of_idle_cpu),
		cmocka_unit_test(test_rings_of_files),
		cmocka_unit_test(test_rings_of_flight),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
