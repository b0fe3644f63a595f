/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef GRT_CHARGE_SUM_H
#define GRT_CHARGE_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "job.h"

/* The part of a charge between @from_ns and @to_ns; its ns is 0 if there is none. */
struct grt_charge grt_charge_clip(const struct grt_charge *c, uint64_t from_ns, uint64_t to_ns);

/*
 * Sets *greatest to what a job waited for longest between @from_ns and @to_ns, and *until_ns to the
 * end of that.  Charges for one client and reason are added up, but with @by_fence fences one by
 * one; a model that keeps pieces has many of them.  Its ns is 0 if there is none.  0 or -errno.
 */
int grt_charge_greatest(const struct grt_job *job, uint64_t from_ns, uint64_t to_ns, bool by_fence,
			struct grt_charge *greatest, uint64_t *until_ns);

#endif /* GRT_CHARGE_SUM_H */
