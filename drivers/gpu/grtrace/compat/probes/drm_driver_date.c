// SPDX-License-Identifier: GPL-2.0
/* struct drm_driver has a date (until 6.13). */
#include <drm/drm_drv.h>

const char *probe(const struct drm_driver *driver);
const char *probe(const struct drm_driver *driver)
{
	return driver->date;
}
