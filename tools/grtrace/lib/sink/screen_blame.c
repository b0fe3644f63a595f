// SPDX-License-Identifier: LGPL-2.1
/* The first screen: who waited for whom. */
#include "screen_private.h"

#include <inttypes.h>

#include "job_words.h"
#include "number.h"

/* Whose jobs were waited for: X(NAME, title, rows on the first screen; --topn shows more). */
#define WHOSE(X)		\
	X(OTHERS, "by others", 3) \
	X(ITSELF, "by itself", 3) \
	X(NOBODY, "by no job", 2)

enum whose {
#define GRT_X(NAME, title, rows) NAME,
	WHOSE(GRT_X)
#undef GRT_X
	NR_WHOSE
};

/* Whether the process has other clients on this ring. */
static bool is_one_of_many(const struct grt_job_out *o, uint32_t client)
{
	const struct grt_matrix *b = &o->summary->blame;
	const struct grt_client *own = grt_model_client(o->summary->model, client), *other;

	for (size_t i = 0; i < 2 * grt_matrix_count(b); i++) {
		const struct grt_matrix_row *row = grt_matrix_at(b, i / 2);
		uint32_t number = i & 1 ? row->culprit : row->victim;

		if (number == GRT_NONE)
			continue;
		other = grt_model_client(o->summary->model, number);
		if (other->ring == own->ring && other->process == own->process &&
		    other->client_id != own->client_id)
			return true;
	}
	return false;
}

#define BLAMED_MAX	(GRT_CLIENT_MAX + 32)

static const char *blamed(char *buf, const struct grt_job_out *o, uint32_t client)
{
	char who[GRT_CLIENT_MAX];

	if (client == GRT_NONE || !is_one_of_many(o, client))
		return grt_word_client(buf, o->summary->model, client);
	snprintf(buf, BLAMED_MAX, "%s client %" PRIu64,
		 grt_word_client(who, o->summary->model, client),
		 grt_model_client(o->summary->model, client)->client_id);
	return buf;
}

static const char *blocking_client(char *buf, const struct grt_job_out *o,
				   const struct grt_matrix_row *row)
{
	if (row->culprit != GRT_NONE)
		return blamed(buf, o, row->culprit);
	if (row->kind == GRT_BLAME_SCHEDULER)
		return "the scheduler";
	return row->kind == GRT_BLAME_FENCE ? "fences of no job" : "not known";
}

static const char *how(enum grt_blame_reason reason)
{
	static const char *const words[] = {
		[GRT_BLAME_FENCE] = "fence", [GRT_BLAME_RING] = "the ring ran its jobs",
		[GRT_BLAME_SCHEDULER] = "not handed over", [GRT_BLAME_RECOVERY] = "the ring was reset",
		[GRT_BLAME_UNKNOWN] = "not known",
	};

	return words[reason];
}

static enum whose whose(const struct grt_job_out *o, const struct grt_matrix_row *row)
{
	const struct grt_model *m = o->summary->model;

	if (row->culprit == GRT_NONE)
		return NOBODY;
	return grt_model_client(m, row->culprit)->process ==
	       grt_model_client(m, row->victim)->process ? ITSELF : OTHERS;
}

/* All waiting time of a client. */
static uint64_t waited_ns(const struct grt_matrix *b, uint32_t victim)
{
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < grt_matrix_count(b); i++)
		if (grt_matrix_at(b, i)->victim == victim)
			sum_ns += grt_matrix_at(b, i)->ns;
	return sum_ns;
}

/* Adds the rows of one kind.  Returns how many. */
static size_t add_rows(struct grt_table *t, const struct grt_job_out *o, enum whose kind)
{
	static const struct {
		const char *title;
		size_t rows;
	} kinds[] = {
#define GRT_X(NAME, title, rows) [NAME] = { title, rows },
		WHOSE(GRT_X)
#undef GRT_X
	};
	size_t top = o->top ? o->top : kinds[kind].rows;
	const struct grt_matrix *b = &o->summary->blame;
	char who[BLAMED_MAX], word[GRT_NUMBER_MAX];
	size_t shown = 0;

	for (size_t i = 0; i < grt_matrix_count(b) && shown < top; i++) {
		const struct grt_matrix_row *row = grt_matrix_at(b, i);

		if (whose(o, row) != kind)
			continue;
		shown++;
		grt_table_add(t, " %s", kinds[kind].title);
		grt_table_add(t, "%s", blamed(who, o, row->victim));
		grt_table_add(t, "%s", blocking_client(who, o, row));
		grt_table_add(t, "%s", grt_format_ns(word, row->ns / row->jobs));
		grt_table_add(t, "%s", grt_word_share(who, o, row->ns, waited_ns(b, row->victim)));
		grt_table_add(t, "%s", grt_format_count(word, row->jobs));
		grt_table_add(t, "%s", grt_format_ns(word, row->worst_ns));
		grt_table_add(t, "%s", how(row->kind));
	}
	return shown;
}

void grt_screen_blame(const struct grt_job_out *o)
{
	static const char *const titles[] = {
		"WHO WAITED FOR WHOM", "waiting", "for", "per job", "share", "jobs", "worst", "how",
	};
	const struct grt_matrix *b = &o->summary->blame;
	size_t shown = 0;
	struct grt_table t;

	if (!grt_matrix_count(b))
		return;
	grt_table_init(&t, "lllrrrrl");
	grt_table_fit(&t, o->width, "00001432");
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		grt_table_add(&t, "%s", titles[i]);
	for (int i = 0; i < NR_WHOSE; i++)
		shown += add_rows(&t, o, i);
	grt_screen_table(o, &t);
	grt_text_fold(o->file, " share: of the waiter's waiting time. Jobs wait side by side: sums over "
		      "jobs (--blame) can be longer than the trace.\n", o->width, 1);
	if (grt_matrix_count(b) > shown)
		grt_screen_more(o, grt_matrix_count(b) - shown, "--blame");
}
