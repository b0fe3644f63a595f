/* SPDX-License-Identifier: LGPL-2.1 */
/* What a trace was made of, when it is not as it was recorded. */
#ifndef GRT_ORIGIN_H
#define GRT_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>

/* X(key of the line in METADATA, words of the headline) */
#define GRT_ORIGINS(X)				\
	X(slice, "a slice of")			\
	X(merge, "merged from")

/*
 * The next origin in @text, METADATA or NULL; *text moves on behind it.  The latest comes
 * first.  False at the end.
 */
bool grt_origin_next(const char **text, const char **words, char *value, size_t room);

/* The latest of the kind @key; false if there is none. */
bool grt_origin_find(const char *text, const char *key, char *value, size_t room);

#endif /* GRT_ORIGIN_H */
