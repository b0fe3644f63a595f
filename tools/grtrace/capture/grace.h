/* SPDX-License-Identifier: GPL-2.0 */
#ifndef GRT_CAPTURE_GRACE_H
#define GRT_CAPTURE_GRACE_H

/*
 * Waits until every program and every tracepoint that runs now has ended: they run as RCU readers
 * or with preemption off, and this waits for those.
 */
void grt_capture_grace(void);

#endif /* GRT_CAPTURE_GRACE_H */
