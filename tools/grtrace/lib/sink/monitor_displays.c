// SPDX-License-Identifier: LGPL-2.1
/* Vertical blanks of CRTCs, and what their clients asked and were told. */
#include <inttypes.h>
#include <string.h>

#include "domain.h"
#include "job_words.h"
#include "monitor_private.h"

/* A source without questions, or answers, does not know what became of them. */
static void put_clients(struct grt_report_table *t, const struct grt_crtc_sums *s, bool has_asked, bool has_told,
			bool is_mixed)
{
	grt_report_known(t, has_asked, s->asked);
	grt_report_known(t, has_asked && !is_mixed, s->in_time);
	grt_report_known(t, has_asked && !is_mixed, s->missed);
	grt_report_known(t, has_asked && !is_mixed, s->passed);
	grt_report_known(t, has_asked, s->asked_unknown);
	grt_report_known(t, has_told, s->told);
	grt_report_known(t, has_told && !is_mixed, s->prompt);
	grt_report_known(t, has_told && !is_mixed, s->late);
	grt_report_known(t, has_told, s->told_unknown);
	grt_stats_put_hist(t, &s->latency, false);
	grt_stats_put_hist(t, &s->delivery, false);
}

#define NR_CLIENT_CELLS	(9 + 2 * GRT_HIST_CELLS)

static void name_clients(struct grt_report_column *to, char (*words)[GRT_HIST_WORD])
{
	static const struct grt_report_column counts[] = {
		{ "asked", "asked", GRT_REPORT_COUNT }, { "in_time", "in time", GRT_REPORT_COUNT },
		{ "missed", "missed", GRT_REPORT_COUNT }, { "passed", NULL, GRT_REPORT_COUNT },
		{ "asked_unknown", NULL, GRT_REPORT_COUNT }, { "told", "told", GRT_REPORT_COUNT },
		{ "prompt", NULL, GRT_REPORT_COUNT }, { "late", "late", GRT_REPORT_COUNT },
		{ "told_unknown", NULL, GRT_REPORT_COUNT },
	};

	memcpy(to, counts, sizeof(counts));
	grt_stats_name_hist(to + 9, words, "latency", "latency", true);
	grt_stats_name_hist(to + 9 + GRT_HIST_CELLS, words + 2 * GRT_HIST_CELLS, "since_blank", "since blank", true);
}

static void print_crtcs(const struct grt_stats *s, const struct grt_crtcs *all)
{
	static const struct grt_report_column columns[] = {
		{ "gpu", NULL, GRT_REPORT_TEXT }, { "crtc", NULL, GRT_REPORT_ID },
		{ NULL, "Displays", GRT_REPORT_TEXT }, { "refresh_ns", NULL, GRT_REPORT_NS },
		{ NULL, "refresh", GRT_REPORT_TEXT }, { "seen", "seen", GRT_REPORT_COUNT },
		{ "missing", "missing", GRT_REPORT_COUNT }, { "missing_lost", "lost", GRT_REPORT_COUNT },
		{ "restarts", "restarts", GRT_REPORT_COUNT }, { "clients", "clients", GRT_REPORT_COUNT },
	};
	char gpu[GRT_PCI_NAME_MAX], word[GRT_WORD_MAX], hz[32];
	struct grt_report_table t;

	grt_report_init(&t, "crtcs", columns);
	for (unsigned int i = 0; i < all->count; i++) {
		const struct grt_crtc *c = &all->at[i];

		grt_report_text(&t, grt_pci_name(gpu, c->gpu));
		grt_report_u64(&t, c->crtc);
		grt_report_text(&t, grt_word_crtc(word, c->crtc, grt_crtcs_have_gpus(all) ? c->gpu : 0));
		grt_report_known(&t, c->refresh_ns, c->refresh_ns);
		snprintf(hz, sizeof(hz), "%.2f Hz", c->refresh_ns ? 1e9 / c->refresh_ns : 0);
		grt_report_text(&t, c->refresh_ns ? hz : "");
		grt_report_known(&t, !c->is_mixed, c->seen);
		grt_report_known(&t, !c->is_mixed, c->missing);
		grt_report_known(&t, !c->is_mixed, c->missing_lost);
		grt_report_known(&t, !c->is_mixed, c->restarts);
		grt_report_u64(&t, grt_crtc_clients(c));
	}
	grt_stats_print(s, &t, 0);
}

/* GRT_NONE: it is not known, or has no name. */
static uint32_t process_of(const struct grt_stats *s, const struct grt_crtc_client *client)
{
	return client->tgid ? grt_names_process_find(grt_stats_names(s), client->tgid, UINT64_MAX) : GRT_NONE;
}

static const char *client_word(char *buf, const struct grt_stats *s, const struct grt_crtc_client *client)
{
	uint32_t row = process_of(s, client);
	char process[GRT_WORD_MAX];
	const char *word = process;

	if (client->is_others)
		return "other clients";
	if (row != GRT_NONE)
		word = grt_word_process(process, grt_stats_names(s), row);
	else if (client->tgid)
		snprintf(process, sizeof(process), "[%" PRIu32 "]", client->tgid);
	if (client->tgid && client->client_id)
		snprintf(buf, GRT_CLIENT_MAX, "%s %" PRIu64, word, client->client_id);
	else if (client->tgid)
		snprintf(buf, GRT_CLIENT_MAX, "%s", word);
	else if (client->client_id)
		snprintf(buf, GRT_CLIENT_MAX, "client %" PRIu64, client->client_id);
	else
		return "not known";
	return buf;
}

static bool is_idle(const struct grt_crtc_client *client)
{
	return !client->sums.asked && !client->sums.told;
}

static void print_clients(const struct grt_stats *s, const struct grt_crtcs *all, bool has_asked, bool has_told)
{
	struct grt_report_column columns[6 + NR_CLIENT_CELLS] = {
		{ "gpu", NULL, GRT_REPORT_TEXT }, { "crtc", "CRTC", GRT_REPORT_ID },
		{ NULL, "Clients", GRT_REPORT_TEXT }, { "client_id", NULL, GRT_REPORT_ID },
		{ "pid", NULL, GRT_REPORT_ID }, { "comm", NULL, GRT_REPORT_TEXT },
	};
	static const char drops[] = "000000" "040000000" "0002010" "0006050";
	char words[4 * GRT_HIST_CELLS][GRT_HIST_WORD], gpu[GRT_PCI_NAME_MAX], word[GRT_CLIENT_MAX];
	struct grt_report_table t;
	unsigned int rows = 0, left_out = 0;

	_Static_assert(sizeof(drops) - 1 == 6 + NR_CLIENT_CELLS, "a digit per column");
	name_clients(&columns[6], words);
	grt_report_begin(&t, "clients", columns, 6 + NR_CLIENT_CELLS);
	t.drops = drops;
	for (unsigned int i = 0; i < all->count; i++) {
		const struct grt_crtc *c = &all->at[i];

		for (size_t k = 0; k < grt_crtc_clients(c); k++) {
			const struct grt_crtc_client *client = grt_crtc_client_at(c, k);
			uint32_t row = process_of(s, client);

			if (is_idle(client))
				continue;
			if (rows >= GRT_STATS_ROWS && !s->json) {
				left_out++;
				continue;
			}
			rows++;
			grt_report_text(&t, grt_pci_name(gpu, c->gpu));
			grt_report_u64(&t, c->crtc);
			grt_report_text(&t, client_word(word, s, client));
			grt_report_known(&t, client->client_id, client->client_id);
			grt_report_known(&t, client->tgid, client->tgid);
			grt_report_text(&t, row == GRT_NONE ? "" : grt_names_process_at(grt_stats_names(s), row)->comm);
			put_clients(&t, &client->sums, has_asked, has_told, c->is_mixed);
		}
	}
	grt_stats_print(s, &t, left_out);
}

static void print_client_bars(const struct grt_stats *s, const struct grt_crtcs *all)
{
	char word[GRT_CLIENT_MAX], whose[GRT_CLIENT_MAX + 32];

	for (unsigned int i = 0; i < all->count; i++) {
		for (size_t k = 0; k < grt_crtc_clients(&all->at[i]) && k < GRT_STATS_BARS; k++) {
			const struct grt_crtc_client *client = grt_crtc_client_at(&all->at[i], k);

			snprintf(whose, sizeof(whose), "%s, crtc %" PRIu32, client_word(word, s, client),
				 all->at[i].crtc);
			grt_stats_bars(s, "latency", whose, "queue to delivery", &client->sums.latency);
			grt_stats_bars(s, "since blank", whose, "vblank to delivery", &client->sums.delivery);
		}
	}
}

static void put_client_bars(struct grt_json *j, const struct grt_crtcs *all)
{
	grt_json_open(j, "histograms", '[');
	for (unsigned int i = 0; i < all->count; i++) {
		for (size_t k = 0; k < grt_crtc_clients(&all->at[i]); k++) {
			const struct grt_crtc_client *client = grt_crtc_client_at(&all->at[i], k);

			if (is_idle(client))
				continue;
			grt_json_open(j, NULL, '{');
			grt_json_u64(j, "crtc", all->at[i].crtc);
			if (client->client_id)
				grt_json_u64(j, "client_id", client->client_id);
			else
				grt_json_null(j, "client_id");
			grt_hist_print_buckets(&client->sums.latency, j, "latency");
			grt_hist_print_buckets(&client->sums.delivery, j, "since_blank");
			grt_json_close(j, '}');
		}
	}
	grt_json_close(j, ']');
}

void grt_stats_displays(const struct grt_stats *s)
{
	const struct grt_crtcs *all = &s->sums->crtcs, *ever = &s->m->all.crtcs;
	bool has_asked = false, has_told = false;

	for (unsigned int i = 0; i < ever->count; i++) {
		has_asked |= ever->at[i].sums.asked;
		has_told |= ever->at[i].sums.told;
	}
	print_crtcs(s, all);
	print_clients(s, all, has_asked, has_told);
	if (s->json)
		put_client_bars(s->json, all);
	else
		print_client_bars(s, all);
}
