// SPDX-License-Identifier: GPL-2.0
#include "event_text.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>
#include <trace-seq.h>

#include "error.h"
#include "probe_define.h"

/*
 * Addresses of the kernel, on x86-64 and arm64.  Greater numbers are small negative ones, such as error
 * codes: some events keep these in types without a sign.
 */
#define FIRST_ADDRESS	0xffff000000000000ull
#define LAST_ADDRESS	0xffffffffffdfffffull

#define MOST_BYTES	65536	/* of an event */
#define PADDING		16

#define MOST_ADDRESSES	(1u << 20)	/* that are told apart; later ones become 0 */

void grt_event_text_free(struct grt_event_text *t)
{
	if (t->seq)
		trace_seq_destroy(t->seq);
	free(t->seq);
	grt_vec_free(&t->data);
	grt_map_free(&t->addresses);
	grt_kallsyms_free(&t->functions);
}

/* Whether the kernel prints the name of a function: "%ps" and the like */
static bool prints_name(const char *format)
{
	for (; format && (format = strstr(format, "%p")); format += strlen("%p"))
		if (format[2] && strchr("sSfFB", format[2]))
			return true;
	return false;
}

/* Called by libtraceevent for "%ps".  *@number is the small number that stands for the address. */
static char *find_name(void *text, unsigned long long *number, char **module)
{
	const struct grt_event_text *t = text;
	uint64_t address, start;
	const char *name;

	(void)module;
	if (!*number || *number > grt_map_count(&t->addresses))
		return NULL;
	address = grt_map_at(&t->addresses, *number - 1)->key;
	name = grt_kallsyms_find(&t->functions, address, &start);
	/* libtraceevent prints the distance from *@number to its own number as an offset. */
	if (name)
		*number -= address - start;
	return (char *)name;
}

int grt_event_text_add(struct grt_event_text *t, const struct tep_event *event)
{
	if (!prints_name(event->print_fmt.format) || t->functions.rows.bytes)
		return 0;
	if (tep_set_function_resolver(t->tep, find_name, t))
		return grt_fail_memory();
	/* Without names, the numbers of addresses are printed. */
	return grt_kallsyms_read(&t->functions) == -ENOMEM ? -ENOMEM : 0;
}

/* 0 or -ENOMEM. */
static int hide_address(struct grt_event_text *t, uint64_t *word)
{
	uint64_t *number;

	if (*word < FIRST_ADDRESS || *word > LAST_ADDRESS)
		return 0;
	if (grt_map_count(&t->addresses) >= MOST_ADDRESSES && !grt_map_get(&t->addresses, *word)) {
		if (!t->lacks_addresses)
			grt_warn(NULL, "trace events have more than %u addresses: further ones are 0 in their texts",
				 MOST_ADDRESSES);
		t->lacks_addresses = true;
		*word = 0;
		return 0;
	}
	number = grt_map_put(&t->addresses, *word);
	if (!number)
		return -ENOMEM;
	if (!*number)
		*number = grt_map_count(&t->addresses);
	*word = *number;
	return 0;
}

/* Whether a part of @len bytes is inside of the first @size. */
static bool is_inside(size_t at, size_t len, size_t size)
{
	return at <= size && len <= size - at;
}

/* Where the values of a field are; false: outside of the record, of @size bytes. */
static bool find_bytes(struct grt_event_text *t, const struct tep_format_field *f, size_t size,
		       size_t *at, size_t *len)
{
	char *place = (char *)t->data.data + f->offset;
	uint32_t words = 0;

	*at = f->offset;
	*len = f->size ? (size_t)f->size : size - f->offset;	/* 0: "u64 args[]" */
	if (!(f->flags & TEP_FIELD_IS_DYNAMIC))
		return is_inside(*at, *len, size);
	memcpy(&words, place, f->size < 4 ? f->size : 4);
	*at = (words & 0xffff) + (f->flags & TEP_FIELD_IS_RELATIVE ? f->offset + f->size : 0);
	*len = words >> 16;
	if (is_inside(*at, *len, size))
		return true;
	/* libtraceevent would read it. */
	memset(place, 0, f->size);
	return false;
}

/* Whether a field may hold addresses; a set of CPUs looks like some. */
static bool may_hold(const struct tep_format_field *f)
{
	unsigned int bytes = f->elementsize;

	if (f->flags & TEP_FIELD_IS_STRING || strstr(f->type, "cpumask"))
		return false;
	if (f->flags & TEP_FIELD_IS_POINTER)
		return true;
	/* A struct, whose members are not known, may have some. */
	return !(f->flags & TEP_FIELD_IS_SIGNED) && bytes != 1 && bytes != 2 && bytes != 4;
}

static int hide_addresses(struct grt_event_text *t, const struct tep_event *event, size_t size)
{
	size_t at, len;
	uint64_t word;
	int err = 0;

	for (const struct tep_format_field *f = event->format.fields; f; f = f->next) {
		if (!find_bytes(t, f, size, &at, &len) || !may_hold(f))
			continue;
		for (; !err && len >= sizeof(word); at += sizeof(word), len -= sizeof(word)) {
			memcpy(&word, (char *)t->data.data + at, sizeof(word));
			err = hide_address(t, &word);
			memcpy((char *)t->data.data + at, &word, sizeof(word));
		}
	}
	return err;
}

/*
 * Copies a record and appends zeros: libtraceevent does not check where a record ends, and would read
 * the fields, and the end of a text, behind one that is too short.  0 or -errno with a cause.
 */
static int copy_record(struct grt_event_text *t, const struct tep_record *record,
		       const struct tep_event *event)
{
	size_t bytes = record->size, end;
	char *copy;

	for (const struct tep_format_field *f = event->format.fields; f; f = f->next) {
		if (f->offset < 0 || f->size < 0 || f->offset > MOST_BYTES || f->size > MOST_BYTES)
			return grt_fail(EBADMSG, NULL, "the format of the event '%s' is damaged", event->name);
		end = f->offset + f->size;
		bytes = end > bytes ? end : bytes;
	}
	t->data.bytes = 0;
	copy = grt_vec_grow(&t->data, bytes + PADDING);
	if (!copy)
		return grt_fail_memory();
	memcpy(copy, record->data, record->size);
	memset(copy + record->size, 0, bytes + PADDING - record->size);
	return 0;
}

/* The group of a recording's own probes has numbers in its name, which tell nobody anything. */
static const char *shown_system(const struct grt_event_text *t, const struct tep_event *event)
{
	return t->own_group && !strcmp(event->system, t->own_group) ? GRT_PROBE_GROUP : event->system;
}

/* A probe's text begins with its address in brackets, which its name tells better. */
static void drop_place(struct trace_seq *seq)
{
	char *from = memchr(seq->buffer, '(', seq->len), *to = from ? strchr(from, ')') : NULL;

	if (!to)
		return;
	to += to[1] == ' ' ? 2 : 1;
	memmove(from, to, strlen(to) + 1);
	seq->len -= to - from;
}

/* If libtraceevent does not understand how the kernel prints the event, prints names and values. */
static void print_fields(struct grt_event_text *t, struct tep_event *event, struct tep_record *copy)
{
	trace_seq_reset(t->seq);
	trace_seq_printf(t->seq, "%s:%s", shown_system(t, event), event->name);
	if (event->flags & TEP_EVENT_FL_FAILED) {
		tep_print_fields(t->seq, copy->data, copy->size, event);
	} else {
		trace_seq_putc(t->seq, ' ');
		tep_print_event(t->tep, t->seq, copy, "%s", TEP_PRINT_INFO);
	}
	trace_seq_terminate(t->seq);
	if (!strcmp(shown_system(t, event), GRT_PROBE_GROUP))
		drop_place(t->seq);
}

static size_t cut(struct trace_seq *seq, size_t most)
{
	static const char dots[] = "...";
	size_t len = strnlen(seq->buffer, seq->len);

	while (len && strchr("\n ", seq->buffer[len - 1]))
		len--;
	if (len <= most)
		return len;
	memcpy(seq->buffer + most - strlen(dots), dots, strlen(dots));
	return most;
}

int grt_event_text_print(struct grt_event_text *t, const struct tep_record *record, size_t most,
			 struct grt_piece *text)
{
	struct tep_record copy = *record;
	struct tep_event *event = tep_find_event_by_record(t->tep, &copy);
	int err;

	if (!event)
		return grt_fail(ENOENT, NULL, "an event has no format");
	err = copy_record(t, record, event);
	if (err)
		return err;
	if (hide_addresses(t, event, record->size))
		return grt_fail_memory();
	if (!t->seq) {
		t->seq = calloc(1, sizeof(*t->seq));
		if (!t->seq)
			return grt_fail_memory();
		trace_seq_init(t->seq);
	}
	copy.data = t->data.data;
	print_fields(t, event, &copy);
	if (t->seq->state != TRACE_SEQ__GOOD)
		return grt_fail_memory();
	*text = (struct grt_piece){ t->seq->buffer, cut(t->seq, most) };
	return 0;
}
