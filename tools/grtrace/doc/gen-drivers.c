// SPDX-License-Identifier: GPL-2.0
/* Prints Documentation/drivers.rst: the facts by driver that grtrace doctor uses. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "driver_facts.h"

static void heading(const char *text, char line)
{
	printf("%s\n", text);
	for (size_t i = strlen(text); i--; )
		putchar(line);
	printf("\n\n");
}

static void begin_table(const char *widths, const char * const *titles, size_t count)
{
	printf(".. list-table::\n   :header-rows: 1\n   :widths: %s\n\n", widths);
	for (size_t i = 0; i < count; i++)
		printf("   %s - %s\n", i ? " " : "*", titles[i]);
}

#define TABLE(widths, ...) begin_table(widths, (const char *[]){ __VA_ARGS__ }, \
				       sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *))

static const char *queue_text(const struct grt_driver *d)
{
	switch (d->queue) {
	case GRT_QUEUE_SCHED:
		return "DRM scheduler";
	case GRT_QUEUE_OWN:
		return "its own";
	case GRT_QUEUE_SECRET:
		return "not known";
	default:
		return "no jobs";
	}
}

/* Whether a table below says something about this topic of the driver. */
static bool has_way(const struct grt_driver *d, enum grt_topic topic)
{
	for (size_t i = 0; i < grt_nr_ways; i++)
		if (grt_ways[i].driver && !strcmp(grt_ways[i].driver, d->name) && grt_ways[i].topic == topic)
			return true;
	return false;
}

static bool has_ways_of_jobs(const struct grt_driver *d)
{
	for (int topic = 0; topic < GRT_NR_TOPICS; topic++)
		if (grt_topic_is_of_job[topic] && has_way(d, topic))
			return true;
	return false;
}

static void print_jobs_cell(const struct grt_driver *d)
{
	if (d->queue == GRT_QUEUE_SCHED)
		printf("     - exact but for the start\n");
	else if (has_ways_of_jobs(d))
		printf("     - see below\n");
	else
		printf("     - %s\n", d->queue == GRT_QUEUE_NONE ? "none" : "not seen");
}

static void print_start_cell(const struct grt_driver *d)
{
	if (d->queue != GRT_QUEUE_SCHED) {
		printf("     -%s\n", d->queue == GRT_QUEUE_NONE ? "" :
		       has_way(d, GRT_TOPIC_START) ? " see below" : " not seen");
		return;
	}
	switch (grt_driver_order(d->name)) {
	case GRTRACE_ORDER_FIFO:
		printf("     - inferred: one job at a time\n");
		break;
	case GRTRACE_ORDER_FIRMWARE:
		printf("     - not seen: firmware schedules\n");
		break;
	default:
		printf("     - not seen: order not known\n");
	}
}

static void print_drivers(void)
{
	heading("Drivers", '=');
	printf("``start`` says when the hardware begins a job.  Where it is not seen, the time from COMMIT to END\n"
	       "(``t_hw``) is exact all the same.\n\n");
	TABLE("16 24 14 14 14 18", "driver", "hardware", "Linux", "queue", "jobs", "start");
	for (const struct grt_driver *d = grt_drivers; d->name; d++) {
		printf("   * - ``%s``\n     - %s\n     - %s\n     - %s\n", d->name, d->text, d->kernels,
		       queue_text(d));
		print_jobs_cell(d);
		print_start_cell(d);
	}
	putchar('\n');
}

/* "a|b" as ``a`` or ``b``, without the name of the system. */
static void print_events(const char *events)
{
	const char *separator = " ";

	while (*events) {
		size_t len = strcspn(events, "|"), system = strcspn(events, "/") + 1;

		printf("%s``%.*s``", separator, (int)(len - system), events + system);
		separator = " or ";
		events += len + (events[len] == '|');
	}
}

static void print_sources(const struct grt_way *w)
{
	const char *separator = "";

	if (w->is_sampled)
		printf("all");
	if (w->adapter) {
		printf("``%s``", w->adapter);
		separator = ", ";
	}
	if (w->has_bpf) {
		printf("%sbpf", separator);
		separator = ", ";
	}
	if (w->has_tracefs)
		printf("%stracefs", separator);
}

/* A blank, or what stands between two remarks. */
static void print_condition(const struct grt_way *w)
{
	const char *separator = " ";

	if (w->guc) {
		printf(" %s GuC", w->guc == GRT_YES ? "with" : "without");
		separator = "; ";
	}
	if (w->field) {
		printf("%sif the event has the field ``%s``", separator, w->field);
		separator = "; ";
	}
	if (w->lack) {
		printf("%sif it is missing: %s", separator, w->lack);
		separator = "; ";
	}
	if (w->text)
		printf("%s%s", separator, w->text);
}

static void print_way(const struct grt_way *w)
{
	printf("   * - %s\n     - %s\n     -", grt_topic_names[w->topic], grt_certainty_names[w->certainty]);
	if (w->events)
		print_events(w->events);
	printf("\n     - ");
	print_sources(w);
	printf("\n     -");
	print_condition(w);
	putchar('\n');
}

/* @driver: as in struct grt_way */
static void print_ways(const char *title, const char *driver)
{
	bool has_title = false;

	for (size_t i = 0; i < grt_nr_ways; i++) {
		const struct grt_way *w = &grt_ways[i];

		if (driver ? !w->driver || strcmp(w->driver, driver) : w->driver != NULL)
			continue;
		if (!has_title) {
			heading(title, '-');
			TABLE("14 10 28 24 24", "what", "how well", "event", "sources", "condition, remark");
		}
		has_title = true;
		print_way(w);
	}
	if (has_title)
		putchar('\n');
}

static void print_bypasses(void)
{
	heading("What never appears", '=');
	TABLE("20 80", "driver", "which jobs");
	for (const struct grt_bypass *b = grt_bypasses; b->driver; b++) {
		printf("   * - ``%s``\n     - %s", b->driver, b->text);
		if (b->adapter)
			printf(", unless ``%s`` is loaded", b->adapter);
		putchar('\n');
	}
	putchar('\n');
}

int main(void)
{
	printf(".. SPDX-License-Identifier: GPL-2.0\n"
	       ".. Made by tools/grtrace/doc/gen-drivers; do not edit.\n\n");
	heading("GPUs and kernels: what is exact, inferred, not seen", '=');
	printf("``grtrace doctor`` says this about the GPUs of a machine, on its kernel, with its configuration.\n"
	       "This page lists it for all drivers that grtrace knows.  Each row was looked up in the source of\n"
	       "Debian's kernels 6.1, 6.12 and 7.2.  Comments in ``tools/grtrace/capture/driver_table.c`` name the\n"
	       "files and lines.\n\n");
	TABLE("14 86", "how well", "meaning");
	for (int i = 0; i < GRT_NR_CERTAINTIES; i++)
		printf("   * - %s\n     - %s\n", grt_certainty_names[i], grt_certainty_meanings[i]);
	putchar('\n');
	print_drivers();
	heading("How it is known", '=');
	printf("The column *sources* names the module of grtrace that records it with the source ``module``, and the\n"
	       "other sources that record it.  Of several rows for one thing, the first that is possible counts.\n\n");
	print_ways("All drivers that use the DRM scheduler", NULL);
	for (const struct grt_driver *d = grt_drivers; d->name; d++)
		print_ways(d->name, d->name);
	print_ways("Any driver", "");
	print_bypasses();
	return fflush(stdout) || ferror(stdout);
}
