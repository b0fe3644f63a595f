/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What was kept when: a POLICY record per change of a config key, and one per key
 * that was not at its default when the session began.
 */
#ifndef _GRTRACE_POLICIES_H
#define _GRTRACE_POLICIES_H

#include <linux/types.h>

/*
 * The session that runs, if one does, goes on with @key=@value.  To be called with
 * the session lock held and before the change is applied: so the record is there for
 * every reader who finds an event that the change concerns.  May sleep.
 */
void grt_policy_note(const char *key, const char *value);

/* The same for what held from @ts on already; 0: from now on. */
void grt_policy_note_at(u64 ts, const char *key, const char *value);

/*
 * Copies the record at *@at, which begins with 0 and moves on behind it, to @to, of
 * GRT_DEF_MAX bytes; returns its size, 0 if there is none (yet).
 */
size_t grt_policy_copy(u32 *at, void *to);

/* How many found no room. */
u32 grt_policies_lost(void);

/* config.c: notes every key that is not at its default, as of the session's start. */
void grt_config_note(void);

/* Forgets all records; no session may be running. */
void grt_policies_reset(void);
void grt_policies_destroy(void);

#endif
