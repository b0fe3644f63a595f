/* SPDX-License-Identifier: GPL-2.0 */
/* File descriptors that say when a recording has to end. */
#ifndef GRT_WATCH_H
#define GRT_WATCH_H

#include <stdint.h>

/*
 * Blocks the signals that end a recording.  *@fd becomes a signalfd that has them; the caller closes
 * it.  0 or -errno with a cause.
 */
int grt_watch_signals(int *fd);

/* *@fd becomes readable when process @pid ends; the caller closes it.  0 or -errno with a cause. */
int grt_watch_process(uint64_t pid, int *fd);

#endif /* GRT_WATCH_H */
