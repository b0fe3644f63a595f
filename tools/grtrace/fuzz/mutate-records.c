// SPDX-License-Identifier: GPL-2.0
/* Changes order, times and fields of records, which stay valid records. */
#include <string.h>

#include "cursor.h"
#include "fuzz.h"
#include "mutate.h"

#define MAX_RECORDS	1024

struct run {
	uint8_t *data;
	size_t bytes, room;
	size_t at[MAX_RECORDS];		/* offsets of the records */
	unsigned int count;
};

uint64_t mutation_below(struct mutation *m, uint64_t n)
{
	uint64_t z = m->state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return (z ^ z >> 31) % n;
}

static struct grtrace_hdr *record(const struct run *r, unsigned int i)
{
	return (struct grtrace_hdr *)(r->data + r->at[i]);
}

static struct grtrace_hdr *any_record(struct mutation *m, const struct run *r)
{
	return record(r, mutation_below(m, r->count));
}

static void find_records(struct run *r)
{
	struct grt_cursor c = grt_cursor(r->data, r->bytes);

	r->count = 0;
	while (r->count < MAX_RECORDS) {
		r->at[r->count] = c.pos - r->data;
		if (!grt_take_record(&c))
			break;
		r->count++;
	}
}

static void take_out(struct mutation *m, struct run *r)
{
	size_t at = r->at[mutation_below(m, r->count)];
	size_t size = ((struct grtrace_hdr *)(r->data + at))->size;

	memmove(r->data + at, r->data + at + size, r->bytes - at - size);
	r->bytes -= size;
}

/* Inserts a copy of one record before another one, or before itself. */
static void put_in(struct mutation *m, struct run *r)
{
	const struct grtrace_hdr *from = any_record(m, r);
	size_t at = r->at[mutation_below(m, r->count)], size = from->size;
	uint8_t copy[UINT16_MAX];

	if (size > r->room - r->bytes)
		return;
	memcpy(copy, from, size);
	memmove(r->data + at + size, r->data + at, r->bytes - at);
	memcpy(r->data + at, copy, size);
	r->bytes += size;
}

static void change_time(struct mutation *m, struct run *r)
{
	static const int64_t steps[] = { 1, -1, 1000, -1000, 10001, -10001, 1000000, INT64_MAX };
	struct grtrace_hdr *hdr = any_record(m, r);

	if (mutation_below(m, 2))
		hdr->ts = any_record(m, r)->ts;
	else
		hdr->ts += (uint64_t)steps[mutation_below(m, sizeof(steps) / sizeof(steps[0]))];
}

/* A value for a field: from another record, or one of its limits. */
static uint64_t interesting(struct mutation *m, const struct run *r, const struct grt_field *f)
{
	const struct grtrace_hdr *other = any_record(m, r);

	switch (mutation_below(m, 6)) {
	case 0:
		return 0;
	case 1:
		return mutation_below(m, 16);
	case 2:
		return UINT64_MAX - mutation_below(m, 2);
	case 3:
		return mutation_below(m, UINT64_MAX);
	case 4:
		return other->ts;
	default:
		return f->offset + f->bytes <= other->size ? grt_field_u64(f, other) : 1;
	}
}

static void change_field(struct mutation *m, struct run *r)
{
	struct grtrace_hdr *hdr = any_record(m, r);
	const struct grt_type *type = grt_type_by_number(hdr->type);
	const struct grt_field *f;
	uint64_t value;

	if (!type || !type->nr_fields)
		return;
	f = &type->fields[mutation_below(m, type->nr_fields)];
	if (f->bytes > sizeof(value)) {
		LLVMFuzzerMutate((uint8_t *)hdr + f->offset, f->bytes, f->bytes);
		return;
	}
	value = interesting(m, r, f);
	memcpy((uint8_t *)hdr + f->offset, &value, f->bytes);
}

static void change_header(struct mutation *m, struct run *r)
{
	struct grtrace_hdr *hdr = any_record(m, r);

	switch (mutation_below(m, 4)) {
	case 0:
		hdr->type = any_record(m, r)->type;
		break;
	case 1:
		hdr->cpu = mutation_below(m, 4);
		break;
	case 2:
		hdr->flags ^= 1u << mutation_below(m, 16);
		break;
	case 3:
		hdr->cseq += mutation_below(m, 3) - 1;
		break;
	}
}

static void change_bytes(struct mutation *m, struct run *r)
{
	struct grtrace_hdr *hdr = any_record(m, r);
	size_t bytes = hdr->size - sizeof(*hdr);

	if (bytes)
		LLVMFuzzerMutate((uint8_t *)(hdr + 1), bytes, bytes);
}

/*
 * Corrects the numbers as if the module had written it so; otherwise each change would be a loss,
 * too.
 */
static void renumber(struct run *r)
{
	uint64_t cseq[8] = { 0 };

	for (unsigned int i = 0; i < r->count; i++)
		if (record(r, i)->type < GRTRACE_STREAM_BASE)
			record(r, i)->cseq = ++cseq[record(r, i)->cpu % 8];
}

size_t mutate_records(struct mutation *m, uint8_t *data, size_t bytes, size_t room)
{
	static void (*const changes[])(struct mutation *m, struct run *r) = {
		take_out, put_in, change_time, change_field, change_field, change_field,
		change_header, change_bytes,
	};
	struct run r = { .data = data, .bytes = bytes, .room = room };

	for (int left = 1 + mutation_below(m, 4); left; left--) {
		find_records(&r);
		if (!r.count)
			return LLVMFuzzerMutate(data, r.bytes, room);
		changes[mutation_below(m, sizeof(changes) / sizeof(changes[0]))](m, &r);
	}
	find_records(&r);
	if (mutation_below(m, 2))
		renumber(&r);
	return r.bytes;
}
