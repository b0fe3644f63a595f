/* SPDX-License-Identifier: GPL-2.0 */
/* What the BPF programs summed up. */
#ifndef GRT_BPF_SUMS_H
#define GRT_BPF_SUMS_H

struct grt_capture_defs;
struct grt_vec;

/* As grt_bpf_sums(), from the map @map. */
int grt_bpf_sums_read(int map, const struct grt_capture_defs *defs, struct grt_vec *totals);

#endif /* GRT_BPF_SUMS_H */
