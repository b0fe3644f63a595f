// SPDX-License-Identifier: LGPL-2.1
#include "last_events.h"

#include <stddef.h>
#include <string.h>

#include "describe.h"

/* Several snapshots are in a merged trace only: the latest one counts. */
static void begin(struct grt_last_events *l, const struct grtrace_snapshot *rec)
{
	if (l->has_snapshot && rec->hdr.ts < l->ns)
		return;
	l->has_snapshot = true;
	l->ns = rec->hdr.ts;
	l->ctx = rec->ctx;
	l->seqno = rec->seqno;
	l->ring = rec->ring;
}

static bool is_of_a_job(const struct grtrace_hdr *rec)
{
	switch (rec->type) {
	case GRTRACE_SUBMIT:
	case GRTRACE_COMMIT:
	case GRTRACE_START:
	case GRTRACE_END:
	case GRTRACE_COMPLETE:
	case GRTRACE_DEPENDENCY:
	case GRTRACE_ERROR:
		return !(rec->flags & GRTRACE_F_SYNTHETIC);
	default:
		return false;
	}
}

static bool is_wanted(const struct grt_last_events *l, const struct grt_event_view *view)
{
	const struct grtrace_job_key *key = (const struct grtrace_job_key *)view->rec;
	const struct grtrace_dependency *dep = (const struct grtrace_dependency *)key;

	/* An ERROR is never beside the point. */
	if ((!l->ring && !l->ctx) || key->hdr.type == GRTRACE_ERROR)
		return true;
	if ((l->ctx && key->ctx == l->ctx) || (l->ring && view->ring && view->ring->id == l->ring))
		return true;
	return key->hdr.type == GRTRACE_DEPENDENCY && l->ctx && dep->dep_ctx == l->ctx;
}

static void add(struct grt_last_events *l, const struct grt_event_view *view)
{
	struct grt_last_event *row = &l->rows[l->count++ % GRT_LAST_EVENTS];
	const struct grt_names *names = &l->names.names;
	size_t room = offsetof(struct grt_last_event, type), bytes = view->rec->size;

	/* An older record is shorter. */
	*row = (struct grt_last_event){ .ring = GRT_NONE, .process = GRT_NONE };
	memcpy(row, view->rec, bytes < room ? bytes : room);
	row->type = view->type->name;
	if (view->ring)
		row->ring = view->ring - grt_names_ring_at(names, 0);
	if (view->process)
		row->process = view->process - grt_names_process_at(names, 0);
}

int grt_last_events_record(struct grt_last_events *l, const struct grtrace_hdr *rec)
{
	struct grt_event_view view;
	int err;

	if (rec->type == GRTRACE_SNAPSHOT)
		begin(l, (const struct grtrace_snapshot *)rec);
	if (rec->type < GRTRACE_NR_EVENTS && !l->has_snapshot)
		return 0;
	err = grt_event_names_learn(&l->names, rec);
	if (!err && is_of_a_job(rec) && grt_event_view(&view, &l->names, rec) && is_wanted(l, &view))
		add(l, &view);
	return err;
}

void grt_last_events_free(struct grt_last_events *l)
{
	grt_event_names_free(&l->names);
	*l = (struct grt_last_events){ 0 };
}
