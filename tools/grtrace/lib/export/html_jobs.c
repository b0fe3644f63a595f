// SPDX-License-Identifier: LGPL-2.1
#include "html_jobs.h"

#include <errno.h>
#include <stdlib.h>

#include "error.h"
#include "job_words.h"
#include "piece.h"

#define RECENT	GRT_ROOTS_JOBS	/* as many as there are jobs whose roots are known */

/*
 * A job that waited for more pieces, one after the other, is written with its sums only: behind a million others,
 * each job waits for a million pieces.  Of the sums, the greatest are written.
 */
#define MAX_PIECES	64
#define MAX_SUMS	16
#define IS_SUMMED	1	/* instead of twice the number of charges */

/* What follows a charge: the lowest bits are its reason. */
enum charge_tag {
	TAG_FOREIGN = 1 << 3,
	TAG_HUNG = 1 << 4,
	TAG_KEY = 1 << 5,	/* ctx and seqno of a fence or job that is not in the page */
	TAG_JOB = 1 << 6,	/* how many jobs before this one */
	TAG_SPANS = 1 << 7,	/* the roots of this time, as that job cannot be followed */
};

struct grt_html_recent {
	uint64_t ctx, seqno, number;
	bool is_summed;
};

/* Stages that the stamps do not tell. */
static const enum grt_stage own_stages[] = {
	GRT_STAGE_ORDER, GRT_STAGE_DEP, GRT_STAGE_RING, GRT_STAGE_SCHED, GRT_STAGE_GPU_WAIT,
	GRT_STAGE_SCHED_CPU, GRT_STAGE_WAKE, GRT_STAGE_IOCTL,
};

#define NR_OWN_STAGES	(sizeof(own_stages) / sizeof(own_stages[0]))

static struct grt_packed *column(struct grt_html_jobs *h, enum grt_html_job_column column)
{
	return &h->columns[column];
}

#define COLUMN(name)	column(h, GRT_HTML_JOB_##name)

static void put_row(struct grt_packed *p, uint32_t row)
{
	grt_pack_u64(p, row == GRT_NONE ? 0 : (uint64_t)row + 1);
}

/* --- jobs that others refer to --- */

static const struct grt_html_recent *find(const struct grt_html_jobs *h, uint64_t ctx,
					  uint64_t seqno)
{
	uint32_t place = grt_keymap_get(&h->numbers, ctx, seqno);

	return place == GRT_NONE ? NULL : &h->recent[place];
}

/* If a key comes twice, the first job counts. */
static int remember(struct grt_html_jobs *h, const struct grt_job *job)
{
	uint32_t place = h->jobs % RECENT;
	struct grt_html_recent *r;

	if (!h->recent)
		h->recent = calloc(RECENT, sizeof(*h->recent));
	if (!h->recent)
		return grt_fail_memory();
	r = &h->recent[place];
	if (h->jobs >= RECENT && grt_keymap_get(&h->numbers, r->ctx, r->seqno) == place)
		grt_keymap_del(&h->numbers, r->ctx, r->seqno);
	*r = (struct grt_html_recent){ job->ctx, job->seqno, h->jobs, h->is_summed };
	if (find(h, job->ctx, job->seqno))
		return 0;
	return grt_keymap_put(&h->numbers, job->ctx, job->seqno, place) ? grt_fail_memory() : 0;
}

/* --- the wait of a job --- */

/* Appends to a vector, but not more than MAX_PIECES. */
static int append_few(struct grt_vec *to, const void *row, size_t bytes)
{
	return to->bytes == MAX_PIECES * bytes ? -E2BIG : grt_vec_append(to, row, bytes);
}

static int append_piece(void *arg, const struct grt_charge *piece)
{
	return append_few(arg, piece, sizeof(*piece));
}

static int append_span(void *arg, const struct grt_root_span *span)
{
	return append_few(arg, span, sizeof(*span));
}

/* The job whose fence was waited for, if it is in the page. */
static const struct grt_html_recent *job_of(const struct grt_html_jobs *h, const struct grt_charge *c)
{
	return c->ctx ? find(h, c->ctx, c->seqno) : NULL;
}

/* Whether the page cannot follow that job as the report does. */
static bool needs_spans(const struct grt_html_jobs *h, const struct grt_charge *c)
{
	const struct grt_html_recent *by = job_of(h, c);
	bool follows = c->reason == GRT_BLAME_FENCE && !c->is_foreign && c->ctx;

	return follows && (grt_roots_know(&h->summary->roots, c->ctx, c->seqno) != !!by || (by && by->is_summed));
}

/* Collects the pieces, and the roots of those that need them, which are few.  0, -E2BIG: there are more, or -ENOMEM. */
static int collect(struct grt_html_jobs *h, const struct grt_job *job)
{
	struct grt_roots *roots = &h->summary->roots;
	const struct grt_root_span *parts;
	uint32_t count;
	int err;

	h->pieces.bytes = h->spans.bytes = 0;
	grt_roots_parts(roots, &parts, &count);
	err = grt_pieces_walk(job, 0, grt_pieces_end_ns(job), append_piece, &h->pieces);
	for (size_t i = 0; i < grt_vec_count(&h->pieces, struct grt_charge) && !err; i++) {
		const struct grt_charge *c = grt_vec_at(&h->pieces, struct grt_charge, i);

		if (needs_spans(h, c))
			err = grt_roots_walk_parts(roots, parts, count, c->from_ns, c->from_ns + c->ns,
						   append_span, &h->spans);
	}
	return err;
}

static void put_client(struct grt_html_jobs *h, uint32_t client)
{
	put_row(COLUMN(charges), client);
	if (client != GRT_NONE && client >= h->max_client)
		h->max_client = client + 1;
}

static void put_root(struct grt_html_jobs *h, const struct grt_root_total *root)
{
	grt_pack_byte(COLUMN(charges), root->kind);
	grt_pack_u64(COLUMN(charges), root->ns);
	put_client(h, root->client);
	grt_pack_u64(COLUMN(charges), root->ctx);
	grt_pack_u64(COLUMN(charges), root->seqno);
}

/* The roots of a part of its wait. */
static void put_spans(struct grt_html_jobs *h, uint64_t from_ns, uint64_t to_ns)
{
	size_t all = grt_vec_count(&h->spans, struct grt_root_span), count = 0;

	for (size_t i = 0; i < all; i++) {
		const struct grt_root_span *span = grt_vec_at(&h->spans, struct grt_root_span, i);

		count += span->from_ns >= from_ns && span->to_ns <= to_ns;
	}
	grt_pack_u64(COLUMN(charges), count);
	for (size_t i = 0; i < all; i++) {
		const struct grt_root_span *span = grt_vec_at(&h->spans, struct grt_root_span, i);

		if (span->from_ns >= from_ns && span->to_ns <= to_ns)
			put_root(h, &(struct grt_root_total){
				.kind = span->kind, .ns = span->to_ns - span->from_ns, .client = span->client,
				.ctx = span->ctx, .seqno = span->seqno,
			});
	}
}

static void put_charge(struct grt_html_jobs *h, const struct grt_charge *c, bool is_sum)
{
	const struct grt_html_recent *by = is_sum ? NULL : job_of(h, c);
	bool has_spans = !is_sum && needs_spans(h, c);
	struct grt_packed *p = COLUMN(charges);

	grt_pack_byte(p, c->reason | (c->is_foreign ? TAG_FOREIGN : 0) | (c->is_hung ? TAG_HUNG : 0) |
		      (by ? TAG_JOB : c->ctx ? TAG_KEY : 0) | (has_spans ? TAG_SPANS : 0));
	grt_pack_byte(p, c->stage);
	grt_pack_u64(p, c->ns);
	put_client(h, c->client);
	if (by) {
		grt_pack_u64(p, h->jobs - by->number);
	} else if (c->ctx) {
		grt_pack_u64(p, c->ctx);
		grt_pack_u64(p, c->seqno);
	}
	if (has_spans)
		put_spans(h, c->from_ns, c->from_ns + c->ns);
}

/* The rows of the greatest sums. */
struct greatest {
	uint64_t ns[MAX_SUMS];
	uint32_t rows[MAX_SUMS], count;
	uint32_t others;	/* that are smaller, ... */
	uint64_t others_ns;	/* and what they are together */
};

static void add_sum(struct greatest *g, uint32_t row, uint64_t ns)
{
	uint32_t i;

	if (g->count == MAX_SUMS) {
		uint64_t least_ns = ns < g->ns[MAX_SUMS - 1] ? ns : g->ns[MAX_SUMS - 1];

		g->others++;
		g->others_ns += least_ns;
		if (ns <= g->ns[MAX_SUMS - 1])
			return;
		g->count--;
	}
	for (i = g->count++; i && g->ns[i - 1] < ns; i--) {
		g->ns[i] = g->ns[i - 1];
		g->rows[i] = g->rows[i - 1];
	}
	g->ns[i] = ns;
	g->rows[i] = row;
}

static void put_others(struct grt_html_jobs *h, const struct greatest *g)
{
	grt_pack_u64(COLUMN(charges), g->others);
	grt_pack_u64(COLUMN(charges), g->others_ns);
}

/* What the job waited for, and the roots of that, added up. */
static int put_sums(struct grt_html_jobs *h, const struct grt_job *job)
{
	struct greatest charges = { .count = 0 }, roots = { .count = 0 };
	const struct grt_root_total *totals;
	uint32_t count;
	int err = grt_roots_totals(&h->summary->roots, &totals, &count);

	if (err)
		return err;
	for (uint32_t i = 0; i < job->nr_charges; i++)
		add_sum(&charges, i, job->charges[i].ns);
	for (uint32_t i = 0; i < count; i++)
		add_sum(&roots, i, totals[i].ns);
	grt_pack_u64(COLUMN(charges), IS_SUMMED);
	grt_pack_u64(COLUMN(charges), charges.count);
	for (uint32_t i = 0; i < charges.count; i++)
		put_charge(h, &job->charges[charges.rows[i]], true);
	put_others(h, &charges);
	grt_pack_u64(COLUMN(charges), roots.count);
	for (uint32_t i = 0; i < roots.count; i++)
		put_root(h, &totals[roots.rows[i]]);
	put_others(h, &roots);
	return 0;
}

/* Pieces follow each other without a gap, from SUBMIT on. */
static int put_charges(struct grt_html_jobs *h, const struct grt_job *job)
{
	int err = collect(h, job);

	h->is_summed = err == -E2BIG;
	if (h->is_summed)
		return put_sums(h, job);
	if (err)
		return grt_fail_memory();
	grt_pack_u64(COLUMN(charges), 2 * grt_vec_count(&h->pieces, struct grt_charge));
	for (size_t i = 0; i < grt_vec_count(&h->pieces, struct grt_charge); i++)
		put_charge(h, grt_vec_at(&h->pieces, struct grt_charge, i), false);
	return 0;
}

/* --- the job --- */

/* The first stamp of the list relative to that of the job before, the others to the one before them. */
static void put_stamps(struct grt_html_jobs *h, const struct grt_job *job)
{
	uint64_t before_ns = 0;
	bool is_first = true;

	grt_pack_byte(COLUMN(stamps), job->stamps);
	for (int i = 0; i < GRT_NR_STAMPS; i++) {
		if (!grt_job_has(job, i))
			continue;
		if (is_first) {
			grt_pack_s64(COLUMN(first_ns), job->at_ns[i] - h->from_ns - h->first_ns);
			h->first_ns = job->at_ns[i] - h->from_ns;
		} else {
			grt_pack_s64(COLUMN(later_ns), job->at_ns[i] - before_ns);
		}
		before_ns = job->at_ns[i];
		is_first = false;
	}
}

static void put_stages(struct grt_html_jobs *h, const struct grt_job *job)
{
	grt_pack_u64(COLUMN(stages), job->stages);
	for (size_t i = 0; i < NR_OWN_STAGES; i++)
		if (grt_job_knows(job, own_stages[i]))
			grt_pack_u64(COLUMN(stage_ns), job->stage_ns[own_stages[i]]);
}

/* Adds the row of its command's name + 1; 0: it has none.  0 or -errno. */
static int put_command(struct grt_html_jobs *h, const struct grt_job *job)
{
	const char *name = grt_word_command(grt_model_names(h->summary->model), job);
	uint32_t row = 0, count = grt_vec_count(&h->commands, const char *);

	while (name && row < count && *grt_vec_at(&h->commands, const char *, row) != name)
		row++;
	if (name && row == count && grt_vec_append(&h->commands, &name, sizeof(name)))
		return grt_fail_memory();
	grt_pack_u64(COLUMN(command), name ? row + 1 : 0);
	return 0;
}

static int put_job(struct grt_html_jobs *h, const struct grt_job *job,
		    struct grt_slot_pair slots)
{
	struct grt_view view;
	int err;

	grt_pack_s64(COLUMN(ctx), job->ctx - h->ctx);
	grt_pack_s64(COLUMN(seqno), job->seqno - h->seqno);
	h->ctx = job->ctx;
	h->seqno = job->seqno;
	put_row(COLUMN(ring), job->ring);
	put_row(COLUMN(process), job->process);
	put_row(COLUMN(client), job->client);
	if (job->client != GRT_NONE && job->client >= h->max_client)
		h->max_client = job->client + 1;
	grt_pack_u64(COLUMN(tid), job->tid);
	put_stamps(h, job);
	put_stages(h, job);
	grt_pack_u64(COLUMN(flags), job->flags);
	/* 0: not known. */
	grt_pack_u64(COLUMN(status), !job->has_status ? 0 :
		     1 + ((uint64_t)(int64_t)job->status << 1 ^ (job->status < 0 ? UINT64_MAX : 0)));
	grt_summary_view(h->summary, job, &view);
	grt_pack_u64(COLUMN(labels), view.labels);
	err = put_command(h, job);
	if (err)
		return err;
	grt_pack_byte(COLUMN(slots), slots.waiting);
	grt_pack_byte(COLUMN(slots), slots.on_ring);
	return put_charges(h, job);
}

static uint64_t since(uint64_t ns, uint64_t from_ns)
{
	return ns > from_ns ? ns - from_ns : 0;
}

static void extend_block(struct grt_html_jobs *h, const struct grt_job *job)
{
	uint64_t from_ns = since(grt_job_first_ns(job), h->from_ns);
	uint64_t to_ns = since(grt_job_last_ns(job), h->from_ns);

	if (!h->block.jobs++)
		h->block = (struct grt_html_block){ from_ns, to_ns, 1 };
	if (from_ns < h->block.from_ns)
		h->block.from_ns = from_ns;
	if (to_ns > h->block.to_ns)
		h->block.to_ns = to_ns;
}

static int write_block(struct grt_html_jobs *h)
{
	uint64_t number = grt_vec_count(&h->blocks, struct grt_html_block);
	struct grt_packed all = { 0 };
	int err;

	if (!h->block.jobs)
		return 0;
	for (int i = 0; i < GRT_NR_HTML_JOB_COLUMNS; i++)
		grt_pack_column(&all, &h->columns[i]);
	err = grt_packed_write(&all, h->file, "jobs", number);
	grt_packed_free(&all);
	if (!err && grt_vec_append(&h->blocks, &h->block, sizeof(h->block)))
		err = grt_fail_memory();
	h->block = (struct grt_html_block){ 0 };
	h->ctx = h->seqno = h->first_ns = 0;
	return err;
}

int grt_html_job(struct grt_html_jobs *h, const struct grt_job *job, struct grt_slot_pair slots)
{
	int err = put_job(h, job, slots);

	if (err)
		return err;
	extend_block(h, job);
	if (job->flags & GRT_JOB_HUNG && grt_vec_append(&h->hangs, &h->jobs, sizeof(h->jobs)))
		return grt_fail_memory();
	err = remember(h, job);
	h->jobs++;
	return err || h->block.jobs < GRT_HTML_BLOCK ? err : write_block(h);
}

int grt_html_jobs_end(struct grt_html_jobs *h)
{
	return write_block(h);
}

void grt_html_jobs_free(struct grt_html_jobs *h)
{
	for (int i = 0; i < GRT_NR_HTML_JOB_COLUMNS; i++)
		grt_packed_free(&h->columns[i]);
	grt_vec_free(&h->pieces);
	grt_vec_free(&h->spans);
	grt_vec_free(&h->commands);
	grt_vec_free(&h->blocks);
	grt_vec_free(&h->hangs);
	grt_keymap_free(&h->numbers);
	free(h->recent);
}
