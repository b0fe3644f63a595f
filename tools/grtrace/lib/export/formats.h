/* SPDX-License-Identifier: LGPL-2.1 */
/* The formats of grtrace export: a row per format. */
#ifndef GRT_EXPORT_FORMATS_H
#define GRT_EXPORT_FORMATS_H

#include <stddef.h>

#include "export.h"

extern const struct grt_export_format grt_export_html, grt_export_perfetto, grt_export_ctf,
	grt_export_trace_dat, grt_export_csv, grt_export_json, grt_export_ndjson, grt_export_sqlite;

/* NULL past the last one. */
const struct grt_export_format *grt_export_format_at(size_t i);

/* NULL with a cause if there is no such format. */
const struct grt_export_format *grt_export_format_find(const char *name);

#endif /* GRT_EXPORT_FORMATS_H */
