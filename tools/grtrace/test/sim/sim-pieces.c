// SPDX-License-Identifier: GPL-2.0
/* Checks the pieces of time that a model returns if it keeps them. */
#include <inttypes.h>

#include "sim-check.h"
#include "piece.h"

struct pieces {
	const struct sim *sim;
	const struct sim_truth *truth;
	struct grt_model *model;
	FILE *out;
	uint32_t wrong;
};

static void print_pieces(FILE *out, const char *whose, const struct sim_pieces *p)
{
	static const char * const reasons[] = {
#define GRT_X(NAME, name, text) #name,
		GRT_BLAME_REASONS(GRT_X)
#undef GRT_X
	};

	for (uint32_t i = 0; i < p->count; i++) {
		const struct sim_piece *x = &p->piece[i];

		fprintf(out,
			"# %s: from %" PRIu64 ": %" PRIu64 " ns, %s, through %s, %" PRIu64
			":%" PRIu64 ", client %d\n",
			whose, x->from_ns, x->ns, grt_stage_name(x->stage), reasons[x->reason],
			x->ctx, x->seqno, (int)x->client);
	}
}

/* Another check compares clients; this one compares keys and times. */
static bool is_same(const struct sim_piece *a, const struct sim_piece *b)
{
	return a->from_ns == b->from_ns && a->ns == b->ns && a->ctx == b->ctx &&
	       a->seqno == b->seqno && a->reason == b->reason && a->stage == b->stage &&
	       (a->client == SIM_NONE) == (b->client == SIM_NONE);
}

static void take_job(void *arg, const struct grt_job *job)
{
	struct pieces *c = arg;
	const struct sim *s = c->sim;
	struct sim_pieces said = { .count = 0 };
	struct grt_vec pieces = { 0 };
	const struct sim_pieces *truth = NULL;
	bool is_wrong;

	for (uint32_t j = 0; j < s->nr_jobs; j++)
		if (s->jobs[j].ctx_id == job->ctx && s->jobs[j].seqno == job->seqno)
			truth = &c->truth->pieces[j];
	if (!truth || job->is_early)
		return;
	c->wrong += grt_pieces_list(job, 0, grt_pieces_end_ns(job), &pieces) != 0;
	for (uint32_t i = 0; i < grt_vec_count(&pieces, struct grt_charge) && i < SIM_MAX_PIECES; i++) {
		const struct grt_charge *ch = grt_vec_at(&pieces, struct grt_charge, i);
		const struct sim_piece piece = {
			.from_ns = ch->from_ns, .ns = ch->ns, .ctx = ch->ctx, .seqno = ch->seqno,
			.client = ch->client == GRT_NONE ? SIM_NONE : 0, .reason = ch->reason,
			.stage = ch->stage,
		};

		if (piece.ns)
			sim_piece_add(&said, &piece);
	}
	grt_vec_free(&pieces);
	is_wrong = said.count != truth->count;
	for (uint32_t i = 0; i < said.count && !is_wrong; i++)
		is_wrong = !is_same(&said.piece[i], &truth->piece[i]);
	if (!is_wrong || c->wrong++ || !c->out)
		return;
	fprintf(c->out, "# job %" PRIu64 ":%" PRIu64 ": pieces\n", job->ctx, job->seqno);
	print_pieces(c->out, "model", &said);
	print_pieces(c->out, "truth", truth);
}

bool sim_check_pieces(const struct sim *s, const struct sim_truth *truth, FILE *out)
{
	struct pieces c = { .sim = s, .truth = truth, .out = out };

	c.model = grt_model_create(take_job, &c);
	if (!c.model)
		return false;
	grt_model_keep_pieces(c.model);
	c.wrong += sim_feed(s, c.model) != 0;
	grt_model_destroy(c.model);
	return !c.wrong;
}
