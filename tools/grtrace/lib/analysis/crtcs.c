// SPDX-License-Identifier: LGPL-2.1
#include "crtcs.h"

#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "error.h"
#include "keymap.h"
#include "once.h"

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
	uint32_t frame, client;	/* @client: its row */
	bool has_last;		/* a vertical blank had been seen when it asked */
	bool has_passed;	/* the one that it asked for had begun */
};

/* A client was told, and the blank may come: the kernel tells of it just behind. */
struct answer {
	uint64_t ns, asked_ns;	/* @asked_ns: 0: nobody was seen to ask */
	uint64_t client_id;
	uint32_t frame, client;
};

static struct grt_crtc_client *client_at(const struct grt_crtc *c, uint32_t i)
{
	return grt_vec_at(&c->clients, struct grt_crtc_client, i);
}

/* Counts @n for the CRTC and for the client in row @i. */
#define COUNT(c, i, member, n)	((c)->sums.member += (n), client_at(c, i)->sums.member += (n))

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

/* Clients without a number are told apart by their processes.  Answers may not name the process. */
static bool is_client(const struct grt_crtc_client *client, const struct grt_crtc_client *like)
{
	return !client->is_others && client->client_id == like->client_id &&
	       (like->client_id || client->tgid == like->tgid);
}

/* The row of a client.  GRT_NONE without memory. */
static uint32_t client_of(struct grt_crtc *c, const struct grtrace_vblank *rec)
{
	struct grt_crtc_client own = {
		.client_id = grt_member(rec, client_id), .tgid = grt_member(rec, tgid),
	};
	uint32_t count = grt_crtc_clients(c), i = 0;

	while (i < count && !is_client(client_at(c, i), &own))
		i++;
	if (i < count && !client_at(c, i)->tgid)
		client_at(c, i)->tgid = own.tgid;
	if (i < count)
		return i;
	if (count > GRT_CRTC_CLIENTS)
		return GRT_CRTC_CLIENTS;
	if (count == GRT_CRTC_CLIENTS)
		own = (struct grt_crtc_client){ .is_others = true };
	return grt_vec_append(&c->clients, &own, sizeof(own)) ? GRT_NONE : count;
}

static int keep(struct grt_vec *v, const void *row, size_t bytes)
{
	return grt_vec_append(v, row, bytes) ? grt_fail_memory() : 0;
}

/* --- vertical blanks --- */

static const struct grt_crtc_blank *last_blank(const struct grt_crtc *c)
{
	return c->blanks ? &c->recent[(c->blanks - 1) % GRT_CRTC_RECENT] : NULL;
}

/* NULL: it was not seen, or is forgotten. */
static const struct grt_crtc_blank *blank_at(const struct grt_crtc *c, uint32_t frame)
{
	for (uint64_t i = 1; i <= c->blanks && i <= GRT_CRTC_RECENT; i++)
		if (c->recent[(c->blanks - i) % GRT_CRTC_RECENT].frame == frame)
			return &c->recent[(c->blanks - i) % GRT_CRTC_RECENT];
	return NULL;
}

static void say(const struct grt_crtcs *all, const struct grt_crtc *c, const struct answer *told,
		const struct grt_crtc_blank *blank)
{
	struct grt_crtc_answer answer = {
		.ns = told->ns, .client_id = told->client_id, .crtc = c->crtc, .frame = told->frame,
		.has_asked = told->asked_ns, .has_blank = blank,
	};

	if (!all->answered)
		return;
	answer.asked_ns = told->ns > told->asked_ns ? told->ns - told->asked_ns : 0;
	answer.blank_ns = blank && told->ns > blank->ns ? told->ns - blank->ns : 0;
	all->answered(all->arg, &answer);
}

static int add_time(struct grt_hist *all, struct grt_hist *own, uint64_t ns)
{
	return grt_hist_add(all, ns) || grt_hist_add(own, ns) ? grt_fail_memory() : 0;
}

/* The answer to a late question is not late.  If the client is not known, it is not known when it asked. */
static int judge(const struct grt_crtcs *all, struct grt_crtc *c, const struct answer *told,
		 const struct grt_crtc_blank *blank)
{
	uint64_t from_ns = told->asked_ns > blank->ns ? told->asked_ns : blank->ns;
	bool is_prompt = told->ns <= from_ns || told->ns - from_ns <= GRT_CRTC_LATE_NS;

	say(all, c, told, blank);
	if (!is_prompt && !told->client_id) {
		COUNT(c, told->client, told_unknown, 1);
		return 0;
	}
	if (is_prompt)
		COUNT(c, told->client, prompt, 1);
	else
		COUNT(c, told->client, late, 1);
	return add_time(&c->sums.delivery, &client_at(c, told->client)->sums.delivery,
			told->ns > blank->ns ? told->ns - blank->ns : 0);
}

static void judge_unseen(const struct grt_crtcs *all, struct grt_crtc *c, const struct answer *told)
{
	COUNT(c, told->client, told_unknown, 1);
	say(all, c, told, NULL);
}

static int judge_open(const struct grt_crtcs *all, struct grt_crtc *c, const struct grt_crtc_blank *blank)
{
	struct answer *rows = c->answers.data;
	size_t count = grt_vec_count(&c->answers, struct answer), kept = 0;
	int err = 0;

	for (size_t i = 0; i < count; i++) {
		if (rows[i].frame == blank->frame && !err)
			err = judge(all, c, &rows[i], blank);
		else if (distance(rows[i].frame, blank->frame) > 0)
			rows[kept++] = rows[i];
		else
			judge_unseen(all, c, &rows[i]);
	}
	c->answers.bytes = kept * sizeof(*rows);
	return err;
}

static int add_gap(struct grt_crtc *c, uint64_t to_ns, uint32_t count)
{
	struct gap gap = { .from_ns = c->last_ns, .to_ns = to_ns, .count = count };

	c->missing += count;
	if (grt_vec_count(&c->gaps, struct gap) < GRT_CRTC_KEPT)
		return keep(&c->gaps, &gap, sizeof(gap));
	c->missing_lost += count;	/* perhaps: it is not looked up */
	grt_warn_once("a CRTC has more than %d gaps of vertical blanks: of further ones it is not known whether events "
		      "were lost", GRT_CRTC_KEPT);
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

static int add_blank(struct grt_crtcs *all, struct grt_crtc *c, const struct grtrace_vblank *rec)
{
	struct grt_crtc_blank blank = { .frame = rec->frame, .ns = grt_blank_ns(&all->clock, rec) };
	const struct grt_crtc_blank *last = last_blank(c);
	bool is_exact = rec->hdr.flags & GRTRACE_F_HIGH_PRECISION && blank.ns == rec->vblank_ns;
	int32_t steps = last ? distance(rec->frame, last->frame) : 0;
	int err = 0;

	if (rec->hdr.ts > rec->vblank_ns && rec->hdr.ts - rec->vblank_ns < GRT_BLANK_FAR_NS &&
	    rec->hdr.ts - rec->vblank_ns > c->late_ns)
		c->late_ns = rec->hdr.ts - rec->vblank_ns;
	if (last && !steps)
		return 0;	/* the same one again */
	if (steps == 1)
		err = add_distance(c, last, &blank, rec->hdr.ts, is_exact);
	else if (steps > 1)
		err = add_gap(c, rec->hdr.ts, steps - 1);
	else if (steps < 0)
		c->restarts++;
	c->seen++;
	c->recent[c->blanks++ % GRT_CRTC_RECENT] = blank;
	c->last_ns = rec->hdr.ts;
	c->was_exact = is_exact;
	return err ? err : judge_open(all, c, &blank);
}

/* --- clients --- */

static int add_ask(struct grt_crtc *c, const struct grtrace_vblank *rec)
{
	const struct grt_crtc_blank *last = last_blank(c);
	struct ask ask = {
		.client_id = grt_member(rec, client_id), .ns = rec->hdr.ts, .frame = rec->frame,
		.has_last = last, .has_passed = last && distance(rec->frame, last->frame) <= 0,
		.client = client_of(c, rec),
	};
	bool is_kept = ask.client_id && grt_vec_count(&c->asks, struct ask) < GRT_CRTC_OPEN;

	if (ask.client == GRT_NONE)
		return grt_fail_memory();
	COUNT(c, ask.client, asked, 1);
	/* The kernel answers at once. */
	if (ask.has_passed)
		COUNT(c, ask.client, passed, 1);
	else if (!is_kept)
		COUNT(c, ask.client, asked_unknown, 1);
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
		COUNT(c, done.client, in_time, 1);
		return add_time(&c->sums.latency, &client_at(c, done.client)->sums.latency, ns);
	}
	/* It may have asked for one that had passed, which nobody saw. */
	if (done.has_last && grt_vec_count(&c->misses, struct ask) < GRT_CRTC_KEPT)
		return keep(&c->misses, &done, sizeof(done));
	if (done.has_last)
		grt_warn_once("clients of a CRTC were told of more than %d later vertical blanks than they asked for: of "
			      "further ones it is not known whether they missed theirs", GRT_CRTC_KEPT);
	COUNT(c, done.client, asked_unknown, 1);
	return 0;
}

static int add_answer(const struct grt_crtcs *all, struct grt_crtc *c, const struct grtrace_vblank *rec)
{
	const struct grt_crtc_blank *blank = blank_at(c, rec->frame), *last = last_blank(c);
	uint64_t client_id = grt_member(rec, client_id);
	struct ask *ask = client_id ? ask_of(c, client_id, rec->frame) : NULL;
	struct answer told = {
		.ns = rec->hdr.ts, .asked_ns = ask ? ask->ns : 0, .frame = rec->frame,
		.client_id = client_id, .client = client_of(c, rec),
	};
	bool may_come = !last || distance(rec->frame, last->frame) > 0;
	int err = 0;

	if (told.client == GRT_NONE)
		return grt_fail_memory();
	COUNT(c, told.client, told, 1);
	if (blank)
		err = judge(all, c, &told, blank);
	else if (may_come && grt_vec_count(&c->answers, struct answer) < GRT_CRTC_OPEN)
		err = keep(&c->answers, &told, sizeof(told));
	else
		judge_unseen(all, c, &told);
	return err || !ask ? err : end_ask(c, ask, rec);
}

/* --- the whole --- */

static void leave_out(struct grt_crtcs *all)
{
	all->left_out++;
	grt_warn_once("there are more than %d CRTCs: the others are left out", GRT_CRTCS);
}

static int add_vblank(struct grt_crtcs *all, const struct grtrace_vblank *rec)
{
	struct grt_crtc *c = crtc_of(all, rec);

	if (!c) {
		leave_out(all);
		return 0;
	}
	if (rec->hdr.flags & GRTRACE_F_QUEUED)
		return add_ask(c, rec);
	if (rec->hdr.flags & GRTRACE_F_DELIVERED)
		return add_answer(all, c, rec);
	return add_blank(all, c, rec);
}

int grt_crtcs_record(struct grt_crtcs *c, const struct grtrace_hdr *rec)
{
	const struct grtrace_loss *loss = (const struct grtrace_loss *)rec;

	grt_blank_clock_record(&c->clock, rec);
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

/* Where events were lost, the answer in time may have been among them. */
static int judge_misses(struct grt_crtc *c, const struct grt_losses *losses)
{
	int err = 0;

	for (size_t i = 0; i < grt_vec_count(&c->misses, struct ask) && !err; i++) {
		const struct ask *miss = grt_vec_at(&c->misses, struct ask, i);

		if (grt_losses_touch(losses, miss->ns, miss->told_ns)) {
			COUNT(c, miss->client, asked_unknown, 1);
			continue;
		}
		err = add_time(&c->sums.latency, &client_at(c, miss->client)->sums.latency, miss->told_ns - miss->ns);
		COUNT(c, miss->client, missed, 1);
	}
	c->misses.bytes = 0;
	return err;
}

static int end_lap(struct grt_crtc *c, const struct grt_losses *losses)
{
	for (size_t i = 0; i < grt_vec_count(&c->gaps, struct gap); i++) {
		const struct gap *gap = grt_vec_at(&c->gaps, struct gap, i);

		if (grt_losses_touch(losses, gap->from_ns, gap->to_ns))
			c->missing_lost += gap->count;
	}
	c->gaps.bytes = 0;
	c->is_exact = c->exact.bytes;
	c->refresh_ns = median_of(c->is_exact ? &c->exact : &c->near);
	return judge_misses(c, losses);
}

static bool is_unknown(const struct ask *ask)
{
	return !ask->has_passed;
}

/* No answer comes any more. */
static int close_crtc(const struct grt_crtcs *all, struct grt_crtc *c)
{
	for (size_t i = 0; i < grt_vec_count(&c->asks, struct ask); i++) {
		const struct ask *ask = grt_vec_at(&c->asks, struct ask, i);

		COUNT(c, ask->client, asked_unknown, is_unknown(ask));
	}
	for (size_t i = 0; i < grt_vec_count(&c->answers, struct answer); i++)
		judge_unseen(all, c, grt_vec_at(&c->answers, struct answer, i));
	c->asks.bytes = c->answers.bytes = 0;
	return end_lap(c, &all->losses);
}

/* Open questions and answers count in the lap that ends them. */
static void count_open(struct grt_crtc *c, uint64_t n)
{
	for (size_t i = 0; i < grt_vec_count(&c->asks, struct ask); i++) {
		const struct ask *ask = grt_vec_at(&c->asks, struct ask, i);

		COUNT(c, ask->client, asked, is_unknown(ask) ? n : 0);
	}
	for (size_t i = 0; i < grt_vec_count(&c->answers, struct answer); i++)
		COUNT(c, grt_vec_at(&c->answers, struct answer, i)->client, told, n);
}

static void forget_sums(struct grt_crtc_sums *s)
{
	s->asked_unknown += s->missed + s->passed;
	s->told_unknown += s->prompt + s->late;
	s->missed = s->passed = s->prompt = s->late = 0;
	grt_hist_free(&s->delivery);
}

/* What was found with the blanks of another GPU's CRTC is not known. */
static void forget(struct grt_crtc *c)
{
	c->is_mixed = true;
	c->refresh_ns = 0;
	forget_sums(&c->sums);
	for (size_t i = 0; i < grt_crtc_clients(c); i++)
		forget_sums(&client_at(c, i)->sums);
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

static int close_all(struct grt_crtcs *all, bool is_lap)
{
	int err = 0;

	for (unsigned int i = 0; i < all->count && !err; i++) {
		struct grt_crtc *c = &all->at[i];

		if (is_lap)
			count_open(c, -1);
		err = is_lap ? end_lap(c, &all->losses) : close_crtc(all, c);
		if (shares_blanks(all, c))
			forget(c);
	}
	return err;
}

int grt_crtcs_close(struct grt_crtcs *c)
{
	return close_all(c, false);
}

int grt_crtcs_end_lap(struct grt_crtcs *c)
{
	return close_all(c, true);
}

static void free_sums(struct grt_crtc_sums *s)
{
	grt_hist_free(&s->latency);
	grt_hist_free(&s->delivery);
	*s = (struct grt_crtc_sums){ .asked = 0 };
}

void grt_crtcs_begin_lap(struct grt_crtcs *all)
{
	for (unsigned int i = 0; i < all->count; i++) {
		struct grt_crtc *c = &all->at[i];

		c->seen = c->missing = c->missing_lost = c->restarts = 0;
		c->near.bytes = c->exact.bytes = 0;
		free_sums(&c->sums);
		for (size_t k = 0; k < grt_crtc_clients(c); k++)
			free_sums(&client_at(c, k)->sums);
		count_open(c, 1);
	}
}

void grt_crtcs_free(struct grt_crtcs *all)
{
	for (unsigned int i = 0; i < all->count; i++) {
		struct grt_crtc *c = &all->at[i];

		free_sums(&c->sums);
		for (size_t k = 0; k < grt_crtc_clients(c); k++)
			free_sums(&client_at(c, k)->sums);
		grt_vec_free(&c->clients);
		grt_vec_free(&c->near);
		grt_vec_free(&c->exact);
		grt_vec_free(&c->gaps);
		grt_vec_free(&c->asks);
		grt_vec_free(&c->misses);
		grt_vec_free(&c->answers);
	}
	grt_losses_free(&all->losses);
	all->count = 0;
}
