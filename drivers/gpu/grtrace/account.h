/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How a stream accounts for events that are not in it: it contains the fates so far, at the
 * head of each sub-buffer and at the end of the stream.
 */
#ifndef _GRTRACE_ACCOUNT_H
#define _GRTRACE_ACCOUNT_H

#include <linux/types.h>
#include <uapi/linux/grtrace.h>

#include "transport/transport.h"

/* Callbacks of struct grt_transport_ops; transport.h documents them. */
void grt_account_head(unsigned int cpu, void *head, enum grt_head why,
		      const struct grt_swap *begun);
bool grt_account_is_pending(unsigned int cpu);
void grt_account_overrun(unsigned int cpu);
void grt_account_set_buf(unsigned int cpu, struct rchan_buf *buf);
void grt_account_swap_buf(unsigned int cpu, struct rchan_buf *from, struct rchan_buf *to);
size_t grt_account_end(void *to, unsigned int cpu);

/* Takes the fates for STREAM_END.  Call it once no CPU writes any more.  Sleeps. */
void grt_account_close(void);

/*
 * Overwrite mode.  begin, stop: the session begins, or no CPU writes any more.  next_snapshot:
 * what CPUs wrote until now belongs to the next snapshot; for the swap, any context.
 * end_snapshot: takes the fates for its STREAM_END, on all CPUs that wrote nothing since; sleeps.
 */
void grt_account_begin(void);
void grt_account_stop(void);
struct grt_swap grt_account_next_snapshot(void);
void grt_account_end_snapshot(void);

/* Returns the fate of an event of @size bytes that found no room. */
enum grtrace_fate grt_account_why(size_t size);

#endif
