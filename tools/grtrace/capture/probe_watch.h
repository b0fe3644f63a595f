/* SPDX-License-Identifier: GPL-2.0 */
/* The hits of a few probes, in the order of time, from an instance of tracefs of their own. */
#ifndef GRT_PROBE_WATCH_H
#define GRT_PROBE_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct grt_probe_watch;
struct grt_words;

struct grt_probe_hit {
	uint64_t ns;		/* CLOCK_MONOTONIC */
	unsigned int probe;	/* number of its word */
	uint32_t tid;
	uint64_t key;		/* the value called "key", if @has_key */
	bool has_key;
};

struct grt_probe_watch_ops {
	/* A hit.  0, or -errno with a cause. */
	int (*hit)(void *arg, const struct grt_probe_hit *hit);
	/* Some hits before the next one are missing. */
	void (*lost)(void *arg, uint64_t count);
};

/*
 * Defines the probes, each word of which means one function, and nothing is recorded yet.  If this process
 * is killed, another one removes them.  0, or -errno with a cause.
 */
int grt_probe_watch_open(struct grt_probe_watch **watch, const struct grt_words *probes,
			 uint64_t buffer_bytes);
void grt_probe_watch_close(struct grt_probe_watch *w);

/* 0 or -errno with a cause. */
int grt_probe_watch_start(struct grt_probe_watch *w);
int grt_probe_watch_stop(struct grt_probe_watch *w);

/* Hands out the hits up to now; after it was stopped, all.  0 or -errno with a cause. */
int grt_probe_watch_read(struct grt_probe_watch *w, const struct grt_probe_watch_ops *ops, void *arg);

/* How often the kernel could not run one of the probes, as it counts. */
uint64_t grt_probe_watch_missed(const struct grt_probe_watch *w);

/* The process that cleans up. */
pid_t grt_probe_watch_guard(const struct grt_probe_watch *w);

#endif /* GRT_PROBE_WATCH_H */
