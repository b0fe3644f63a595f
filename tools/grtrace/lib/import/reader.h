/* SPDX-License-Identifier: LGPL-2.1 */
/* The interface between the readers of foreign files and the code that uses their events. */
#ifndef GRT_READER_H
#define GRT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "foreign.h"

struct grtrace_hdr;

#define GRT_MAX_KINDS	192

/* The first event of a text stands within this many bytes: a whole log of the kernel. */
#define GRT_TEXT_PROBE_BYTES	(16u << 20)

struct grt_visitor {
	void *arg;
	const struct grt_event_kind *kinds;	/* events that are used; at most GRT_MAX_KINDS */
	size_t nr_kinds;
	bool wants_text;	/* also print the text of events without a kind */
	bool reads_merged;	/* also lines of "grtrace merge --cpu --gpu" */
	uint64_t tick_hz;	/* of a clock that counts ticks; 0: not known */
	/* Called for each event.  Returns false to stop. */
	bool (*event)(void *arg, const struct grt_foreign *ev);
	/* Called for each record that grtrace export wrote; may be NULL.  Returns false to stop. */
	bool (*record)(void *arg, const struct grtrace_hdr *rec);
	/* What such a file says of the recording, as name=value lines; may be NULL. */
	void (*recording)(void *arg, const char *text);
	bool (*missing)(void *arg, const struct grt_missing *missing);
	/* Called before the next event: lines that were events cannot be read, or a record of a trace.dat. */
	bool (*unreadable)(void *arg, const struct grt_bad_lines *lines);
	/* Lines that no tracer wrote; may be NULL. */
	void (*no_events)(void *arg, const struct grt_bad_lines *lines);
	/*
	 * The event has a known name, and its text another form than that of this kind.  False: the line counts as
	 * unreadable.  May be NULL: it does so.
	 */
	bool (*unfit)(void *arg, const struct grt_event_kind *kind);
	/* Called once, before the events: */
	void (*tgid)(void *arg, uint32_t tid, uint32_t tgid);	/* process of a thread */
	void (*clock)(void *arg, const char *name);	/* "local", "mono", ... */
	void (*kernel)(void *arg, const char *release);
	void (*pages)(void *arg, uint32_t bytes);	/* size of the machine's, 0: not known; may be NULL */
	/* The buffers of CPU @cpu (-1 = any) held more than was saved; @count 0: unknown number. */
	void (*overwritten)(void *arg, int cpu, uint64_t count);
	void (*progress)(void *arg, uint64_t done, uint64_t all);	/* bytes */
};

/* Whether the readers below can read the file; @probe are its first bytes. */
bool grt_is_dat(const void *probe, size_t bytes);
bool grt_is_event_text(int fd);

/*
 * Read all events of a file, with kinds and slots, in the order of the file.  0, or -errno with a
 * cause.  grt_dat_read() runs libtracecmd, which may crash on damaged files: see grt_import_file().
 */
int grt_dat_read(int fd, const char *name, const struct grt_visitor *visitor);
int grt_text_read(int fd, const char *name, const struct grt_visitor *visitor);

#endif /* GRT_READER_H */
