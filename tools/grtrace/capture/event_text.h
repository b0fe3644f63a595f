/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The text of an event of ftrace, as the kernel prints it, but without addresses of the kernel: each
 * of them becomes a small number of its own, or the name of a function where the kernel prints that.
 */
#ifndef GRT_EVENT_TEXT_H
#define GRT_EVENT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "foreign.h"
#include "kallsyms.h"
#include "map.h"

struct tep_event;
struct tep_handle;
struct tep_record;
struct trace_seq;

/* Zeroed memory needs @tep only. */
struct grt_event_text {
	struct tep_handle *tep;		/* not owned; has parsed the formats of the events */
	const char *own_group;		/* not owned: of our own probes, shown as "grtrace_probe"; may be NULL */
	struct trace_seq *seq;		/* owned; NULL: nothing was printed yet */
	struct grt_vec data;		/* of the event that is being printed */
	struct grt_map addresses;	/* address -> its number, from 1 */
	bool lacks_addresses;		/* there were more than have room: these became 0 */
	struct grt_kallsyms functions;	/* if an event prints names of functions */
};

/* Gets ready to print an event, whose format is parsed.  0 or -errno with a cause. */
int grt_event_text_add(struct grt_event_text *t, const struct tep_event *event);

void grt_event_text_free(struct grt_event_text *t);

/*
 * Sets *@text to "SYSTEM:EVENT FIELD=VALUE ...", at most @most bytes, valid until the next call; the
 * end of a longer text is replaced by "...".  Does not change the record.  0 or -errno with a cause: there is
 * no memory, or the event's format is not known.
 */
int grt_event_text_print(struct grt_event_text *t, const struct tep_record *record, size_t most,
			 struct grt_piece *text);

#endif /* GRT_EVENT_TEXT_H */
