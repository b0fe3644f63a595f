/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Writes metrics in the format OpenMetrics 1.0, or in the older text format 0.0.4 of Prometheus, which has no
 * exemplars and no units.
 *
 * A family begins with grt_om_family(); its label sets follow, each with grt_om_labels() and
 * grt_om_label(), and with the values of that set.
 */
#ifndef GRT_OPENMETRICS_H
#define GRT_OPENMETRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "vec.h"

/* Zeroed memory but for @is_openmetrics is an empty text. */
struct grt_om {
	bool is_openmetrics;
	struct grt_vec text;		/* of char, without a NUL */
	bool has_failed;		/* no memory: the text is incomplete */
	/* Private. */
	const char *name;		/* of the family */
	struct grt_vec labels;		/* of char: those of the set, with commas between them */
};

/* For the headers Accept and Content-Type. */
#define GRT_OM_MEDIA_TYPE		"application/openmetrics-text"
#define GRT_OM_CONTENT_TYPE		GRT_OM_MEDIA_TYPE "; version=1.0.0; charset=utf-8"
#define GRT_OM_TEXT_CONTENT_TYPE	"text/plain; version=0.0.4; charset=utf-8"

enum grt_om_kind { GRT_OM_COUNTER, GRT_OM_GAUGE, GRT_OM_HISTOGRAM, GRT_OM_INFO };

/* @name is without the endings _total and _info.  If @unit is not NULL, @name ends with it. */
void grt_om_family(struct grt_om *o, const char *name, enum grt_om_kind kind, const char *unit,
		   const char *help);

void grt_om_labels(struct grt_om *o);	/* a label set begins */
/*
 * @value may be any text: bytes that the format forbids become '?'.  If it is "", the label is left out, which means
 * the same.
 */
void grt_om_label(struct grt_om *o, const char *name, const char *value);

/* The value of a counter, gauge or info. */
void grt_om_u64(struct grt_om *o, enum grt_om_kind kind, uint64_t value);
void grt_om_ns(struct grt_om *o, enum grt_om_kind kind, uint64_t ns);	/* in seconds, exactly */

/* A job that is shown as an example of the jobs in a bucket. */
struct grt_om_exemplar {
	uint64_t ctx, seqno, ns;
	uint64_t real_ns;		/* 0: not known */
};

/* Buckets of a histogram, from below, then its sum and count.  The last bound is UINT64_MAX.  @e: may be NULL. */
void grt_om_bucket(struct grt_om *o, uint64_t bound_ns, uint64_t count, const struct grt_om_exemplar *e);
void grt_om_sum(struct grt_om *o, uint64_t sum_ns, uint64_t count);

/* The text is complete. */
void grt_om_end(struct grt_om *o);
void grt_om_free(struct grt_om *o);

#endif /* GRT_OPENMETRICS_H */
