/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a stream says of the events that are not in it: the fates so far at the head of each
 * sub-buffer, and at the end.
 */
#ifndef _GRTRACE_ACCOUNT_H
#define _GRTRACE_ACCOUNT_H

#include <linux/types.h>
#include <uapi/linux/grtrace.h>

#include "transport/transport.h"

/* For struct grt_transport_ops. */
void grt_account_head(unsigned int cpu, void *head, enum grt_head why);
void grt_account_overrun(unsigned int cpu);
void grt_account_set_buf(unsigned int cpu, struct rchan_buf *buf);
size_t grt_account_end(void *to, unsigned int cpu);

/* The fates are final as far as streams tell them; no CPU writes any more.  Sleeps. */
void grt_account_close(void);

/* The fate of an event of @size bytes that found no room. */
enum grtrace_fate grt_account_why(size_t size);

#endif
