// SPDX-License-Identifier: GPL-2.0
/*
 * Format: trace-cmd's Documentation/trace-cmd/trace-cmd.dat.v6.5.txt; pages of the ring
 * buffer: include/linux/ring_buffer.h.
 */
#include "dat.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PAGE		4096u
#define PAGE_HEAD	16u		/* time of the first event, number of used bytes */
#define MAX_RECORD	1024u
#define FIRST_ID	300		/* of an event, kind 0 */
#define COMMON		8u		/* size of the fields that each record has */

/* In the page's size: events are missing before it, and their number is at its end. */
#define MISSED		(1u << 31)
#define MISSED_STORED	(1u << 30)

#define TIME_EXTEND	30u
#define DELTA_BITS	27

enum option { OPTION_CPUSTAT = 2, OPTION_CLOCK = 4, OPTION_UNAME = 5, OPTION_STRAY = 8, OPTION_TSC2NSEC = 14 };

static const char header_page[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";

static const char header_event[] =
	"# compressed entry header\n"
	"\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n\tarray       :   32 bits\n\n"
	"\tpadding     : type == 29\n\ttime_extend : type == 30\n\ttime_stamp : type == 31\n"
	"\tdata max type_len  == 28\n";

static const char symbols[] = "ffffffff81000000 T tracing_mark_write\n";

/* The current page, and what follows from the previous one. */
struct page {
	unsigned char bytes[PAGE];
	size_t used;			/* including its head; 0: there is no page */
	uint64_t last_ns;
	int64_t missed;			/* before it */
};

static void put(struct grt_vec *to, const void *data, size_t bytes)
{
	if (grt_vec_append(to, data, bytes))
		abort();
}

static void put_number(struct grt_vec *to, uint64_t number, size_t bytes)
{
	put(to, &number, bytes);
}

/* Writes the text after its size, which has @size_bytes. */
static void put_sized(struct grt_vec *to, const char *text, size_t size_bytes)
{
	put_number(to, strlen(text), size_bytes);
	put(to, text, strlen(text));
}

/* With a NUL, which libtracecmd needs. */
static void put_option(struct grt_vec *to, enum option id, const char *text)
{
	put_number(to, id, 2);
	put_number(to, strlen(text) + 1, 4);
	put(to, text, strlen(text) + 1);
}

static const struct dat_event *event_at(const struct dat *d, size_t i)
{
	return grt_vec_at(&d->events, struct dat_event, i);
}

static size_t event_count(const struct dat *d)
{
	return grt_vec_count(&d->events, struct dat_event);
}

/* --- formats --- */

/* The offset of a field that follows @at. */
static unsigned int place(unsigned int at, const struct dat_field *f)
{
	unsigned int to = f->size == 8 ? 8 : 4;

	return (at + to - 1) / to * to;
}

static void put_format(struct grt_vec *to, enum dat_kind_nr nr)
{
	const struct dat_kind *kind = &dat_kinds[nr];
	unsigned int offset = COMMON;
	char *text;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);

	if (!f)
		abort();
	fprintf(f, "name: %s\nID: %u\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n", kind->name, FIRST_ID + nr);
	for (const struct dat_field *field = kind->fields; field->name; field++) {
		bool is_array = !strcmp(field->type, "char");

		offset = place(offset, field);
		fprintf(f, "\tfield:%s %s", field->type, field->name);
		if (is_array && field->size)
			fprintf(f, "[%u]", field->size);
		else if (is_array)
			fprintf(f, "[]");
		fprintf(f, ";\toffset:%u;\tsize:%u;\tsigned:%d;\n", offset, field->size,
			*field->type != 'u');
		offset += field->size;
	}
	fprintf(f, "\nprint fmt: \"%s\"", kind->print);
	for (const struct dat_field *field = kind->fields; field->name; field++)
		fprintf(f, field->print ? ", %s" : ", REC->%s",
			field->print ? field->print : field->name);
	fprintf(f, "\n");
	fclose(f);
	put_sized(to, text, 8);
	free(text);
}

static void put_formats(struct grt_vec *to, const char *system)
{
	uint32_t count = 0;

	for (int i = 0; i < DAT_NR_KINDS; i++)
		count += !strcmp(dat_kinds[i].system, system);
	put_number(to, count, 4);
	for (int i = 0; i < DAT_NR_KINDS; i++)
		if (!strcmp(dat_kinds[i].system, system))
			put_format(to, i);
}

static void put_all_formats(struct grt_vec *to)
{
	static const char * const systems[] = { "gpu_scheduler", "dma_fence", "sched", "syscalls", "i915" };
	const size_t count = sizeof(systems) / sizeof(systems[0]);

	put_formats(to, "ftrace");
	put_number(to, count, 4);
	for (size_t i = 0; i < count; i++) {
		put(to, systems[i], strlen(systems[i]) + 1);
		put_formats(to, systems[i]);
	}
}

/* --- pages --- */

/* Fills in the event's record.  Returns its size, a multiple of 4. */
static size_t fill_record(const struct dat_event *ev, unsigned char *rec)
{
	uint16_t type = FIRST_ID + ev->kind;
	size_t at = COMMON, end;
	const struct dat_field *f;

	memset(rec, 0, MAX_RECORD);
	memcpy(rec, &type, sizeof(type));
	memcpy(rec + 4, &ev->tid, sizeof(ev->tid));
	/* Fields without a fixed place come last. */
	for (f = dat_kinds[ev->kind].fields, end = COMMON; f->name; f++)
		end = place(end, f) + f->size;
	for (f = dat_kinds[ev->kind].fields; f->name; f++) {
		const struct dat_value *v = &ev->values[f - dat_kinds[ev->kind].fields];
		size_t len = dat_is_text(f) ? strlen(v->text) + 1 : 0;

		at = place(at, f);
		if (!dat_is_text(f)) {
			memcpy(rec + at, &v->number, f->size);
		} else if (*f->type == '_') {
			uint32_t place = len << 16 | end;

			memcpy(rec + at, &place, sizeof(place));
			memcpy(rec + end, v->text, len);
			end += len;
		} else {
			memcpy(rec + at, v->text, len);
			end = f->size ? end : end + len;
		}
		at += f->size;
	}
	return (end + 3) & ~3ul;
}

static void end_page(struct grt_vec *to, struct page *p)
{
	uint64_t in_use = p->used - PAGE_HEAD;

	if (!p->used)
		return;
	if (p->missed)
		in_use |= MISSED;
	if (p->missed > 0) {
		in_use |= MISSED_STORED;
		memcpy(p->bytes + p->used, &p->missed, sizeof(p->missed));
	}
	memcpy(p->bytes + 8, &in_use, sizeof(in_use));
	put(to, p->bytes, PAGE);
	p->used = 0;
}

static void page_word(struct page *p, uint32_t word)
{
	memcpy(p->bytes + p->used, &word, sizeof(word));
	p->used += sizeof(word);
}

static void put_event(struct grt_vec *to, struct page *p, const struct dat_event *ev)
{
	unsigned char rec[MAX_RECORD];
	size_t bytes = fill_record(ev, rec);
	uint64_t delta;

	/*
	 * With room for a time extension, the head of a long event and the number of missing
	 * events.
	 */
	if (p->used && (ev->missed || p->used + bytes + 24 > PAGE))
		end_page(to, p);
	if (!p->used) {
		memset(p, 0, sizeof(*p));
		memcpy(p->bytes, &ev->ns, sizeof(ev->ns));
		p->used = PAGE_HEAD;
		p->last_ns = ev->ns;
		p->missed = ev->missed;
	}
	delta = ev->ns - p->last_ns;
	p->last_ns = ev->ns;
	if (delta >> DELTA_BITS) {
		page_word(p, TIME_EXTEND | (uint32_t)(delta << 5));
		page_word(p, delta >> DELTA_BITS);
		delta = 0;
	}
	if (bytes <= 28 * 4) {
		page_word(p, bytes / 4 | (uint32_t)delta << 5);
	} else {
		page_word(p, (uint32_t)delta << 5);
		page_word(p, bytes + 4);
	}
	memcpy(p->bytes + p->used, rec, bytes);
	p->used += bytes;
}

static void put_pages(struct grt_vec *to, const struct dat *d, uint32_t cpu)
{
	struct page p = { .used = 0 };

	for (size_t i = 0; i < event_count(d); i++)
		if (event_at(d, i)->cpu == cpu)
			put_event(to, &p, event_at(d, i));
	end_page(to, &p);
}

/* --- the file --- */

/* Writes the first name of each thread, like the kernel's table. */
static void put_names(struct grt_vec *to, const struct dat *d)
{
	struct grt_vec text = { 0 };
	char line[64];

	for (size_t i = 0; i < event_count(d); i++) {
		bool is_known = !event_at(d, i)->tid;

		for (size_t k = 0; k < i && !is_known; k++)
			is_known = event_at(d, k)->tid == event_at(d, i)->tid;
		if (!is_known)
			put(&text, line, snprintf(line, sizeof(line), "%u %s\n", event_at(d, i)->tid,
						  event_at(d, i)->comm));
	}
	put_number(&text, 0, 1);
	put_sized(to, text.data, 8);
	grt_vec_free(&text);
}

/* ns = ticks * 1 >> 0, + 0 */
static void put_conversion(struct grt_vec *to)
{
	put_number(to, OPTION_TSC2NSEC, 2);
	put_number(to, 16, 4);
	put_number(to, 1, 4);
	put_number(to, 0, 4);
	put_number(to, 0, 8);
}

static void put_options(struct grt_vec *to, const struct dat *d)
{
	char text[160];

	put(to, "options  ", 10);
	for (uint32_t i = 0; i <= d->last_cpu; i++) {
		snprintf(text, sizeof(text), "CPU: %u\nentries: 4\noverrun: %llu\ncommit overrun: 0\n"
			 "dropped events: 0\n", i, (unsigned long long)d->overruns[i]);
		put_option(to, OPTION_CPUSTAT, text);
	}
	if (d->clock)
		put_option(to, OPTION_CLOCK, d->clock);
	if (d->is_converted)
		put_conversion(to);
	if (d->uname)
		put_option(to, OPTION_UNAME, d->uname);
	if (d->tgids)
		put_option(to, OPTION_STRAY, d->tgids);
	put_number(to, 0, 2);
}

void dat_write(const struct dat *d, FILE *to)
{
	struct grt_vec head = { 0 }, pages[DAT_MAX_CPUS] = { 0 };
	uint64_t at;

	put(&head, "\x17\x08\x44" "tracing6\0\0\x08", 14);
	put_number(&head, PAGE, 4);
	put(&head, "header_page", 12);
	put_sized(&head, header_page, 8);
	put(&head, "header_event", 13);
	put_sized(&head, header_event, 8);
	put_all_formats(&head);
	put_sized(&head, symbols, 4);
	put_sized(&head, "", 4);
	put_names(&head, d);
	put_number(&head, d->last_cpu + 1, 4);
	put_options(&head, d);
	put(&head, "flyrecord", 10);
	at = head.bytes + 16 * (d->last_cpu + 1ul) + PAGE - 1;
	for (uint32_t i = 0; i <= d->last_cpu; i++) {
		put_pages(&pages[i], d, i);
		put_number(&head, pages[i].bytes ? at / PAGE * PAGE : 0, 8);
		put_number(&head, pages[i].bytes, 8);
		at += pages[i].bytes;
	}
	while (head.bytes % PAGE)
		put_number(&head, 0, 1);
	if (fwrite(head.data, 1, head.bytes, to) != head.bytes)
		abort();
	for (uint32_t i = 0; i <= d->last_cpu; i++)
		if (pages[i].bytes && fwrite(pages[i].data, 1, pages[i].bytes, to) != pages[i].bytes)
			abort();
	for (uint32_t i = 0; i <= d->last_cpu; i++)
		grt_vec_free(&pages[i]);
	grt_vec_free(&head);
}
