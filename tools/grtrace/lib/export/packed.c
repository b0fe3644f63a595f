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

/* The compressed bytes; their number in *bytes.  To be freed, NULL without memory. */
static uint8_t *compress_all(const struct grt_packed *p, size_t *bytes)
{
	z_stream z = { .next_in = p->bytes.data, .avail_in = p->bytes.bytes };
	uint8_t *to;

	if (deflateInit2(&z, LEVEL, Z_DEFLATED, RAW_DEFLATE, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return NULL;
	*bytes = deflateBound(&z, p->bytes.bytes);
	to = malloc(*bytes);
	if (to) {
		z.next_out = to;
		z.avail_out = *bytes;
		deflate(&z, Z_FINISH);
		*bytes = z.total_out;
	}
	deflateEnd(&z);
	return to;
}

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

int grt_packed_write(struct grt_packed *p, FILE *f, const char *name, uint64_t number)
{
	size_t bytes = 0;
	uint8_t *data = p->failed ? NULL : compress_all(p, &bytes);

	if (!data)
		return grt_fail_memory();
	fprintf(f, "<script type=\"text/plain\" id=\"%s%" PRIu64 "\">", name, number);
	put_base64(f, data, bytes);
	fputs("</script>\n", f);
	free(data);
	p->bytes.bytes = 0;
	return 0;
}

void grt_packed_free(struct grt_packed *p)
{
	grt_vec_free(&p->bytes);
	*p = (struct grt_packed){ 0 };
}
