/* SPDX-License-Identifier: GPL-2.0 */
/* What the BPF programs had no room for in their tables. */
#ifndef GRT_CAPTURE_BPF_LACKS_H
#define GRT_CAPTURE_BPF_LACKS_H

#include <stddef.h>
#include <stdint.h>

#include "capture.h"

/* Warns of each table that was full: @lacks has how often that was noticed, by enum grt_bpf_lack. */
void grt_bpf_lacks_warn(const uint64_t lacks[GRT_BPF_NR_LACKS]);

/* Writes them as name=value lines, as far as there is room.  Returns the length. */
size_t grt_bpf_lacks_stats(const uint64_t lacks[GRT_BPF_NR_LACKS], char *to, size_t room);

#endif /* GRT_CAPTURE_BPF_LACKS_H */
