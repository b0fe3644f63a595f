// SPDX-License-Identifier: LGPL-2.1
#include "recent.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "model.h"

#define SECOND_NS	1000000000ull

static struct grt_recent_ring *ring_at(const struct grt_recent *r, size_t i)
{
	return *grt_vec_at(&r->rings, struct grt_recent_ring *, i);
}

static struct grt_recent_user *user_at(const struct grt_recent *r, size_t i)
{
	return *grt_vec_at(&r->users, struct grt_recent_user *, i);
}

/* Seconds have numbers from 1 on, so zeroed memory has none. */
static uint64_t nr_of(const struct grt_recent *r, uint64_t ns)
{
	if (ns >= r->now_begin_ns && ns <= r->now_ns)
		return r->now_nr;
	return ns < r->first_ns ? 1 : (ns - r->first_ns) / SECOND_NS + 1;
}

static uint64_t begin_ns(const struct grt_recent *r, uint64_t nr)
{
	return r->first_ns + (nr - 1) * SECOND_NS;
}

static void move_on(struct grt_recent *r, uint64_t ns)
{
	/* Nearly always: the second is not over. */
	if (r->now_nr && ns - r->now_begin_ns < SECOND_NS) {
		if (ns > r->now_ns)
			r->now_ns = ns;
		return;
	}
	if (!r->has_begun)
		r->first_ns = r->now_begin_ns = ns;
	r->has_begun = true;
	if (ns > r->now_ns)
		r->now_ns = ns;
	if (!r->now_nr || r->now_ns - r->now_begin_ns >= SECOND_NS) {
		r->now_nr = (r->now_ns - r->first_ns) / SECOND_NS + 1;
		r->now_begin_ns = begin_ns(r, r->now_nr);
		r->oldest_ns = begin_ns(r, grt_recent_oldest_nr(r, GRT_RECENT_SECONDS));
	}
}

/* --- rings --- */

static void free_ring(struct grt_recent_ring *ring)
{
	grt_recent_times_free(&ring->wait);
	grt_recent_times_free(&ring->exec);
	free(ring);
}

/* Forgets those that had no job for a minute: their driver may have removed them. */
static int forget_rings(struct grt_recent *r)
{
	uint64_t oldest = grt_recent_oldest_nr(r, GRT_RECENT_SECONDS);
	size_t kept = 0;
	int err = 0;

	grt_keymap_free(&r->ring_rows);
	for (size_t i = 0; i < grt_recent_rings(r); i++) {
		struct grt_recent_ring *ring = ring_at(r, i);

		if (ring->last_nr < oldest) {
			free_ring(ring);
			continue;
		}
		*grt_vec_at(&r->rings, struct grt_recent_ring *, kept) = ring;
		if (!err)
			err = grt_keymap_put(&r->ring_rows, ring->ring, 0, kept);
		kept++;
	}
	r->rings.bytes = kept * sizeof(struct grt_recent_ring *);
	return err;
}

/* NULL with *err 0: there are too many. */
static struct grt_recent_ring *ring_of(struct grt_recent *r, uint32_t ring, int *err)
{
	uint32_t i = grt_keymap_get(&r->ring_rows, ring, 0);
	struct grt_recent_ring *new;

	*err = 0;
	if (i != GRT_NONE)
		return ring_at(r, i);
	if (grt_recent_rings(r) == GRT_RECENT_MAX_RINGS)
		*err = forget_rings(r);
	i = grt_recent_rings(r);
	if (*err || i == GRT_RECENT_MAX_RINGS)
		return NULL;
	new = calloc(1, sizeof(*new));
	if (!new || grt_vec_append(&r->rings, &new, sizeof(new))) {
		free(new);
		*err = grt_fail_memory();
		return NULL;
	}
	new->ring = ring;
	new->last_nr = r->now_nr;
	*err = grt_keymap_put(&r->ring_rows, ring, 0, i);
	return new;
}

/* Whether the ring has work; else a driver may have removed it, which no event tells. */
static bool is_at_work(const struct grt_ring_stretch *s)
{
	return s->state != GRT_IDLE_STARVED && s->state != GRT_IDLE_UNKNOWN;
}

/* It has work in second @nr. */
static void touch(struct grt_recent_ring *ring, uint64_t nr)
{
	if (ring->last_nr < nr)
		ring->last_nr = nr;
}

static void drop_times(struct grt_recent_ring *ring, unsigned int i)
{
	grt_recent_times_drop(&ring->wait, i);
	grt_recent_times_drop(&ring->exec, i);
}

/* The sums of second @nr; NULL: that was longer ago than a minute. */
static struct grt_recent_ring_sums *ring_second(struct grt_recent_ring *ring, uint64_t nr)
{
	struct grt_recent_ring_second *s = &ring->seconds[nr % GRT_RECENT_SECONDS];

	if (s->nr == nr)
		return &s->sums;
	if (s->nr > nr)
		return NULL;
	drop_times(ring, nr % GRT_RECENT_SECONDS);
	s->sums = (struct grt_recent_ring_sums){ .jobs = 0 };
	s->nr = nr;
	return &s->sums;
}

static struct grt_ring_use *ahead_of(struct grt_recent_ring *ring, uint64_t nr)
{
	struct grt_recent_ring_second *s = &ring->seconds[nr % GRT_RECENT_SECONDS];

	if (s->ahead_nr != nr)
		s->ahead = (struct grt_ring_use){ .busy_ns = 0 };
	s->ahead_nr = nr;
	return &s->ahead;
}

/* Where a span goes on within one second: its number, and the end of that part. */
static uint64_t next_second(const struct grt_recent *r, uint64_t at_ns, uint64_t to_ns, uint64_t *end_ns)
{
	uint64_t nr = nr_of(r, at_ns);

	*end_ns = begin_ns(r, nr + 1);
	/* The last second that a stamp can tell has no end. */
	if (*end_ns > to_ns || *end_ns <= at_ns)
		*end_ns = to_ns;
	return nr;
}

/* What was longer ago than a minute is left out. */
static uint64_t clip_ns(const struct grt_recent *r, uint64_t from_ns)
{
	return from_ns > r->oldest_ns ? from_ns : r->oldest_ns;
}

static void add_use(struct grt_ring_use *use, const struct grt_ring_stretch *s, uint64_t ns)
{
	*(s->state == GRT_RING_BUSY ? &use->busy_ns : &use->idle_ns[s->state]) += ns;
	use->unexplained_ns += s->is_unexplained ? ns : 0;
}

static int add_stretch(void *arg, const struct grt_ring_stretch *s)
{
	struct grt_recent *r = arg;
	uint64_t end_ns, nr;
	struct grt_recent_ring *ring;
	int err;

	move_on(r, s->to_ns);
	ring = ring_of(r, s->ring, &err);
	for (uint64_t at_ns = clip_ns(r, s->from_ns); ring && at_ns < s->to_ns; at_ns = end_ns) {
		struct grt_recent_ring_sums *sums;

		nr = next_second(r, at_ns, s->to_ns, &end_ns);
		sums = ring_second(ring, nr);
		if (sums)
			add_use(&sums->use, s, end_ns - at_ns);
		if (is_at_work(s))
			touch(ring, nr);
	}
	return err;
}

static int add_ahead(void *arg, const struct grt_ring_stretch *s)
{
	struct grt_recent *r = arg;
	struct grt_recent_ring *ring;
	uint64_t end_ns, nr;
	int err;

	/* A ring that is gone must not take a place again. */
	if (s->to_ns <= r->oldest_ns)
		return 0;
	if (!is_at_work(s) && grt_keymap_get(&r->ring_rows, s->ring, 0) == GRT_NONE)
		return 0;
	ring = ring_of(r, s->ring, &err);
	if (ring && is_at_work(s))
		touch(ring, nr_of(r, s->to_ns));
	for (uint64_t at_ns = clip_ns(r, s->from_ns); ring && at_ns < s->to_ns; at_ns = end_ns) {
		nr = next_second(r, at_ns, s->to_ns, &end_ns);
		add_use(ahead_of(ring, nr), s, end_ns - at_ns);
	}
	return err;
}

static void forget(struct grt_recent_ring *ring, uint64_t oldest)
{
	for (int i = 0; i < GRT_RECENT_SECONDS; i++) {
		ring->seconds[i].ahead_nr = 0;
		if (ring->seconds[i].nr < oldest)
			drop_times(ring, i);
	}
	grt_recent_times_settle(&ring->wait);
	grt_recent_times_settle(&ring->exec);
}

void grt_recent_look(struct grt_recent *r)
{
	for (size_t i = 0; i < grt_recent_rings(r); i++)
		forget(ring_at(r, i), grt_recent_oldest_nr(r, r->seconds));
	grt_model_peek_rings(r->model, add_ahead, r);
}

/* --- processes on rings --- */

/* Forgets those that did nothing for a minute. */
static int forget_users(struct grt_recent *r)
{
	uint64_t oldest = grt_recent_oldest_nr(r, GRT_RECENT_SECONDS);
	size_t kept = 0;
	int err = 0;

	grt_keymap_free(&r->user_rows);
	for (size_t i = 0; i < grt_recent_users(r); i++) {
		struct grt_recent_user *user = user_at(r, i);

		if (user->last_nr < oldest) {
			free(user);
			continue;
		}
		*grt_vec_at(&r->users, struct grt_recent_user *, kept) = user;
		if (!err)
			err = grt_keymap_put(&r->user_rows, user->ring, user->process, kept);
		kept++;
	}
	r->users.bytes = kept * sizeof(struct grt_recent_user *);
	return err;
}

/* NULL with *err 0: there are too many. */
static struct grt_recent_user *user_of(struct grt_recent *r, uint32_t ring, uint32_t process, int *err)
{
	uint32_t i = grt_keymap_get(&r->user_rows, ring, process);
	struct grt_recent_user *new;

	*err = 0;
	if (i != GRT_NONE)
		return user_at(r, i);
	if (grt_recent_users(r) == GRT_RECENT_MAX_USERS)
		*err = forget_users(r);
	i = grt_recent_users(r);
	r->lacks[GRT_RECENT_LACKS_USERS] |= !*err && i == GRT_RECENT_MAX_USERS;
	if (*err || i == GRT_RECENT_MAX_USERS)
		return NULL;
	new = calloc(1, sizeof(*new));
	if (!new || grt_vec_append(&r->users, &new, sizeof(new))) {
		free(new);
		*err = grt_fail_memory();
		return NULL;
	}
	new->ring = ring;
	new->process = process;
	*err = grt_keymap_put(&r->user_rows, ring, process, i);
	return new;
}

static struct grt_recent_sums *user_second(struct grt_recent_user *user, uint64_t nr)
{
	struct grt_recent_second *s = &user->seconds[nr % GRT_RECENT_SECONDS];

	if (s->nr > nr)
		return NULL;
	if (s->nr < nr)
		*s = (struct grt_recent_second){ .nr = nr };
	if (nr > user->last_nr)
		user->last_nr = nr;
	return &s->sums;
}

/* --- jobs --- */

static uint32_t tgid_of(const struct grt_recent *r, uint32_t process)
{
	return process == GRT_NONE ? 0 : grt_names_process_at(grt_model_names(r->model), process)->tgid;
}

/* Who a wait is charged to, if that is another process. */
static int add_blame(struct grt_recent *r, const struct grt_job *job, struct grt_recent_sums *victim,
		     uint64_t nr)
{
	int err = 0;

	for (uint32_t i = 0; i < job->nr_charges && !err; i++) {
		const struct grt_charge *c = &job->charges[i];
		const struct grt_client *client;
		struct grt_recent_user *culprit;
		struct grt_recent_sums *sums;

		victim->wait_ns += c->ns;
		if (c->client == GRT_NONE)
			continue;
		client = grt_model_client(r->model, c->client);
		if (client->process == GRT_NONE || client->process == job->process ||
		    (job->process != GRT_NONE && tgid_of(r, client->process) == tgid_of(r, job->process)))
			continue;
		victim->taken_ns += c->ns;
		culprit = user_of(r, client->ring, client->process, &err);
		sums = culprit ? user_second(culprit, nr) : NULL;
		if (sums)
			sums->given_ns += c->ns;
	}
	return err;
}

/* The time that @job ran, in the seconds in which it did. */
static void add_run(struct grt_recent *r, struct grt_recent_user *user, const struct grt_job *job)
{
	uint64_t to_ns = job->at_ns[GRT_AT_END], end_ns, nr;

	if (!grt_job_measures(job, GRT_STAGE_EXEC))
		return;
	for (uint64_t at_ns = clip_ns(r, job->at_ns[GRT_AT_START]); at_ns < to_ns; at_ns = end_ns) {
		struct grt_recent_sums *sums;

		nr = next_second(r, at_ns, to_ns, &end_ns);
		sums = user_second(user, nr);
		if (sums)
			sums->exec_ns += end_ns - at_ns;
	}
}

/* The time that @job waited to begin, or to be handed over if its begin is not known. */
static void add_waiting(struct grt_recent *r, struct grt_recent_ring *ring, const struct grt_job *job)
{
	enum grt_stamp until = grt_job_has(job, GRT_AT_START) ? GRT_AT_START : GRT_AT_COMMIT;
	uint64_t end_ns, nr, to_ns = job->at_ns[until];

	if (!grt_job_has(job, GRT_AT_SUBMIT) || !grt_job_has(job, until))
		return;
	for (uint64_t at_ns = clip_ns(r, job->at_ns[GRT_AT_SUBMIT]); at_ns < to_ns; at_ns = end_ns) {
		struct grt_recent_ring_sums *sums;

		nr = next_second(r, at_ns, to_ns, &end_ns);
		sums = ring_second(ring, nr);
		if (sums)
			sums->waiting_ns += end_ns - at_ns;
	}
}

static int add_times(struct grt_recent_ring *ring, const struct grt_job *job, uint64_t nr)
{
	unsigned int i = nr % GRT_RECENT_SECONDS;
	int err = 0;

	if (grt_job_knows(job, GRT_STAGE_SUBMIT_HOST) && grt_job_knows(job, GRT_STAGE_QUEUE))
		err = grt_recent_times_add(&ring->wait, i, job->stage_ns[GRT_STAGE_SUBMIT_HOST] +
					   job->stage_ns[GRT_STAGE_QUEUE]);
	if (!err && grt_job_measures(job, GRT_STAGE_EXEC))
		err = grt_recent_times_add(&ring->exec, i, job->stage_ns[GRT_STAGE_EXEC]);
	return err;
}

static int add_to_ring(struct grt_recent *r, const struct grt_job *job, uint64_t nr)
{
	struct grt_recent_ring_sums *sums;
	struct grt_recent_ring *ring;
	int err;

	if (job->ring == GRT_NONE)
		return 0;
	ring = ring_of(r, job->ring, &err);
	r->lacks[GRT_RECENT_LACKS_RINGS] |= !ring;
	sums = ring ? ring_second(ring, nr) : NULL;
	if (!sums)
		return err;
	ring->has_job = true;
	touch(ring, nr);
	sums->jobs++;
	sums->failed += job->has_status && job->status;
	sums->unjudged += !job->has_status && !(job->flags & GRT_JOB_CUT);
	if (job->flags & GRT_JOB_CUT)
		return 0;
	sums->bounds += !!(job->flags & GRT_JOB_UPPER_BOUND);
	add_waiting(r, ring, job);
	return add_times(ring, job, nr);
}

static int add_to_user(struct grt_recent *r, const struct grt_job *job, uint64_t nr)
{
	struct grt_recent_sums *sums;
	struct grt_recent_user *user;
	int err;

	user = user_of(r, job->ring, job->process, &err);
	sums = user ? user_second(user, nr) : NULL;
	if (!sums)
		return err;
	sums->jobs++;
	sums->failed += job->has_status && job->status;
	sums->unjudged += !job->has_status && !(job->flags & GRT_JOB_CUT);
	if (job->flags & GRT_JOB_CUT)
		return 0;
	sums->bounds += !!(job->flags & GRT_JOB_UPPER_BOUND);
	sums->unknown_exec += grt_job_has_unknown_run(job);
	add_run(r, user, job);
	return add_blame(r, job, sums, nr);
}

int grt_recent_job(struct grt_recent *r, const struct grt_job *job)
{
	uint64_t last_ns = grt_job_last_ns(job), nr;
	int err;

	if (!job->stamps || (job->flags & GRT_JOB_SYNTHETIC && !r->with_synthetic))
		return 0;
	move_on(r, last_ns);
	nr = nr_of(r, last_ns);
	if (nr < grt_recent_oldest_nr(r, GRT_RECENT_SECONDS))
		return 0;
	err = add_to_ring(r, job, nr);
	return err ? err : add_to_user(r, job, nr);
}

/* --- frames --- */

static struct grt_recent_frames *frames_at(const struct grt_recent *r, size_t i)
{
	return grt_vec_at(&r->frames, struct grt_recent_frames, i);
}

static size_t frame_rows(const struct grt_recent *r)
{
	return grt_vec_count(&r->frames, struct grt_recent_frames);
}

/* Forgets processes that had no frame for a minute. */
static void forget_frames(struct grt_recent *r)
{
	uint64_t oldest = grt_recent_oldest_nr(r, GRT_RECENT_SECONDS);
	size_t kept = 0;

	for (size_t i = 0; i < frame_rows(r); i++)
		if (frames_at(r, i)->last_nr >= oldest)
			*frames_at(r, kept++) = *frames_at(r, i);
	r->frames.bytes = kept * sizeof(struct grt_recent_frames);
}

/* NULL with *err 0: there are too many. */
static struct grt_recent_frames *frames_of(struct grt_recent *r, uint32_t tgid, int *err)
{
	struct grt_recent_frames new = { .tgid = tgid };

	*err = 0;
	for (size_t i = 0; i < frame_rows(r); i++)
		if (frames_at(r, i)->tgid == tgid)
			return frames_at(r, i);
	if (frame_rows(r) == GRT_RECENT_MAX_FRAMES)
		forget_frames(r);
	if (frame_rows(r) == GRT_RECENT_MAX_FRAMES) {
		r->lacks[GRT_RECENT_LACKS_FRAMES] = true;
		return NULL;
	}
	if (grt_vec_append(&r->frames, &new, sizeof(new)))
		*err = grt_fail_memory();
	return *err ? NULL : frames_at(r, frame_rows(r) - 1);
}

static int add_frame(struct grt_recent *r, uint32_t tgid, uint64_t ns)
{
	uint64_t nr = nr_of(r, ns), at = nr % GRT_RECENT_SECONDS;
	int err;
	struct grt_recent_frames *f = frames_of(r, tgid, &err);

	if (!f)
		return err;
	if (f->last_nr < nr)
		f->last_nr = nr;
	if (f->seconds[at].nr != nr) {
		f->seconds[at].nr = nr;
		f->seconds[at].frames = 0;
	}
	f->seconds[at].frames++;
	return 0;
}

static int add_mark(struct grt_recent *r, const struct grtrace_mark *rec)
{
	const char *text = grt_frame_text(&rec->hdr);

	for (unsigned int i = 0; i < GRT_NR_FRAME_MARKS; i++)
		if (grt_frame_mark_is(&r->marks, i, text))
			return add_frame(r, rec->tgid, rec->hdr.ts);
	return 0;
}

int grt_recent_record(struct grt_recent *r, const struct grtrace_hdr *rec)
{
	const struct grtrace_vblank *vblank = (const struct grtrace_vblank *)rec;

	if (rec->type >= GRTRACE_NR_EVENTS)
		return 0;
	move_on(r, rec->ts);
	if (rec->type == GRTRACE_MARK)
		return add_mark(r, (const struct grtrace_mark *)rec);
	if (rec->type == GRTRACE_VBLANK && rec->flags & GRTRACE_F_DELIVERED && vblank->tgid)
		return add_frame(r, vblank->tgid, rec->ts);
	return 0;
}

/* --- all of it --- */

int grt_recent_begin(struct grt_recent *r, struct grt_model *model)
{
	const struct grt_recent empty = { .with_synthetic = r->with_synthetic, .seconds = r->seconds };

	grt_recent_free(r);
	*r = empty;
	r->model = model;
	grt_model_watch_rings(model, add_stretch, r);
	return grt_frame_sources_init(&r->marks);
}

void grt_recent_free(struct grt_recent *r)
{
	for (size_t i = 0; i < grt_recent_rings(r); i++)
		free_ring(ring_at(r, i));
	for (size_t i = 0; i < grt_recent_users(r); i++)
		free(user_at(r, i));
	grt_vec_free(&r->rings);
	grt_keymap_free(&r->ring_rows);
	grt_vec_free(&r->users);
	grt_keymap_free(&r->user_rows);
	grt_vec_free(&r->frames);
	grt_frame_sources_free(&r->marks);
	memset(r, 0, sizeof(*r));
}

void grt_recent_pass(struct grt_recent *r, uint64_t now_ns)
{
	if (!r->has_begun)
		return;
	grt_model_pass(r->model, now_ns);
	move_on(r, now_ns);
}

void grt_recent_calm(struct grt_recent *r)
{
	grt_model_forget_losses(r->model);
}

uint64_t grt_recent_from_ns(const struct grt_recent *r)
{
	return begin_ns(r, grt_recent_oldest_nr(r, r->seconds));
}
