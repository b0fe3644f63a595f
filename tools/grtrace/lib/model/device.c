// SPDX-License-Identifier: LGPL-2.1
/*
 * The time of a device: busy when any of its rings is, else idle for the last cause
 * of the list that any of them has.  A ring takes part from its first event on.
 */
#include <errno.h>
#include <string.h>

#include "inside.h"

/* As many stretches of one ring may wait until another ring's are settled. */
#define SOME_PARTS	64
#define MANY_PARTS	1024
#define MAX_PARTS	16384

static struct grt_device *device_at(const struct grt_model *m, uint32_t i)
{
	return grt_vec_at(&m->devices, struct grt_device, i);
}

static struct grt_track *member_at(const struct grt_model *m, const struct grt_device *d, size_t i)
{
	return grt_track_at(m, *grt_vec_at(&d->tracks, uint32_t, i));
}

int grt_device_join(struct grt_model *m, uint32_t track)
{
	struct grt_track *t = grt_track_at(m, track);
	const char *name = grt_names_ring_at(&m->names, t->ring)->device;
	struct grt_device *d;
	uint32_t i = 0, n = grt_vec_count(&m->devices, struct grt_device);

	if (t->is_synthetic || !t->is_fifo)
		return 0;
	while (i < n && strcmp(grt_names_ring_at(&m->names, device_at(m, i)->ring)->device, name))
		i++;
	if (i == n) {
		d = grt_vec_grow(&m->devices, sizeof(*d));
		if (!d)
			return -ENOMEM;
		*d = (struct grt_device){ .ring = t->ring, .done_ns = m->totals.first_ns };
		/* Before the first event of any of its rings. */
		d->use.idle_ns[GRT_IDLE_UNKNOWN] =
			grt_model_awake_ns(m, m->totals.first_ns, t->since_ns);
		d->done_ns = t->since_ns;
	}
	t->device = i;
	return grt_vec_append(&device_at(m, i)->tracks, &track, sizeof(track));
}

static size_t part_count(const struct grt_track *t)
{
	return grt_deque_count(&t->line.parts, struct grt_stretch);
}

static const struct grt_stretch *part_at(const struct grt_track *t, size_t i)
{
	return grt_deque_at(&t->line.parts, struct grt_stretch, i);
}

/*
 * Sums up until the first ring is not settled further; in the end, until none is.
 * Returns whether it got on.
 */
static bool sweep(struct grt_model *m, struct grt_device *d, bool is_end)
{
	size_t n = grt_vec_count(&d->tracks, uint32_t);
	bool got_on = false;

	for (;;) {
		uint64_t next_ns = UINT64_MAX;
		bool is_over = true;
		int state = -1;

		for (size_t i = 0; i < n; i++) {
			struct grt_track *t = member_at(m, d, i);
			size_t gone = 0, parts = part_count(t);

			while (gone < parts && part_at(t, gone)->to_ns <= d->done_ns)
				gone++;
			if (gone)
				grt_deque_drop(&t->line.parts, gone * sizeof(struct grt_stretch));
			if (gone == parts && is_end)
				continue;
			if (gone == parts)
				return got_on;
			is_over = false;
			if (part_at(t, 0)->from_ns > d->done_ns) {
				/* Not there yet. */
				if (part_at(t, 0)->from_ns < next_ns)
					next_ns = part_at(t, 0)->from_ns;
				continue;
			}
			if (part_at(t, 0)->to_ns < next_ns)
				next_ns = part_at(t, 0)->to_ns;
			if (part_at(t, 0)->state > state)
				state = part_at(t, 0)->state;
		}
		if (is_over)
			return got_on;
		/* What its other rings did was left out. */
		if (m->lacks_rings && state < GRT_NR_IDLES)
			state = GRT_IDLE_UNKNOWN;
		if (state == GRT_LINE_BUSY)
			d->use.busy_ns += next_ns - d->done_ns;
		else if (state >= 0 && state < GRT_NR_IDLES)
			d->use.idle_ns[state] += next_ns - d->done_ns;
		else if (state < 0)
			d->use.idle_ns[GRT_IDLE_UNKNOWN] += next_ns - d->done_ns;
		d->done_ns = next_ns;
		got_on = true;
	}
}

/* A ring where nothing happens has nothing to tell, unless it is asked. */
static void hurry(struct grt_model *m, const struct grt_device *d)
{
	for (size_t i = 0; i < grt_vec_count(&d->tracks, uint32_t); i++)
		if (!part_count(member_at(m, d, i)))
			grt_queue_tell_now(m, member_at(m, d, i));
}

/* Ring @t is too far ahead of the others: what they did meanwhile counts as unknown. */
static void give_up(struct grt_model *m, struct grt_device *d, const struct grt_track *t)
{
	uint64_t until_ns = part_at(t, part_count(t) / 2)->from_ns;

	if (until_ns <= d->done_ns)
		return;
	d->use.idle_ns[GRT_IDLE_UNKNOWN] += grt_model_awake_ns(m, d->done_ns, until_ns);
	d->done_ns = until_ns;
}

void grt_device_take(struct grt_model *m, struct grt_track *t, const struct grt_stretch *s)
{
	size_t n = part_count(t);
	struct grt_stretch *last = n ? grt_deque_at(&t->line.parts, struct grt_stretch, n - 1) : NULL;
	struct grt_stretch *to;
	struct grt_device *d;

	if (t->device == GRT_NONE)
		return;
	if (last && last->state == s->state && last->to_ns == s->from_ns) {
		last->to_ns = s->to_ns;
		return;
	}
	to = grt_vec_grow(&t->line.parts.vec, sizeof(*to));
	if (!to) {
		m->err = -ENOMEM;
		return;
	}
	*to = *s;
	if ((n + 1) % SOME_PARTS)
		return;
	d = device_at(m, t->device);
	if (sweep(m, d, false) || n < MANY_PARTS)
		return;
	hurry(m, d);
	if (!sweep(m, d, false) && n > MAX_PARTS)
		give_up(m, d, t);
}

void grt_device_finish(struct grt_model *m)
{
	for (uint32_t i = 0; i < grt_vec_count(&m->devices, struct grt_device); i++)
		sweep(m, device_at(m, i), true);
}

void grt_devices_free(struct grt_model *m)
{
	for (uint32_t i = 0; i < grt_vec_count(&m->devices, struct grt_device); i++)
		grt_vec_free(&device_at(m, i)->tracks);
	grt_vec_free(&m->devices);
}

const struct grt_ring_use *grt_model_device_use(const struct grt_model *m, uint32_t device,
						const char **name)
{
	if (device >= grt_vec_count(&m->devices, struct grt_device))
		return NULL;
	*name = grt_names_ring_at(&m->names, device_at(m, device)->ring)->device;
	return &device_at(m, device)->use;
}
