// SPDX-License-Identifier: LGPL-2.1
#include <inttypes.h>

#include "key_names.h"
#include "lanes_sink.h"
#include "model.h"
#include "quote.h"

static void put_text(FILE *f, const char *text)
{
	putc(',', f);
	for (size_t bytes = 0; ; bytes++)
		if (!text[bytes]) {
			grt_quote_csv(f, text, bytes);
			return;
		}
}

static void put_cell(const struct grt_lanes_out *o, const struct grt_lane *lane, uint32_t column)
{
	const struct grt_lanes *l = o->lanes;
	const struct grt_lane_cell *cell = &lane->cells[column];
	const struct grt_names *names = grt_model_names(l->model);
	const struct grt_ring *ring = grt_names_ring_at(names, lane->ring);
	char name[GRT_RING_NAME_MAX];
	FILE *f = o->out->file;

	fprintf(f, "%" PRIu64 ",%" PRIu64, grt_lanes_ns(l, column), grt_lanes_ns(l, column + 1));
	put_text(f, ring->device);
	put_text(f, grt_ring_name(ring, name));
	/* A ring that is not FIFO is occupied, and it is not known whether it is busy. */
	fprintf(f, lane->is_fifo ? ",%" PRIu64 "," : ",,%" PRIu64, cell->ns[GRT_RING_BUSY]);
	for (int cause = 0; cause < GRT_NR_IDLES; cause++)
		fprintf(f, ",%" PRIu64, cell->ns[cause]);
	fprintf(f, ",%" PRIu64 ",%" PRIu64 ",", cell->waiting_ns, cell->on_ring_ns);
	if (cell->runner.ns)
		fprintf(f, "%" PRIu32, grt_names_process_at(names, cell->runner.who)->tgid);
	putc(',', f);
	if (cell->runs)
		fprintf(f, "%" PRIu64 ":%" PRIu64, cell->ctx, cell->seqno);
	putc(',', f);
	if (cell->culprit.ns)
		fprintf(f, "%" PRIu64 ":%" PRIu64, grt_lane_culprit_at(l, cell->culprit.who)->ctx,
			grt_lane_culprit_at(l, cell->culprit.who)->seqno);
	putc('\n', f);
}

static bool is_shown(const struct grt_lanes *l, size_t i)
{
	return grt_lane_at(l, i)->has_job && grt_lanes_want(l, grt_lane_at(l, i)->ring);
}

void grt_lanes_csv(const struct grt_lanes_out *o)
{
	FILE *f = o->out->file;

	fputs("from_ns,to_ns,device,ring,busy_ns,occupied_ns", f);
	for (int cause = 0; cause < GRT_NR_IDLES; cause++)
		fprintf(f, ",%s_ns", grt_idle_name(cause));
	fputs(",waiting_ns,on_ring_ns,pid,job,idle_for\n", f);
	for (size_t i = 0; i < grt_lanes_count(o->lanes); i++)
		for (uint32_t c = 0; c < o->lanes->columns && is_shown(o->lanes, i); c++)
			put_cell(o, grt_lane_at(o->lanes, i), c);
}
