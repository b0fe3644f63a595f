// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "control.h"
#include "error.h"
#include "number.h"
#include "options.h"
#include "print.h"
#include "quote.h"

#define TEXT_BYTES	16384

struct status {
	char state[64], config[TEXT_BYTES], stats[TEXT_BYTES];
};

static int read_status(struct status *s)
{
	ssize_t n = grt_control_read("control", s->state, sizeof(s->state));

	if (n >= 0)
		n = grt_control_read("config", s->config, sizeof(s->config));
	if (n >= 0)
		n = grt_control_read("stats", s->stats, sizeof(s->stats));
	/* Only the first line is the state. */
	s->state[strcspn(s->state, "\n")] = '\0';
	return n < 0 ? n : 0;
}

/* The rows that show whether a session runs and whether it loses events; `stats` has the rest. */
static const struct row {
	const char *text, *name;
	bool is_bytes;
} rows[] = {
	{ "mode", "mode", false },
	{ "snapshot", "snapshot", false },
	{ "snapshots taken", "snapshots_taken", false },
	{ "triggers missed", "snapshots_missed", false },
	{ "events seen", "seen", false },
	{ "written", "written", false },
	{ "lost", "lost_events", false },
	{ "buffer overruns", "overruns", false },
	{ "bytes written", "bytes_written", true },
	{ "not read yet", "unread_bytes", true },
	{ "memory held", "memory_bytes", true },
};

static void print_row(const char *text, const char *value, bool is_bytes)
{
	char shown[GRT_NUMBER_MAX];
	uint64_t n;

	if (grt_parse_u64(value, &n))
		printf("%-16s %s\n", text, grt_shown(value));
	else
		printf("%-16s %s\n", text,
		       is_bytes ? grt_format_bytes(shown, n) : grt_format_count(shown, n));
}

static void print_text(const struct status *s)
{
	char value[256];

	print_row("session", s->state, false);
	/* The size in use; before the first start, the configured size. */
	if ((grt_control_value(s->stats, "buffer_bytes", value, sizeof(value)) &&
	     strcmp(value, "0")) ||
	    grt_control_value(s->config, "buffer_size", value, sizeof(value)))
		print_row("buffer per CPU", value, true);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (grt_control_value(s->stats, rows[i].name, value, sizeof(value)))
			print_row(rows[i].text, value, rows[i].is_bytes);
}

/* Whether the text is a whole number in JSON; otherwise it becomes a string. */
static bool is_json_number(const char *text, size_t len)
{
	if (!len || (text[0] == '0' && len > 1))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isdigit((unsigned char)text[i]))
			return false;
	return true;
}

/* Prints name=value lines as members of an object. */
static void print_json_lines(const char *text)
{
	const char *separator = "", *equals;
	size_t len;

	for (; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		equals = memchr(text, '=', len);
		if (!equals)
			continue;
		fputs(separator, stdout);
		separator = ",";
		grt_quote_json(stdout, text, equals - text);
		putchar(':');
		equals++;
		if (is_json_number(equals, text + len - equals))
			printf("%.*s", (int)(text + len - equals), equals);
		else
			grt_quote_json(stdout, equals, text + len - equals);
	}
}

static void print_json(const struct status *s)
{
	printf("{\"session\":");
	grt_quote_json(stdout, s->state, strlen(s->state));
	printf(",\"config\":{");
	print_json_lines(s->config);
	printf("},\"stats\":{");
	print_json_lines(s->stats);
	printf("}}\n");
}

int cmd_status(int argc, char **argv)
{
	const char *format = "text";
	const struct grt_option options[] = {
		OPT_STRING('f', "format", &format, "NAME", "text or json; text by default"),
		OPT_END()
	};
	struct status s;
	int err;

	if (grt_parse_options(argc, argv, options, "status [options]"))
		return grt_usage(options, "status takes no operands");
	if (strcmp(format, "text") && strcmp(format, "json"))
		return grt_usage(options, "no format '%s': text or json", format);
	err = read_status(&s);
	if (err)
		return grt_print_failure(err);
	if (!strcmp(format, "json"))
		print_json(&s);
	else
		print_text(&s);
	return GRT_EXIT_OK;
}
