// SPDX-License-Identifier: LGPL-2.1
/* What the parts of grtrace monitor's statistics print with: tables, and distributions as bars. */
#include "monitor_private.h"
#include "number.h"
#include "quote.h"

void grt_stats_print(const struct grt_stats *s, struct grt_report_table *t, unsigned int left_out)
{
	const struct grt_monitor_out *o = s->out;

	t->width = o->width;
	if (s->json) {
		grt_report_print_json(t, s->json);
	} else if (grt_report_rows(t)) {
		putc('\n', o->file);
		grt_report_print_text(t, o->file, NULL, o->has_colour ? "\033[1m" : "", o->has_colour ? "\033[0m" : "");
		if (left_out)
			fprintf(o->file, "and %u more: --json has all\n", left_out);
	}
	grt_report_free(t);
}

size_t grt_stats_shown(const struct grt_stats *s, size_t count, size_t most, unsigned int *left_out)
{
	*left_out = s->json || count <= most ? 0 : count - most;
	return count - *left_out;
}

unsigned int grt_stats_name_hist(struct grt_report_column *to, char (*words)[GRT_HIST_WORD], const char *name,
				 const char *title, bool is_in_text)
{
	static const struct {
		const char *name, *title;
		enum grt_report_kind kind;
	} parts[GRT_HIST_CELLS] = {
		{ "count", NULL, GRT_REPORT_COUNT }, { "sum_ns", NULL, GRT_REPORT_NS },
		{ "mean_ns", NULL, GRT_REPORT_NS }, { "p50_ns", "p50", GRT_REPORT_NS },
		{ "p90_ns", NULL, GRT_REPORT_NS }, { "p99_ns", "p99", GRT_REPORT_NS },
		{ "max_ns", NULL, GRT_REPORT_NS },
	};

	for (unsigned int i = 0; i < GRT_HIST_CELLS; i++) {
		snprintf(words[2 * i], sizeof(*words), "%s_%s", name, parts[i].name);
		snprintf(words[2 * i + 1], sizeof(*words), "%s %s", title, parts[i].title ? parts[i].title : "");
		to[i] = (struct grt_report_column){
			words[2 * i], is_in_text && parts[i].title ? words[2 * i + 1] : NULL, parts[i].kind,
		};
	}
	return GRT_HIST_CELLS;
}

void grt_stats_put_hist(struct grt_report_table *t, const struct grt_hist *h, bool is_bound)
{
	static const unsigned int permilles[] = { 500, 900, 990, 1000 };

	grt_report_u64(t, h->count);
	grt_report_known(t, h->count, grt_hist_sum(h));
	grt_report_known(t, h->count, grt_hist_mean(h));
	for (size_t i = 0; i < sizeof(permilles) / sizeof(permilles[0]); i++) {
		if (h->count)
			grt_report_at_most(t, is_bound, grt_hist_quantile(h, permilles[i]));
		else
			grt_report_unknown(t);
	}
}

void grt_stats_bars(const struct grt_stats *s, const char *what, const char *whose, const char *text,
		       const struct grt_hist *h)
{
	FILE *f = s->out->file;
	char n[GRT_NUMBER_MAX];

	if (!h->count)
		return;
	fprintf(f, "\n%s of %s (%s)\n", what, grt_shown(whose), text);
	fprintf(f, "  %s %s, ", grt_format_count(n, h->count), grt_plural(h->count, "time", "times"));
	fprintf(f, "mean %s, ", grt_format_ns(n, grt_hist_mean(h)));
	fprintf(f, "p50 %s, ", grt_format_ns(n, grt_hist_quantile(h, 500)));
	fprintf(f, "p99 %s, ", grt_format_ns(n, grt_hist_quantile(h, 990)));
	fprintf(f, "max %s\n", grt_format_ns(n, h->max));
	grt_hist_print_bars(h, f, s->out->width);
}
