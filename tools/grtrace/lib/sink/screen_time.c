// SPDX-License-Identifier: LGPL-2.1
/* The first screen: what the rings did. */
#include "screen_private.h"

#include <string.h>

#include "job_words.h"
#include "number.h"
#include "ring_kind.h"

/* The causes of idle time in words; in narrow text, those with the greatest digit are left out first. */
static const struct {
	const char *title;
	char drop;
} idles[GRT_IDLE_UNKNOWN] = {
	[GRT_IDLE_STARVED] = { "idle: no work", '1' },
	[GRT_IDLE_DEPENDENCY] = { "waits for fence", '2' },
	[GRT_IDLE_SCHEDULER] = { "not handed over", '3' },
	[GRT_IDLE_HARDWARE] = { "handed over, not begun", '4' },
	[GRT_IDLE_RECOVERY] = { "reset", '5' },
};

#define MOST_COLUMNS	(GRT_IDLE_UNKNOWN + 5)	/* that lay_out() adds */

/* What the columns are, and what is said below. */
struct layout {
	bool has_idle[GRT_IDLE_UNKNOWN];
	bool has_unexplained;	/* a ring was idle, but why is not known */
	bool has_unsure;	/* whether a ring was busy is not known for a part of its time */
	bool has_other;		/* a ring that is not FIFO */
	bool has_row;
	char align[MOST_COLUMNS + 1], drops[MOST_COLUMNS + 1];
};

static const struct grt_rollup *rings_of(const struct grt_job_out *o)
{
	return &o->summary->groups[GRT_BY_RING];
}

static const struct grt_ring_use *use_at(const struct grt_job_out *o, size_t i, uint32_t *row)
{
	*row = grt_rollup_key_at(rings_of(o), i)->ring;
	return *row == GRT_NONE ? NULL : grt_model_ring_use(o->summary->model, *row);
}

static void add_column(struct layout *l, char align, char drop)
{
	size_t at = strlen(l->align);

	l->align[at] = align;
	l->drops[at] = drop;
}

/* Leaves out what this trace cannot know, and resets where there were none. */
static void lay_out(struct layout *l, const struct grt_job_out *o)
{
	bool has_deps = grt_model_has_deps(o->summary->model);

	*l = (struct layout){ .has_row = false };
	for (int cause = 0; cause < GRT_IDLE_UNKNOWN; cause++)
		l->has_idle[cause] = has_deps ? cause != GRT_IDLE_RECOVERY :
				     cause == GRT_IDLE_STARVED || cause == GRT_IDLE_HARDWARE;
	for (size_t i = 0; i < grt_rollup_count(rings_of(o)); i++) {
		uint32_t row;
		const struct grt_ring_use *use = use_at(o, i, &row);

		if (!use || !grt_use_known_ns(use))
			continue;
		l->has_row = true;
		l->has_unexplained |= use->unexplained_ns;
		l->has_unsure |= grt_use_unsure_ns(use);
		l->has_other |= grt_names_ring_at(grt_model_names(o->summary->model), row)->order !=
				GRTRACE_ORDER_FIFO;
		for (int cause = 0; cause < GRT_IDLE_UNKNOWN; cause++)
			l->has_idle[cause] |= use->idle_ns[cause];
	}
	add_column(l, 'l', '0');
	add_column(l, 'r', '0');
	add_column(l, 'r', '0');
	for (int cause = 0; cause < GRT_IDLE_UNKNOWN; cause++)
		if (l->has_idle[cause])
			add_column(l, 'r', idles[cause].drop);
	if (l->has_unexplained)
		add_column(l, 'r', '2');
	if (l->has_unsure)
		add_column(l, 'r', '6');
}

/* "71.2%"; prints exactly 0 differently from a small share. */
static void add_percent(struct grt_table *t, uint64_t part, uint64_t whole, const char *behind)
{
	if (!part)
		grt_table_add(t, "0%%%s", behind);
	else
		grt_table_add(t, "%.1f%%%s", 100.0 * part / whole, behind);
}

static void use_row(struct grt_table *t, const struct layout *l, const struct grt_ring_use *use,
		    bool is_fifo)
{
	uint64_t span_ns = grt_use_span_ns(use);
	char word[GRT_NUMBER_MAX], busy[GRT_WORD_MAX];

	grt_table_add(t, "%s", grt_format_ns(word, grt_use_known_ns(use)));
	grt_table_add(t, "%s%s", grt_word_busy(busy, use), is_fifo ? "" : "*");
	for (int cause = 0; cause < GRT_IDLE_UNKNOWN; cause++)
		if (l->has_idle[cause])
			add_percent(t, use->idle_ns[cause], span_ns, "");
	if (l->has_unexplained)
		add_percent(t, use->unexplained_ns, span_ns, "");
	if (l->has_unsure)
		add_percent(t, grt_use_unsure_ns(use), span_ns, "");
}

/*
 * The device is idle only where all of its rings are known to be, so what is known of it is mostly
 * busy: a share of that little would deceive.
 */
static bool is_mostly_known(const struct grt_job_out *o, const struct grt_ring_use *use)
{
	uint64_t wall_ns = grt_model_wall_ns(o->summary->model);

	return grt_use_known_ns(use) >= wall_ns - wall_ns / 10;
}

static bool device_rows(struct grt_table *t, const struct layout *l, const struct grt_job_out *o, bool *is_unsure)
{
	const struct grt_ring_use *use;
	char name[GRT_WORD_MAX];
	bool has_one = false;
	const char *device;
	uint32_t rings;

	for (uint32_t i = 0; (use = grt_model_device_use(o->summary->model, i, &device)); i++) {
		rings = grt_namemap_get(&o->summary->rings_of_device, device);
		if (rings == GRT_NONE || rings < 2 || !grt_use_known_ns(use) ||
		    !is_mostly_known(o, use))
			continue;
		has_one = true;
		*is_unsure |= grt_use_unsure_ns(use);
		grt_table_add(t, " %s, any ring", grt_word_device(name, device));
		use_row(t, l, use, true);
	}
	return has_one;
}

static void titles(struct grt_table *t, const struct layout *l)
{
	grt_table_add(t, "WHAT THE RINGS DID");
	grt_table_add(t, "known");
	grt_table_add(t, "busy");
	for (int cause = 0; cause < GRT_IDLE_UNKNOWN; cause++)
		if (l->has_idle[cause])
			grt_table_add(t, "%s", idles[cause].title);
	if (l->has_unexplained)
		grt_table_add(t, "why is not known");
	if (l->has_unsure)
		grt_table_add(t, "not known");
}

static void say(const struct grt_job_out *o, const char *text)
{
	grt_text_fold(o->file, text, o->width, 1);
}

/* Adds a ring to a list, as long as there is room. */
static void add_name(char *list, size_t room, const struct grt_job_out *o, uint32_t row)
{
	char word[GRT_WORD_MAX];
	size_t at = strlen(list);

	snprintf(list + at, room - at, "%s%s", at ? ", " : "",
		 grt_word_ring(word, grt_model_names(o->summary->model), row));
}

static bool has_jobs(const struct grt_job_out *o, uint32_t ring)
{
	for (size_t i = 0; i < grt_rollup_count(rings_of(o)); i++)
		if (grt_rollup_key_at(rings_of(o), i)->ring == ring)
			return true;
	return false;
}

/* Jobs that ran, and whose end nobody tells. */
static bool has_hidden_jobs(const struct grt_job_out *o, size_t i, uint32_t ring)
{
	const struct grt_rollup_row *row = grt_rollup_at(rings_of(o), i);

	return grt_driver_is_fenceless(grt_names_ring_at(grt_model_names(o->summary->model), ring)->driver) &&
	       row->jobs > row->cut && !row->stages[GRT_STAGE_TOTAL].count;
}

/* Names the rings without a row. */
static void say_not_shown(const struct grt_job_out *o)
{
	const struct grt_summary *s = o->summary;
	char unknown[400] = "", hidden[400] = "", unseen[400] = "", text[500];
	size_t outside = grt_vec_count(&s->outside_rings, uint64_t);

	for (size_t i = 0; i < grt_rollup_count(rings_of(o)); i++) {
		uint32_t row;
		const struct grt_ring_use *use = use_at(o, i, &row);

		if (use && !grt_use_known_ns(use) && has_hidden_jobs(o, i, row))
			add_name(hidden, sizeof(hidden), o, row);
		else if (use && !grt_use_known_ns(use))
			add_name(unknown, sizeof(unknown), o, row);
	}
	for (uint32_t row = 0; row < outside && !s->other_jobs; row++)
		if (*grt_vec_at(&s->outside_rings, uint64_t, row) && !has_jobs(o, row))
			add_name(unseen, sizeof(unseen), o, row);
	snprintf(text, sizeof(text), " not known what these did: %s\n", unknown);
	if (*unknown)
		say(o, text);
	snprintf(text, sizeof(text), " not seen here: %s; no fence tells when jobs of a long-running VM end\n", hidden);
	if (*hidden)
		say(o, text);
	snprintf(text, sizeof(text), " not seen in this time: %s\n", unseen);
	if (*unseen)
		say(o, text);
}

bool grt_screen_has_latencies_only(const struct grt_job_out *o)
{
	const struct grt_hist *stages = o->summary->all.stages;

	for (size_t i = 0; i < grt_rollup_count(rings_of(o)); i++) {
		uint32_t row;
		const struct grt_ring_use *use = use_at(o, i, &row);

		if (use && grt_use_known_ns(use))
			return false;
	}
	return (stages[GRT_STAGE_TOTAL].count || o->summary->all.bounds) && !stages[GRT_STAGE_SUBMIT_HOST].count &&
	       !stages[GRT_STAGE_EXEC].count && !stages[GRT_STAGE_HW].count;
}

void grt_screen_time(const struct grt_job_out *o)
{
	const struct grt_names *names = grt_model_names(o->summary->model);
	char word[GRT_WORD_MAX];
	struct layout layout;
	struct grt_table t;
	bool has_device, is_unsure = false;

	if (grt_screen_has_latencies_only(o)) {
		putc('\n', o->file);
		say(o, "Only latencies are known; busy, idle and waits are not.\n");
		return;
	}
	lay_out(&layout, o);
	if (!layout.has_row) {
		putc('\n', o->file);
		say_not_shown(o);
		return;
	}
	grt_table_init(&t, layout.align);
	grt_table_fit(&t, o->width, layout.drops);
	titles(&t, &layout);
	for (size_t i = 0; i < grt_rollup_count(rings_of(o)); i++) {
		uint32_t row;
		const struct grt_ring_use *use = use_at(o, i, &row);

		if (!use || !grt_use_known_ns(use))
			continue;
		grt_table_add(&t, " %s", grt_word_ring(word, names, row));
		use_row(&t, &layout, use, grt_names_ring_at(names, row)->order == GRTRACE_ORDER_FIFO);
	}
	has_device = device_rows(&t, &layout, o, &is_unsure);
	grt_screen_table(o, &t);
	say_not_shown(o);
	if (layout.has_unsure || is_unsure)
		say(o, " shares of the time since a ring's first event; where a part of it is not known, busy is between two bounds\n");
	else
		say(o, " shares of the known time\n");
	if (layout.has_other)
		say(o, " * occupied: the ring had work, but whether it ran is not known\n");
	if (has_device)
		say(o, is_unsure ? " any ring: busy while one of its FIFO rings is; else not known before each of them had an event\n" :
		    " any ring: busy while one of its FIFO rings is\n");
}
