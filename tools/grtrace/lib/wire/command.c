// SPDX-License-Identifier: LGPL-2.1
#include "command.h"

#include <stddef.h>
#include <string.h>

/* include/uapi/linux/virtio_gpu.h of Linux 7.2: enum virtio_gpu_ctrl_type.  A number keeps its meaning. */
static const struct command {
	uint32_t number;
	const char *name;
} virtio_gpu[] = {
	{ 0x0100, "GET_DISPLAY_INFO" },
	{ 0x0101, "RESOURCE_CREATE_2D" },
	{ 0x0102, "RESOURCE_UNREF" },
	{ 0x0103, "SET_SCANOUT" },
	{ 0x0104, "RESOURCE_FLUSH" },
	{ 0x0105, "TRANSFER_TO_HOST_2D" },
	{ 0x0106, "RESOURCE_ATTACH_BACKING" },
	{ 0x0107, "RESOURCE_DETACH_BACKING" },
	{ 0x0108, "GET_CAPSET_INFO" },
	{ 0x0109, "GET_CAPSET" },
	{ 0x010a, "GET_EDID" },
	{ 0x010b, "RESOURCE_ASSIGN_UUID" },
	{ 0x010c, "RESOURCE_CREATE_BLOB" },
	{ 0x010d, "SET_SCANOUT_BLOB" },
	{ 0x0200, "CTX_CREATE" },
	{ 0x0201, "CTX_DESTROY" },
	{ 0x0202, "CTX_ATTACH_RESOURCE" },
	{ 0x0203, "CTX_DETACH_RESOURCE" },
	{ 0x0204, "RESOURCE_CREATE_3D" },
	{ 0x0205, "TRANSFER_TO_HOST_3D" },
	{ 0x0206, "TRANSFER_FROM_HOST_3D" },
	{ 0x0207, "SUBMIT_3D" },
	{ 0x0208, "RESOURCE_MAP_BLOB" },
	{ 0x0209, "RESOURCE_UNMAP_BLOB" },
	{ 0x0300, "UPDATE_CURSOR" },
	{ 0x0301, "MOVE_CURSOR" },
};

const char *grt_command_name(const char *driver, uint32_t command)
{
	if (strcmp(driver, "virtio_gpu") != 0)
		return NULL;
	for (size_t i = 0; i < sizeof(virtio_gpu) / sizeof(virtio_gpu[0]); i++)
		if (virtio_gpu[i].number == command)
			return virtio_gpu[i].name;
	return NULL;
}
