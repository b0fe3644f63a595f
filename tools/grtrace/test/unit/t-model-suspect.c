// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs that were in flight when events were lost, and rings that are reset.  Both are kept so that no event walks
 * over all of them; here, a walk over all finds the same.
 */
#include <stdio.h>

#include "model-script.h"

#include "model_private.h"

static void count_job(void *arg, const struct grt_job *job)
{
	(void)job;
	++*(uint64_t *)arg;
}

static uint32_t below(uint32_t n)
{
	return random() % n;
}

static void feed_event(struct grt_model *m, uint64_t ns, uint64_t *ctx, uint64_t *seqno)
{
	char word[64];

	*ctx = 1 + below(6);
	*seqno = 1 + ns / 1000 + below(5);
	/* Ring 0: the event does not tell. */
	snprintf(word, sizeof(word), "%c%u.%u@%u/%u", "SSSCCCBED"[below(9)], (unsigned int)*ctx, (unsigned int)*seqno,
		 (unsigned int)ns, (unsigned int)*ctx % 5 * !!below(4));
	script_feed(m, word);
}

/* Each job at a ring is a suspect.  Only job @ctx:@seqno, which has had an event since the loss, may be none. */
static void check_suspects(const struct grt_model *m, uint64_t ctx, uint64_t seqno, uint64_t *seen)
{
	for (uint32_t i = m->oldest; i != GRT_NONE; i = grt_slot_at(m, i)->age_next) {
		const struct grt_slot *slot = grt_slot_at(m, i);
		bool is_at_ring = slot->ring_state != GRT_NONE && (grt_slot_is_queued(slot) || slot->is_on);

		if (slot->job.ctx == ctx && slot->job.seqno == seqno)
			continue;
		assert_true(slot->is_suspect || !is_at_ring);
		*seen += is_at_ring;
	}
}

/* No slot is in the list twice. */
static void check_heard(const struct grt_model *m)
{
	size_t count = grt_vec_count(&m->heard, uint32_t);

	for (size_t i = 0; i < count; i++)
		for (size_t other = 0; other < i; other++)
			assert_int_not_equal(*grt_vec_at(&m->heard, uint32_t, i),
					     *grt_vec_at(&m->heard, uint32_t, other));
}

static void test_suspects(void **state)
{
	uint64_t ns = 1000, ctx, seqno, seen = 0, jobs = 0;
	struct grt_model *m = grt_model_create(count_job, &jobs);

	(void)state;
	srandom(1);
	script_rings(m);
	for (int i = 0; i < 20000; i++) {
		uint64_t lost_ns = m->lost_ns;

		ns += 1 + below(40);
		if (!below(20)) {
			char word[64];

			snprintf(word, sizeof(word), "L@%u-%u", (unsigned int)ns, (unsigned int)ns + 3);
			script_feed(m, word);
			ns += 4;
		}
		feed_event(m, ns, &ctx, &seqno);
		check_heard(m);
		if (m->lost_ns != lost_ns)
			check_suspects(m, ctx, seqno, &seen);
	}
	assert_int_equal(grt_model_finish(m), 0);
	assert_true(seen > 1000);
	assert_true(jobs > 1000);
	grt_model_destroy(m);
}

/* Of the resets of the device that are for a job and go on, the one that began last. */
static const struct grt_ring_state *find_hung(const struct grt_model *m, uint32_t device)
{
	const struct grt_ring_state *hung = NULL;

	for (uint32_t i = 0; i < grt_ring_state_count(m); i++) {
		const struct grt_ring_state *t = grt_ring_state_at(m, i);

		if (t->device == device && t->is_recovering && t->lost_ctx &&
		    (!hung || hung->reset_from_ns < t->reset_from_ns))
			hung = t;
	}
	return hung;
}

static void test_resets(void **state)
{
	uint64_t ns = 1000, jobs = 0, seen = 0;
	struct grt_model *m = grt_model_create(count_job, &jobs);

	(void)state;
	srandom(2);
	script_rings(m);
	script_feed(m, "S1.1@900 S2.1@900/2 S3.1@900/3 S4.1@900/4");
	for (int i = 0; i < 20000; i++) {
		const struct grt_ring_state *t = grt_ring_state_at(m, 0);
		struct grtrace_error rec = {
			.hdr = { .type = GRTRACE_ERROR, .size = sizeof(rec), .ts = ns += 1 + below(40) },
			.ring = 1 + below(4), .code = below(2) ? GRTRACE_ERROR_RESET : GRTRACE_ERROR_RECOVERED,
		};

		if (!below(3)) {
			rec.ctx = 1 + below(4);
			rec.seqno = 1;
		}
		assert_int_equal(grt_model_feed(m, &rec.hdr), 0);
		assert_ptr_equal(grt_device_hung(m, t), find_hung(m, t->device));
		seen += grt_device_hung(m, t) != NULL;
	}
	assert_true(seen > 1000);
	assert_int_equal(grt_model_finish(m), 0);
	grt_model_destroy(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_suspects),
		cmocka_unit_test(test_resets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
