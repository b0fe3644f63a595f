/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The policy: which events are kept.  Each stage is a file of policy/ or a hook of an
 * extension module, off unless it is used; the first that says no decides the fate.
 */
#ifndef _GRTRACE_POLICE_H
#define _GRTRACE_POLICE_H

#include <linux/grtrace_hook.h>
#include <linux/jump_label.h>

#include "policy/mask.h"
#include "policy/pressure.h"
#include "policy/rate.h"
#include "policy/watch.h"

struct grt_cpu;
struct rchan_buf;

/* Turns a static key on or off.  Sleeps. */
static inline void grt_switch(struct static_key_false *key, bool is_on)
{
	if (is_on)
		static_branch_enable(key);
	else
		static_branch_disable(key);
}

/* What was asked for.  Changed under the session lock, then grt_police_apply(). */
struct grt_policy {
	struct grt_mask mask;
	struct grt_watch watch;
	u64 sample_pct;		/* share of the jobs that are kept */
	struct grt_rate rate;	/* under its own lock, see police.c */
	struct grt_pressure pressure;
	u64 track_jobs;
};

extern struct grt_policy grt_policy;

/* On while any stage is; grt_police() is to be asked then. */
DECLARE_STATIC_KEY_FALSE(grt_policed);
/* On while jobs in flight are followed: events have the time of their look at the policy. */
DECLARE_STATIC_KEY_FALSE(grt_tracked);
/* On while a monitor wants to know of drops. */
DECLARE_STATIC_KEY_FALSE(grt_monitored);

/*
 * Switches stages on and off, by what was asked for.  Sleeps, under the session lock.
 * 0, or -ENOMEM: no room for the jobs in flight, and nothing was switched.
 */
int grt_police_apply(void);

/*
 * The fate of an event that would go to @buf as far as the policy goes.  @ev->ts and
 * @ev->job are filled in.
 */
enum grtrace_fate grt_police(struct grt_cpu *c, const struct rchan_buf *buf,
			     struct grtrace_seen *ev);
/* It is dropped, at last. */
void grt_police_dropped(u32 ring, u16 type, enum grtrace_fate fate);

/* Puts contexts in the place of those of the watch list.  Sleeps, under the session lock. */
void grt_police_set_ctxs(const struct grt_watch *from);
/*
 * The ring table, for sets that name rings: a row got its name, or all lost theirs.  Under
 * its lock, as is all that writes to these sets.
 */
void grt_police_meet(u32 row, const char *device, const char *name);
void grt_police_forget(void);

/*
 * Events that the rate limiter would have let pass at @at_ns, since when none took any;
 * U64_MAX without a limit, or if it was set later.  Any context but NMI.
 */
u64 grt_rate_tokens(u64 at_ns);

/* name=value lines for METADATA; returns the length. */
size_t grt_hooks_describe(char *to, size_t room);

#endif
