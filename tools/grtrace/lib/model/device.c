// SPDX-License-Identifier: LGPL-2.1
/*
 * The time of a device: busy if any of its rings is, else idle for the last cause in the list
 * that any of them has.  What a ring did before its first event is unknown; so is then the time
 * of the device, unless it was busy.
 */
#include <errno.h>

#include "model_private.h"

/*
 * The stretches of a ring wait until those of the other rings are known.  After each SOME_PARTS,
 * the device sums up; from MANY_PARTS on, it asks silent rings; above MAX_PARTS, it gives up.
 */
#define SOME_PARTS	64
#define MANY_PARTS	1024
#define MAX_PARTS	16384

static struct grt_device *device_at(const struct grt_model *m, uint32_t i)
{
	return grt_vec_at(&m->devices, struct grt_device, i);
}

static uint32_t number_of(const struct grt_ring_state *t)
{
	return 2 * t->ring + t->is_synthetic;
}

/*
 * As a device ranks states, time in which nothing ran, but it is not known why, comes before time of which nothing is
 * known.
 */
#define UNEXPLAINED	GRT_IDLE_UNKNOWN

static int rank_of(int state)
{
	return state < GRT_IDLE_UNKNOWN ? state : state + 1;
}

static int rank(const struct grt_stretch *s)
{
	return s->is_unexplained ? UNEXPLAINED : rank_of(s->state);
}

static void clear_causes(struct grt_device *d)
{
	for (int cause = 0; cause < GRT_IDLE_UNKNOWN; cause++) {
		d->use.idle_ns[GRT_IDLE_UNKNOWN] += d->use.idle_ns[cause];
		d->use.idle_ns[cause] = 0;
	}
	d->use.unexplained_ns = 0;
}

int grt_device_join(struct grt_model *m, uint32_t ring_state)
{
	struct grt_ring_state *t = grt_ring_state_at(m, ring_state);
	const char *name = grt_names_ring_at(&m->names, t->ring)->device;
	struct grt_device *d;
	uint32_t i;

	if (t->is_synthetic || !t->is_fifo)
		return 0;
	i = grt_namemap_get(&m->device_of, name);
	if (i == GRT_NONE) {
		i = grt_vec_count(&m->devices, struct grt_device);
		d = grt_vec_grow(&m->devices, sizeof(*d));
		if (!d)
			return -ENOMEM;
		if (grt_namemap_set(&m->device_of, name, i)) {
			m->devices.bytes -= sizeof(*d);
			return -ENOMEM;
		}
		*d = (struct grt_device){ .ring = t->ring, .hung = GRT_NONE, .done_ns = m->totals.first_ns };
		/* The time before the first event of any of its rings. */
		d->use.before_ns = grt_model_awake_ns(m, m->totals.first_ns, t->since_ns);
		d->use.idle_ns[GRT_IDLE_UNKNOWN] = d->use.before_ns;
		d->done_ns = t->since_ns;
	}
	/* The past of one more ring is unknown. */
	d = device_at(m, i);
	clear_causes(d);
	t->device = i;
	t->line.told = GRT_NOT_TOLD;
	return grt_vec_append(&d->silent, &ring_state, sizeof(ring_state));
}

void grt_device_hangs(struct grt_model *m, struct grt_ring_state *t)
{
	uint32_t *hung;

	if (t->device == GRT_NONE || !t->lost_ctx)
		return;
	hung = &device_at(m, t->device)->hung;
	t->hung_prev = *hung;
	*hung = number_of(t);
	if (t->hung_prev != GRT_NONE)
		grt_ring_state_at(m, t->hung_prev)->hung_next = *hung;
}

void grt_device_recovers(struct grt_model *m, struct grt_ring_state *t)
{
	uint32_t *hung;

	if (t->device == GRT_NONE || !t->lost_ctx)
		return;
	hung = &device_at(m, t->device)->hung;
	if (t->hung_next != GRT_NONE)
		grt_ring_state_at(m, t->hung_next)->hung_prev = t->hung_prev;
	else
		*hung = t->hung_prev;
	if (t->hung_prev != GRT_NONE)
		grt_ring_state_at(m, t->hung_prev)->hung_next = t->hung_next;
	t->hung_prev = t->hung_next = GRT_NONE;
}

const struct grt_ring_state *grt_device_hung(const struct grt_model *m, const struct grt_ring_state *t)
{
	uint32_t hung = t->device == GRT_NONE ? GRT_NONE : device_at(m, t->device)->hung;

	return hung == GRT_NONE ? NULL : grt_ring_state_at(m, hung);
}

static size_t part_count(const struct grt_ring_state *t)
{
	return grt_deque_count(&t->line.parts, struct grt_stretch);
}

static const struct grt_stretch *part_at(const struct grt_ring_state *t, size_t i)
{
	return grt_deque_at(&t->line.parts, struct grt_stretch, i);
}

/*
 * Counts ring @i with its state at d->done_ns, which is unknown before the ring's first event.
 * False: the ring is silent.
 */
static bool listen(struct grt_model *m, struct grt_device *d, uint32_t i, bool is_end)
{
	struct grt_ring_state *t = grt_ring_state_at(m, i);
	size_t gone = 0, parts = part_count(t);
	struct grt_stretch part = { .from_ns = t->since_ns };
	bool has_begun;

	if (t->line.told != GRT_NOT_TOLD)
		d->counts[t->line.told]--;
	t->line.told = GRT_NOT_TOLD;
	while (gone < parts && part_at(t, gone)->to_ns <= d->done_ns)
		gone++;
	if (gone)
		grt_deque_drop(&t->line.parts, gone * sizeof(struct grt_stretch));
	/* A ring whose first event is the last of the trace has no stretch. */
	if (gone < parts)
		part = *part_at(t, 0);
	else if (!is_end || part.from_ns <= d->done_ns)
		return false;
	has_begun = part.from_ns <= d->done_ns;
	if (grt_heap_put(&d->dues, has_begun ? part.to_ns : part.from_ns, i))
		m->err = -ENOMEM;
	t->line.told = has_begun ? rank(&part) : rank_of(GRT_IDLE_UNKNOWN);
	d->counts[t->line.told]++;
	return true;
}

/* Asks every ring with an unknown state at d->done_ns.  True: all states are known now. */
static bool listen_to_all(struct grt_model *m, struct grt_device *d, bool is_end)
{
	const struct grt_due *due;

	while ((due = grt_heap_first(&d->dues)) && due->ns <= d->done_ns) {
		uint32_t i = due->id;

		grt_heap_pop(&d->dues);
		if (!listen(m, d, i, is_end) && grt_vec_append(&d->silent, &i, sizeof(i)))
			m->err = -ENOMEM;
	}
	/* The last one is asked first: as long as it is silent, no other need be asked. */
	while (d->silent.bytes) {
		size_t last = grt_vec_count(&d->silent, uint32_t) - 1;

		if (!listen(m, d, *grt_vec_at(&d->silent, uint32_t, last), is_end) && !is_end)
			return false;
		d->silent.bytes -= sizeof(uint32_t);
	}
	return true;
}

/* The device's state: the strongest state of any ring.  Negative: no ring has one. */
static int strongest(const struct grt_device *d)
{
	int state = GRT_DEVICE_RANKS - 1;

	while (state >= 0 && !d->counts[state])
		state--;
	return state;
}

static void count_time(struct grt_device *d, int strongest, uint64_t ns)
{
	if (strongest == rank_of(GRT_LINE_BUSY))
		d->use.busy_ns += ns;
	else if (strongest < UNEXPLAINED)
		d->use.idle_ns[strongest] += ns;
	else if (strongest <= rank_of(GRT_IDLE_UNKNOWN))
		d->use.idle_ns[GRT_IDLE_UNKNOWN] += ns;
	if (strongest == UNEXPLAINED)
		d->use.unexplained_ns += ns;
}

/*
 * Sums up the time until the first ring is silent; with @is_end, until all are.  Returns whether
 * any time was added.
 */
static bool sweep(struct grt_model *m, struct grt_device *d, bool is_end)
{
	bool got_on = false;

	while (listen_to_all(m, d, is_end) && grt_heap_count(&d->dues)) {
		uint64_t next_ns = grt_heap_first(&d->dues)->ns;
		int state = strongest(d);

		/* Other rings of the device are left out of the trace. */
		if (m->lacks_rings && state < rank_of(GRT_LINE_BUSY))
			state = rank_of(GRT_IDLE_UNKNOWN);
		count_time(d, state, grt_window_ns(m, d->done_ns, next_ns));
		d->done_ns = next_ns;
		got_on = true;
	}
	return got_on;
}

/* Ring @t is too far ahead of the others: the time of its older stretches counts as unknown. */
static void give_up(struct grt_model *m, struct grt_device *d, const struct grt_ring_state *t)
{
	uint64_t until_ns = part_at(t, part_count(t) / 2)->from_ns;

	if (until_ns <= d->done_ns)
		return;
	d->use.idle_ns[GRT_IDLE_UNKNOWN] += grt_model_awake_ns(m, d->done_ns, until_ns);
	d->done_ns = until_ns;
}

void grt_device_add(struct grt_model *m, struct grt_ring_state *t, const struct grt_stretch *s)
{
	size_t n = part_count(t);
	struct grt_stretch *last = n ? grt_deque_at(&t->line.parts, struct grt_stretch, n - 1) : NULL;
	uint64_t from_ns = s->from_ns;
	struct grt_stretch *to;

	/* grt_timeline_show() may have passed a part of it already. */
	if (from_ns < t->line.shown_ns)
		from_ns = t->line.shown_ns;
	if (m->skips_sums || t->device == GRT_NONE || from_ns >= s->to_ns)
		return;
	if (last && last->state == s->state && last->is_unexplained == s->is_unexplained && last->to_ns == from_ns) {
		last->to_ns = s->to_ns;
		return;
	}
	to = grt_vec_grow(&t->line.parts.vec, sizeof(*to));
	if (!to) {
		m->err = -ENOMEM;
		return;
	}
	*to = *s;
	to->from_ns = from_ns;
	if ((n + 1) % SOME_PARTS)
		return;
	if (!sweep(m, device_at(m, t->device), false) && n >= MANY_PARTS)
		m->ahead = number_of(t);
}

const struct grt_vec *grt_device_silent(const struct grt_model *m, const struct grt_ring_state *t)
{
	return &device_at(m, t->device)->silent;
}

void grt_device_retry(struct grt_model *m, const struct grt_ring_state *t)
{
	struct grt_device *d = device_at(m, t->device);

	if (!sweep(m, d, false) && part_count(t) > MAX_PARTS)
		give_up(m, d, t);
}

/* In a trace that lacks events, what a defined ring without an event did is unknown. */
static void mark_unseen_unknown(struct grt_model *m)
{
	if (!m->is_part && !grt_losses_count(&m->losses))
		return;
	for (uint32_t row = 0; row < grt_vec_count(&m->names.rings, struct grt_ring); row++) {
		const struct grt_ring *ring = grt_names_ring_at(&m->names, row);
		uint32_t i = grt_namemap_get(&m->device_of, ring->device);

		if (i != GRT_NONE && ring->is_defined && ring->order == GRTRACE_ORDER_FIFO &&
		    !grt_ring_state_was_seen(m, row))
			clear_causes(device_at(m, i));
	}
}

void grt_device_finish(struct grt_model *m)
{
	for (uint32_t i = 0; i < grt_vec_count(&m->devices, struct grt_device); i++)
		sweep(m, device_at(m, i), true);
	mark_unseen_unknown(m);
}

void grt_devices_free(struct grt_model *m)
{
	for (uint32_t i = 0; i < grt_vec_count(&m->devices, struct grt_device); i++) {
		grt_heap_free(&device_at(m, i)->dues);
		grt_vec_free(&device_at(m, i)->silent);
	}
	grt_namemap_free(&m->device_of);
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
