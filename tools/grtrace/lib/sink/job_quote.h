/* SPDX-License-Identifier: LGPL-2.1 */
/* Texts out of a trace are untrusted: no output lets them break out of their place. */
#ifndef GRT_JOB_QUOTE_H
#define GRT_JOB_QUOTE_H

#include <stdio.h>

void grt_quote_csv(FILE *f, const char *text);	/* quoted where it must be */
void grt_quote_json(FILE *f, const char *text);	/* with its quotes, valid UTF-8 */

/* For terminals: control characters and broken UTF-8 as '?', into @buf. */
const char *grt_quote_text(char *buf, size_t bytes, const char *text);

#endif /* GRT_JOB_QUOTE_H */
