// SPDX-License-Identifier: GPL-2.0
/* Live bytes over time, what is a suspected leak, the bounds of memory, and names of domains. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "memory.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))
#define MS		1000000ull
#define MIB		(1ull << 20)

static const struct domain_case {
	const char *name, *driver;
	uint32_t domain;
	const char *word;	/* NULL: a number */
} domain_cases[] = {
	{ "amdgpu's GTT", "amdgpu", 1, "GTT" },
	{ "amdgpu's last", "amdgpu", 5, "OA" },
	{ "past amdgpu's last", "amdgpu", 6, NULL },
	{ "xe's second VRAM", "xe", 3, "VRAM1" },
	{ "another driver", "i915", 1, NULL },
	{ "no driver", "", 2, NULL },
	{ "nowhere", "amdgpu", GRT_DOMAIN_NOWHERE, NULL },
};

static void test_domain(void **state)
{
	const struct domain_case *c = *state;
	const char *word = grt_domain_name(c->driver, c->domain);

	assert_int_equal(!word, !c->word);
	if (word)
		assert_string_equal(word, c->word);
}

static void test_pci(void **state)
{
	char buf[GRT_PCI_NAME_MAX];

	(void)state;
	assert_string_equal(grt_pci_name(buf, GRTRACE_PCI_ADDRESS(0, 0x0b, 0)), "0000:0b:00.0");
	assert_string_equal(grt_pci_name(buf, GRTRACE_PCI_ADDRESS(0x1234, 0xff, 0x1f << 3 | 7)),
			    "1234:ff:1f.7");
	assert_string_equal(grt_pci_name(buf, 0), "");
	assert_string_equal(grt_pci_name(buf, UINT32_MAX), "ffff:ff:1f.6");
}

/* Changes at times of a window from 100 to 200: the time, and the bytes from then on. */
static const struct live_case {
	const char *name;
	struct {
		uint64_t ns, bytes;
	} at[12];
	uint64_t begin, end, peak, peak_ns, first_floor, last_floor;
	bool rises;
} live_cases[] = {
	{ "nothing", { { 0, 0 } }, 0, 0, 0, 100, 0, 0, false },
	{ "before the window", { { 50, 7 }, { 60, 5 } }, 5, 5, 5, 100, 5, 5, false },
	{ "at its begin", { { 100, 7 } }, 0, 7, 7, 100, 0, 7, false },
	{ "up and down", { { 120, 9 }, { 130, 2 }, { 195, 1 } }, 0, 1, 9, 120, 0, 1, false },
	{ "the highest comes first", { { 110, 9 }, { 120, 8 }, { 130, 9 } }, 0, 9, 9, 110, 0, 9, false },
	{ "a step in each part", { { 105, 1 }, { 115, 2 }, { 125, 3 }, { 135, 4 }, { 145, 5 }, { 155, 6 },
	    { 165, 7 }, { 175, 8 }, { 185, 9 }, { 195, 10 } }, 0, 10, 10, 195, 0, 9, true },
	{ "a part without", { { 105, 1 }, { 115, 2 }, { 125, 3 }, { 135, 4 }, { 155, 6 },
	    { 165, 7 }, { 175, 8 }, { 185, 9 }, { 195, 10 } }, 0, 10, 10, 195, 0, 9, false },
	{ "a dip to the floor", { { 105, 1 }, { 115, 2 }, { 125, 3 }, { 135, 4 }, { 145, 5 }, { 155, 6 },
	    { 165, 7 }, { 175, 8 }, { 181, 7 }, { 182, 8 }, { 185, 9 } }, 0, 9, 9, 185, 0, 9, false },
};

static void test_live(void **state)
{
	const struct live_case *c = *state;
	const struct grt_live_window w = { 100, 200 };
	struct grt_live_bytes *l = calloc(1, sizeof(*l));
	uint64_t grown;

	assert_non_null(l);
	for (size_t i = 0; i < NR(c->at) && c->at[i].ns; i++)
		grt_live_bytes_set(l, &w, c->at[i].ns, c->at[i].bytes);
	grt_live_bytes_close(l, &w);
	assert_int_equal(l->level.begin_bytes, c->begin);
	assert_int_equal(l->level.bytes, c->end);
	assert_int_equal(l->level.peak_bytes, c->peak);
	assert_int_equal(l->level.peak_ns, c->peak_ns);
	assert_int_equal(l->columns[GRT_LIVE_COLUMNS - 1].end_bytes, c->end);
	assert_int_equal(grt_live_floor(l, 0), c->first_floor);
	assert_int_equal(grt_live_floor(l, GRT_LIVE_PARTS - 1), c->last_floor);
	assert_int_equal(grt_live_rises(l, &grown), c->rises);
	free(l);
}

/* Each instant is in the part that begins at it or before it, also where parts are uneven. */
static void test_parts(void **state)
{
	static const struct grt_live_window windows[] = { { 0, 1 }, { 5, 12 }, { 100, 10007 },
							  { 0, UINT64_MAX }, { UINT64_MAX - 3, UINT64_MAX } };

	(void)state;
	for (size_t i = 0; i < NR(windows); i++) {
		const struct grt_live_window *w = &windows[i];

		for (uint64_t part = 0; part < GRT_LIVE_COLUMNS; part++) {
			uint64_t ns = grt_live_part_ns(w, part, GRT_LIVE_COLUMNS);

			assert_true(ns >= w->from_ns && ns <= w->to_ns);
			if (ns < w->to_ns)
				assert_true(grt_live_part(w, ns, GRT_LIVE_COLUMNS) >= part);
			if (ns > w->from_ns)
				assert_true(grt_live_part(w, ns - 1, GRT_LIVE_COLUMNS) < part);
		}
		assert_int_equal(grt_live_part_ns(w, GRT_LIVE_COLUMNS, GRT_LIVE_COLUMNS), w->to_ns);
	}
}

struct fixture {
	struct grt_model *model;
	struct grt_window window;
	struct grt_memory memory;
};

static void no_job(void *arg, const struct grt_job *job)
{
	(void)arg;
	(void)job;
}

static void begin(struct fixture *f, uint64_t last_ns)
{
	*f = (struct fixture){ .window = { .to_ns = UINT64_MAX, .last_ns = last_ns } };
	f->model = grt_model_create(no_job, NULL);
	assert_non_null(f->model);
	f->memory.wants.window = &f->window;
	assert_int_equal(grt_memory_begin(&f->memory, f->model), 0);
}

static void end(struct fixture *f)
{
	grt_memory_free(&f->memory);
	grt_model_destroy(f->model);
}

static struct grtrace_memory event(uint32_t op, uint64_t object, uint64_t ns)
{
	return (struct grtrace_memory){
		.hdr = { .type = GRTRACE_MEMORY, .size = sizeof(struct grtrace_memory), .ts = ns },
		.op = op, .object_id = object, .bytes = MIB, .tgid = 7, .pci_address = 1,
	};
}

static void feed(struct fixture *f, const struct grtrace_memory *rec)
{
	assert_int_equal(grt_memory_record(&f->memory, &rec->hdr), 0);
}

/* With more objects than there is room for, all are counted, but live bytes are unknown. */
static void test_many_objects(void **state)
{
	uint64_t n = GRT_MEMORY_MAX_OBJECTS;
	struct grtrace_memory rec;
	struct fixture f;

	(void)state;
	for (unsigned int more = 0; more < 2; more++) {
		begin(&f, 2 * n);
		for (uint64_t i = 0; i < n + more; i++) {
			rec = event(GRTRACE_MEMORY_CREATE, i + 1, i);
			feed(&f, &rec);
		}
		rec = event(GRTRACE_MEMORY_DESTROY, 1, n + more);
		feed(&f, &rec);
		assert_int_equal(grt_memory_end(&f.memory), 0);
		assert_int_equal(f.memory.all.created.events, n + more);
		assert_int_equal(grt_memory_process_at(&f.memory, 0)->created.events, n + more);
		assert_int_equal(grt_memory_knows_live(&f.memory, &f.memory.all), !more);
		assert_true(f.memory.objects.bytes <= 64ull * n);
		end(&f);
	}
}

/* Past the limits, rows are shared, and still sum to the same. */
static void test_many_rows(void **state)
{
	const uint32_t many = 20000;
	uint64_t moved = 0, created = 0;
	struct grtrace_memory rec;
	struct fixture f;

	(void)state;
	begin(&f, 10 * many);
	for (uint32_t i = 0; i < many; i++) {
		rec = event(GRTRACE_MEMORY_CREATE, i, 2 * i);
		rec.tgid = i;
		feed(&f, &rec);
		rec = event(GRTRACE_MEMORY_MOVE, i, 2 * i + 1);
		rec.from_domain = i;
		rec.to_domain = i + 1;
		rec.pci_address = i % 100;
		feed(&f, &rec);
	}
	assert_int_equal(grt_memory_end(&f.memory), 0);
	assert_true(grt_memory_processes(&f.memory) <= GRT_MEMORY_MAX_PROCESSES + 1);
	/* A shared row for each process at most. */
	assert_true(grt_memory_rows(&f.memory) <= GRT_MEMORY_MAX_ROWS + GRT_MEMORY_MAX_PROCESSES + 1);
	assert_int_equal(grt_memory_moves(&f.memory), GRT_MEMORY_MAX_MOVES + 1);
	for (size_t i = 0; i < grt_memory_moves(&f.memory); i++)
		moved += grt_memory_move_at(&f.memory, i)->sum.bytes;
	for (size_t i = 0; i < grt_memory_processes(&f.memory); i++)
		created += grt_memory_process_at(&f.memory, i)->created.bytes;
	assert_int_equal(moved, many * MIB);
	assert_int_equal(created, many * MIB);
	end(&f);
}

/* Many GPUs, each of which reports the end of its object: live bytes are known. */
static void test_many_devices(void **state)
{
	struct grtrace_memory rec;
	struct fixture f;

	(void)state;
	begin(&f, 1000);
	for (unsigned int i = 1; i <= 100; i++) {
		rec = event(GRTRACE_MEMORY_CREATE, 1, 2 * i);
		rec.pci_address = i;
		feed(&f, &rec);
		rec = event(GRTRACE_MEMORY_DESTROY, 1, 2 * i + 1);
		rec.pci_address = i;
		feed(&f, &rec);
	}
	assert_int_equal(grt_memory_end(&f.memory), 0);
	assert_true(grt_memory_knows_live(&f.memory, &f.memory.all));
	assert_int_equal(grt_memory_rows(&f.memory), 100);
	for (size_t i = 0; i < 100; i++)
		assert_true(grt_memory_knows_row(&f.memory, grt_memory_row_at(&f.memory, i)));
	end(&f);
}

/* An object that is bound in more address spaces than are followed. */
static void test_many_spaces(void **state)
{
	struct grtrace_memory rec;
	struct fixture f;

	(void)state;
	for (unsigned int spaces = 16; spaces <= 17; spaces++) {
		uint64_t ns = 0;

		begin(&f, 1000);
		for (unsigned int round = 0; round < 2; round++)
			for (unsigned int vm = 1; vm <= spaces; vm++) {
				rec = event(GRTRACE_MEMORY_BIND, 1, ns++);
				rec.vm_id = vm;
				feed(&f, &rec);
				rec.op = GRTRACE_MEMORY_UNBIND;
				feed(&f, &rec);
			}
		assert_int_equal(grt_memory_end(&f.memory), 0);
		assert_int_equal(f.memory.all.rebinds, 16);
		assert_int_equal(f.memory.lacks_rebinds, spaces > 16);
		end(&f);
	}
}

/* Time runs back to before the window: what is live still is what was created and not destroyed. */
static void test_back(void **state)
{
	struct grtrace_memory rec;
	struct fixture f;

	(void)state;
	begin(&f, 1000);
	f.memory.window.from_ns = 500;
	rec = event(GRTRACE_MEMORY_CREATE, 1, 600);
	feed(&f, &rec);
	rec = event(GRTRACE_MEMORY_CREATE, 2, 100);
	feed(&f, &rec);
	rec = event(GRTRACE_MEMORY_DESTROY, 1, 200);
	feed(&f, &rec);
	assert_int_equal(grt_memory_end(&f.memory), 0);
	assert_int_equal(f.memory.all.created.bytes, 2 * MIB);
	assert_int_equal(f.memory.all.destroyed.bytes, MIB);
	assert_int_equal(f.memory.all.live.level.bytes, MIB);
	assert_int_equal(f.memory.all.live.level.begin_bytes, 0);
	end(&f);
}

/* Events that name no object are counted; nobody takes two such objects for one. */
static void test_nameless(void **state)
{
	struct grtrace_memory rec;
	struct fixture f;

	(void)state;
	begin(&f, 1000);
	for (unsigned int i = 0; i < 2; i++) {
		rec = event(GRTRACE_MEMORY_CREATE, 0, 100);
		feed(&f, &rec);
		rec = event(GRTRACE_MEMORY_BIND, 0, 200);
		rec.vm_id = 1;
		feed(&f, &rec);
		rec.op = GRTRACE_MEMORY_UNBIND;
		feed(&f, &rec);
	}
	/* Another object ends, so this driver reports ends. */
	rec = event(GRTRACE_MEMORY_DESTROY, 1, 300);
	feed(&f, &rec);
	rec = event(GRTRACE_MEMORY_FAULT, 0, 400);
	rec.hdr.flags = GRTRACE_F_ACCESS_UNKNOWN;
	feed(&f, &rec);
	assert_int_equal(grt_memory_end(&f.memory), 0);
	assert_int_equal(f.memory.all.created.bytes, 2 * MIB);
	assert_int_equal(f.memory.all.ops[GRTRACE_MEMORY_BIND].events, 2);
	assert_int_equal(f.memory.all.rebinds, 0);
	assert_int_equal(f.memory.all.untold_binds, 2);
	assert_int_equal(f.memory.all.untold_faults, 1);
	assert_false(grt_memory_knows_live(&f.memory, &f.memory.all));
	end(&f);
}

/* Growth of 1 MiB in each 10 ms or 100 ms, and of half as much. */
static void test_least(void **state)
{
	static const struct {
		uint64_t step_ns, bytes;
		bool leaks;
	} cases[] = {
		{ 100 * MS, MIB, true }, { 10 * MS, MIB, false }, { 100 * MS, MIB / 9, false },
		{ 100 * MS, MIB / 9 + 1, true },
	};
	struct grtrace_memory rec;
	struct fixture f;
	uint64_t bytes;

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		begin(&f, 10 * cases[i].step_ns - 1);
		rec = event(GRTRACE_MEMORY_CREATE, 1000, 0);
		feed(&f, &rec);
		rec = event(GRTRACE_MEMORY_DESTROY, 1000, 0);
		feed(&f, &rec);
		for (uint64_t step = 0; step < 10; step++) {
			rec = event(GRTRACE_MEMORY_CREATE, step + 1, step * cases[i].step_ns + 1);
			rec.bytes = cases[i].bytes;
			feed(&f, &rec);
		}
		assert_int_equal(grt_memory_end(&f.memory), 0);
		assert_int_equal(grt_memory_leaks(&f.memory, grt_memory_process_at(&f.memory, 0), &bytes),
				 cases[i].leaks);
		end(&f);
	}
}

/* A MOVE of @bytes in a window of @span_ns. */
static void test_rates(void **state)
{
	static const struct {
		uint64_t bytes, span_ns, mean, peak;
	} cases[] = {
		{ 1000, 1000 * MS, 1000, 1000 },
		{ 1000, 4000 * MS, 250, 1000 },
		{ 1000, 100 * MS, 10000, 10000 },
		{ UINT64_MAX, 2000 * MS, UINT64_MAX / 2, UINT64_MAX },
		{ UINT64_MAX, 1, UINT64_MAX, UINT64_MAX },
		{ UINT64_MAX / 1000, MS - 1, UINT64_MAX, UINT64_MAX },
	};
	struct grtrace_memory rec;
	struct fixture f;
	uint64_t mean, peak;

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		begin(&f, cases[i].span_ns - 1);
		rec = event(GRTRACE_MEMORY_MOVE, 1, 0);
		rec.to_domain = 2;
		rec.bytes = cases[i].bytes;
		feed(&f, &rec);
		assert_int_equal(grt_memory_end(&f.memory), 0);
		assert_true(grt_memory_rates(&f.memory, grt_memory_move_at(&f.memory, 0), &mean, &peak));
		assert_int_equal(mean, cases[i].mean);
		assert_int_equal(peak, cases[i].peak);
		end(&f);
	}
}

#define ADD(list, fn) \
	for (size_t i = 0; i < NR(list); i++) \
		tests[n++] = (struct CMUnitTest){ list[i].name, fn, NULL, NULL, (void *)&list[i] }

int main(void)
{
	static const struct CMUnitTest others[] = {
		cmocka_unit_test(test_pci), cmocka_unit_test(test_parts),
		cmocka_unit_test(test_many_objects), cmocka_unit_test(test_many_rows),
		cmocka_unit_test(test_many_devices),
		cmocka_unit_test(test_many_spaces), cmocka_unit_test(test_back), cmocka_unit_test(test_least),
		cmocka_unit_test(test_nameless),
		cmocka_unit_test(test_rates),
	};
	struct CMUnitTest tests[NR(domain_cases) + NR(live_cases) + NR(others)];
	size_t n = 0;

	ADD(domain_cases, test_domain);
	ADD(live_cases, test_live);
	for (size_t i = 0; i < NR(others); i++)
		tests[n++] = others[i];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
