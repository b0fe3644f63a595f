/* SPDX-License-Identifier: GPL-2.0 */
/* Tells which threads and processes of this machine have ended. */
#ifndef GRT_CAPTURE_TASK_END_H
#define GRT_CAPTURE_TASK_END_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether no thread and no process has this number, which is of the initial pid namespace.  False if that is not
 * known, as in a container with processes of its own.
 */
bool grt_task_has_ended(uint32_t tid);

#endif /* GRT_CAPTURE_TASK_END_H */
