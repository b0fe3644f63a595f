// SPDX-License-Identifier: GPL-2.0
/*
 * The emit file: events written by hand.  They pass the same code as real events
 * and carry the flag SYNTHETIC, so that no report mixes them in silently.
 *
 * The parser uses the table of fields, so it needs no change for a new field.
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/grtrace_hook.h>
#include <uapi/linux/grtrace_fields.h>

#include "../emit.h"
#include "../processes.h"
#include "../rings.h"
#include "control.h"

#define TEXT_MAX	512	/* a line */
#define COUNT_MAX	10000000

enum value_kind { KIND_ID, KIND_UINT, KIND_SINT, KIND_HEX, KIND_TEXT, KIND_ENGINE,
		  KIND_ORDER, KIND_CLOCK, KIND_ERRCODE, KIND_MEMOP, KIND_GAUGE, KIND_FATE,
		  KIND_RSVD };

struct field {
	const char *name;
	u16 offset, bytes;
	enum value_kind kind;
};

#define ROW(ev, member, at, k, unit, text) \
	{ #member, at, sizeof(((struct grtrace_##ev *)0)->member), KIND_##k },
enum type_class { CLASS_JOB, CLASS_KEY, CLASS_EVENT };

#define LIST(NAME) ((const struct field[]){ GRTRACE_##NAME##_FIELDS(ROW) })
#define TYPE(NAME, ev, nr, class, text) [nr] = { #ev, CLASS_##class, \
	sizeof(struct grtrace_##ev), LIST(NAME), ARRAY_SIZE(LIST(NAME)) },
static const struct type {
	const char *name;
	enum type_class class;
	u16 bytes;
	const struct field *fields;
	unsigned int nr_fields;
} types[] = { GRTRACE_EVENT_TYPES(TYPE) };

#define ENGINE(NAME, nr, text) { #NAME, nr },
static const struct { const char *name; u32 engine; } engine_names[] = {
	GRTRACE_ENGINES(ENGINE)
	{ "gfx", GRTRACE_ENGINE_GRAPHICS }, { "render", GRTRACE_ENGINE_GRAPHICS },
	{ "comp", GRTRACE_ENGINE_COMPUTE }, { "sdma", GRTRACE_ENGINE_COPY },
	{ "dma", GRTRACE_ENGINE_COPY }, { "blit", GRTRACE_ENGINE_COPY },
};

#define FLAG(NAME, bit, types, text) { #NAME, bit, types },
static const struct { const char *name; u16 bit; u32 types; } flag_names[] = {
	GRTRACE_FLAGS(FLAG)
};

/* A line while it is parsed, and the record made from it. */
struct draft {
	union {
		struct grtrace_hdr hdr;
		struct grtrace_job_key key;
		u8 bytes[sizeof(struct grtrace_job) + TEXT_MAX + 8];
	};
	u64 count;
	u64 ctx, seqno;
	u64 ring;
	u32 engine;
};

int grt_emit_cmd_show(struct seq_file *m)
{
	unsigned int i, j;

	seq_puts(m, "# [emit] TYPE CTX ENGINE RING SEQ [FIELD=VALUE ...] [flags=FLAG|FLAG...] [count=N]\n"
		 "# count=N repeats the line with SEQ, SEQ+1, ...\n"
		 "# ENGINE: a name or number:");
	for (i = 0; i < ARRAY_SIZE(engine_names); i++)
		seq_printf(m, " %s", engine_names[i].name);
	seq_puts(m, "\n# FLAG: a number, or a name that TYPE allows:");
	for (i = 0; i < ARRAY_SIZE(flag_names); i++)
		seq_printf(m, " %s", flag_names[i].name);
	seq_puts(m, "\n# TYPE and its FIELDs; text= takes the rest of the line:\n");
	for (i = 0; i < ARRAY_SIZE(types); i++) {
		seq_printf(m, "%s", types[i].name);
		for (j = 0; j < types[i].nr_fields; j++)
			if (types[i].fields[j].kind != KIND_RSVD)
				seq_printf(m, " %s", types[i].fields[j].name);
		seq_puts(m, grt_has_text(i) ? " text\n" : "\n");
	}
	return 0;
}

static int parse_engine(const char *text, u32 *engine)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(engine_names); i++) {
		if (!strcasecmp(text, engine_names[i].name)) {
			*engine = engine_names[i].engine;
			return 0;
		}
	}
	if (!kstrtou32(text, 0, engine) && *engine < GRTRACE_NR_ENGINES)
		return 0;
	return grtrace_ctl_error("emit: ENGINE is '%s', allowed 0..%d or a name; read emit",
			     text, GRTRACE_NR_ENGINES - 1);
}

static int parse_u64(const char *what, const char *text, u64 most, u64 *value)
{
	if (text && !kstrtou64(text, 0, value) && *value <= most)
		return 0;
	return grtrace_ctl_error("emit: %s is '%s', allowed 0..%llu", what, text ?: "",
			     most);
}

/* Puts a number into a field; a signed one may be negative. */
static int set_field(struct draft *d, const struct field *f, const char *text)
{
	unsigned int bits = 8 * f->bytes;
	u64 most = bits == 64 ? U64_MAX : (1ULL << bits) - 1;
	s64 number;
	u64 value;

	if (f->kind == KIND_SINT) {
		if (kstrtos64(text, 0, &number) || number < S32_MIN || number > S32_MAX)
			return grtrace_ctl_error("emit: %s is '%s', allowed %d..%d",
					     f->name, text, S32_MIN, S32_MAX);
		value = number;
	} else if (parse_u64(f->name, text, most, &value)) {
		return -EINVAL;
	}
	memcpy(d->bytes + f->offset, &value, f->bytes);	/* little endian only */
	return 0;
}

static const struct field *find_field(const struct type *t, const char *name)
{
	unsigned int i;

	for (i = 0; i < t->nr_fields; i++)
		if (t->fields[i].kind != KIND_RSVD && !strcmp(t->fields[i].name, name))
			return &t->fields[i];
	return NULL;
}

/* Names or numbers with | between them. */
static int parse_flags(struct draft *d, char *text)
{
	unsigned int i;
	char *word;
	u64 bits;

	while ((word = strsep(&text, "|"))) {
		for (i = 0; i < ARRAY_SIZE(flag_names); i++)
			if (!strcasecmp(word, flag_names[i].name) &&
			    flag_names[i].types >> d->hdr.type & 1)
				break;
		if (i < ARRAY_SIZE(flag_names))
			bits = 1 << flag_names[i].bit;
		else if (parse_u64("flags", word, U16_MAX, &bits))
			return -EINVAL;
		d->hdr.flags |= bits;
	}
	return 0;
}

/* Parses @name=@value. */
static int parse_pair(struct draft *d, const struct type *t, const char *name,
		      char *value)
{
	const struct field *f = find_field(t, name);

	if (f)
		return set_field(d, f, value);
	if (!strcmp(name, "count"))
		return parse_u64("count", value, COUNT_MAX, &d->count);
	if (!strcmp(name, "flags"))
		return parse_flags(d, value);
	return grtrace_ctl_error("emit: %s has no field '%s'; read emit", t->name, name);
}

static int parse_pairs(struct draft *d, const struct type *t, char *rest)
{
	char *word, *value;

	while (rest && *(rest = skip_spaces(rest))) {
		if (grt_has_text(t - types) && !strncmp(rest, "text=", 5)) {
			rest += 5;
			strscpy(d->bytes + t->bytes, rest, TEXT_MAX);
			d->hdr.size = ALIGN(t->bytes + strlen(rest) + 1, 8);
			return 0;
		}
		word = strsep(&rest, " \t");
		value = word;
		strsep(&value, "=");
		if (!value)
			return grtrace_ctl_error("emit: '%s' is not FIELD=VALUE", word);
		if (parse_pair(d, t, word, value))
			return -EINVAL;
	}
	return 0;
}

static const struct type *parse_type(const char *word)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcasecmp(word, types[i].name))
			return &types[i];
	grtrace_ctl_error("emit: no type '%s'; read emit for all", word);
	return NULL;
}

static char *next_word(char **line)
{
	*line = *line ? skip_spaces(*line) : NULL;
	return *line && **line ? strsep(line, " \t") : NULL;
}

/* Puts the positional words, and current's ids, into the record. */
static void place_key(struct draft *d, const struct type *t)
{
	const struct field *f = find_field(t, "ring");

	if (t->class != CLASS_EVENT) {
		d->key.ctx = d->ctx;
		d->key.seqno = d->seqno;
	}
	if (f)
		memcpy(d->bytes + f->offset, &d->ring, f->bytes);
	f = find_field(t, "tgid");
	if (f)
		memcpy(d->bytes + f->offset, &current->tgid, f->bytes);
	f = find_field(t, "tid");
	if (f)
		memcpy(d->bytes + f->offset, &current->pid, f->bytes);
}

static int parse_line(struct draft *d, char *line)
{
	char *word = next_word(&line);
	const struct type *t;

	if (word && !strcasecmp(word, "emit"))
		word = next_word(&line);
	t = word ? parse_type(word) : NULL;
	if (!t)
		return word ? -EINVAL : grtrace_ctl_error("emit: the line is empty; read emit");
	d->hdr.type = t - types;
	d->hdr.size = t->bytes;
	d->hdr.flags = GRTRACE_F_SYNTHETIC;
	d->count = 1;
	if (parse_u64("CTX", next_word(&line), U64_MAX, &d->ctx))
		return -EINVAL;
	word = next_word(&line);
	if (parse_engine(word ?: "", &d->engine) ||
	    parse_u64("RING", next_word(&line), U32_MAX, &d->ring) ||
	    parse_u64("SEQ", next_word(&line), U64_MAX, &d->seqno))
		return -EINVAL;
	place_key(d, t);
	return parse_pairs(d, t, line);
}

static int make_ring(const struct draft *d)
{
	switch (grt_ring_make_up(d->ring, d->engine)) {
	case 0:
		return 0;
	case -EBUSY:
		return grtrace_ctl_error("emit: ring %llu has another engine; read rings",
				     d->ring);
	default:
		return grtrace_ctl_error("emit: RING is %llu, allowed 0..1023", d->ring);
	}
}

int grt_emit_cmd_store(char *line)
{
	int err = -ENOMEM;
	struct draft *d;
	u64 i;

	if (strlen(line) > TEXT_MAX)
		return grtrace_ctl_error("emit: a line of %zu bytes, at most %d are allowed",
					 strlen(line), TEXT_MAX);
	d = kzalloc(sizeof(*d), GFP_KERNEL);
	if (!d)
		return grt_ctl_fail(err, "emit: no memory");
	err = parse_line(d, line);
	if (!err)
		err = make_ring(d);
	if (err)
		goto free;
	if (d->hdr.type == GRTRACE_SUBMIT)
		grt_process_note();
	for (i = 0; i < d->count && !fatal_signal_pending(current); i++) {
		grtrace_write(&d->hdr, d->ring);
		if (types[d->hdr.type].class != CLASS_EVENT)
			d->key.seqno++;
		cond_resched();
	}
free:
	kfree(d);
	return err;
}
