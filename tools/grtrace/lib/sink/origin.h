/* SPDX-License-Identifier: LGPL-2.1 */
/* From which traces a trace was made, unless it is an original recording. */
#ifndef GRT_ORIGIN_H
#define GRT_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>

/* X(key of the line in METADATA, words of the headline) */
#define GRT_ORIGINS(X)				\
	X(slice, "a slice of")			\
	X(merge, "merged from")

/*
 * The next origin in @text, which is METADATA or NULL; moves *text behind it.  The latest comes
 * first.  False at the end.
 */
bool grt_origin_next(const char **text, const char **words, char *value, size_t room);

/* The latest origin of kind @key; false if there is none. */
bool grt_origin_find(const char *text, const char *key, char *value, size_t room);

/*
 * What recorded the trace: module, bpf, tracefs or import.  False: it does not say, as
 * older modules do not, or it was merged from several.
 */
bool grt_origin_source(const char *text, char *value, size_t room);

#endif /* GRT_ORIGIN_H */
