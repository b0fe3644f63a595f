// SPDX-License-Identifier: LGPL-2.1
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "lanes_sink.h"
#include "model.h"
#include "quote.h"

/* Far enough apart, and readable on dark and light. */
static const uint8_t colours[] = { 39, 208, 78, 171, 178, 44, 203, 105, 142, 205, 137, 72 };

#define MAX_PEOPLE	1000	/* nobody can tell so many apart */
#define NR_COLOURS	(sizeof(colours) / sizeof(colours[0]))

static struct grt_lanes_person *at(const struct grt_lanes_people *p, size_t i)
{
	return grt_vec_at(&p->list, struct grt_lanes_person, i);
}

static size_t count(const struct grt_lanes_people *p)
{
	return grt_vec_count(&p->list, struct grt_lanes_person);
}

static int compare(const void *a, const void *b)
{
	const struct grt_lanes_person *x = a, *y = b;

	return (x->process > y->process) - (x->process < y->process);
}

const struct grt_lanes_person *grt_lanes_person(const struct grt_lanes_people *p, uint32_t process)
{
	const struct grt_lanes_person key = { .process = process };

	return process == GRT_NONE || !count(p) ? NULL :
	       bsearch(&key, p->list.data, count(p), sizeof(key), compare);
}

static bool is_free(const struct grt_lanes_people *p, size_t before, char letter)
{
	for (size_t i = 0; i < before; i++)
		if (at(p, i)->letter == letter)
			return false;
	return true;
}

/* A letter of its name if one is free. */
static char letter_of(const struct grt_lanes_people *p, size_t i, const char *comm)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	for (; *comm; comm++) {
		if (!strchr(letters, *comm))
			continue;
		if (is_free(p, i, *comm))
			return *comm;
		if (is_free(p, i, *comm ^ 0x20))
			return *comm ^ 0x20;
	}
	for (const char *next = letters; *next; next++)
		if (is_free(p, i, *next))
			return *next;
	return 0;
}

/*
 * A process has the same colour in every picture of a trace, unless another process has that colour
 * already.
 */
static uint8_t colour_of(const struct grt_lanes_people *p, size_t i, const struct grt_process *process)
{
	uint32_t hash = process->tgid * 2654435761u;
	size_t first = (hash >> 16) % NR_COLOURS;

	for (size_t step = 0; step < NR_COLOURS && i < NR_COLOURS; step++) {
		uint8_t colour = colours[(first + step) % NR_COLOURS];
		size_t other = 0;

		while (other < i && at(p, other)->colour != colour)
			other++;
		if (other == i)
			return colour;
	}
	return colours[first];
}

static bool is_ascii(const char *text)
{
	while (*text >= ' ' && *text < 0x7f)
		text++;
	return !*text;
}

static void introduce(const struct grt_lanes_people *p, size_t i, const struct grt_names *names)
{
	struct grt_lanes_person *person = at(p, i);
	const struct grt_process *process = grt_names_process_at(names, person->process);
	bool is_alone = true;

	for (size_t j = 0; j < count(p); j++)
		is_alone &= j == i ||
			    strcmp(grt_names_process_at(names, at(p, j)->process)->comm, process->comm) != 0;
	person->letter = letter_of(p, i, process->tgid ? process->comm : "kernel");
	person->colour = colour_of(p, i, process);
	if (!process->tgid)
		snprintf(person->name, sizeof(person->name), "kernel");
	else if (*process->comm && is_ascii(process->comm) && is_alone)
		snprintf(person->name, sizeof(person->name), "%s", process->comm);
	else if (is_ascii(process->comm) && strlen(process->comm) < 8)
		snprintf(person->name, sizeof(person->name), "%s[%u]", process->comm, process->tgid);
}

int grt_lanes_people(struct grt_lanes_people *p, const struct grt_lanes *lanes)
{
	const struct grt_names *names = grt_model_names(lanes->model);
	struct grt_keymap seen = { .slots = NULL };
	int err = 0;

	for (size_t i = 0; i < grt_lanes_count(lanes) && !err; i++)
		for (uint32_t c = 0; c < lanes->columns && !err; c++) {
			const struct grt_lane_top *top = &grt_lane_at(lanes, i)->cells[c].runner;
			struct grt_lanes_person person = { .process = top->who };

			if (!top->ns || count(p) == MAX_PEOPLE ||
			    grt_keymap_get(&seen, top->who, 0) != GRT_NONE)
				continue;
			if (grt_keymap_put(&seen, top->who, 0, 0) ||
			    grt_vec_append(&p->list, &person, sizeof(person)))
				err = grt_fail_memory();
		}
	grt_keymap_free(&seen);
	if (err || !count(p))
		return err;
	qsort(p->list.data, count(p), sizeof(struct grt_lanes_person), compare);
	for (size_t i = 0; i < count(p); i++)
		introduce(p, i, names);
	return 0;
}

void grt_lanes_people_free(struct grt_lanes_people *p)
{
	grt_vec_free(&p->list);
}
