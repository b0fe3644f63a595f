/* SPDX-License-Identifier: GPL-2.0 */
/* The hits of a few probes, in the order of time, from an instance of tracefs of their own. */
#ifndef GRT_PROBE_WATCH_H
#define GRT_PROBE_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "foreign.h"

struct grt_probe_watch;
struct grt_words;

#define GRT_PROBE_VALUES	16

/* What an event has under one of the names that were asked for. */
struct grt_probe_value {
	bool is_known;
	uint64_t number;
	struct grt_piece text;	/* if it is one; of the event, so that it is gone with the hit */
};

struct grt_probe_hit {
	uint64_t ns;		/* CLOCK_MONOTONIC */
	unsigned int probe;	/* number of its word; those of events follow those of probes */
	uint32_t tid, cpu;
	bool is_in_irq;		/* in an interrupt, whose thread is just the one that ran there */
	uint32_t tgid;		/* its process, and how that is called, if @has_tasks */
	char comm[16];
	struct grt_probe_value values[GRT_PROBE_VALUES];
};

struct grt_probe_watch_ops {
	/* A hit.  0, or -errno with a cause. */
	int (*hit)(void *arg, const struct grt_probe_hit *hit);
	/* Some hits before the next one are missing. */
	void (*lost)(void *arg, uint64_t count);
};

/* What is not set is 0.  All of it is used while the watch is opened, and @values as long as it is open. */
struct grt_probe_watch_options {
	const struct grt_words *probes;	/* texts of probe_spec.h; each means one function */
	bool are_found;			/* functions of modules, which the caller has found */
	bool may_lack;			/* probes that the kernel refuses are left out, but not all of them */
	const struct grt_words *events;	/* of the kernel, "SYSTEM:EVENT"; NULL: none */
	const char *const *values;	/* names of the values that hits have; one may be missing in a probe */
	unsigned int nr_values;
	bool has_tasks;			/* hits tell the process */
	uint64_t buffer_bytes;		/* per CPU; 0: what suits the machine */
};

/*
 * Defines the probes; nothing is recorded yet.  If this process is killed, another one removes them.
 * 0, or -errno with a cause.
 */
int grt_probe_watch_open(struct grt_probe_watch **watch, const struct grt_probe_watch_options *options);
void grt_probe_watch_close(struct grt_probe_watch *w);

/* 0 or -errno with a cause. */
int grt_probe_watch_start(struct grt_probe_watch *w);
int grt_probe_watch_stop(struct grt_probe_watch *w);

/* Hands out the hits up to now; after it was stopped, all.  0 or -errno with a cause. */
int grt_probe_watch_read(struct grt_probe_watch *w, const struct grt_probe_watch_ops *ops, void *arg);

/* How often the kernel could not run one of the probes, as it counts. */
uint64_t grt_probe_watch_missed(const struct grt_probe_watch *w);

/* Whether this probe is there: see may_lack. */
bool grt_probe_watch_has(const struct grt_probe_watch *w, unsigned int probe);

/* The process that cleans up. */
pid_t grt_probe_watch_guard(const struct grt_probe_watch *w);

#endif /* GRT_PROBE_WATCH_H */
