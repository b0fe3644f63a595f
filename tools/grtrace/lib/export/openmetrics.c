// SPDX-License-Identifier: LGPL-2.1
#include "openmetrics.h"

#include <string.h>

#include "number.h"
#include "quote.h"

#define NS_PER_S	1000000000ull

static void append(struct grt_om *o, struct grt_vec *to, const char *text, size_t bytes)
{
	if (grt_vec_append(to, text, bytes))
		o->has_failed = true;
}

static void put(struct grt_om *o, const char *text, size_t bytes)
{
	append(o, &o->text, text, bytes);
}

static void put_text(struct grt_om *o, const char *text)
{
	put(o, text, strlen(text));
}

static void put_u64(struct grt_om *o, uint64_t value)
{
	char digits[GRT_DIGITS_MAX];
	const char *at = grt_digits(digits, value);

	put(o, at, digits + sizeof(digits) - at);
}

/* Seconds, to the nanosecond, without zeros at the end. */
static void put_ns(struct grt_om *o, uint64_t ns)
{
	char buf[10] = ".";
	uint64_t part = ns % NS_PER_S;
	int digits = 9;

	put_u64(o, ns / NS_PER_S);
	for (; digits > 1 && part % 10 == 0; digits--)
		part /= 10;
	for (int i = digits; i; i--, part /= 10)
		buf[i] = '0' + part % 10;
	put(o, buf, digits + 1);
}

/* --- families --- */

static const struct {
	const char *open_type, *type;
	const char *suffix;		/* of samples */
	bool has_suffix_in_text;	/* the text format has it in the name of the family */
} kinds[] = {
	[GRT_OM_COUNTER] = { "counter", "counter", "_total", true },
	[GRT_OM_GAUGE] = { "gauge", "gauge", "", false },
	[GRT_OM_HISTOGRAM] = { "histogram", "histogram", "", false },
	[GRT_OM_INFO] = { "info", "gauge", "_info", true },
};

static void put_about(struct grt_om *o, const char *what, enum grt_om_kind kind, const char *text)
{
	put_text(o, "# ");
	put_text(o, what);
	put_text(o, " ");
	put_text(o, o->name);
	if (!o->is_openmetrics && kinds[kind].has_suffix_in_text)
		put_text(o, kinds[kind].suffix);
	put_text(o, " ");
	put_text(o, text);
	put_text(o, "\n");
}

void grt_om_family(struct grt_om *o, const char *name, enum grt_om_kind kind, const char *unit,
		   const char *help)
{
	o->name = name;
	put_about(o, "HELP", kind, help);
	put_about(o, "TYPE", kind, o->is_openmetrics ? kinds[kind].open_type : kinds[kind].type);
	if (unit && o->is_openmetrics)
		put_about(o, "UNIT", kind, unit);
	grt_om_labels(o);
}

/* --- labels --- */

static void put_label_text(struct grt_om *o, const char *text, size_t bytes)
{
	append(o, &o->labels, text, bytes);
}

void grt_om_labels(struct grt_om *o)
{
	o->labels.bytes = 0;
}

void grt_om_label(struct grt_om *o, const char *name, const char *value)
{
	size_t left = strlen(value);

	if (!left)
		return;
	if (o->labels.bytes)
		put_label_text(o, ",", 1);
	put_label_text(o, name, strlen(name));
	put_label_text(o, "=\"", 2);
	while (left) {
		size_t shown = grt_shown_bytes(value, left);

		if (*value == '\\' || *value == '"')
			put_label_text(o, "\\", 1);
		put_label_text(o, shown ? value : "?", shown ? shown : 1);
		value += shown ? shown : 1;
		left -= shown ? shown : 1;
	}
	put_label_text(o, "\"", 1);
}

/* --- values --- */

static void begin_sample(struct grt_om *o, const char *suffix)
{
	put_text(o, o->name);
	put_text(o, suffix);
	if (o->labels.bytes) {
		put_text(o, "{");
		put(o, o->labels.data, o->labels.bytes);
		put_text(o, "}");
	}
	put_text(o, " ");
}

void grt_om_u64(struct grt_om *o, enum grt_om_kind kind, uint64_t value)
{
	begin_sample(o, kinds[kind].suffix);
	put_u64(o, value);
	put_text(o, "\n");
}

void grt_om_ns(struct grt_om *o, enum grt_om_kind kind, uint64_t ns)
{
	begin_sample(o, kinds[kind].suffix);
	put_ns(o, ns);
	put_text(o, "\n");
}

static void put_exemplar(struct grt_om *o, const struct grt_om_exemplar *e)
{
	put_text(o, " # {fence=\"");
	put_u64(o, e->ctx);
	put_text(o, ":");
	put_u64(o, e->seqno);
	put_text(o, "\"} ");
	put_ns(o, e->ns);
	if (e->real_ns) {
		put_text(o, " ");
		put_ns(o, e->real_ns);
	}
}

void grt_om_bucket(struct grt_om *o, uint64_t bound_ns, uint64_t count, const struct grt_om_exemplar *e)
{
	put_text(o, o->name);
	put_text(o, "_bucket{");
	put(o, o->labels.data, o->labels.bytes);
	put_text(o, o->labels.bytes ? ",le=\"" : "le=\"");
	if (bound_ns == UINT64_MAX)
		put_text(o, "+Inf");
	else
		put_ns(o, bound_ns);
	put_text(o, "\"} ");
	put_u64(o, count);
	if (e && o->is_openmetrics)
		put_exemplar(o, e);
	put_text(o, "\n");
}

void grt_om_sum(struct grt_om *o, uint64_t sum_ns, uint64_t count)
{
	begin_sample(o, "_sum");
	put_ns(o, sum_ns);
	put_text(o, "\n");
	begin_sample(o, "_count");
	put_u64(o, count);
	put_text(o, "\n");
}

void grt_om_end(struct grt_om *o)
{
	if (o->is_openmetrics)
		put_text(o, "# EOF\n");
}

void grt_om_free(struct grt_om *o)
{
	grt_vec_free(&o->text);
	grt_vec_free(&o->labels);
}
