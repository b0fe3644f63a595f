// SPDX-License-Identifier: LGPL-2.1
#include "packed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <zlib.h>

#include "error.h"

#define LEVEL		6	/* of compression: 9 makes the page 1 % smaller in twice the time */
#define RAW_DEFLATE	(-15)	/* no header: what DecompressionStream("deflate-raw") reads */

void grt_pack_bytes(struct grt_packed *p, const void *data, size_t bytes)
{
	if (!p->failed)
		p->failed = grt_vec_append(&p->bytes, data, bytes);
}

void grt_pack_byte(struct grt_packed *p, uint8_t value)
{
	grt_pack_bytes(p, &value, 1);
}

void grt_pack_u64(struct grt_packed *p, uint64_t value)
{
	uint8_t bytes[10];
	size_t n = 0;

	do {
		bytes[n] = (value & 0x7f) | (value > 0x7f ? 0x80 : 0);
		value >>= 7;
		n++;
	} while (value);
	grt_pack_bytes(p, bytes, n);
}

void grt_pack_s64(struct grt_packed *p, int64_t value)
{
	grt_pack_u64(p, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

void grt_pack_column(struct grt_packed *p, struct grt_packed *from)
{
	grt_pack_u64(p, from->bytes.bytes);
	if (from->bytes.bytes)
		grt_pack_bytes(p, from->bytes.data, from->bytes.bytes);
	if (from->failed)
		p->failed = from->failed;
	from->bytes.bytes = 0;
}

/* Bytes on their way into an element of the page: compressed, then base64. */
struct element {
	z_stream z;
	FILE *page;
	uint8_t out[3 * 4096];	/* a multiple of three: no padding but at the end */
};

static void put_base64(FILE *f, const uint8_t *data, size_t bytes)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < bytes; i += 3) {
		size_t left = bytes - i;
		uint32_t three = data[i] << 16 | (left > 1 ? data[i + 1] : 0) << 8 |
				 (left > 2 ? data[i + 2] : 0);

		putc_unlocked(digits[three >> 18], f);
		putc_unlocked(digits[three >> 12 & 63], f);
		putc_unlocked(left > 1 ? digits[three >> 6 & 63] : '=', f);
		putc_unlocked(left > 2 ? digits[three & 63] : '=', f);
	}
}

static void empty_out(struct element *e)
{
	put_base64(e->page, e->out, sizeof(e->out) - e->z.avail_out);
	e->z.next_out = e->out;
	e->z.avail_out = sizeof(e->out);
}

/* False without memory. */
static bool begin_element(struct element *e, FILE *page, const char *name, uint64_t number)
{
	e->z = (z_stream){ 0 };
	e->page = page;
	if (deflateInit2(&e->z, LEVEL, Z_DEFLATED, RAW_DEFLATE, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return false;
	e->z.next_out = e->out;
	e->z.avail_out = sizeof(e->out);
	fprintf(page, "<script type=\"text/plain\" id=\"%s%" PRIu64 "\">", name, number);
	return true;
}

static void add_bytes(struct element *e, const void *data, size_t bytes)
{
	e->z.next_in = (void *)data;
	e->z.avail_in = bytes;
	while (e->z.avail_in) {
		deflate(&e->z, Z_NO_FLUSH);
		if (!e->z.avail_out)
			empty_out(e);
	}
}

static void end_element(struct element *e)
{
	while (deflate(&e->z, Z_FINISH) != Z_STREAM_END)
		empty_out(e);
	empty_out(e);
	deflateEnd(&e->z);
	fputs("</script>\n", e->page);
}

int grt_packed_write(struct grt_packed *p, FILE *f, const char *name, uint64_t number)
{
	struct element e;

	if (p->failed || !begin_element(&e, f, name, number))
		return grt_fail_memory();
	add_bytes(&e, p->bytes.data, p->bytes.bytes);
	end_element(&e);
	p->bytes.bytes = 0;
	return 0;
}

static ssize_t write_text(void *cookie, const char *data, size_t bytes)
{
	add_bytes(cookie, data, bytes);
	return bytes;
}

static int close_text(void *cookie)
{
	end_element(cookie);
	free(cookie);
	return 0;
}

FILE *grt_packed_open(FILE *page, const char *name, uint64_t number)
{
	const cookie_io_functions_t functions = { .write = write_text, .close = close_text };
	struct element *e = malloc(sizeof(*e));
	FILE *f = NULL;

	if (e && begin_element(e, page, name, number)) {
		f = fopencookie(e, "w", functions);
		if (!f)
			deflateEnd(&e->z);
	}
	if (!f) {
		free(e);
		grt_fail_memory();
	}
	return f;
}

void grt_packed_free(struct grt_packed *p)
{
	grt_vec_free(&p->bytes);
	*p = (struct grt_packed){ 0 };
}
