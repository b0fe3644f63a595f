/* SPDX-License-Identifier: LGPL-2.1 */
/* Builds command lines that are safe to paste into a shell, whatever words they contain. */
#ifndef GRT_SHELL_H
#define GRT_SHELL_H

#include <stdbool.h>
#include <stddef.h>

#define GRT_SHELL_MAX	2048

/* Zeroed memory is an empty line. */
struct grt_shell {
	char text[GRT_SHELL_MAX];
	size_t at;
	bool is_cut;		/* the line did not fit and must not be shown */
};

/* Adds a blank and a word, quoted if the shell needs that. */
void grt_shell_word(struct grt_shell *s, const char *word);

/* The same for a file name, which is never taken for an option. */
void grt_shell_file(struct grt_shell *s, const char *name);

/* Adds text as it is, blanks included. */
void grt_shell_plain(struct grt_shell *s, const char *text);

/* The line, or NULL if it was cut. */
static inline const char *grt_shell_text(const struct grt_shell *s)
{
	return s->is_cut ? NULL : s->text;
}

#endif /* GRT_SHELL_H */
