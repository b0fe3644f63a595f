/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The history of the settings: a POLICY record per change of a config key, and one per key
 * that was not at its default when the session began.
 */
#ifndef _GRTRACE_POLICY_LOG_H
#define _GRTRACE_POLICY_LOG_H

#include <linux/types.h>

/*
 * Records that @key becomes @value, if a session runs.  Call it under the session lock and
 * before the change is applied, so that the record is there before any event that the change
 * affects.  May sleep.
 */
void grt_policy_log_add(const char *key, const char *value);

/* The same with a time: @key has had @value since @ts (ns), 0 = now. */
void grt_policy_log_add_at(u64 ts, const char *key, const char *value);

/*
 * Copies the record at *@at to @to (GRT_DEF_MAX bytes) and moves *@at to the next one; *@at
 * starts at 0.  Returns the record's size, 0 if there is none yet.
 */
size_t grt_policy_log_copy(u32 *at, void *to);

/* Number of records that found no room. */
u32 grt_policy_log_lost(void);

/* Drops all records; no session may be running. */
void grt_policy_log_reset(void);
void grt_policy_log_destroy(void);

#endif
