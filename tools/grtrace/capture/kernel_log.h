/* SPDX-License-Identifier: GPL-2.0 */
/* New lines of the kernel's log. */
#ifndef GRT_KERNEL_LOG_H
#define GRT_KERNEL_LOG_H

#include <stdbool.h>
#include <stddef.h>

#define GRT_KERNEL_LOG_LINE	2048

/* Opens the log at its end.  Returns a descriptor to be closed, which poll() works on; -errno with a cause. */
int grt_kernel_log_open(void);

/*
 * Reads the next line, without its priority and its stamp: no other clock can be compared with that stamp.
 * Returns 1, or 0 if there is no line now.  -EPIPE: some lines were overwritten before they could be read, but
 * others can be read; another -errno with a cause.
 */
int grt_kernel_log_next(int fd, char line[GRT_KERNEL_LOG_LINE]);

#endif /* GRT_KERNEL_LOG_H */
