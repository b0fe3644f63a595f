// SPDX-License-Identifier: GPL-2.0
/* Names of processes over time, rings, and the table of keys behind them. */
#include <stdio.h>

#include "cursor.h"
#include "keymap.h"
#include "loss.h"
#include "model-script.h"

static const struct name_case {
	const char *name, *script;
	/* per job: comm[tgid], or - without a process */
	const char *names;
} name_cases[] = {
	{ "one name", "P7@50:game S1.1@100", "game[7] " },
	{ "no row: number only", "S1.1@100", "[7] " },
	{ "renamed between two jobs", "P7@50:sh S1.1@100 P7@110:game S1.2@120", "sh[7] game[7] " },
	{ "all rows first, as in a raw file",
	  "P7@50:sh P7@110:game S1.1@100 S1.2@120", "sh[7] game[7] " },
	{ "rows in any order",
	  "P7@110:game P7@150:end P7@50:sh S1.1@100 S1.2@120 S1.3@160", "sh[7] game[7] end[7] " },
	{ "row a moment late", "P7@101:game S1.1@100", "game[7] " },
	{ "two rows of one time: the later one", "P7@50:a P7@50:b S1.1@100", "b[7] " },
	{ "old name again", "P7@1:a P7@2:b P7@3:a S1.1@4", "a[7] " },
	{ "two processes", "P7@1:a P8@1:b S1.1@4 S1.2@5#8", "a[7] b[8] " },
	{ "the kernel's own", "P7@1:a S1.1@4!k", "kernel[0] " },
	{ "no SUBMIT, no process", "P7@1:a C1.1@4", "- " },
};

struct names_out {
	struct grt_model *m;
	FILE *out;
};

static void name_as_text(void *arg, const struct grt_job *job)
{
	struct names_out *o = arg;
	const struct grt_process *p;

	if (job->process == GRT_NONE) {
		fprintf(o->out, "- ");
		return;
	}
	p = grt_names_process_at(grt_model_names(o->m), job->process);
	fprintf(o->out, "%s[%u] ", p->comm, p->tgid);
}

static void test_names(void **state)
{
	const struct name_case *c = *state;
	struct names_out o;
	char *text = NULL;
	size_t bytes = 0;

	o.out = open_memstream(&text, &bytes);
	o.m = grt_model_create(name_as_text, &o);
	script_feed(o.m, c->script);
	assert_int_equal(grt_model_finish(o.m), 0);
	grt_model_destroy(o.m);
	fclose(o.out);
	assert_string_equal(text, c->names);
	free(text);
}

/* A name that comes and goes makes two rows, not one per change. */
static void test_names_flip(void **state)
{
	struct grt_names n = { 0 };
	struct grtrace_process p = {
		.hdr = { .type = GRTRACE_PROCESS, .size = sizeof(p) }, .tgid = 7,
	};

	(void)state;
	for (int i = 0; i < 100000; i++) {
		p.hdr.ts = i;
		p.comm[0] = 'a' + i % 2;
		assert_int_equal(grt_names_process(&n, &p), 0);
	}
	assert_int_equal(grt_vec_count(&n.processes, struct grt_process), 2);
	grt_names_free(&n);
}

/* A pid is used again: each job belongs to the process that had the pid at its SUBMIT. */
static void test_pid_again(void **state)
{
	struct grt_names n = { 0 };
	struct grtrace_process p = {
		.hdr = { .type = GRTRACE_PROCESS, .size = sizeof(p) }, .tgid = 7000, .comm = "sh",
	};
	uint32_t row[4];

	(void)state;
	for (int i = 0; i < 4; i++) {
		p.hdr.ts = 10 + 10 * i;
		p.start_ns = i < 2 ? 5 : 25;		/* the third and later are another process */
		p.cgroup_id = i == 0 || i == 3 ? 1 : 2;
		assert_int_equal(grt_names_process(&n, &p), 0);
		row[i] = grt_names_process_row(&n, 7000, p.hdr.ts);
	}
	assert_int_equal(grt_vec_count(&n.processes, struct grt_process), 4);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(grt_names_process_row(&n, 7000, 19 + 10 * i), row[i]);
		assert_int_equal(grt_names_process_at(&n, row[i])->start_ns, i < 2 ? 5 : 25);
		assert_int_equal(grt_names_cgroup_of(&n, row[i])->id, i == 0 || i == 3 ? 1 : 2);
	}
	grt_names_free(&n);
}

/* A pid with very many rows: the rows of the pid follow each other, and each process has its last one. */
static void test_last_rows(void **state)
{
	struct grt_names n = { 0 };
	struct grtrace_process p = {
		.hdr = { .type = GRTRACE_PROCESS, .size = sizeof(p) }, .tgid = 7,
	};
	const uint32_t count = 100000;

	(void)state;
	for (uint32_t i = 0; i < count; i++) {
		p.hdr.ts = i;
		p.start_ns = i % 2;			/* 0: not known, as of some sources */
		p.cgroup_id = 1 + i;
		assert_int_equal(grt_names_process(&n, &p), 0);
	}
	p.tgid = 8;
	assert_int_equal(grt_names_process(&n, &p), 0);
	assert_int_equal(grt_vec_count(&n.processes, struct grt_process), count + 1);
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(grt_names_process_at(&n, i)->sibling, (i + 1) % count);
		assert_int_equal(grt_names_process_last(&n, i), count - 2 + i % 2);
	}
	assert_int_equal(grt_names_process_at(&n, count)->sibling, count);
	assert_int_equal(grt_names_process_last(&n, count), count);
	grt_names_free(&n);
}

/* A record of an earlier version: it ends before the field start_ns. */
static void test_process_without_start(void **state)
{
	struct grt_names n = { 0 };
	struct grtrace_process p = {
		.hdr = { .type = GRTRACE_PROCESS,
			 .size = offsetof(struct grtrace_process, start_ns) },
		.tgid = 7, .comm = "old", .start_ns = 4711,
	};
	struct grt_cursor c = grt_cursor(&p, p.hdr.size);
	const struct grt_type *type = grt_type_by_number(GRTRACE_PROCESS);

	(void)state;
	assert_ptr_equal(grt_take_record(&c), &p);
	assert_int_equal(grt_field_u64(grt_field_by_name(type, "start_ns"), &p), 0);
	assert_int_equal(grt_names_process(&n, &p), 0);
	assert_int_equal(grt_names_process_at(&n, grt_names_process_row(&n, 7, 0))->start_ns, 0);
	grt_names_free(&n);
}

static void test_ring_rows(void **state)
{
	struct grt_names n = { 0 };
	struct grtrace_ring r = {
		.hdr = { .type = GRTRACE_RING, .size = sizeof(r) }, .ring = 5, .engine = 77,
	};

	(void)state;
	memset(r.name, 'x', sizeof(r.name));	/* no NUL: must end all the same */
	assert_int_equal(grt_names_ring_row(&n, 0), GRT_NONE);
	assert_int_equal(grt_names_ring_row(&n, 9), 0);
	assert_false(grt_names_ring_at(&n, 0)->is_defined);
	assert_int_equal(grt_names_ring(&n, &r), 0);
	assert_int_equal(grt_names_ring_row(&n, 5), 1);
	assert_int_equal(strlen(grt_names_ring_at(&n, 1)->name), sizeof(r.name));
	assert_int_equal(grt_names_ring_at(&n, 1)->engine, GRTRACE_ENGINE_OTHER);
	assert_int_equal(grt_names_ring_at(&n, 1)->hw_ring, 5);
	/* A damaged trace may name another ring in each event: memory must not grow with them. */
	for (uint32_t id = 1; id < 200000; id++)
		grt_names_ring_row(&n, id);
	assert_int_equal(grt_vec_count(&n.rings, struct grt_ring), 65536);
	assert_int_equal(grt_names_ring_row(&n, 199999), GRT_NONE);
	assert_int_equal(grt_names_ring_row(&n, 5), 1);
	grt_names_free(&n);
}

/* A million jobs in flight, deleted in another order: the table against its model. */
static void test_keymap_grows(void **state)
{
	const uint32_t n = 1000000;
	struct grt_keymap map = { 0 };

	(void)state;
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(grt_keymap_put(&map, i % 64, i, i), 0);
	assert_int_equal(map.used, n);
	for (uint32_t i = 0; i < n; i += 2)
		grt_keymap_del(&map, i % 64, i);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(grt_keymap_get(&map, i % 64, i), i & 1 ? i : GRT_NONE);
	grt_keymap_del(&map, 1, 0);		/* not there: nothing happens */
	for (uint32_t i = 1; i < n; i += 2)
		grt_keymap_del(&map, i % 64, i);
	assert_int_equal(map.used, 0);
	grt_keymap_free(&map);
}

/* The smallest table at its fullest: long probes that wrap round its end. */
static void test_keymap_crowded(void **state)
{
	struct grt_keymap map = { 0 };
	bool is_in[400] = { false };

	(void)state;
	srandom(3);
	for (int step = 0; step < 200000; step++) {
		uint32_t key = random() % 400;

		if (is_in[key])
			grt_keymap_del(&map, key, 0);
		else if (map.used < 128)
			assert_int_equal(grt_keymap_put(&map, key, 0, key), 0);
		else
			continue;
		is_in[key] = !is_in[key];
		for (uint32_t k = key; k < 400; k += 37)
			assert_int_equal(grt_keymap_get(&map, k, 0), is_in[k] ? k : GRT_NONE);
	}
	grt_keymap_free(&map);
}

static void finished_job(void *arg, const struct grt_job *job)
{
	uint64_t *jobs = arg;

	assert_true(job->flags & GRT_JOB_CUT);
	++*jobs;
}

static void test_million_in_flight(void **state)
{
	uint64_t jobs = 0;
	struct grt_model *m = grt_model_create(finished_job, &jobs);
	union script_record r = { .hdr = { .type = GRTRACE_SUBMIT, .size = sizeof(r.submit) } };

	(void)state;
	for (int i = 0; i < 1000000; i++) {
		r.hdr.ts = i;
		r.key.ctx = i % 64;
		r.key.seqno = i;
		assert_int_equal(grt_model_feed(m, &r.hdr), 0);
	}
	assert_int_equal(jobs, 0);
	assert_int_equal(grt_model_finish(m), 0);
	assert_int_equal(jobs, 1000000);
	grt_model_destroy(m);
}

static void test_losses(void **state)
{
	struct grt_losses l = { { 0 } };

	(void)state;
	assert_false(grt_losses_touch(&l, 0, UINT64_MAX));
	assert_int_equal(grt_losses_add(&l, 100, 200), 0);
	assert_int_equal(grt_losses_add(&l, 400, 300), 0);	/* turned round */
	assert_int_equal(grt_losses_add(&l, 10, 20), 0);
	assert_false(grt_losses_touch(&l, 21, 99));
	assert_true(grt_losses_touch(&l, 20, 21));
	assert_true(grt_losses_touch(&l, 99, 100));
	assert_true(grt_losses_touch(&l, 150, 160));
	assert_false(grt_losses_touch(&l, 201, 299));
	assert_true(grt_losses_touch(&l, 201, 300));
	assert_false(grt_losses_touch(&l, 401, UINT64_MAX));
	assert_int_equal(grt_losses_add(&l, 150, 350), 0);	/* bridges two */
	assert_true(grt_losses_touch(&l, 250, 251));
	assert_int_equal(l.spans.bytes, 2 * 16);
	/* More spans than the table keeps: some are joined, none is forgotten. */
	for (uint64_t i = 0; i < 300000; i++)
		assert_int_equal(grt_losses_add(&l, 1000 + 10 * i, 1001 + 10 * i), 0);
	assert_true(l.spans.bytes <= 65536 * 16);
	for (uint64_t i = 0; i < 300000; i += 7)
		assert_true(grt_losses_touch(&l, 1000 + 10 * i, 1000 + 10 * i));
	grt_losses_free(&l);
}

#define NR_NAME_CASES	(sizeof(name_cases) / sizeof(name_cases[0]))

int main(void)
{
	struct CMUnitTest tests[NR_NAME_CASES + 9] = {
		[NR_NAME_CASES] = cmocka_unit_test(test_names_flip),
		cmocka_unit_test(test_pid_again),
		cmocka_unit_test(test_last_rows),
		cmocka_unit_test(test_process_without_start),
		cmocka_unit_test(test_ring_rows),
		cmocka_unit_test(test_keymap_grows),
		cmocka_unit_test(test_keymap_crowded),
		cmocka_unit_test(test_million_in_flight),
		cmocka_unit_test(test_losses),
	};

	for (size_t i = 0; i < NR_NAME_CASES; i++)
		tests[i] = (struct CMUnitTest){
			.name = name_cases[i].name, .test_func = test_names,
			.initial_state = (void *)&name_cases[i],
		};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
