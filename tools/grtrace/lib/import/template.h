/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Parses an event's text with the format that its driver prints:
 *
 *	driver={driver} timeline={ring} context={ctx} seqno={seqno}
 *
 * A name in braces is a slot, and {} matches anything.  All other text must match exactly; a blank
 * matches any number of blanks.  Text after the template is ignored, because newer kernels append
 * fields.  Some do between others, so a template may end with bars, behind each of them one way in which the text
 * may go on; the first that fits counts, and none has to.
 */
#ifndef GRT_TEMPLATE_H
#define GRT_TEMPLATE_H

#include "foreign.h"

/* Fills the slots of @ev; or returns false and changes nothing. */
bool grt_template_match(const char *template, struct grt_piece text, struct grt_foreign *ev);

/* Whether @text looks like the beginning of one that matches. */
bool grt_template_is_cut(const char *template, struct grt_piece text);

#endif /* GRT_TEMPLATE_H */
