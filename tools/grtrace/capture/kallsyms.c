// SPDX-License-Identifier: GPL-2.0
#include "kallsyms.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "error.h"

#define LIST		"/proc/kallsyms"
#define MOST_BYTES	65536	/* of a function of a module: code without a symbol may follow the last one */

struct kallsyms_row {
	uint64_t address;
	uint32_t name, nth;	/* offset in the names; place in the list */
};

static struct kallsyms_row *row_at(const struct grt_kallsyms *k, size_t i)
{
	return grt_vec_at(&k->rows, struct kallsyms_row, i);
}

static size_t count_rows(const struct grt_kallsyms *k)
{
	return grt_vec_count(&k->rows, struct kallsyms_row);
}

/* Of symbols with one address, the first counts, as for the kernel itself. */
static int compare(const void *a, const void *b)
{
	const struct kallsyms_row *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->nth < y->nth ? -1 : x->nth > y->nth;
}

/* A line is: address, type, name, and for modules a tab and [module]. */
static int add_line(struct grt_kallsyms *k, char *line)
{
	struct kallsyms_row row = { .name = k->names.bytes, .nth = count_rows(k) };
	char *at, *name;

	row.address = strtoull(line, &at, 16);
	if (!row.address || at[0] != ' ' || !strchr("tTwW", at[1]) || at[2] != ' ')
		return 0;
	name = at + 3;
	if (name[0] == '$')	/* a mark of where code begins, in modules of arm64 */
		return 0;
	name[strcspn(name, "\t\n ")] = '\0';
	if (!strcmp(name, "_etext"))
		k->core_end = row.address;
	return grt_vec_append(&k->names, name, strlen(name) + 1) ||
	       grt_vec_append(&k->rows, &row, sizeof(row)) ? grt_fail_memory() : 0;
}

static uint64_t hash_modules(void)
{
	FILE *f = fopen("/proc/modules", "r");
	char name[64], line[512];
	uint64_t hash = 0;

	/* The number of users, behind the name and the size, changes all the time. */
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%63s", name) == 1)
			hash = XXH64(name, strlen(name), hash);
	if (f)
		fclose(f);
	return hash;
}

int grt_kallsyms_read(struct grt_kallsyms *k)
{
	FILE *f = fopen(LIST, "r");
	char line[1024];
	int err = 0;

	if (!f)
		return grt_fail_errno(NULL, "cannot read '%s', the names of the kernel's functions", LIST);
	k->rows.bytes = k->names.bytes = 0;
	k->core_end = 0;
	k->modules = hash_modules();
	while (!err && fgets(line, sizeof(line), f))
		err = add_line(k, line);
	fclose(f);
	if (!err && !k->rows.bytes)
		err = grt_fail(EPERM, "sudo sysctl kernel.kptr_restrict=1",
			       "'%s' hides the addresses of the kernel's functions", LIST);
	if (!err)
		qsort(k->rows.data, count_rows(k), sizeof(struct kallsyms_row), compare);
	return err;
}

void grt_kallsyms_free(struct grt_kallsyms *k)
{
	grt_vec_free(&k->rows);
	grt_vec_free(&k->names);
}

/* The first row of the last address that is not above @address. */
static const struct kallsyms_row *find(const struct grt_kallsyms *k, uint64_t address)
{
	size_t low = 0, high = count_rows(k);

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (row_at(k, middle)->address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	low--;
	while (low && row_at(k, low - 1)->address == row_at(k, low)->address)
		low--;
	return row_at(k, low);
}

const char *grt_kallsyms_find(const struct grt_kallsyms *k, uint64_t address, uint64_t *start)
{
	const struct kallsyms_row *row = find(k, address);

	if (!row || (address >= k->core_end && address - row->address > MOST_BYTES))
		return NULL;
	*start = row->address;
	return (const char *)k->names.data + row->name;
}

const char *grt_kallsyms_name(struct grt_kallsyms *k, uint64_t address)
{
	uint64_t start;

	if (address >= k->core_end && hash_modules() != k->modules && grt_kallsyms_read(k))
		return NULL;
	return grt_kallsyms_find(k, address, &start);
}
