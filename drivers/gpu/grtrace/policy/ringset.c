// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/string.h>

#include "ringset.h"

static void set_row(struct grt_ringset *s, u32 row)
{
	WRITE_ONCE(s->rows[row / 64], s->rows[row / 64] | 1ull << (row % 64));
}

static void clear_row(struct grt_ringset *s, u32 row)
{
	WRITE_ONCE(s->rows[row / 64], s->rows[row / 64] & ~(1ull << (row % 64)));
}

static bool parse(const char *word, struct grt_ringset_item *item)
{
	size_t len = strlen(word);

	memset(item, 0, sizeof(*item));
	if (!kstrtou32(word, 10, &item->row))
		return item->row < GRT_RINGSET_ROWS;
	/* Digits followed by other characters are a name, such as "3d". */
	if (!len || len >= sizeof(item->name) || strpbrk(word, " \t,!=-+"))
		return false;
	strscpy(item->name, word, sizeof(item->name));
	return true;
}

bool grt_ringset_add(struct grt_ringset *s, const char *word)
{
	struct grt_ringset_item item;
	u32 i;

	if (!parse(word, &item))
		return false;
	for (i = 0; i < s->nr; i++)
		if (!memcmp(&s->item[i], &item, sizeof(item)))
			return true;
	if (s->nr == GRT_RINGSET_ITEMS)
		return false;
	s->item[s->nr++] = item;
	if (!*item.name)
		set_row(s, item.row);
	return true;
}

void grt_ringset_put(struct grt_ringset *to, const struct grt_ringset *from)
{
	unsigned int i;

	memcpy(to->item, from->item, sizeof(to->item));
	/* A reader that just saw the set non-empty may still be inside: its rows stay. */
	for (i = 0; from->nr && i < GRT_RINGSET_ROWS / 64; i++)
		WRITE_ONCE(to->rows[i], from->rows[i]);
	smp_store_release(&to->nr, from->nr);	/* pairs with grt_ringset_is_used() */
}

static bool is_called(const char *wanted, const char *device, const char *name)
{
	size_t len = strlen(device);

	if (!strcmp(wanted, name))
		return true;
	return !strncmp(wanted, device, len) && wanted[len] == '/' &&
	       !strcmp(wanted + len + 1, name);
}

/* Also clears the bit: the row may have had another ring before. */
void grt_ringset_match_row(struct grt_ringset *s, u32 row, const char *device, const char *name)
{
	bool is_in = false;
	u32 i;

	for (i = 0; i < s->nr; i++)
		is_in |= *s->item[i].name ? is_called(s->item[i].name, device, name) :
					    s->item[i].row == row;
	if (is_in)
		set_row(s, row);
	else
		clear_row(s, row);
}

void grt_ringset_clear_names(struct grt_ringset *s)
{
	u32 i;

	memset(s->rows, 0, sizeof(s->rows));
	for (i = 0; i < s->nr; i++)
		if (!*s->item[i].name)
			set_row(s, s->item[i].row);
}

size_t grt_ringset_format(const struct grt_ringset *s, char *to, size_t room)
{
	size_t at = 0;
	u32 i;

	*to = '\0';
	for (i = 0; i < s->nr; i++) {
		at += scnprintf(to + at, room - at, "%s", i ? "," : "");
		if (*s->item[i].name)
			at += scnprintf(to + at, room - at, "%s", s->item[i].name);
		else
			at += scnprintf(to + at, room - at, "%u", s->item[i].row);
	}
	return at;
}
