/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The config keys: rows of a table (keys.c).  key.c parses, checks and shows a key; config.c is
 * the file of all keys; files.c makes a file of each key.
 */
#ifndef _GRTRACE_CONFIG_H
#define _GRTRACE_CONFIG_H

#include <linux/types.h>

/* Longest text of a key, with its NUL: 128 contexts.  See GRT_LINE_MAX, too. */
#define GRT_KEY_TEXT	2816
/* Longest text of a mask as the user wrote it, with its NUL. */
#define GRT_WRITTEN	24

/**
 * struct grt_key - a config key
 * @name:    the name that is shown everywhere
 * @alias:   a second name that is accepted; NULL = none
 * @value:   the variable with its number; NULL for a key with @set and @show
 * @least, @most: bounds of the number
 * @preset:  the default
 * @text:    its meaning, for error messages and the file keys
 * @words:   names of the numbers from @least on, separated by blanks; / separates two names
 *	     of one number.  Of a key with @set: what it accepts.  NULL = none
 * @is_word: show the name instead of the number
 * @bits:    the bits of a mask that have a meaning; others are ignored.  All of them, -1 and
 *	     "all" are stored as 0.  0: the key is no mask
 * @written: GRT_WRITTEN bytes: the mask as the user wrote it, which is shown; "" = show the
 *	     number
 * @is_action: writing it does something and stores nothing; the file config leaves it out
 * @is_allowed: a further check of a number within the bounds; NULL = none
 * @apply:   called after a change, under the session lock.  0, or a negative errno: the change
 *	     is undone.  NULL: the next start reads the number
 * @set:     parses and changes the key instead of all that.  0 or a negative errno, after
 *	     grtrace_ctl_error()
 * @show:    writes the text of a key with @set
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

/* key.c: the key whose name or alias is @name; NULL if there is none. */
const struct grt_key *grt_key_find(const struct grt_key *keys, unsigned int nr, const char *name);
/* key.c: writes the value of a key in its canonical form. */
void grt_key_format(const struct grt_key *key, char *to, size_t room);
/* key.c: writes the value of a key for the user: a mask as it was written. */
void grt_key_print(const struct grt_key *key, char *to, size_t room);
/* key.c: parses @text and changes the key.  0 or a negative errno, after grtrace_ctl_error(). */
int grt_key_store(const struct grt_key *key, const char *text);

/* Notes every key that is not at its default, with the session's start time.  Under its lock. */
void grt_config_note(void);

/* Writes the value of key @name for the user. */
void grt_config_print(const char *name, char *to, size_t room);
/* lists.c: notes the lists that are not empty, with the time of the session's start. */
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

/* The profiles: X(NAME, name). */
#define GRT_PROFILES(X)								\
	X(DEFAULT, default) X(PRODUCTION, production)				\
	X(DEVELOPMENT, development) X(ANALYSIS, analysis)

/* profile.c: the key profile, which sets others of the table @keys. */
int grt_profile_set(const struct grt_key *keys, unsigned int nr, const char *text);
void grt_profile_show(const struct grt_key *keys, unsigned int nr, char *to, size_t room);

#endif
