/* SPDX-License-Identifier: GPL-2.0 */
/* What a locked down kernel refuses to everybody. */
#ifndef GRT_CAPTURE_LOCKDOWN_H
#define GRT_CAPTURE_LOCKDOWN_H

#include <stdbool.h>

/* The hint for sources that do not work with "confidentiality". */
#define GRT_CAPTURE_UNLOCK_HINT "boot with lockdown=integrity, which is enough for Secure Boot"

/* Whether its level is "confidentiality": the kernel's memory cannot be read, nor traced. */
bool grt_capture_is_confidential(void);

#endif /* GRT_CAPTURE_LOCKDOWN_H */
