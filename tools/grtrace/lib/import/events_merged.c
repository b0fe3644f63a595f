// SPDX-License-Identifier: LGPL-2.1
/*
 * Lines of "grtrace merge --cpu --gpu" become the records that they were made of, as far as the
 * lines show them.  Values are found by the names of fields.
 */
#include <stdio.h>
#include <string.h>

#include "describe.h"
#include "import_private.h"
#include "merged_line.h"

/* The types that are read; others are for reports of other tools, or need what lines lack. */
#define TYPES	(1u << GRTRACE_SUBMIT | 1u << GRTRACE_COMPLETE | 1u << GRTRACE_CTX_SWITCH | \
		 1u << GRTRACE_COMMIT | 1u << GRTRACE_START | 1u << GRTRACE_END |	\
		 1u << GRTRACE_IRQ | 1u << GRTRACE_SYNC_WAIT_ENTER |			\
		 1u << GRTRACE_SYNC_WAIT_EXIT | 1u << GRTRACE_ERROR | 1u << GRTRACE_DEPENDENCY | \
		 1u << GRTRACE_FENCE_SIGNALED | 1u << GRTRACE_MEMORY | 1u << GRTRACE_VBLANK | \
		 1u << GRTRACE_FREQUENCY | 1u << GRTRACE_MARK | 1u << GRTRACE_SUSPEND)

#define MAX_STRUCT	256
#define MAX_TEXT	GRTRACE_MARK_MAX

/* A record while its line is read. */
struct draft {
	const struct grt_type *type;
	uint64_t bytes[MAX_STRUCT / 8];
	uint16_t flags;
	char text[MAX_TEXT];
	size_t text_len;
	uint64_t ring;		/* as the line has it; 0: none */
	int engine;		/* -1: not known */
};

/* Slots of other events carry the parts of a line. */
#define DELTA	GRT_IN_MARK

static grt_event_fn on_gpu, on_cpu;

static const struct grt_event_kind gpu_kind = { .name = "GPU", .handle = on_gpu, .is_gpu = true };
static const struct grt_event_kind cpu_kind = { .name = "CPU", .handle = on_cpu };

bool grt_merged_event(const char *at, size_t len, struct grt_foreign *ev)
{
	struct grt_merged_line line;

	if (!len || *at != '[' || !grt_merged_line_parse(at, len, &line))
		return false;
	ev->kind = line.is_gpu ? &gpu_kind : &cpu_kind;
	ev->name = line.type;
	ev->text = line.values;
	ev->ts = line.ts;
	grt_foreign_put(ev, DELTA, line.delta.at, line.delta.len);
	return true;
}

/* --- values --- */

static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Undoes grt_quote_string(). */
static size_t unquote(char *to, size_t room, struct grt_piece quoted)
{
	const char *at = quoted.at + 1, *end = quoted.at + quoted.len - 1;
	size_t len = 0;

	for (; at < end && len < room; at++) {
		char c = *at;

		if (c == '\\' && at + 1 < end) {
			c = *++at;
			if (c == 'x' && end - at > 2 && hex(at[1]) >= 0 && hex(at[2]) >= 0) {
				c = hex(at[1]) << 4 | hex(at[2]);
				at += 2;
			} else {
				c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
			}
		}
		to[len++] = c;
	}
	return len;
}

/* @types: bits of the types of which the name is; 0: any. */
static bool find(const struct grt_table *table, struct grt_piece name, uint32_t types, uint64_t *number)
{
	for (size_t i = 0; i < table->count; i++)
		if ((!types || table->values[i].types & types) && grt_piece_is(name, table->values[i].name)) {
			*number = table->values[i].number;
			return true;
		}
	return false;
}

/* "SYNTHETIC|BIT9" */
static void set_flags(struct draft *d, struct grt_piece value)
{
	const char *end = value.at + value.len;

	while (value.at < end) {
		const char *bar = memchr(value.at, '|', end - value.at);
		struct grt_piece name = { value.at, (bar ? bar : end) - value.at };
		uint64_t bit;

		if (d->type->number < 32 && find(&grt_flags, name, 1u << d->type->number, &bit) && bit < 16)
			d->flags |= 1u << bit;
		value.at = bar ? bar + 1 : end;
	}
}

static const struct grt_field *field_named(const struct grt_type *type, struct grt_piece key)
{
	char name[32];

	if (key.len >= sizeof(name))
		return NULL;
	/* "ctx_id" and "dep_ctx_id" are the fields ctx and dep_ctx. */
	if (key.len >= 6 && !memcmp(key.at + key.len - 6, "ctx_id", 6))
		key.len -= 3;
	snprintf(name, sizeof(name), "%.*s", (int)key.len, key.at);
	return grt_field_by_name(type, name);
}

static void set_field(struct draft *d, const struct grt_field *f, struct grt_piece value)
{
	const struct grt_table *values = grt_field_enum(f);
	uint64_t number;

	if (grt_piece_is(value, "-") && !strcmp(f->name, "status"))
		d->flags |= GRTRACE_F_NO_STATUS;
	if (f->kind == GRT_KIND_TEXT || f->kind == GRT_KIND_RSVD || f->bytes > sizeof(number) ||
	    f->offset + f->bytes > sizeof(d->bytes))
		return;
	if (!(values && find(values, value, 0, &number)) && !grt_merged_number(value, &number))
		return;
	/* Little endian: the lower bytes come first. */
	memcpy((char *)d->bytes + f->offset, &number, f->bytes);
}

static void set_value(struct draft *d, struct grt_piece key, struct grt_piece value)
{
	const struct grt_field *f = field_named(d->type, key);
	const struct grt_tail *tail = grt_type_tail(d->type);
	uint64_t engine;

	if (grt_piece_is(key, "ring"))
		grt_merged_number(value, &d->ring);
	else if (grt_piece_is(key, "flags"))
		set_flags(d, value);
	else if (grt_piece_is(key, "engine") && find(&grt_enums[0], value, 0, &engine))
		d->engine = engine;
	else if (tail && grt_piece_is(key, tail->name) && value.len > 1 && *value.at == '"')
		d->text_len = unquote(d->text, sizeof(d->text), value);
	else if (f)
		set_field(d, f, value);
}

/* --- events of GPUs --- */

static bool read_draft(struct draft *d, const struct grt_foreign *ev)
{
	struct grt_piece values = ev->text, key, value;
	char name[32];

	*d = (struct draft){ .engine = -1 };
	snprintf(name, sizeof(name), "%.*s", (int)(ev->name.len < 31 ? ev->name.len : 31), ev->name.at);
	d->type = grt_type_by_name(name);
	if (!d->type || d->type->bytes > sizeof(d->bytes) ||
	    (d->type->number != GRTRACE_LOSS && (d->type->number >= 32 || !(TYPES >> d->type->number & 1))))
		return false;
	while (grt_merged_line_value(&values, &key, &value))
		set_value(d, key, value);
	return true;
}

static uint32_t ring_of(struct grt_import *im, const struct draft *d)
{
	char name[32];
	uint32_t nr;

	if (!d->ring && d->engine < 0)
		return 0;
	snprintf(name, sizeof(name), "ring %u", (unsigned int)d->ring);
	nr = grt_out_ring(&im->rings, (struct grt_piece){ "", 0 }, (struct grt_piece){ "", 0 },
			  (struct grt_piece){ name, strlen(name) });
	if (nr && d->engine >= 0)
		grt_out_ring_engine(&im->rings, nr, d->engine);
	return nr;
}

static const struct {
	uint16_t type;
	enum grt_fact fact;
} facts[] = {
	{ GRTRACE_END, GRT_FACT_END }, { GRTRACE_END, GRT_FACT_OVER },
	{ GRTRACE_COMPLETE, GRT_FACT_COMPLETE }, { GRTRACE_COMPLETE, GRT_FACT_OVER },
	{ GRTRACE_DEPENDENCY, GRT_FACT_DEPENDENCY },
};

static void set_submitter(struct grt_import *im, const struct grt_foreign *ev, struct grtrace_submit *rec)
{
	const struct grt_merged_ioctl *ioctl = grt_merged_submitter(&im->merged, ev->ts, ev->piece[DELTA]);
	struct grt_foreign named = { .ts = ev->ts };

	if (!ioctl || !ioctl->tid)
		return;
	rec->tgid = rec->tid = named.tid = ioctl->tid;
	memcpy(named.comm, ioctl->comm, sizeof(named.comm));
	grt_out_procs_name(&im->procs, rec->tgid, &named);
}

static void on_gpu(struct grt_import *im, const struct grt_foreign *ev)
{
	struct draft d;
	const struct grt_field *ring;
	struct grtrace_hdr *rec;
	size_t bytes;
	uint32_t nr;

	if (!read_draft(&d, ev))
		return;
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if (facts[i].type == d.type->number)
			grt_note(im, facts[i].fact);
	ring = grt_field_by_name(d.type, "ring");
	nr = ring ? ring_of(im, &d) : 0;
	bytes = d.type->bytes + (grt_type_tail(d.type) ? (d.text_len / 8 + 1) * 8 : 0);
	rec = grt_out_add(&im->out, 0, ev->ts, d.type->number, bytes, d.flags);
	if (!rec)
		return;
	memcpy(rec + 1, (char *)d.bytes + sizeof(*rec), d.type->bytes - sizeof(*rec));
	memcpy((char *)rec + d.type->bytes, d.text, bytes > d.type->bytes ? d.text_len : 0);
	if (ring)
		memcpy((char *)rec + ring->offset, &nr, sizeof(nr));
	if (d.type->number == GRTRACE_SUBMIT)
		set_submitter(im, ev, (struct grtrace_submit *)rec);
}

/* --- events of CPUs --- */

static void put_ioctl(struct grt_import *im, const struct grt_foreign *ev, const struct grt_merged_ioctl *ioctl)
{
	struct grt_piece values = ev->text, key, value;
	struct grt_foreign named = { .ts = ev->ts, .tid = ioctl->tid };
	struct grtrace_ioctl *rec = grt_out_add(&im->out, 0, ev->ts, GRTRACE_IOCTL, sizeof(*rec), 0);
	uint64_t cmd = 0;

	if (!rec)
		return;
	while (grt_merged_line_value(&values, &key, &value))
		if (grt_piece_is(key, "cmd"))
			grt_merged_number(value, &cmd);
	rec->cmd = cmd;
	rec->tgid = rec->tid = ioctl->tid;
	memcpy(named.comm, ioctl->comm, sizeof(named.comm));
	grt_out_procs_name(&im->procs, rec->tgid, &named);
}

static void on_cpu(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_merged_ioctl ioctl;

	if (grt_merged_cpu(&im->merged, ev->name, ev->ts, ev->piece[DELTA], &ioctl) == GRT_MERGED_ENTER &&
	    ioctl.tid)
		put_ioctl(im, ev, &ioctl);
}
