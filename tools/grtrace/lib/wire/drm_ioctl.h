/* SPDX-License-Identifier: LGPL-2.1 */
/* Names of DRM's ioctls, as the kernel's own messages have them. */
#ifndef GRT_DRM_IOCTL_H
#define GRT_DRM_IOCTL_H

#include <stdint.h>

/*
 * The name of ioctl @cmd on a device of @driver, like "AMDGPU_CS" or "DRM_IOCTL_GEM_CLOSE".  @driver
 * is the name of the device's driver in sysfs.  NULL: the ioctl is not DRM's, or not known.
 */
const char *grt_drm_ioctl_name(const char *driver, uint32_t cmd);

#endif /* GRT_DRM_IOCTL_H */
