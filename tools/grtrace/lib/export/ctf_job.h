/* SPDX-License-Identifier: LGPL-2.1 */
/* A job as an event of a CTF trace: a field per column of grtrace report --jobs. */
#ifndef GRT_CTF_JOB_H
#define GRT_CTF_JOB_H

#include "column.h"
#include "vec.h"

/* The type of a column's field, in TSDL. */
const char *ctf_job_tsdl(const struct grt_column *c);

/* Appends all fields to @to.  0 or -errno with a cause. */
int ctf_put_job(struct grt_vec *to, const struct grt_view *view);

#endif /* GRT_CTF_JOB_H */
