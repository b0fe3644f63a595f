/* SPDX-License-Identifier: GPL-2.0 */
/* Whether the kernel has a function, and where. */
#ifndef GRT_KERNEL_FUNCTION_H
#define GRT_KERNEL_FUNCTION_H

struct grt_probe_spec;
struct grt_tracefs_place;

/*
 * Finds the function, and sets the module if it is in one.  0; -EINVAL with a cause and the nearest name:
 * there is none.
 */
int grt_kernel_function_find(struct grt_probe_spec *s);

/* Why the kernel refuses a probe there, if that is known; else NULL. */
const char *grt_kernel_function_refusal(const struct grt_tracefs_place *p, const char *function);

#endif /* GRT_KERNEL_FUNCTION_H */
