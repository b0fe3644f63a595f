// SPDX-License-Identifier: LGPL-2.1
/*
 * One wide CSV table.  Its columns: the header's fields without the size, every field name of all
 * types once, the texts, the names of ring and process, and optionally the time since the previous
 * row.  A column has one meaning for all types; it is empty for types without that field.  The
 * columns depend on the format version only, not on the trace.
 */
#include <inttypes.h>
#include <string.h>

#include "error.h"
#include "event_private.h"
#include "quote.h"

static const char *const hdr_columns[] = { "type", "cpu", "flags", "ts", "gseq", "cseq" };

/* SUBBUF and STREAM_END never reach a sink; LOSS records have their meaning. */
static bool is_shown(const struct grt_type *type)
{
	return type->number != GRTRACE_SUBBUF && type->number != GRTRACE_STREAM_END;
}

static size_t find_column(const struct grt_event_sink *sink, const char *name)
{
	size_t count = grt_vec_count(&sink->columns, char *);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(*grt_vec_at(&sink->columns, char *, i), name))
			return i;
	return count;
}

static int add_column(struct grt_event_sink *sink, const char *name)
{
	if (find_column(sink, name) < grt_vec_count(&sink->columns, char *))
		return 0;
	fprintf(sink->out, ",%s", name);
	return grt_vec_append(&sink->columns, &name, sizeof(name));
}

static int add_fields(struct grt_event_sink *sink, const struct grt_type *type)
{
	int err = 0;

	for (unsigned int i = 0; i < type->nr_fields && !err; i++)
		if (type->fields[i].kind != GRT_KIND_RSVD)
			err = add_column(sink, type->fields[i].name);
	return err;
}

static int begin(struct grt_event_sink *sink)
{
	const struct grt_tail *tail;
	int err = 0;

	for (size_t i = 0; i < sizeof(hdr_columns) / sizeof(hdr_columns[0]); i++)
		fprintf(sink->out, i ? ",%s" : "%s", hdr_columns[i]);
	for (size_t i = 0; i < grt_nr_types && !err; i++)
		if (is_shown(&grt_types[i]))
			err = add_fields(sink, &grt_types[i]);
	for (size_t i = 0; i < grt_nr_types && !err; i++) {
		tail = grt_type_tail(&grt_types[i]);
		if (tail)
			err = add_column(sink, tail->name);
	}
	fprintf(sink->out, ",ring_name,process_name%s\n", sink->has_diff ? ",ts_diff_ns" : "");
	if (!err && !grt_vec_grow(&sink->cells, grt_vec_count(&sink->columns, char *) *
				  sizeof(const struct grt_field *)))
		err = grt_fail_memory();
	return err;
}

static void print_text(FILE *out, const struct grt_type *type, const struct grt_field *f,
		       const struct grtrace_hdr *rec)
{
	size_t bytes;
	const char *text = grt_field_text(type, f, rec, &bytes);

	grt_quote_csv(out, text, bytes);
}

/* The names behind the record's numbers. */
static void print_names(struct grt_event_sink *sink, const struct grt_event_view *view)
{
	const char *ring = view->ring ? view->ring->name : "";
	const char *comm = view->process ? view->process->comm : "";

	putc(',', sink->out);
	grt_quote_csv(sink->out, ring, strlen(ring));
	putc(',', sink->out);
	grt_quote_csv(sink->out, comm, strlen(comm));
	if (!sink->has_diff)
		return;
	putc(',', sink->out);
	if (sink->has_before)
		fprintf(sink->out, "%" PRId64, (int64_t)(view->rec->ts - sink->before_ns));
}

static void print(struct grt_event_sink *sink, const struct grt_event_view *view)
{
	const struct grtrace_hdr *rec = view->rec;
	const struct grt_type *type = view->type;
	size_t count = grt_vec_count(&sink->columns, char *);
	const struct grt_field **cells = sink->cells.data;
	const struct grt_tail *tail = grt_type_tail(type);
	size_t tail_column = tail ? find_column(sink, tail->name) : count;

	memset(cells, 0, count * sizeof(*cells));
	for (unsigned int i = 0; i < type->nr_fields; i++)
		if (type->fields[i].kind != GRT_KIND_RSVD)
			cells[find_column(sink, type->fields[i].name)] = &type->fields[i];
	fprintf(sink->out, "%s,%u,", type->name, rec->cpu);
	grt_event_flags(sink->out, rec, "", "|", "");
	fprintf(sink->out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
		(uint64_t)rec->ts, (uint64_t)rec->gseq, (uint64_t)rec->cseq);
	for (size_t i = 0; i < count; i++) {
		putc(',', sink->out);
		if (i == tail_column)
			print_text(sink->out, type, NULL, rec);
		else if (cells[i] && cells[i]->kind == GRT_KIND_TEXT)
			print_text(sink->out, type, cells[i], rec);
		else if (cells[i] && grt_event_knows(cells[i], rec))
			grt_event_value(sink->out, cells[i], rec);
	}
	print_names(sink, view);
	putc('\n', sink->out);
}

const struct grt_event_format grt_event_csv = {
	.name	= "csv",
	.begin	= begin,
	.print	= print,
};
