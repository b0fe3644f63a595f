// SPDX-License-Identifier: GPL-2.0
#include "tracefs_extra.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>

#include "distance.h"
#include "error.h"
#include "machine.h"
#include "probe_define.h"
#include "tracefs_events.h"
#include "tracefs_place.h"
#include "words.h"

#define MOST_LETTERS	3	/* that differ in a name that was meant */

static struct grt_tracefs_event *event_at(const struct grt_tracefs_extra *x, size_t i)
{
	return grt_vec_at(&x->events, struct grt_tracefs_event, i);
}

static size_t count_events(const struct grt_tracefs_extra *x)
{
	return grt_vec_count(&x->events, struct grt_tracefs_event);
}

static bool fits(const char *pattern, const char *name)
{
	return !*pattern || !fnmatch(pattern, name, 0);
}

/* Whether the word of an -e means this event; the rules are those of trace-cmd. */
static bool means(const char *word, const struct grt_tracefs_event *event)
{
	const char *colon = strchr(word, ':');
	char system[64];

	if (!strcmp(word, "all"))
		return true;
	if (!colon)
		return fits(word, event->system) || fits(word, event->name);
	snprintf(system, sizeof(system), "%.*s", (int)(colon - word), word);
	return fits(system, event->system) && fits(colon + 1, event->name);
}

static bool means_any(const char *word, const struct grt_tracefs_extra *x)
{
	for (size_t i = 0; i < count_events(x); i++)
		if (means(word, event_at(x, i)))
			return true;
	return false;
}

/* A hint with the nearest name of an event, or with a command that lists all. */
static int fail_unknown(const char *word, const struct grt_tracefs_extra *x,
			const struct grt_tracefs_place *p)
{
	const struct grt_tracefs_event *nearest = NULL;
	size_t least = MOST_LETTERS + 1, letters;
	char name[140], hint[200];

	for (size_t i = 0; i < count_events(x); i++) {
		const struct grt_tracefs_event *event = event_at(x, i);

		snprintf(name, sizeof(name), "%s:%s", event->system, event->name);
		letters = grt_distance(name, word);
		if (letters >= least)
			continue;
		least = letters;
		nearest = event;
	}
	if (nearest)
		snprintf(hint, sizeof(hint), "-e %s:%s    # the nearest name", nearest->system, nearest->name);
	else
		snprintf(hint, sizeof(hint), "sudo cat %s/available_events    # all events", p->dir);
	return grt_fail(EINVAL, hint, "the kernel has no event '%s'", word);
}

/* All events that can be enabled, but for probes of recordings. */
static int list_events(struct grt_tracefs_extra *x, const struct grt_tracefs_place *p)
{
	char *text = grt_tracefs_read_file(p, "available_events"), *rest, *line;
	struct grt_tracefs_event event;
	int err = 0;

	if (!text)
		err = grt_fail_errno(NULL, "cannot read '%s/available_events'", p->dir);
	for (line = text ? strtok_r(text, "\n", &rest) : NULL; !err && line;
	     line = strtok_r(NULL, "\n", &rest)) {
		memset(&event, 0, sizeof(event));
		if (sscanf(line, "%63[^:]:%63s", event.system, event.name) != 2 ||
		    grt_tracefs_is_of_recording(event.system))
			continue;
		if (grt_vec_append(&x->events, &event, sizeof(event)))
			err = grt_fail_memory();
	}
	free(text);
	return err;
}

static bool is_chosen(const struct grt_tracefs_event *event, const struct grt_words *words)
{
	bool is_in = false;

	for (unsigned int i = 0; i < words->count; i++)
		if (means(words->words[i], event))
			is_in = grt_words_chooses(words, i);
	return is_in;
}

/* Keeps the events for which @is_kept. */
static void keep(struct grt_tracefs_extra *x,
		 bool (*is_kept)(const struct grt_tracefs_event *event, const void *arg),
		 const void *arg)
{
	size_t count = 0;

	for (size_t i = 0; i < count_events(x); i++)
		if (is_kept(event_at(x, i), arg))
			*event_at(x, count++) = *event_at(x, i);
	x->events.bytes = count * sizeof(struct grt_tracefs_event);
}

static bool is_kept_word(const struct grt_tracefs_event *event, const void *words)
{
	return is_chosen(event, words);
}

int grt_tracefs_extra_choose(struct grt_tracefs_extra *x, const struct grt_tracefs_place *p,
			     const struct grt_words *words)
{
	int err = words->count ? list_events(x, p) : 0;

	for (unsigned int i = 0; !err && i < words->count; i++)
		if (!means_any(words->words[i], x))
			err = fail_unknown(words->words[i], x, p);
	if (!err)
		keep(x, is_kept_word, words);
	return err;
}

int grt_tracefs_extra_define(struct grt_tracefs_extra *x, const struct grt_tracefs_place *p,
			     const struct grt_words *probes)
{
	int err = 0;

	x->text.own_group = p->group;
	for (unsigned int i = 0; !err && i < probes->count; i++)
		err = grt_probe_define(p, p->group, probes->words[i], &x->events);
	return err;
}

void grt_tracefs_extra_free(struct grt_tracefs_extra *x)
{
	grt_vec_free(&x->events);
	grt_event_text_free(&x->text);
}

static bool is_kept_extra(const struct grt_tracefs_event *event, const void *events)
{
	return !grt_tracefs_events_use(events, event);
}

void grt_tracefs_extra_drop(struct grt_tracefs_extra *x, const struct grt_tracefs_events *e)
{
	size_t count = count_events(x), i = 0;
	char name[140];

	while (i < count && is_kept_extra(event_at(x, i), e))
		i++;
	if (i == count)
		return;
	snprintf(name, sizeof(name), "%s:%s", event_at(x, i)->system, event_at(x, i)->name);
	keep(x, is_kept_extra, e);
	count -= count_events(x);
	if (count == 1)
		grt_warn(NULL, "'%s' is recorded as events of jobs, not a second time as TRACE_EVENT", name);
	else
		grt_warn(NULL, "'%s' and %zu more events are recorded as events of jobs, not a second time as TRACE_EVENT",
			 name, count - 1);
}

int grt_tracefs_extra_parse(struct grt_tracefs_extra *x, const struct grt_tracefs_place *p,
			    struct tep_handle *tep)
{
	const struct tep_event *event;
	int err = 0;

	x->text.tep = tep;
	memset(x->is_on, 0, sizeof(x->is_on));
	for (size_t i = 0; !err && i < count_events(x); i++) {
		const char *system = event_at(x, i)->system, *name = event_at(x, i)->name;

		if (!tep_find_event_by_name(tep, system, name))
			err = grt_tracefs_parse(p, tep, system, name);
		event = err ? NULL : tep_find_event_by_name(tep, system, name);
		if (event)
			err = grt_event_text_add(&x->text, event);
		if (event && event->id >= 0 && event->id < GRT_EVENT_NUMBERS)
			x->is_on[event->id / 64] |= 1ull << event->id % 64;
	}
	return err;
}

void grt_tracefs_extra_enable(const struct grt_tracefs_extra *x, const struct grt_tracefs_place *p)
{
	size_t refused = 0, first = 0;
	char file[192], why[160] = "";

	for (size_t i = 0; i < count_events(x); i++) {
		snprintf(file, sizeof(file), "events/%s/%s/enable", event_at(x, i)->system,
			 event_at(x, i)->name);
		if (!grt_tracefs_write_own(p, file, "1"))
			continue;
		if (!refused++) {
			first = i;
			snprintf(why, sizeof(why), "%s", grt_cause());
		}
	}
	if (refused)
		grt_warn(NULL, "%zu of %zu events are not recorded, the first is '%s:%s': %s", refused,
			 count_events(x), event_at(x, first)->system, event_at(x, first)->name, why);
}
