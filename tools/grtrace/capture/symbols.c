// SPDX-License-Identifier: GPL-2.0
#include "symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

uint64_t grt_capture_symbol(const char *name, uint64_t *end)
{
	uint64_t at = 0, address, next = UINT64_MAX;
	char line[512], symbol[256];
	FILE *f = fopen("/proc/kallsyms", "r");

	/* The kernel's own symbols come first and in order; then those of modules. */
	while (f && fgets(line, sizeof(line), f) && !strchr(line, '[')) {
		if (sscanf(line, "%" SCNx64 " %*c %255s", &address, symbol) != 2)
			continue;
		if (at && address > at) {
			next = address;
			break;
		}
		if (!at && !strcmp(symbol, name))
			at = address;
	}
	if (f)
		fclose(f);
	if (end)
		*end = next;
	return at;
}

#define FIRST_ADDRESS	0xffff000000000000ull
#define MOST_BYTES	(1u << 20)	/* of a function; what is farther behind one has no name */

struct symbol {
	uint64_t address;
	size_t name;		/* where it is in the names */
};

static int compare(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* "ffffffff81000000 T _text", and behind that "[module]" */
static int add_symbol(struct grt_symbols *s, char *line)
{
	char *name;
	struct symbol row = {
		.address = strtoull(line, &name, 16), .name = s->names.bytes,
	};
	size_t len;

	/* Places of variables of each CPU are no addresses; without rights all are 0. */
	if (row.address < FIRST_ADDRESS || strlen(name) < 4)
		return 0;
	name += 3;
	len = strcspn(name, "\t\n ");
	name[len] = '\0';
	return grt_vec_append(&s->names, name, len + 1) || grt_vec_append(&s->rows, &row, sizeof(row)) ?
	       grt_fail_memory() : 0;
}

int grt_symbols_load(struct grt_symbols *s)
{
	FILE *f = s->rows.bytes ? NULL : fopen("/proc/kallsyms", "r");
	char line[512];
	int err = 0;

	while (f && !err && fgets(line, sizeof(line), f))
		err = add_symbol(s, line);
	if (!f)
		return 0;
	fclose(f);
	if (s->rows.bytes)
		qsort(s->rows.data, grt_vec_count(&s->rows, struct symbol), sizeof(struct symbol), compare);
	return err;
}

void grt_symbols_free(struct grt_symbols *s)
{
	grt_vec_free(&s->rows);
	grt_vec_free(&s->names);
}

const char *grt_symbols_find(const struct grt_symbols *s, uint64_t address, uint64_t *start)
{
	size_t from = 0, to = grt_vec_count(&s->rows, struct symbol), middle;
	const struct symbol *rows = s->rows.data;

	/* The last one that is not behind it */
	while (from < to) {
		middle = from + (to - from) / 2;
		if (rows[middle].address <= address)
			from = middle + 1;
		else
			to = middle;
	}
	if (!from || address - rows[from - 1].address >= MOST_BYTES)
		return NULL;
	*start = rows[from - 1].address;
	return (const char *)s->names.data + rows[from - 1].name;
}
