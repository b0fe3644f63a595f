/* SPDX-License-Identifier: LGPL-2.1 */
/* What the HTML view knows of the whole trace: names, the report, and where the blocks are. */
#ifndef GRT_EXPORT_HTML_META_H
#define GRT_EXPORT_HTML_META_H

#include "export.h"
#include "html_events.h"
#include "html_jobs.h"
#include "lod.h"

/* Writes it; the trace is over.  0 or -errno with a cause. */
int grt_html_meta(struct grt_export *x, const struct grt_html_jobs *jobs,
		  const struct grt_html_events *events, const struct grt_lod *lod);

#endif /* GRT_EXPORT_HTML_META_H */
