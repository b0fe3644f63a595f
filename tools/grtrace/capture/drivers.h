/* SPDX-License-Identifier: GPL-2.0 */
/* Drivers of DRM's devices, by the number of the device. */
#ifndef GRT_CAPTURE_DRIVERS_H
#define GRT_CAPTURE_DRIVERS_H

#include <stdint.h>

#include "vec.h"

/* Zeroed memory knows none yet. */
struct grt_drivers {
	struct grt_vec rows;	/* of struct device, in drivers.c */
};

/*
 * The driver's name in sysfs, valid until the next call; NULL: not a device of DRM.  @device has
 * the major above 20 bits, as in the kernel.
 */
const char *grt_driver_of(struct grt_drivers *d, uint32_t device);
void grt_drivers_free(struct grt_drivers *d);

#endif /* GRT_CAPTURE_DRIVERS_H */
