/* SPDX-License-Identifier: LGPL-2.1 */
/* Names of the commands that drivers number. */
#ifndef GRT_COMMAND_H
#define GRT_COMMAND_H

#include <stdint.h>

/*
 * The name of @command of a job on a ring of @driver, like "SUBMIT_3D".  NULL: not known, or @driver
 * does not number commands.
 */
const char *grt_command_name(const char *driver, uint32_t command);

#endif /* GRT_COMMAND_H */
