// SPDX-License-Identifier: GPL-2.0
/*
 * virtio-commands N [CARD]: makes a resource N times with CARD (default: /dev/dri/card0), a virtio
 * GPU, writes to it, and each tenth time beyond its end, which the device refuses.  The commands that
 * make resources have fences; the others have none on a GPU without 3D.  Prints how many commands the
 * device should have refused.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include <libdrm/drm.h>
#include <libdrm/virtgpu_drm.h>

#define SIDE	16	/* pixels */

static int card;

static void try(unsigned long request, void *arg, const char *what)
{
	if (ioctl(card, request, arg) >= 0)
		return;
	perror(what);
	exit(1);
}

static void use_resource(unsigned int width)
{
	struct drm_virtgpu_resource_create create = {
		.target = 2, .format = 2, .bind = 2, .width = SIDE, .height = SIDE, .depth = 1,
		.array_size = 1, .size = SIDE * SIDE * 4,
	};
	struct drm_virtgpu_3d_transfer_to_host transfer = {
		.box = { .w = width, .h = SIDE, .d = 1 },
	};
	struct drm_virtgpu_3d_wait wait = { 0 };
	struct drm_gem_close gem_close = { 0 };

	try(DRM_IOCTL_VIRTGPU_RESOURCE_CREATE, &create, "VIRTGPU_RESOURCE_CREATE");
	transfer.bo_handle = wait.handle = gem_close.handle = create.bo_handle;
	try(DRM_IOCTL_VIRTGPU_TRANSFER_TO_HOST, &transfer, "VIRTGPU_TRANSFER_TO_HOST");
	try(DRM_IOCTL_VIRTGPU_WAIT, &wait, "VIRTGPU_WAIT");
	try(DRM_IOCTL_GEM_CLOSE, &gem_close, "GEM_CLOSE");
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 0, refused = 0;

	if (count < 1) {
		fprintf(stderr, "usage: virtio-commands N [CARD]\n");
		return 2;
	}
	card = open(argc > 2 ? argv[2] : "/dev/dri/card0", O_RDWR | O_CLOEXEC);
	if (card < 0) {
		perror("card");
		return 1;
	}
	for (int i = 0; i < count; i++) {
		int is_refused = i % 10 == 9;

		use_resource(is_refused ? 2 * SIDE : SIDE);
		refused += is_refused;
	}
	printf("%d commands refused\n", refused);
	return 0;
}
