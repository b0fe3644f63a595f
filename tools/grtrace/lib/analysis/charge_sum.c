// SPDX-License-Identifier: LGPL-2.1
#include "charge_sum.h"

#include "error.h"
#include "keymap.h"
#include "vec.h"

struct sum {
	struct grt_charge charge;
	uint64_t until_ns;
};

struct grt_charge grt_charge_clip(const struct grt_charge *c, uint64_t from_ns, uint64_t to_ns)
{
	struct grt_charge part = *c;
	uint64_t end_ns = c->from_ns + c->ns < to_ns ? c->from_ns + c->ns : to_ns;

	if (part.from_ns < from_ns)
		part.from_ns = from_ns;
	part.ns = end_ns > part.from_ns ? end_ns - part.from_ns : 0;
	return part;
}

/* Two numbers that charges have in common if they are added up; a context is never 0 there. */
static void key_of(const struct grt_charge *c, bool by_fence, uint64_t key[2])
{
	bool is_fence = by_fence && c->reason == GRT_BLAME_FENCE;

	key[0] = is_fence ? c->ctx : c->client;
	key[1] = is_fence ? c->seqno : UINT64_MAX - c->reason;
}

static struct sum *sum_of(struct grt_vec *sums, struct grt_keymap *rows, const struct grt_charge *c,
			  bool by_fence)
{
	uint64_t key[2];
	uint32_t row;

	key_of(c, by_fence, key);
	row = grt_keymap_get(rows, key[0], key[1]);
	if (row == GRT_NONE) {
		const struct sum none = { .charge = *c };

		row = grt_vec_count(sums, struct sum);
		if (grt_vec_append(sums, &none, sizeof(none)) ||
		    grt_keymap_put(rows, key[0], key[1], row))
			return NULL;
		grt_vec_at(sums, struct sum, row)->charge.ns = 0;
	}
	return grt_vec_at(sums, struct sum, row);
}

int grt_charge_greatest(const struct grt_job *job, uint64_t from_ns, uint64_t to_ns, bool by_fence,
			struct grt_charge *greatest, uint64_t *until_ns)
{
	struct grt_keymap rows = { 0 };
	struct grt_vec sums = { 0 };
	int err = 0;

	*greatest = (struct grt_charge){ .client = GRT_NONE };
	*until_ns = from_ns;
	for (uint32_t i = 0; i < job->nr_charges; i++) {
		const struct grt_charge part = grt_charge_clip(&job->charges[i], from_ns, to_ns);
		struct sum *sum;

		if (!part.ns)
			continue;
		sum = sum_of(&sums, &rows, &part, by_fence);
		if (!sum) {
			err = grt_fail_memory();
			break;
		}
		sum->charge.ns += part.ns;
		sum->until_ns = part.from_ns + part.ns;
		if (sum->charge.ns > greatest->ns) {
			*greatest = sum->charge;
			*until_ns = sum->until_ns;
		}
	}
	grt_keymap_free(&rows);
	grt_vec_free(&sums);
	return err;
}
