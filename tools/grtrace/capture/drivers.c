// SPDX-License-Identifier: GPL-2.0
#include "drivers.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DRM_MAJOR	226
#define ACCEL_MAJOR	261
#define MINOR_BITS	20

struct device {
	uint32_t number;
	char driver[64];	/* "": no driver, but still DRM's */
};

static void look_up(struct device *d)
{
	char path[64], target[256];
	ssize_t len;

	snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/device/driver", d->number >> MINOR_BITS,
		 d->number & ((1u << MINOR_BITS) - 1));
	len = readlink(path, target, sizeof(target) - 1);
	target[len > 0 ? len : 0] = '\0';
	snprintf(d->driver, sizeof(d->driver), "%.63s",
		 strrchr(target, '/') ? strrchr(target, '/') + 1 : target);
}

const char *grt_driver_of(struct grt_drivers *d, uint32_t device)
{
	struct device *row;

	if (device >> MINOR_BITS != DRM_MAJOR && device >> MINOR_BITS != ACCEL_MAJOR)
		return NULL;
	for (size_t i = 0; i < grt_vec_count(&d->rows, struct device); i++) {
		row = grt_vec_at(&d->rows, struct device, i);
		if (row->number == device)
			return row->driver;
	}
	row = grt_vec_grow(&d->rows, sizeof(*row));
	if (!row)
		return NULL;
	row->number = device;
	look_up(row);
	return row->driver;
}

void grt_drivers_free(struct grt_drivers *d)
{
	grt_vec_free(&d->rows);
}
