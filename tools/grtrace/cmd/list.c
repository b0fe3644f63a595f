// SPDX-License-Identifier: GPL-2.0
#include "list.h"

#include <stdio.h>
#include <string.h>

#include "column.h"
#include "key_names.h"
#include "quote.h"

#define MAX_SHOWN	12	/* shown of each kind */

struct list {
	char *to;
	size_t at;
	unsigned int shown;
};

/* "its rings: a", then ", b". */
static void add(struct list *l, const char *title, const char *name, uint32_t number)
{
	char quoted[64];

	if (l->shown++ < MAX_SHOWN)
		l->at += snprintf(l->to + l->at, LIST_MAX - l->at, "%s%s (%u)",
				  l->shown == 1 ? title : ", ",
				  grt_quote_text(quoted, sizeof(quoted), name), number);
}

static void end(struct list *l)
{
	if (l->shown > MAX_SHOWN)
		l->at += snprintf(l->to + l->at, LIST_MAX - l->at, " and %u more",
				  l->shown - MAX_SHOWN);
	l->shown = 0;
}

static void add_rings(struct list *l, const struct grt_names *names)
{
	char name[GRT_RING_NAME_MAX];

	for (uint32_t i = 0; i < grt_vec_count(&names->rings, struct grt_ring); i++) {
		const struct grt_ring *ring = grt_names_ring_at(names, i);

		if (ring->is_defined)
			add(l, "its rings: ", grt_ring_name(ring, name), ring->id);
	}
	end(l);
}

static void add_processes(struct list *l, const struct grt_names *names)
{
	const char *title = l->at ? "; processes: " : "its processes: ";

	for (uint32_t i = 0; i < grt_vec_count(&names->processes, struct grt_process); i++) {
		const struct grt_process *p = grt_names_process_at(names, i);

		if (p->tgid)
			add(l, title, *p->comm ? p->comm : "?", p->tgid);
	}
	end(l);
}

const char *list_rings(char *to, const struct grt_names *names)
{
	struct list l = { .to = to };

	add_rings(&l, names);
	return l.at ? to : NULL;
}

const char *list_names(char *to, const struct grt_names *names)
{
	struct list l = { .to = to };

	add_rings(&l, names);
	add_processes(&l, names);
	return l.at ? to : NULL;
}

bool list_has_ring(const struct grt_names *names, const char *ring)
{
	for (uint32_t i = 0; i < grt_vec_count(&names->rings, struct grt_ring); i++)
		if (grt_ring_is(grt_names_ring_at(names, i), ring, strlen(ring)))
			return true;
	return false;
}
