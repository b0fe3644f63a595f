/* SPDX-License-Identifier: GPL-2.0 */
/* Tells which threads and processes of this machine have ended. */
#ifndef GRT_CAPTURE_TASK_END_H
#define GRT_CAPTURE_TASK_END_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether the thread or process @tid has ended.  @tid is its number in the initial pid namespace, so a grtrace in a
 * container cannot look for it: then the answer is false.
 */
bool grt_task_has_ended(uint32_t tid);

#endif /* GRT_CAPTURE_TASK_END_H */
