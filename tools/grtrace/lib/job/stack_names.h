/* SPDX-License-Identifier: LGPL-2.1 */
/* The call stacks of a trace: their numbers and texts. */
#ifndef GRT_STACK_NAMES_H
#define GRT_STACK_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "keymap.h"
#include "vec.h"

/* Zeroed memory is empty. */
struct grt_stack_names {
	struct grt_vec rows;		/* of char *, owned; NULL: there was no text yet */
	struct grt_keymap row_of;	/* number of the stack to its row */
};

void grt_stack_names_free(struct grt_stack_names *n);

/* Takes a definition.  0 or -errno with a cause. */
int grt_stack_names_define(struct grt_stack_names *n, const struct grtrace_stack_text *rec);

/* The row of stack @number, which may have no text; adds one for a new stack.  GRT_NONE without memory. */
uint32_t grt_stack_names_row(struct grt_stack_names *n, uint64_t number);

/* The functions of the stack, the outermost first, with ';' between them; NULL: not known. */
static inline const char *grt_stack_names_text(const struct grt_stack_names *n, uint32_t row)
{
	return row == GRT_NONE ? NULL : *grt_vec_at(&n->rows, char *, row);
}

/*
 * Writes the innermost functions of @text, the innermost first, with " < " between them: as many as
 * fit, and "..." if there are more.  Returns @to.
 */
const char *grt_stack_names_top(char *to, size_t room, const char *text);

#endif /* GRT_STACK_NAMES_H */
