// SPDX-License-Identifier: LGPL-2.1
/* Numbers are printed by hand: there are millions of lines, and printf() takes most of the time. */
#include "timeline.h"

#include <errno.h>
#include <string.h>

#include "describe.h"
#include "error.h"
#include "event_private.h"
#include "key_names.h"
#include "number.h"
#include "quote.h"

/* Types whose lines have only the key; their other fields are for reports. */
#define KEY_ONLY	(1u << GRTRACE_SUBMIT | 1u << GRTRACE_COMMIT | 1u << GRTRACE_START | \
			 1u << GRTRACE_END)

/* --- parts of a line --- */

static void flush(struct grt_timeline_sink *s)
{
	if (s->used && fwrite_unlocked(s->line, 1, s->used, s->out) != s->used && !s->err)
		s->err = errno ? errno : EIO;
	s->used = 0;
}

static void put(struct grt_timeline_sink *s, const char *text, size_t len)
{
	if (len > sizeof(s->line) - s->used)
		flush(s);
	if (len > sizeof(s->line))
		len = sizeof(s->line);
	memcpy(s->line + s->used, text, len);
	s->used += len;
}

#define PUT(s, text)	put(s, text, sizeof(text) - 1)

static void put_name(struct grt_timeline_sink *s, const char *name)
{
	put(s, name, strlen(name));
}

static void put_u64(struct grt_timeline_sink *s, uint64_t n)
{
	char digits[GRT_DIGITS_MAX];
	const char *at = grt_digits(digits, n);

	put(s, at, digits + sizeof(digits) - at);
}

static void put_s64(struct grt_timeline_sink *s, int64_t n)
{
	if (n < 0)
		PUT(s, "-");
	put_u64(s, n < 0 ? -(uint64_t)n : (uint64_t)n);
}

static void put_hex(struct grt_timeline_sink *s, uint64_t n)
{
	char digits[18], *at = digits + sizeof(digits);

	do
		*--at = "0123456789abcdef"[n & 15];
	while (n >>= 4);
	*--at = 'x';
	*--at = '0';
	put(s, at, digits + sizeof(digits) - at);
}

/* A number with so many digits, with zeros in front. */
static void put_digits(struct grt_timeline_sink *s, uint32_t n, int count)
{
	char digits[10];

	for (int i = count; i--; n /= 10)
		digits[i] = '0' + n % 10;
	put(s, digits, count);
}

static void put_stamp(struct grt_timeline_sink *s, uint64_t ns, bool has_ns)
{
	PUT(s, "[");
	put_u64(s, ns / 1000000000);
	PUT(s, ".");
	if (has_ns)
		put_digits(s, ns % 1000000000, 9);
	else
		put_digits(s, ns % 1000000000 / 1000, 6);
	PUT(s, "] ");
}

/* Cut to microseconds, not rounded: a line never seems to come after a later one. */
static void begin_line(struct grt_timeline_sink *s, uint64_t ns, const char *side, const char *type)
{
	put_stamp(s, ns, false);
	put_name(s, side);
	put_name(s, type);
}

static bool end_line(struct grt_timeline_sink *s)
{
	PUT(s, "\n");
	flush(s);
	return !s->err;
}

/* Untrusted text. */
static void put_comm(struct grt_timeline_sink *s, const char *comm)
{
	char quoted[64];

	put_name(s, grt_quote_text(quoted, sizeof(quoted), comm));
}

/* 800ns, 121us, 10.15ms, 1.25s */
static void put_time(struct grt_timeline_sink *s, uint64_t ns)
{
	bool is_long = ns >= 1000000000;
	uint64_t hundredths = is_long ? ns / 10000000 : (ns + 5000) / 10000;

	if (ns < 1000) {
		put_u64(s, ns);
		PUT(s, "ns");
	} else if (ns < 999500) {
		put_u64(s, (ns + 500) / 1000);
		PUT(s, "us");
	} else {
		put_u64(s, hundredths / 100);
		PUT(s, ".");
		put_digits(s, hundredths % 100, 2);
		put_name(s, is_long ? "s" : "ms");
	}
}

/* --- events of CPUs --- */

static void put_enter(struct grt_timeline_sink *s, const struct grt_cpu_event *ev)
{
	PUT(s, " cmd=");
	if (ev->has & GRT_CPU_HAS_CMD)
		put_hex(s, ev->cmd);
	else
		PUT(s, "-");
	PUT(s, ", arg=");
	if (ev->has & GRT_CPU_HAS_ARG)
		put_hex(s, ev->arg);
	else
		PUT(s, "-");
}

static void put_exit(struct grt_timeline_sink *s, const struct grt_cpu_event *ev)
{
	PUT(s, " ret=");
	if (ev->has & GRT_CPU_HAS_RET)
		put_s64(s, ev->ret);
	else
		PUT(s, "-");
	PUT(s, ", duration_ns=");
	if (ev->has & GRT_CPU_HAS_DURATION)
		put_u64(s, ev->duration_ns);
	else
		PUT(s, "-");
}

bool grt_timeline_print_cpu(struct grt_timeline_sink *s, const struct grt_cpu_event *ev)
{
	bool is_exit = ev->type == GRT_IOCTL_EXIT;

	begin_line(s, ev->ts, "CPU ", is_exit ? "IOCTL_EXIT" : "IOCTL_ENTER");
	if (is_exit)
		put_exit(s, ev);
	else
		put_enter(s, ev);
	if (s->has_deltas) {
		PUT(s, " <- ");
		put_comm(s, *ev->comm ? ev->comm : "-");
		PUT(s, "(");
		put_u64(s, ev->pid ? ev->pid : ev->tid);
		PUT(s, ")");
	}
	return end_line(s);
}

/* --- lines that grtrace reads again --- */

/* The value, if it is known. */
static void put_key_hex(struct grt_timeline_sink *s, const char *key, uint64_t n, bool is_known)
{
	if (!is_known)
		return;
	put_name(s, key);
	put_hex(s, n);
}

static void put_key_s64(struct grt_timeline_sink *s, const char *key, int64_t n, bool is_known)
{
	if (!is_known)
		return;
	put_name(s, key);
	put_s64(s, n);
}

bool grt_timeline_print_ioctl(struct grt_timeline_sink *s, const struct grt_cpu_event *ev,
			      const char *name)
{
	put_stamp(s, ev->ts, s->has_ns);
	put_name(s, ev->type == GRT_IOCTL_EXIT ? "IOCTL_EXIT pid=" : "IOCTL_ENTER pid=");
	put_u64(s, ev->pid);
	PUT(s, " tid=");
	put_u64(s, ev->tid);
	PUT(s, " comm=");
	put_comm(s, ev->comm);
	put_key_hex(s, " cmd=", ev->cmd, ev->has & GRT_CPU_HAS_CMD);
	put_key_hex(s, " arg=", ev->arg, ev->has & GRT_CPU_HAS_ARG);
	put_key_s64(s, " ret=", ev->ret, ev->has & GRT_CPU_HAS_RET);
	put_key_s64(s, " duration_ns=", ev->duration_ns, ev->has & GRT_CPU_HAS_DURATION);
	if (name) {
		PUT(s, " name=");
		put_name(s, name);
	}
	return end_line(s);
}

bool grt_timeline_print_comment(struct grt_timeline_sink *s, const char *text)
{
	PUT(s, "# ");
	put_name(s, text);
	return end_line(s);
}

/* --- events of a trace --- */

/* How the lines of a type look. */
struct plan {
	const struct grt_field *ctx, *seqno, *ring;	/* NULL: it has none */
	bool has_made;
};

static const struct plan *plan_of(const struct grt_type *type)
{
	static struct plan plans[GRTRACE_NR_EVENTS], other;
	struct plan *plan = type->number < GRTRACE_NR_EVENTS ? &plans[type->number] : &other;

	if (plan->has_made && plan != &other)
		return plan;
	*plan = (struct plan){
		.ctx = grt_field_by_name(type, "ctx"), .seqno = grt_field_by_name(type, "seqno"),
		.ring = grt_field_by_name(type, "ring"), .has_made = true,
	};
	return plan;
}

/* The ring of the record, or that of the latest SUBMIT of its context.  NULL: not known. */
static const struct grt_ring *ring_of(const struct plan *plan, struct grt_event_names *names,
				      const struct grtrace_hdr *rec)
{
	uint64_t id = plan->ring ? grt_field_u64(plan->ring, rec) : 0;
	struct grt_event_view view;
	uint32_t row;

	if (!id)
		return grt_event_view(&view, names, rec) ? view.ring : NULL;
	row = grt_names_ring_row(&names->names, id);
	return row == GRT_NONE ? NULL : grt_names_ring_at(&names->names, row);
}

static void put_ring(struct grt_timeline_sink *s, const struct grt_ring *ring)
{
	const char *engine = ring && ring->is_defined ? grt_engine_name(ring->engine) : NULL;

	PUT(s, "engine=");
	put_name(s, engine ? engine : "-");
	PUT(s, ", ring=");
	if (ring)
		put_u64(s, ring->id);
	else
		PUT(s, "-");
}

/* "ctx_id=0x1234, engine=GRAPHICS, ring=1, seqno=42", as far as the type has them. */
static void put_key(struct grt_timeline_sink *s, const struct plan *plan,
		    struct grt_event_names *names, const struct grtrace_hdr *rec)
{
	uint64_t ctx = plan->ctx ? grt_field_u64(plan->ctx, rec) : 0;
	uint64_t seqno = plan->seqno ? grt_field_u64(plan->seqno, rec) : 0;

	if (plan->ctx) {
		PUT(s, " ctx_id=");
		if (ctx)
			put_hex(s, ctx);
		else
			PUT(s, "-");
	}
	if (plan->ctx || plan->ring) {
		put_name(s, plan->ctx ? ", " : " ");
		put_ring(s, ring_of(plan, names, rec));
	}
	if (plan->seqno) {
		PUT(s, ", seqno=");
		if (ctx && (seqno || rec->type != GRTRACE_CTX_SWITCH))
			put_u64(s, seqno);
		else
			PUT(s, "-");
	}
}

/* A quoted text of any length, with quotes around it. */
static void put_text(struct grt_timeline_sink *s, const struct grt_type *type,
		     const struct grt_field *f, const struct grtrace_hdr *rec)
{
	size_t bytes;
	const char *text = grt_field_text(type, f, rec, &bytes);

	flush(s);
	grt_quote_string(s->out, text, bytes);
}

static void put_value(struct grt_timeline_sink *s, const struct grt_type *type,
		      const struct grt_field *f, const struct grtrace_hdr *rec)
{
	const struct grt_table *values = grt_field_enum(f);
	uint64_t value;
	const char *name;

	if (f->kind == GRT_KIND_TEXT) {
		put_text(s, type, f, rec);
		return;
	}
	value = grt_field_u64(f, rec);
	name = values ? grt_value_name(values, value) : NULL;
	if (!grt_event_knows(f, rec))
		PUT(s, "-");
	else if (name)
		put_name(s, name);
	else if (f->kind == GRT_KIND_SINT)
		put_s64(s, value);
	else if (f->kind == GRT_KIND_HEX)
		put_hex(s, value);
	else
		put_u64(s, value);
}

static bool is_ctx(const struct grt_field *f)
{
	size_t len = strlen(f->name);

	return len >= 3 && !strcmp(f->name + len - 3, "ctx");
}

static void put_others(struct grt_timeline_sink *s, const struct plan *plan,
		       const struct grt_type *type, const struct grtrace_hdr *rec)
{
	const struct grt_tail *tail = grt_type_tail(type);
	bool is_first = !plan->ctx && !plan->ring;

	for (unsigned int i = 0; i < type->nr_fields; i++) {
		const struct grt_field *f = &type->fields[i];

		if (f->kind == GRT_KIND_RSVD || f == plan->ctx || f == plan->ring || f == plan->seqno)
			continue;
		put_name(s, is_first ? " " : ", ");
		is_first = false;
		put_name(s, f->name);
		/* Contexts look the same everywhere. */
		if (is_ctx(f)) {
			PUT(s, "_id=");
			put_hex(s, grt_field_u64(f, rec));
		} else {
			PUT(s, "=");
			put_value(s, type, f, rec);
		}
	}
	if (tail) {
		put_name(s, is_first ? " " : ", ");
		put_name(s, tail->name);
		PUT(s, "=");
		put_text(s, type, NULL, rec);
	}
}

static void put_delta(struct grt_timeline_sink *s, const struct grt_delta *delta)
{
	static const char *const words[] = {
#define GRT_X(NAME, text) text,
		GRT_DELTAS(GRT_X)
#undef GRT_X
	};

	if (delta->kind == GRT_DELTA_NONE)
		return;
	PUT(s, " <- ");
	put_time(s, delta->ns);
	PUT(s, " ");
	put_name(s, words[delta->kind]);
	/* The word that reports use. */
	if (delta->is_inferred)
		PUT(s, ", inferred_start");
}

bool grt_timeline_print_gpu(struct grt_timeline_sink *s, const struct grtrace_hdr *rec,
			    uint64_t ns, struct grt_event_names *names,
			    const struct grt_delta *delta)
{
	const struct grt_type *type = grt_type_by_number(rec->type);
	const struct plan *plan;

	if (!type)
		return true;
	plan = plan_of(type);
	begin_line(s, ns, "GPU ", type->name);
	put_key(s, plan, names, rec);
	if (rec->type >= 32 || !(KEY_ONLY >> rec->type & 1))
		put_others(s, plan, type, rec);
	if (rec->flags) {
		flush(s);
		grt_event_flags(s->out, rec, ", flags=", "|", "");
	}
	if (s->has_deltas)
		put_delta(s, delta);
	return end_line(s);
}
