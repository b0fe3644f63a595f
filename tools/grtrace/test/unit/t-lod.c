// SPDX-License-Identifier: GPL-2.0
/* Pictures of rings from far: each ring has one, however many there are, and each bucket names its process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lod.h"

#define RINGS		5000
#define COLUMNS		9
#define PROCESS		1	/* its first column */

static struct grt_job job_of(uint32_t ring, uint32_t process)
{
	struct grt_job job = { .ring = ring, .process = process };

	job.stages = 1u << GRT_STAGE_EXEC;
	job.at_ns[GRT_AT_END] = 1000000;
	return job;
}

static void test_rings(void **state)
{
	struct grt_packed p = { 0 };
	struct grt_lod lod = { 0 };
	unsigned int packed = 0;

	(void)state;
	grt_lod_begin(&lod, 0, 1000000, RINGS);
	for (uint32_t ring = 0; ring < RINGS; ring++) {
		struct grt_job job = job_of(ring, ring);

		assert_int_equal(grt_lod_job(&lod, &job), 0);
	}
	/* All rings together have as many buckets as 32 rings have at most. */
	assert_true(lod.buckets > 1 && (uint64_t)lod.buckets * RINGS <= 32ull << (GRT_LOD_LEVELS - 1));
	for (uint32_t ring = 0; ring < RINGS; ring++)
		packed += grt_lod_pack(&lod, ring, &p);
	assert_int_equal(packed, RINGS);
	grt_packed_free(&p);
	grt_lod_free(&lod);
}

static void test_processes(void **state)
{
	static const struct {
		uint32_t process, row;	/* + 1; 0: there is no room for its number */
	} cases[] = { { 0, 1 }, { 65534, 65535 }, { 65535, 65536 }, { 70000, 70001 }, { 1u << 24, 0 } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct grt_job job = job_of(0, cases[i].process);
		struct grt_packed p = { 0 };
		struct grt_lod lod = { 0 };
		const uint8_t *at;

		grt_lod_begin(&lod, 0, 1, 1);	/* one bucket */
		lod.to_ns = lod.bucket_ns = 1000000;
		assert_int_equal(lod.buckets, 1);
		assert_int_equal(grt_lod_job(&lod, &job), 0);
		assert_true(grt_lod_pack(&lod, 0, &p));
		at = p.bytes.data;
		assert_int_equal(p.bytes.bytes, COLUMNS);
		assert_int_equal(at[PROCESS] | at[PROCESS + 1] << 8 | at[PROCESS + 2] << 16, cases[i].row);
		grt_packed_free(&p);
		grt_lod_free(&lod);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rings), cmocka_unit_test(test_processes),
	};

	return cmocka_run_group_tests_name("lod", tests, NULL, NULL);
}
