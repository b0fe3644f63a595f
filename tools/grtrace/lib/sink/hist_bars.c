// SPDX-License-Identifier: LGPL-2.1
/* Prints a distribution of times as bars: a line for each power of two between the shortest and the longest time. */
#include "monitor_sink.h"
#include "number.h"

#define MAX_BAR		50
#define MIN_BAR		10
#define LABEL_CELLS	36	/* of a line, in front of the bar and behind it */

void grt_hist_print_bars(const struct grt_hist *h, FILE *f, size_t width)
{
	static const char bar[] = "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@";
	uint64_t counts[GRT_HIST_POWERS], most = grt_hist_powers(h, counts);
	size_t cells = width && width < LABEL_CELLS + MAX_BAR ?
		       width > LABEL_CELLS + MIN_BAR ? width - LABEL_CELLS : MIN_BAR : MAX_BAR;
	char from[GRT_NUMBER_MAX], to[GRT_NUMBER_MAX], n[GRT_NUMBER_MAX];

	_Static_assert(sizeof(bar) - 1 == MAX_BAR, "the longest bar");
	if (!h->count)
		return;
	for (unsigned int i = grt_hist_power_of(h->min); i <= grt_hist_power_of(h->max); i++) {
		int length = (double)counts[i] / most * cells + 0.5;

		if (counts[i] && !length)
			length = 1;
		fprintf(f, "  [%8s, %8s) %10s |%-*.*s|\n", grt_format_ns(from, grt_hist_power_from(i)),
			grt_format_ns(to, grt_hist_power_below(i)), grt_format_count(n, counts[i]), (int)cells, length, bar);
	}
}

void grt_hist_print_buckets(const struct grt_hist *h, struct grt_json *j, const char *name)
{
	uint64_t counts[GRT_HIST_POWERS];

	grt_hist_powers(h, counts);
	grt_json_open(j, name, '[');
	for (unsigned int i = 0; i < GRT_HIST_POWERS; i++) {
		if (!counts[i])
			continue;
		grt_json_open(j, NULL, '{');
		grt_json_u64(j, "from_ns", grt_hist_power_from(i));
		grt_json_u64(j, "to_ns", grt_hist_power_below(i));
		grt_json_u64(j, "count", counts[i]);
		grt_json_close(j, '}');
	}
	grt_json_close(j, ']');
}
