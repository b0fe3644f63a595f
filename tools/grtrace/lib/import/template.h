/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Takes an event's text apart by the line that its driver prints it with:
 *
 *	driver={driver} timeline={ring} context={ctx} seqno={seqno}
 *
 * A name in braces is a slot and {} is anything; all else must be there as it
 * stands, a blank for any number of blanks.  What follows the template is let pass:
 * newer kernels append.
 */
#ifndef GRT_TEMPLATE_H
#define GRT_TEMPLATE_H

#include "foreign.h"

/* Fills the slots of @ev, or leaves them alone and returns false. */
bool grt_template_match(const char *template, struct grt_piece text, struct grt_foreign *ev);

#endif /* GRT_TEMPLATE_H */
