/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The config keys: rows of a table (keys.c) that config.c parses, bounds, shows, and
 * makes files of.
 */
#ifndef _GRTRACE_CONFIG_H
#define _GRTRACE_CONFIG_H

#include <linux/types.h>

/* Longest text that a key is shown as, with its NUL: 128 contexts.  See GRT_LINE_MAX, too. */
#define GRT_KEY_TEXT	2816
/* And a mask, as it was written. */
#define GRT_WRITTEN	24

/**
 * struct grt_key - a config key
 * @name:    the word that everything shows
 * @alias:   another name that is taken, too; NULL = none
 * @value:   where its number is; NULL: @set and @show know
 * @least, @most, @preset: of the number; @preset is what it is at first
 * @text:    what it means, for errors
 * @words:   names of the numbers from @least on, with blanks between, and / where one has
 *	     another name; NULL = none
 * @is_word: shown by name
 * @bits:    of a mask: those that mean something, others are ignored; all of them, -1 and
 *	     "all" are 0.  0: it is no mask
 * @written: GRT_WRITTEN bytes: a mask is shown as it was written; "": by its number
 * @is_action: something is done, and nothing is kept: not shown in config
 * @is_allowed: within the bounds; NULL: all of them are
 * @apply:   at once, under the session lock: 0 or a negative errno, then it is as
 *	     before.  NULL: the next start reads it
 * @set:     instead of all that: 0 or a negative errno, after grtrace_ctl_error()
 * @show:    writes its value; with @set
 */
struct grt_key {
	const char *name, *alias;
	u64 *value;
	u64 least, most, preset;
	const char *text, *words;
	u64 bits;
	char *written;
	bool is_word, is_action;
	bool (*is_allowed)(u64 value);
	int (*apply)(void);
	int (*set)(const struct grt_key *key, const char *text);
	void (*show)(char *to, size_t room);
};

extern const struct grt_key grt_keys[];
extern const unsigned int grt_nr_keys;

const struct grt_key *grt_key_find(const char *name);

/* Notes every key that is not at its default, as of the session's start.  Under its lock. */
void grt_config_note(void);

/* The value of a key, always in the same words. */
void grt_config_format(const char *name, char *to, size_t room);
/* How a key is shown: as it was written, where that says more. */
void grt_config_print(const char *name, char *to, size_t room);
/* lists.c: notes the lists that are not empty, as of the session's start. */
void grt_lists_note(void);

/* lists.c: the keys that are lists of rings or contexts. */
int grt_filter_ring_set(const struct grt_key *key, const char *text);
void grt_filter_ring_show(char *to, size_t room);
int grt_watchlist_set(const struct grt_key *key, const char *text);
void grt_watchlist_show(char *to, size_t room);
int grt_watch_ctx_set(const struct grt_key *key, const char *text);
void grt_watch_ctx_show(char *to, size_t room);
int grt_watch_ctx_add(const struct grt_key *key, const char *text);
int grt_watch_ctx_clear(const struct grt_key *key, const char *text);
int grt_watch_ring_add(const struct grt_key *key, const char *text);
int grt_watch_ring_clear(const struct grt_key *key, const char *text);
int grt_watch_count_set(const struct grt_key *key, const char *text);
void grt_watch_ctx_count_show(char *to, size_t room);
void grt_watch_ring_count_show(char *to, size_t room);

/* profile.c */
int grt_profile_set(const struct grt_key *key, const char *text);
void grt_profile_show(char *to, size_t room);

#endif
