// SPDX-License-Identifier: LGPL-2.1
#include "crtcs.h"

#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "error.h"

/* Reasons for which a VBLANK may be missing; other policies choose jobs or whole types. */
#define LOSES_BLANKS	(GRT_LOST_REASONS | 1u << GRTRACE_FATE_RATE_LIMITED |		\
			 1u << GRTRACE_FATE_BACKPRESSURE | 1u << GRTRACE_FATE_DISABLED)

/* Between two vertical blanks that were seen, @count were not. */
struct gap {
	uint64_t from_ns, to_ns;
	uint32_t count;
};

/* A client asked to be told of a vertical blank. */
struct ask {
	uint64_t client_id, ns, told_ns;
	uint32_t frame;
	bool has_last;		/* a vertical blank had been seen when it asked */
	bool has_passed;	/* the one that it asked for had begun */
};

/* A client was told, and the blank may come: the kernel tells of it just behind. */
struct answer {
	uint64_t ns, asked_ns;	/* @asked_ns: 0: nobody was seen to ask */
	uint32_t frame;
};

/* How far @a is behind @b: numbers of vertical blanks begin again after 2^32. */
static int32_t distance(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b);
}

/*
 * The kernel's tracepoints of clients name the GPU, that of the blanks does not: a CRTC without a GPU
 * is of the first one that is named.
 */
static struct grt_crtc *crtc_of(struct grt_crtcs *c, const struct grtrace_vblank *rec)
{
	uint32_t gpu = grt_member(rec, pci_address);
	unsigned int i = 0;

	while (i < c->count && !grt_is_of_crtc(rec, c->at[i].crtc, c->at[i].gpu))
		i++;
	if (i == GRT_CRTCS)
		return NULL;
	if (i == c->count)
		c->at[c->count++] = (struct grt_crtc){ .crtc = rec->crtc };
	if (gpu)
		c->at[i].gpu = gpu;
	else if (grt_is_blank(rec))
		c->at[i].has_nameless = true;
	return &c->at[i];
}

static int keep(struct grt_vec *v, const void *row, size_t bytes)
{
	return grt_vec_append(v, row, bytes) ? grt_fail_memory() : 0;
}

/* --- vertical blanks --- */

static const struct grt_crtc_blank *last_blank(const struct grt_crtc *c)
{
	return c->seen ? &c->recent[(c->seen - 1) % GRT_CRTC_RECENT] : NULL;
}

/* NULL: it was not seen, or is forgotten. */
static const struct grt_crtc_blank *blank_at(const struct grt_crtc *c, uint32_t frame)
{
	for (uint64_t i = 1; i <= c->seen && i <= GRT_CRTC_RECENT; i++)
		if (c->recent[(c->seen - i) % GRT_CRTC_RECENT].frame == frame)
			return &c->recent[(c->seen - i) % GRT_CRTC_RECENT];
	return NULL;
}

/* Who asks late is told late: that is nobody's fault. */
static void judge(struct grt_crtc *c, const struct answer *told, const struct grt_crtc_blank *blank)
{
	uint64_t from_ns = told->asked_ns > blank->ns ? told->asked_ns : blank->ns;

	if (told->ns > from_ns && told->ns - from_ns > GRT_CRTC_LATE_NS)
		c->late++;
	else
		c->prompt++;
}

static void judge_open(struct grt_crtc *c, const struct grt_crtc_blank *blank)
{
	struct answer *rows = c->answers.data;
	size_t count = grt_vec_count(&c->answers, struct answer), kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (rows[i].frame == blank->frame)
			judge(c, &rows[i], blank);
		else if (distance(rows[i].frame, blank->frame) > 0)
			rows[kept++] = rows[i];
		else
			c->told_unknown++;
	}
	c->answers.bytes = kept * sizeof(*rows);
}

static int add_gap(struct grt_crtc *c, uint64_t to_ns, uint32_t count)
{
	struct gap gap = { .from_ns = c->last_ns, .to_ns = to_ns, .count = count };

	c->missing += count;
	if (grt_vec_count(&c->gaps, struct gap) < GRT_CRTC_KEPT)
		return keep(&c->gaps, &gap, sizeof(gap));
	c->missing_lost += count;	/* perhaps: it is not looked up */
	return 0;
}

static int add_distance(struct grt_crtc *c, const struct grt_crtc_blank *last,
			const struct grt_crtc_blank *blank, uint64_t ns, bool is_exact)
{
	bool are_exact = is_exact && c->was_exact && blank->ns > last->ns;
	struct grt_vec *to = are_exact ? &c->exact : &c->near;
	uint64_t distance_ns = are_exact ? blank->ns - last->ns : ns - c->last_ns;

	if ((!are_exact && ns <= c->last_ns) || grt_vec_count(to, uint64_t) >= GRT_CRTC_KEPT)
		return 0;
	return keep(to, &distance_ns, sizeof(distance_ns));
}

static int add_blank(struct grt_crtc *c, const struct grtrace_vblank *rec)
{
	struct grt_crtc_blank blank = { .frame = rec->frame, .ns = grt_blank_ns(rec) };
	const struct grt_crtc_blank *last = last_blank(c);
	bool is_exact = grt_blank_is_exact(rec);
	int32_t steps = last ? distance(rec->frame, last->frame) : 0;
	int err = 0;

	if (last && !steps)
		return 0;	/* the same one again */
	if (steps == 1)
		err = add_distance(c, last, &blank, rec->hdr.ts, is_exact);
	else if (steps > 1)
		err = add_gap(c, rec->hdr.ts, steps - 1);
	else if (steps < 0)
		c->restarts++;
	c->recent[c->seen++ % GRT_CRTC_RECENT] = blank;
	c->last_ns = rec->hdr.ts;
	c->was_exact = is_exact;
	judge_open(c, &blank);
	return err;
}

/* --- clients --- */

static int add_ask(struct grt_crtc *c, const struct grtrace_vblank *rec)
{
	const struct grt_crtc_blank *last = last_blank(c);
	struct ask ask = {
		.client_id = grt_member(rec, client_id), .ns = rec->hdr.ts, .frame = rec->frame,
		.has_last = last, .has_passed = last && distance(rec->frame, last->frame) <= 0,
	};
	bool is_kept = ask.client_id && grt_vec_count(&c->asks, struct ask) < GRT_CRTC_OPEN;

	c->asked++;
	/* The kernel answers at once. */
	if (ask.has_passed)
		c->passed++;
	else if (!is_kept)
		c->asked_unknown++;
	return !is_kept ? 0 : keep(&c->asks, &ask, sizeof(ask));
}

/* The question that is answered: the one for this blank, else the oldest for an earlier one. */
static struct ask *ask_of(struct grt_crtc *c, uint64_t client_id, uint32_t frame)
{
	struct ask *asks = c->asks.data, *oldest = NULL;

	for (size_t i = 0; i < grt_vec_count(&c->asks, struct ask); i++) {
		if (asks[i].client_id != client_id || distance(asks[i].frame, frame) > 0)
			continue;
		if (asks[i].frame == frame)
			return &asks[i];
		if (!oldest)
			oldest = &asks[i];
	}
	return oldest;
}

static int end_ask(struct grt_crtc *c, struct ask *ask, const struct grtrace_vblank *rec)
{
	struct ask *end = (struct ask *)((char *)c->asks.data + c->asks.bytes), done = *ask;
	uint64_t ns = rec->hdr.ts > done.ns ? rec->hdr.ts - done.ns : 0;

	memmove(ask, ask + 1, (char *)end - (char *)(ask + 1));
	c->asks.bytes -= sizeof(*ask);
	done.told_ns = rec->hdr.ts;
	if (done.has_passed)
		return 0;
	if (done.frame == rec->frame) {
		c->in_time++;
		return grt_hist_add(&c->latency, ns) ? grt_fail_memory() : 0;
	}
	/* It may have asked for one that had passed, which nobody saw. */
	if (!done.has_last || grt_vec_count(&c->misses, struct ask) >= GRT_CRTC_KEPT) {
		c->asked_unknown++;
		return 0;
	}
	return keep(&c->misses, &done, sizeof(done));
}

static int add_answer(struct grt_crtc *c, const struct grtrace_vblank *rec)
{
	const struct grt_crtc_blank *blank = blank_at(c, rec->frame), *last = last_blank(c);
	uint64_t client_id = grt_member(rec, client_id);
	struct ask *ask = client_id ? ask_of(c, client_id, rec->frame) : NULL;
	struct answer told = {
		.ns = rec->hdr.ts, .asked_ns = ask ? ask->ns : 0, .frame = rec->frame,
	};
	bool may_come = !last || distance(rec->frame, last->frame) > 0;
	int err = 0;

	c->told++;
	if (blank)
		judge(c, &told, blank);
	else if (may_come && grt_vec_count(&c->answers, struct answer) < GRT_CRTC_OPEN)
		err = keep(&c->answers, &told, sizeof(told));
	else
		c->told_unknown++;
	return err || !ask ? err : end_ask(c, ask, rec);
}

/* --- the whole --- */

static int add_vblank(struct grt_crtcs *all, const struct grtrace_vblank *rec)
{
	struct grt_crtc *c = crtc_of(all, rec);

	if (!c)
		return 0;
	if (rec->hdr.flags & GRTRACE_F_QUEUED)
		return add_ask(c, rec);
	if (rec->hdr.flags & GRTRACE_F_DELIVERED)
		return add_answer(c, rec);
	return add_blank(c, rec);
}

int grt_crtcs_record(struct grt_crtcs *c, const struct grtrace_hdr *rec)
{
	const struct grtrace_loss *loss = (const struct grtrace_loss *)rec;

	if (rec->type == GRTRACE_VBLANK)
		return add_vblank(c, (const struct grtrace_vblank *)rec);
	if (rec->type != GRTRACE_LOSS || !(LOSES_BLANKS >> loss->reason & 1))
		return 0;
	return grt_losses_add(&c->losses, loss->from_ns, loss->to_ns) ? grt_fail_memory() : 0;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static uint64_t median_of(struct grt_vec *distances)
{
	size_t count = grt_vec_count(distances, uint64_t);

	if (!count)
		return 0;
	qsort(distances->data, count, sizeof(uint64_t), compare);
	return *grt_vec_at(distances, uint64_t, count / 2);
}

static int close_crtc(struct grt_crtc *c, const struct grt_losses *losses)
{
	for (size_t i = 0; i < grt_vec_count(&c->gaps, struct gap); i++) {
		const struct gap *gap = grt_vec_at(&c->gaps, struct gap, i);

		if (grt_losses_touch(losses, gap->from_ns, gap->to_ns))
			c->missing_lost += gap->count;
	}
	/* Where events were lost, the answer in time may have been among them. */
	for (size_t i = 0; i < grt_vec_count(&c->misses, struct ask); i++) {
		const struct ask *miss = grt_vec_at(&c->misses, struct ask, i);

		if (grt_losses_touch(losses, miss->ns, miss->told_ns)) {
			c->asked_unknown++;
			continue;
		}
		if (grt_hist_add(&c->latency, miss->told_ns - miss->ns))
			return grt_fail_memory();
		c->missed++;
	}
	for (size_t i = 0; i < grt_vec_count(&c->asks, struct ask); i++)
		c->asked_unknown += !grt_vec_at(&c->asks, struct ask, i)->has_passed;
	c->told_unknown += grt_vec_count(&c->answers, struct answer);
	c->misses.bytes = c->asks.bytes = c->answers.bytes = c->gaps.bytes = 0;
	c->is_exact = c->exact.bytes;
	c->refresh_ns = median_of(c->is_exact ? &c->exact : &c->near);
	return 0;
}

/* What was found with the blanks of another GPU's CRTC is not known. */
static void forget(struct grt_crtc *c)
{
	c->is_mixed = true;
	c->asked_unknown += c->missed + c->passed;
	c->told_unknown += c->prompt + c->late;
	c->missed = c->passed = c->prompt = c->late = c->refresh_ns = 0;
}

static bool shares_blanks(const struct grt_crtcs *all, const struct grt_crtc *c)
{
	bool has_nameless = false;
	unsigned int count = 0;

	for (unsigned int i = 0; i < all->count; i++) {
		if (all->at[i].crtc != c->crtc)
			continue;
		has_nameless |= all->at[i].has_nameless;
		count++;
	}
	return has_nameless && count > 1;
}

bool grt_crtcs_have_gpus(const struct grt_crtcs *c)
{
	for (unsigned int i = 1; i < c->count; i++)
		if (c->at[i].gpu != c->at[0].gpu)
			return true;
	return false;
}

int grt_crtcs_close(struct grt_crtcs *c)
{
	int err = 0;

	for (unsigned int i = 0; i < c->count && !err; i++) {
		err = close_crtc(&c->at[i], &c->losses);
		if (shares_blanks(c, &c->at[i]))
			forget(&c->at[i]);
	}
	return err;
}

void grt_crtcs_free(struct grt_crtcs *c)
{
	for (unsigned int i = 0; i < c->count; i++) {
		struct grt_crtc *crtc = &c->at[i];

		grt_hist_free(&crtc->latency);
		grt_vec_free(&crtc->near);
		grt_vec_free(&crtc->exact);
		grt_vec_free(&crtc->gaps);
		grt_vec_free(&crtc->asks);
		grt_vec_free(&crtc->misses);
		grt_vec_free(&crtc->answers);
	}
	grt_losses_free(&c->losses);
	c->count = 0;
}
