/* SPDX-License-Identifier: GPL-2.0 */
/* Notices that one of some events of the kernel came, by perf counters on all CPUs. */
#ifndef GRT_EVENT_WATCH_H
#define GRT_EVENT_WATCH_H

#include <stdbool.h>

struct grt_event_watch;
struct grt_words;

/*
 * @words: each is SYSTEM:EVENT, also of a probe that somebody defined; then maybe " if FILTER", with a
 * filter as tracefs has them.  0, or -errno with a cause; -EINVAL: there is no such event or filter.
 */
int grt_event_watch_open(struct grt_event_watch **watch, const struct grt_words *words);
void grt_event_watch_close(struct grt_event_watch *w);

/* Becomes readable when an event comes; then grt_event_watch_take() says which, and forgets it. */
int grt_event_watch_fd(const struct grt_event_watch *w);
/* The word of an event that came; NULL: none did. */
const char *grt_event_watch_take(struct grt_event_watch *w);

#endif /* GRT_EVENT_WATCH_H */
