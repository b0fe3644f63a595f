/* SPDX-License-Identifier: GPL-2.0 */
/* Which rings the BPF programs record, as patterns of bytes. */
#ifndef GRT_BPF_PATTERNS_H
#define GRT_BPF_PATTERNS_H

#include <stdint.h>

#include "capture.h"

/* Rings by names, as in struct grt_capture_choice; NULL: all.  0, or -E2BIG with a cause. */
int grt_bpf_patterns_rings(struct grt_bpf_patterns *p, const char *names);

/* Rings by bits of engine classes; 0: all. */
void grt_bpf_patterns_engines(struct grt_bpf_patterns *p, uint64_t engines);

#endif /* GRT_BPF_PATTERNS_H */
