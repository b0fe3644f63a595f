// SPDX-License-Identifier: LGPL-2.1
/* The first screen: the last events before a snapshot, and the commands that show more. */
#include "screen_private.h"

#include <inttypes.h>

#include "job_words.h"
#include "key_names.h"
#include "number.h"

/* What the event says beyond its type and job. */
static void event_words(char to[GRT_WORD_MAX], const struct grt_last_event *e)
{
	static const char *const codes[] = {
#define GRTRACE_X(NAME, nr, text) [nr] = #NAME,
		GRTRACE_ERRORS(GRTRACE_X)
#undef GRTRACE_X
	};
	char status[32];

	*to = '\0';
	switch (e->hdr.type) {
	case GRTRACE_DEPENDENCY:
		snprintf(to, GRT_WORD_MAX, "%s %" PRIu64 ":%" PRIu64, e->hdr.flags & GRTRACE_F_SIGNALED ?
			 "needed" : "waits for", (uint64_t)e->dependency.dep_ctx,
			 (uint64_t)e->dependency.dep_seqno);
		break;
	case GRTRACE_ERROR:
		if (e->error.code < sizeof(codes) / sizeof(codes[0]))
			snprintf(to, GRT_WORD_MAX, "%s", codes[e->error.code]);
		break;
	case GRTRACE_END:
		if (e->end.status)
			snprintf(to, GRT_WORD_MAX, "%s", grt_status_name(e->end.status, status));
		break;
	case GRTRACE_COMPLETE:
		if (e->complete.status)
			snprintf(to, GRT_WORD_MAX, "%s", grt_status_name(e->complete.status, status));
		break;
	}
}

static void add_event(struct grt_table *t, const struct grt_last_events *l, const struct grt_last_event *e)
{
	const struct grt_names *names = &l->names.names;
	char words[GRT_WORD_MAX], word[GRT_WORD_MAX];

	event_words(words, e);
	grt_table_add(t, " %.3f ms", (int64_t)(e->hdr.ts - l->ns) / 1e6);
	grt_table_add(t, "%s", e->type);
	if (e->key.ctx || e->key.seqno)
		grt_table_add(t, "%" PRIu64 ":%" PRIu64, (uint64_t)e->key.ctx, (uint64_t)e->key.seqno);
	else
		grt_table_add(t, "%s", "");
	grt_table_add(t, "%s", grt_word_process(word, names, e->process));
	grt_table_add(t, "%s", grt_word_ring(word, names, e->ring));
	grt_table_add(t, "%s", words);
}

/* " of compute and context 25": the events that are shown. */
static void title(char *to, size_t room, const struct grt_job_out *o, const struct grt_last_events *l)
{
	const struct grt_snapshot *s = grt_snapshot_log_latest(grt_model_snapshots(o->summary->model));
	char ring[GRT_WORD_MAX], ctx[64] = "";

	if (l->ctx)
		snprintf(ctx, sizeof(ctx), "%scontext %" PRIu64, l->ring ? " and " : "", l->ctx);
	snprintf(to, room, "LAST EVENTS before the snapshot%s%s%s", l->ring || l->ctx ? ", of " : "",
		 l->ring && s ? grt_word_ring(ring, grt_model_names(o->summary->model), s->ring) : "", ctx);
}

/* A time that was asked for has other events. */
static bool is_shown(const struct grt_job_out *o)
{
	return grt_last_events_count(&o->summary->last_events) && !o->has_span;
}

void grt_screen_event_hints(const struct grt_job_out *o)
{
	const struct grt_last_events *l = &o->summary->last_events;
	uint64_t first_ns = grt_model_totals(o->summary->model)->first_ns, from_ns;
	char since[GRT_SECONDS_MAX];

	if (!is_shown(o) || !o->files)
		return;
	/* --since counts from the first event of the trace. */
	from_ns = grt_last_event_at(l, 0)->hdr.ts;
	from_ns = from_ns > first_ns ? (from_ns - first_ns) / 1000000 * 1000000 : 0;
	fprintf(o->file, "hint: grtrace dump --since %ss%s    # all events since the first of the last\n",
		grt_format_seconds(since, from_ns), o->files);
	if (l->ctx || l->seqno)
		fprintf(o->file, "hint: grtrace dump --job %" PRIu64 ":%" PRIu64 "%s    # all of this job\n",
			l->ctx, l->seqno, o->files);
}

void grt_screen_events(const struct grt_job_out *o)
{
	const struct grt_last_events *l = &o->summary->last_events;
	char text[2 * GRT_WORD_MAX + 64];
	struct grt_table t;

	if (!is_shown(o))
		return;
	title(text, sizeof(text), o, l);
	grt_table_init(&t, "rlllll");
	grt_table_fit(&t, o->width, "000120");
	grt_table_add(&t, "%s", text);
	for (int i = 1; i < 6; i++)
		grt_table_add(&t, "%s", "");
	for (size_t i = 0; i < grt_last_events_count(l); i++)
		add_event(&t, l, grt_last_event_at(l, i));
	grt_screen_table(o, &t);
}
