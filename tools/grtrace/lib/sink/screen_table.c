// SPDX-License-Identifier: LGPL-2.1
/* What the tables of screens have in common. */
#include "screen_private.h"

#include "job_words.h"

void grt_screen_table(const struct grt_job_out *o, struct grt_table *t)
{
	putc('\n', o->file);
	grt_table_print(t, o->file, grt_bold(o), grt_plain(o));
	grt_table_free(t);
}

void grt_screen_more(const struct grt_job_out *o, size_t rows, const char *option)
{
	fprintf(o->file, " %zu more: grtrace report %s%s\n", rows, option, o->again ? o->again : "");
}
