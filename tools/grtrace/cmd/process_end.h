/* SPDX-License-Identifier: GPL-2.0 */
/* Tells which processes of this machine have ended. */
#ifndef GRT_PROCESS_END_H
#define GRT_PROCESS_END_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether no process has this number, which is of the initial pid namespace.  False if that is not known, as in
 * a container with processes of its own.
 */
bool grt_process_has_ended(uint32_t tgid);

#endif /* GRT_PROCESS_END_H */
