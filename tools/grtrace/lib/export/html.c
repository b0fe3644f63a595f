// SPDX-License-Identifier: LGPL-2.1
/*
 * One page that opens in a browser, offline: a picture of rings and jobs, and the tables of the
 * report.  Jobs and events are written in blocks while the trace is read; names, tables and the levels
 * of detail follow at the end.  The program of the page, in html/, unpacks what it shows.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "error.h"
#include "formats.h"
#include "html_events.h"
#include "html_jobs.h"
#include "html_meta.h"
#include "lod.h"
#include "number.h"
#include "page.h"
#include "slots.h"

struct html {
	struct grt_html_jobs jobs;
	struct grt_html_events events;
	struct grt_slots slots;
	struct grt_lod lod;
};

static int begin(struct grt_export *x)
{
	struct html *h = calloc(1, sizeof(*h));

	if (!h)
		return grt_fail_memory();
	x->state = h;
	h->jobs.file = h->events.file = x->file;
	h->jobs.from_ns = h->events.from_ns = x->from_ns;
	h->jobs.summary = &x->summary;
	h->events.model = x->model;
	grt_lod_begin(&h->lod, x->from_ns, x->to_ns, x->nr_rings);
	fwrite(page_head, 1, sizeof(page_head), x->file);
	return grt_export_check(x);
}

static int record(struct grt_export *x, const struct grtrace_hdr *rec)
{
	struct html *h = x->state;
	int err = grt_slots_record(&h->slots, rec);

	/* It was taken a moment after the last event, where the picture ends: it is shown at that end. */
	if (rec->type == GRTRACE_SNAPSHOT)
		return grt_html_snapshot(&h->events, (const struct grtrace_snapshot *)rec,
					 rec->ts < x->to_ns ? rec->ts : x->to_ns);
	return err ? err : grt_html_event(&h->events, rec);
}

static int job(struct grt_export *x, const struct grt_job *job)
{
	struct html *h = x->state;
	int err = grt_html_job(&h->jobs, job, grt_slots_take(&h->slots, job->ctx, job->seqno));

	if (!err)
		err = grt_lod_job(&h->lod, job);
	return err ? err : grt_export_check(x);
}

static int stretch(struct grt_export *x, const struct grt_ring_stretch *s)
{
	struct html *h = x->state;

	return grt_lod_stretch(&h->lod, s);
}

static int frame(struct grt_export *x, const struct grt_frame *frame)
{
	struct html *h = x->state;

	return grt_html_frame(&h->events, frame);
}

static int write_lods(struct grt_export *x, struct html *h)
{
	size_t rings = grt_vec_count(&grt_model_names(x->model)->rings, struct grt_ring);
	struct grt_packed packed = { 0 };
	int err = 0;

	for (uint32_t ring = 0; ring < rings && !err; ring++)
		if (grt_lod_pack(&h->lod, ring, &packed))
			err = grt_packed_write(&packed, x->file, "lod", ring);
	grt_packed_free(&packed);
	return err;
}

static void tell_unfollowed(const struct grt_slots *slots)
{
	if (slots->unfollowed)
		grt_warn(NULL, "%" PRIu64 " %s submitted while %u were in flight: %s box in the picture of a queue may "
			 "be on that of another job", slots->unfollowed,
			 grt_plural(slots->unfollowed, "job was", "jobs were"), GRT_SLOTS_JOBS,
			 grt_plural(slots->unfollowed, "its", "their"));
}

static int end(struct grt_export *x)
{
	struct html *h = x->state;
	int err = grt_html_jobs_end(&h->jobs);

	if (!err)
		err = grt_html_events_end(&h->events);
	if (!err)
		err = write_lods(x, h);
	if (!err)
		err = grt_html_meta(x, &h->jobs, &h->events, &h->lod);
	if (err)
		return err;
	tell_unfollowed(&h->slots);
	fwrite(page_tail, 1, sizeof(page_tail), x->file);
	return grt_export_check(x);
}

static void free_state(struct grt_export *x)
{
	struct html *h = x->state;

	grt_html_jobs_free(&h->jobs);
	grt_html_events_free(&h->events);
	grt_slots_free(&h->slots);
	grt_lod_free(&h->lod);
	free(h);
}

const struct grt_export_format grt_export_html = {
	.name = "html", .text = "a page for a browser: the picture, and the report",
	.suffix = ".html",
	.needs = GRT_EXPORT_EVENTS | GRT_EXPORT_ROOTS | GRT_EXPORT_RINGS | GRT_EXPORT_FRAMES |
		 GRT_EXPORT_REPORT,
	.begin = begin, .record = record, .job = job, .stretch = stretch, .frame = frame,
	.end = end, .free = free_state,
};
