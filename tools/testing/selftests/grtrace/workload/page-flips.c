// SPDX-License-Identifier: GPL-2.0
/*
 * page-flips N [CARD [MOVES]]: draws N frames by turns into two buffers in memory and shows each,
 * with the first display of CARD (default: /dev/dri/card0).  Prints how many were shown.  Then shows a
 * cursor and moves it MOVES times (default: no cursor).
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <libdrm/drm.h>
#include <libdrm/drm_mode.h>

#define MOST	8	/* displays, connectors, modes */
#define CURSOR	64	/* pixels: the size that each driver takes */

static int card;

struct frame {
	uint32_t fb;
	void *pixels;
	size_t bytes;
};

static void try(unsigned long request, void *arg, const char *what)
{
	if (ioctl(card, request, arg) >= 0)
		return;
	perror(what);
	exit(1);
}

static struct frame make_frame(const struct drm_mode_modeinfo *mode)
{
	struct drm_mode_create_dumb dumb = {
		.width = mode->hdisplay, .height = mode->vdisplay, .bpp = 32,
	};
	struct drm_mode_fb_cmd fb = { .bpp = 32, .depth = 24 };
	struct drm_mode_map_dumb map = { 0 };
	struct frame f;

	try(DRM_IOCTL_MODE_CREATE_DUMB, &dumb, "cannot create a buffer");
	fb.width = dumb.width;
	fb.height = dumb.height;
	fb.pitch = dumb.pitch;
	fb.handle = dumb.handle;
	try(DRM_IOCTL_MODE_ADDFB, &fb, "cannot make a frame of the buffer");
	map.handle = dumb.handle;
	try(DRM_IOCTL_MODE_MAP_DUMB, &map, "cannot map the buffer");
	f = (struct frame){ .fb = fb.fb_id, .bytes = dumb.size };
	f.pixels = mmap(NULL, f.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, card, map.offset);
	if (f.pixels == MAP_FAILED) {
		perror("cannot map the buffer");
		exit(1);
	}
	return f;
}

/* Shows the first mode of the first connector. */
static struct drm_mode_crtc choose_display(uint32_t *connectors)
{
	static struct drm_mode_modeinfo modes[MOST];
	uint32_t crtcs[MOST];
	struct drm_mode_card_res res = {
		.crtc_id_ptr = (uintptr_t)crtcs, .count_crtcs = MOST,
		.connector_id_ptr = (uintptr_t)connectors, .count_connectors = MOST,
	};
	struct drm_mode_get_connector connector = { 0 };

	try(DRM_IOCTL_MODE_GETRESOURCES, &res, "no displays");
	connector.connector_id = connectors[0];
	/* The first call tells how many modes there are, the second one copies them if all have room. */
	try(DRM_IOCTL_MODE_GETCONNECTOR, &connector, "no connector");
	if (!connector.count_modes || connector.count_modes > 256) {
		fprintf(stderr, "the display has no modes\n");
		exit(1);
	}
	connector.count_props = 0;
	connector.count_encoders = 0;
	connector.modes_ptr = (uintptr_t)calloc(connector.count_modes, sizeof(*modes));
	try(DRM_IOCTL_MODE_GETCONNECTOR, &connector, "no modes");
	modes[0] = *(struct drm_mode_modeinfo *)(uintptr_t)connector.modes_ptr;
	free((void *)(uintptr_t)connector.modes_ptr);
	return (struct drm_mode_crtc){
		.crtc_id = crtcs[0], .set_connectors_ptr = (uintptr_t)connectors,
		.count_connectors = 1, .mode = modes[0], .mode_valid = 1,
	};
}

static void show(uint32_t crtc, const struct frame *f)
{
	struct drm_mode_fb_dirty_cmd dirty = { .fb_id = f->fb };
	struct drm_mode_crtc_page_flip flip = {
		.crtc_id = crtc, .fb_id = f->fb, .flags = DRM_MODE_PAGE_FLIP_EVENT,
	};
	char event[256];

	try(DRM_IOCTL_MODE_DIRTYFB, &dirty, "cannot send the frame");
	try(DRM_IOCTL_MODE_PAGE_FLIP, &flip, "cannot flip");
	if (read(card, event, sizeof(event)) <= 0) {
		perror("the flip had no event");
		exit(1);
	}
}

static void move_cursor(uint32_t crtc, int moves)
{
	struct drm_mode_create_dumb dumb = { .width = CURSOR, .height = CURSOR, .bpp = 32 };
	struct drm_mode_cursor cursor = {
		.flags = DRM_MODE_CURSOR_BO, .crtc_id = crtc, .width = CURSOR, .height = CURSOR,
	};

	try(DRM_IOCTL_MODE_CREATE_DUMB, &dumb, "cannot create a cursor");
	cursor.handle = dumb.handle;
	try(DRM_IOCTL_MODE_CURSOR, &cursor, "cannot show the cursor");
	cursor.flags = DRM_MODE_CURSOR_MOVE;
	while (moves--) {
		cursor.x++;
		try(DRM_IOCTL_MODE_CURSOR, &cursor, "cannot move the cursor");
	}
}

int main(int argc, char **argv)
{
	int frames = argc > 1 ? atoi(argv[1]) : 1, moves = argc > 3 ? atoi(argv[3]) : 0;
	uint32_t connectors[MOST];
	struct drm_mode_crtc crtc;
	struct frame both[2];

	card = open(argc > 2 ? argv[2] : "/dev/dri/card0", O_RDWR);
	if (card < 0) {
		perror("cannot open the card");
		return 1;
	}
	crtc = choose_display(connectors);
	both[0] = make_frame(&crtc.mode);
	both[1] = make_frame(&crtc.mode);
	crtc.fb_id = both[0].fb;
	try(DRM_IOCTL_MODE_SETCRTC, &crtc, "cannot set the mode");
	for (int i = 0; i < frames; i++) {
		memset(both[i & 1].pixels, i, both[i & 1].bytes / 8);
		show(crtc.crtc_id, &both[i & 1]);
	}
	if (moves > 0)
		move_cursor(crtc.crtc_id, moves);
	printf("%d frames were shown\n", frames);
	return 0;
}
