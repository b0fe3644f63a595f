// SPDX-License-Identifier: LGPL-2.1
/* Frames for programs: a row per process. */
#include <inttypes.h>

#include "frames_sink.h"

static const struct grt_report_column columns[] = {
	{ "pid", NULL, GRT_REPORT_ID },
	{ "comm", NULL, GRT_REPORT_TEXT },
	{ "source", NULL, GRT_REPORT_TEXT },
	{ "stamps", NULL, GRT_REPORT_TEXT },
	{ "refresh_ns", NULL, GRT_REPORT_NS },
	{ "frames", NULL, GRT_REPORT_COUNT },
#define GRT_X(NAME, name, text) { #name, NULL, GRT_REPORT_COUNT },
	GRT_FRAME_VERDICTS(GRT_X)
#undef GRT_X
#define QUANTILES(name)							\
	{ name "_count", NULL, GRT_REPORT_COUNT },			\
	{ name "_p50_ns", NULL, GRT_REPORT_NS },			\
	{ name "_p90_ns", NULL, GRT_REPORT_NS },			\
	{ name "_p99_ns", NULL, GRT_REPORT_NS },			\
	{ name "_max_ns", NULL, GRT_REPORT_NS },
	QUANTILES("frame_time")
	QUANTILES("gpu_busy")
	QUANTILES("gpu_wait")
	QUANTILES("display_latency")
	{ "late_cause", NULL, GRT_REPORT_TEXT },
	{ "late_cause_frames", NULL, GRT_REPORT_COUNT },
	{ "late_upper_bound", NULL, GRT_REPORT_COUNT },
};

static void put_quantiles(struct grt_report_table *t, const struct grt_hist *h)
{
	static const unsigned int permilles[] = { 500, 900, 990, 1000 };

	grt_report_u64(t, h->count);
	for (size_t i = 0; i < sizeof(permilles) / sizeof(permilles[0]); i++) {
		if (h->count)
			grt_report_u64(t, grt_hist_quantile(h, permilles[i]));
		else
			grt_report_unknown(t);
	}
}

void grt_report_frames(struct grt_report_table *t, const struct grt_frames *f)
{
	grt_report_init(t, "processes", columns);
	for (size_t i = 0; i < grt_frames_count(f); i++) {
		const struct grt_frame_sums *s = grt_frames_at(f, i);
		const struct grt_frame_reason *most = s->reasons.bytes ? s->reasons.data : NULL;

		if (!s->frames)
			continue;
		grt_report_u64(t, s->tgid);
		grt_report_text(t, s->process == GRT_NONE ? "" :
				grt_names_process_at(grt_model_names(f->model), s->process)->comm);
		grt_report_text(t, grt_frame_source_name(s->source));
		grt_report_text(t, s->source != GRT_FRAME_BY_VBLANK ? "" :
				   grt_display_stamps(&f->sources.display));
		grt_report_known(t, f->refresh_ns, f->refresh_ns);
		grt_report_u64(t, s->frames);
		for (int j = 0; j < GRT_NR_FRAME_VERDICTS; j++)
			grt_report_u64(t, s->verdicts[j]);
		put_quantiles(t, &s->time);
		put_quantiles(t, &s->busy);
		put_quantiles(t, &s->wait);
		put_quantiles(t, &s->display);
		grt_report_text(t, most ? grt_frame_cause_name(&most->cause) : "");
		grt_report_known(t, most, most ? most->frames : 0);
		grt_report_u64(t, s->late_upper_bound);
	}
}
