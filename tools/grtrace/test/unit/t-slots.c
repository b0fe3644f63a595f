// SPDX-License-Identifier: GPL-2.0
/* Slots of jobs in pictures of queues: each ring has its own, whatever its number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "slots.h"

static void feed(struct grt_slots *s, uint16_t type, uint64_t ctx, uint32_t ring)
{
	const struct grtrace_submit rec = {
		.hdr = { .type = type, .size = sizeof(rec) }, .ctx = ctx, .seqno = 1, .ring = ring,
	};

	assert_int_equal(grt_slots_record(s, &rec.hdr), 0);
}

static void test_rings(void **state)
{
	static const uint32_t rings[] = { 0, 1, 4095, 4096, 5000, UINT32_MAX };
	struct grt_slots s = { .free_row = 0 };
	struct grt_slot_pair slots;

	(void)state;
	for (uint64_t i = 0; i < sizeof(rings) / sizeof(rings[0]); i++) {
		feed(&s, GRTRACE_SUBMIT, 2 * i, rings[i]);
		feed(&s, GRTRACE_SUBMIT, 2 * i + 1, rings[i]);
		feed(&s, GRTRACE_COMMIT, 2 * i + 1, rings[i]);
	}
	for (uint64_t i = 0; i < sizeof(rings) / sizeof(rings[0]); i++) {
		slots = grt_slots_take(&s, 2 * i, 1);
		assert_int_equal(slots.waiting, 0);
		slots = grt_slots_take(&s, 2 * i + 1, 1);
		assert_int_equal(slots.waiting, 1);
		assert_int_equal(slots.on_ring, 0);
	}
	grt_slots_free(&s);
}

/* Those beyond the most jobs that are followed are counted; when some are over, others are followed again. */
static void test_unfollowed(void **state)
{
	struct grt_slots s = { .free_row = 0 };

	(void)state;
	for (uint64_t ctx = 1; ctx <= GRT_SLOTS_JOBS + 5; ctx++)
		feed(&s, GRTRACE_SUBMIT, ctx, 1);
	assert_int_equal(s.unfollowed, 5);
	grt_slots_take(&s, 1, 1);
	feed(&s, GRTRACE_SUBMIT, 1, 1);
	assert_int_equal(s.unfollowed, 5);
	grt_slots_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_rings), cmocka_unit_test(test_unfollowed) };

	return cmocka_run_group_tests_name("slots", tests, NULL, NULL);
}
