// SPDX-License-Identifier: LGPL-2.1
/* Sums over the last seconds. */
#include "recent.h"

void grt_recent_ring_sums(const struct grt_recent *r, const struct grt_recent_ring *ring,
			  struct grt_recent_ring_sums *to)
{
	uint64_t oldest = grt_recent_oldest_nr(r, r->seconds);

	*to = (struct grt_recent_ring_sums){ .jobs = 0 };
	for (int i = 0; i < GRT_RECENT_SECONDS; i++) {
		const struct grt_recent_ring_second *s = &ring->seconds[i];

		if (s->ahead_nr >= oldest)
			grt_use_add_times(&to->use, &s->ahead);
		if (s->nr < oldest)
			continue;
		grt_use_add_times(&to->use, &s->sums.use);
		to->jobs += s->sums.jobs;
		to->failed += s->sums.failed;
		to->unjudged += s->sums.unjudged;
		to->bounds += s->sums.bounds;
		to->waiting_ns += s->sums.waiting_ns;
	}
}

bool grt_recent_ring_use(const struct grt_recent *r, const struct grt_recent_ring *ring,
			 unsigned int ago, struct grt_ring_use *use)
{
	uint64_t nr = r->now_nr > ago ? r->now_nr - ago : 0;
	const struct grt_recent_ring_second *s = &ring->seconds[nr % GRT_RECENT_SECONDS];

	*use = (struct grt_ring_use){ .busy_ns = 0 };
	if (!nr)
		return false;
	if (s->nr == nr)
		grt_use_add_times(use, &s->sums.use);
	if (s->ahead_nr == nr)
		grt_use_add_times(use, &s->ahead);
	return s->nr == nr || s->ahead_nr == nr;
}

void grt_recent_sums_add(struct grt_recent_sums *to, const struct grt_recent_sums *from)
{
	to->jobs += from->jobs;
	to->failed += from->failed;
	to->unjudged += from->unjudged;
	to->bounds += from->bounds;
	to->exec_ns += from->exec_ns;
	to->unknown_exec += from->unknown_exec;
	to->wait_ns += from->wait_ns;
	to->taken_ns += from->taken_ns;
	to->given_ns += from->given_ns;
}

void grt_recent_user_sums(const struct grt_recent *r, const struct grt_recent_user *user,
			  struct grt_recent_sums *to)
{
	uint64_t oldest = grt_recent_oldest_nr(r, r->seconds);

	for (int i = 0; i < GRT_RECENT_SECONDS; i++)
		if (user->seconds[i].nr >= oldest)
			grt_recent_sums_add(to, &user->seconds[i].sums);
}

bool grt_recent_frame_count(const struct grt_recent *r, uint32_t tgid, uint64_t *frames)
{
	uint64_t oldest = grt_recent_oldest_nr(r, r->seconds);
	bool has = false;

	*frames = 0;
	for (size_t i = 0; i < grt_vec_count(&r->frames, struct grt_recent_frames); i++) {
		const struct grt_recent_frames *f = grt_vec_at(&r->frames, struct grt_recent_frames, i);

		if (f->tgid != tgid)
			continue;
		has = true;
		for (int s = 0; s < GRT_RECENT_SECONDS; s++)
			*frames += f->seconds[s].nr >= oldest ? f->seconds[s].frames : 0;
	}
	return has;
}
