// SPDX-License-Identifier: LGPL-2.1
#include "json.h"

#include <inttypes.h>
#include <string.h>

#include "quote.h"

static void member(struct grt_json *j, const char *name)
{
	if (j->has_one)
		putc(',', j->file);
	if (name)
		fprintf(j->file, "\"%s\":", name);
	j->has_one = true;
}

void grt_json_open(struct grt_json *j, const char *name, char bracket)
{
	member(j, name);
	putc(bracket, j->file);
	j->has_one = false;
}

void grt_json_close(struct grt_json *j, char bracket)
{
	putc(bracket, j->file);
	j->has_one = true;
}

void grt_json_null(struct grt_json *j, const char *name)
{
	member(j, name);
	fputs("null", j->file);
}

void grt_json_u64(struct grt_json *j, const char *name, uint64_t value)
{
	member(j, name);
	fprintf(j->file, "%" PRIu64, value);
}

void grt_json_s64(struct grt_json *j, const char *name, int64_t value)
{
	member(j, name);
	fprintf(j->file, "%" PRId64, value);
}

void grt_json_real(struct grt_json *j, const char *name, double value)
{
	member(j, name);
	fprintf(j->file, "%.6f", value);
}

void grt_json_bool(struct grt_json *j, const char *name, bool value)
{
	member(j, name);
	fputs(value ? "true" : "false", j->file);
}

void grt_json_share(struct grt_json *j, const char *name, uint64_t part, uint64_t whole)
{
	if (!whole) {
		grt_json_null(j, name);
		return;
	}
	grt_json_real(j, name, (double)part / whole);
}

void grt_json_text(struct grt_json *j, const char *name, const char *text)
{
	if (!*text) {
		grt_json_null(j, name);
		return;
	}
	member(j, name);
	grt_quote_json(j->file, text, strlen(text));
}
