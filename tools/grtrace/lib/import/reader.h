/* SPDX-License-Identifier: LGPL-2.1 */
/* The seam between readers of foreign files and what is made of their events. */
#ifndef GRT_READER_H
#define GRT_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "foreign.h"

struct grt_visitor {
	void *arg;
	bool wants_text;	/* of events without a kind, too */
	/* Return false to be given no more. */
	bool (*event)(void *arg, const struct grt_foreign *ev);
	bool (*missing)(void *arg, const struct grt_missing *missing);
	/* Once, before the events, what is known: */
	void (*tgid)(void *arg, uint32_t tid, uint32_t tgid);	/* thread's process */
	void (*clock)(void *arg, const char *name);	/* "local", "mono", ... */
	void (*kernel)(void *arg, const char *release);
	/* The buffers of CPU @cpu, -1 = any, held more than was saved; @count 0: unknown. */
	void (*overwritten)(void *arg, int cpu, uint64_t count);
	void (*progress)(void *arg, uint64_t done, uint64_t all);	/* bytes */
};

/* Whether the file can be read by each; @probe are its first bytes. */
bool grt_is_dat(const void *probe, size_t bytes);
bool grt_is_event_text(int fd);

/*
 * All events of a file, each with its kind and slots, in the order of time as far as the
 * file is.  0, or -errno with a cause.  The first runs libtracecmd, which trusts what it
 * reads: only to be called where it may crash, see grt_import_file().
 */
int grt_dat_read(int fd, const char *name, const struct grt_visitor *visitor);
int grt_text_read(int fd, const char *name, const struct grt_visitor *visitor);

#endif /* GRT_READER_H */
