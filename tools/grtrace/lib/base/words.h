/* SPDX-License-Identifier: LGPL-2.1 */
/* Words that options collect: those that choose, and behind them those that leave out. */
#ifndef GRT_WORDS_H
#define GRT_WORDS_H

#include <stdbool.h>

#define GRT_WORDS_MOST	64

/* Zeroed memory has none. */
struct grt_words {
	const char *words[GRT_WORDS_MOST];	/* not owned */
	unsigned int count;
	unsigned int chosen;		/* if @has_out: the words from here on leave out */
	bool has_out;
};

/* Whether the word @i chooses; else it leaves out. */
static inline bool grt_words_chooses(const struct grt_words *w, unsigned int i)
{
	return !w->has_out || i < w->chosen;
}

#endif /* GRT_WORDS_H */
