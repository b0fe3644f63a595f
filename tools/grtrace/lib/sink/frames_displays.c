// SPDX-License-Identifier: LGPL-2.1
/* Displays: a row per CRTC, on the screen and for programs. */
#include <stdio.h>

#include "domain.h"
#include "frames_sink.h"
#include "number.h"

#define LATENCY	"latency"

static const struct grt_report_column columns[] = {
	{ "gpu", NULL, GRT_REPORT_TEXT },
	{ "crtc", NULL, GRT_REPORT_ID },
	{ NULL, "DISPLAYS", GRT_REPORT_TEXT },
	{ "refresh_ns", NULL, GRT_REPORT_NS },
	{ "stamps", NULL, GRT_REPORT_TEXT },
	{ NULL, "refresh", GRT_REPORT_TEXT },
	{ "seen", "blanks", GRT_REPORT_COUNT },
	{ "missing", "not seen", GRT_REPORT_COUNT },
	{ "missing_lost", NULL, GRT_REPORT_COUNT },
	{ "restarts", NULL, GRT_REPORT_COUNT },
	{ "asked", "asked", GRT_REPORT_COUNT },
	{ "in_time", NULL, GRT_REPORT_COUNT },
	{ "missed", "missed", GRT_REPORT_COUNT },
	{ "passed", NULL, GRT_REPORT_COUNT },
	{ "asked_unknown", NULL, GRT_REPORT_COUNT },
	{ "told", "told", GRT_REPORT_COUNT },
	{ "prompt", NULL, GRT_REPORT_COUNT },
	{ "late", "late", GRT_REPORT_COUNT },
	{ "told_unknown", NULL, GRT_REPORT_COUNT },
	{ LATENCY "_count", NULL, GRT_REPORT_COUNT },
	{ LATENCY "_p50_ns", "latency p50", GRT_REPORT_NS },
	{ LATENCY "_p90_ns", NULL, GRT_REPORT_NS },
	{ LATENCY "_p99_ns", "p99", GRT_REPORT_NS },
	{ LATENCY "_max_ns", "max", GRT_REPORT_NS },
};

/* What goes first where the line is too narrow: see grt_table_fit(). */
#define DROPS	"000000020030000400001065"

static void put_counts(struct grt_report_table *t, bool are_known, const uint64_t *counts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (are_known)
			grt_report_u64(t, counts[i]);
		else
			grt_report_unknown(t);
	}
}

static void put_latency(struct grt_report_table *t, bool is_known, const struct grt_hist *h)
{
	static const unsigned int permilles[] = { 500, 900, 990, 1000 };

	put_counts(t, is_known, &h->count, 1);
	for (size_t i = 0; i < sizeof(permilles) / sizeof(permilles[0]); i++) {
		uint64_t ns = h->count ? grt_hist_quantile(h, permilles[i]) : 0;

		put_counts(t, h->count, &ns, 1);
	}
}

static void put_refresh(struct grt_report_table *t, const struct grt_crtc *c)
{
	char hz[GRT_NUMBER_MAX] = "";

	put_counts(t, c->refresh_ns, &c->refresh_ns, 1);
	grt_report_text(t, !c->refresh_ns ? "" : c->is_exact ? "hardware" : "events");
	if (c->refresh_ns)
		snprintf(hz, sizeof(hz), "%.1f Hz", 1e9 / c->refresh_ns);
	grt_report_text(t, hz);
}

static void put_crtc(struct grt_report_table *t, const struct grt_crtcs *all, const struct grt_crtc *c,
		     bool has_asked, bool has_told)
{
	char gpu[GRT_PCI_NAME_MAX], name[GRT_WORD_MAX];

	grt_report_text(t, grt_pci_name(gpu, c->gpu));
	grt_report_u64(t, c->crtc);
	grt_report_text(t, grt_word_crtc(name, c->crtc, grt_crtcs_have_gpus(all) ? c->gpu : 0));
	put_refresh(t, c);
	put_counts(t, !c->is_mixed, (uint64_t[]){ c->seen, c->missing, c->missing_lost, c->restarts }, 4);
	put_counts(t, has_asked, (uint64_t[]){ c->sums.asked, c->sums.in_time, c->sums.missed, c->sums.passed, c->sums.asked_unknown }, 5);
	put_counts(t, has_told, (uint64_t[]){ c->sums.told, c->sums.prompt, c->sums.late, c->sums.told_unknown }, 4);
	put_latency(t, has_asked, &c->sums.latency);
}

/* A trace without any question, or answer, was recorded by a source that has none. */
void grt_report_displays(struct grt_report_table *t, const struct grt_frames *f)
{
	const struct grt_crtcs *all = &f->crtcs;
	bool has_asked = false, has_told = false;

	grt_report_init(t, "displays", columns);
	grt_report_set_drops(t, columns, DROPS);
	for (unsigned int i = 0; i < all->count; i++) {
		has_asked |= all->at[i].sums.asked;
		has_told |= all->at[i].sums.told;
	}
	for (unsigned int i = 0; i < all->count; i++)
		put_crtc(t, all, &all->at[i], has_asked, has_told);
}
