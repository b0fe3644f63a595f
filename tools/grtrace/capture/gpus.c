// SPDX-License-Identifier: GPL-2.0
#include "gpus.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "io.h"

/* A device of the machine, and the folder of sysfs that is its own. */
struct found {
	char dir[PATH_MAX];
	struct grt_gpu gpu;
};

/* The last part of a path. */
static const char *leaf(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Copies as much as fits. */
static void copy(char *to, size_t room, const char *text)
{
	snprintf(to, room, "%.*s", (int)room - 1, text);
}

/* Where the link DIR/NAME leads, its last part; "": there is none. */
static void read_link(const char *dir, const char *name, char *to, size_t room)
{
	char path[PATH_MAX + 64], target[PATH_MAX];
	ssize_t len;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	len = readlink(path, target, sizeof(target) - 1);
	target[len > 0 ? len : 0] = '\0';
	copy(to, room, leaf(target));
}

/* The first line of DIR/NAME; "": it cannot be read. */
static void read_line(const char *dir, const char *name, char *to, size_t room)
{
	char path[PATH_MAX + 64], text[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (grt_read_text(AT_FDCWD, path, text, sizeof(text)) < 0)
		*text = '\0';
	text[strcspn(text, "\n")] = '\0';
	copy(to, room, text);
}

/* "0000:03:00.0": domain, bus, slot, function. */
static bool is_pci_address(const char *name)
{
	unsigned int domain, bus, slot, function;
	int end = 0;

	return sscanf(name, "%x:%x:%x.%x%n", &domain, &bus, &slot, &function, &end) == 4 &&
	       !name[end];
}

static void read_pci_id(struct grt_gpu *gpu, const char *dir)
{
	char vendor[16], device[16];
	unsigned int v, d;

	read_line(dir, "vendor", vendor, sizeof(vendor));
	read_line(dir, "device", device, sizeof(device));
	if (sscanf(vendor, "%x", &v) == 1 && sscanf(device, "%x", &d) == 1)
		snprintf(gpu->pci_id, sizeof(gpu->pci_id), "%04x:%04x", v & 0xffff, d & 0xffff);
}

/* amdgpu: its card has a memory with its name (amdgpu_fru_eeprom.c).  Others: the device tree. */
static void read_product(struct grt_gpu *gpu, const char *dir)
{
	read_line(dir, "product_name", gpu->product, sizeof(gpu->product));
	if (!*gpu->product)
		read_line(dir, "of_node/compatible", gpu->product, sizeof(gpu->product));
}

/*
 * A GPU of virtio is a device of virtio, which is in one of PCI.  Linux 6.1 and 7.2 give DRM the one or
 * the other (virtgpu_drv.c), and traces name that of virtio.
 */
static void find_virtio(char *dir, size_t room)
{
	char driver[64], sub[PATH_MAX];
	struct dirent *entry;
	DIR *d;

	read_link(dir, "driver", driver, sizeof(driver));
	d = strcmp(driver, "virtio-pci") ? NULL : opendir(dir);
	while (d && (entry = readdir(d)))
		if (!strncmp(entry->d_name, "virtio", 6) && isdigit((unsigned char)entry->d_name[6])) {
			copy(sub, sizeof(sub), dir);
			snprintf(dir, room, "%.*s/%.64s", (int)room - 70, sub, entry->d_name);
			break;
		}
	if (d)
		closedir(d);
}

static void describe(struct grt_gpu *gpu, const char *dir)
{
	char parent[PATH_MAX];
	char *slash;

	copy(gpu->device, sizeof(gpu->device), leaf(dir));
	copy(gpu->address, sizeof(gpu->address), leaf(dir));
	read_link(dir, "driver", gpu->driver, sizeof(gpu->driver));
	read_link(dir, "driver/module", gpu->module, sizeof(gpu->module));
	read_product(gpu, dir);
	copy(parent, sizeof(parent), dir);
	slash = strrchr(parent, '/');
	if (!is_pci_address(gpu->device) && !strncmp(gpu->device, "virtio", 6) && slash) {
		*slash = '\0';
		if (is_pci_address(leaf(parent)))
			copy(gpu->address, sizeof(gpu->address), leaf(parent));
	}
	if (is_pci_address(leaf(parent)))
		read_pci_id(gpu, parent);
	else if (is_pci_address(gpu->device))
		read_pci_id(gpu, dir);
}

static struct found *find_or_add(struct grt_vec *all, const char *dir)
{
	struct found *f;

	for (size_t i = 0; i < grt_vec_count(all, struct found); i++) {
		f = grt_vec_at(all, struct found, i);
		if (!strcmp(f->dir, dir))
			return f;
	}
	f = grt_vec_grow(all, sizeof(*f));
	if (!f)
		return NULL;
	memset(f, 0, sizeof(*f));
	copy(f->dir, sizeof(f->dir), dir);
	describe(&f->gpu, f->dir);
	return f;
}

/*
 * How much of @name is that of a node: "card0" and "renderD128" are, "card0-HDMI-A-1" is a connector of the
 * former.  0: it is neither.
 */
static size_t node_length(const char *name)
{
	static const char * const prefixes[] = { "card", "renderD", "accel" };
	size_t len, digits;

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		len = strlen(prefixes[i]);
		digits = strncmp(name, prefixes[i], len) ? 0 : strspn(name + len, "0123456789");
		if (digits && (!name[len + digits] || name[len + digits] == '-'))
			return len + digits;
	}
	return 0;
}

static int add_node(struct grt_vec *all, const char *class_dir, const char *name)
{
	char path[PATH_MAX + 320], dir[PATH_MAX];
	size_t len = node_length(name), used;
	struct found *f;

	snprintf(path, sizeof(path), "%s/%.*s/device", class_dir, (int)len, name);
	if (!len || !realpath(path, dir))
		return 0;	/* or it has just gone */
	find_virtio(dir, sizeof(dir));
	f = find_or_add(all, dir);
	if (!f)
		return grt_fail_memory();
	if (name[len]) {
		f->gpu.has_display = true;
		return 0;
	}
	used = strlen(f->gpu.nodes);
	snprintf(f->gpu.nodes + used, sizeof(f->gpu.nodes) - used, "%s%s", used ? " " : "", name);
	return 0;
}

static int scan(struct grt_vec *all, const char *root, const char *class)
{
	char dir[PATH_MAX];
	struct dirent **names;
	int count, err = 0;

	snprintf(dir, sizeof(dir), "%.3000s/sys/class/%s", root, class);
	count = scandir(dir, &names, NULL, versionsort);
	if (count < 0)
		return errno == ENOMEM ? grt_fail_memory() : 0;
	for (int i = 0; i < count; i++) {
		if (!err)
			err = add_node(all, dir, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	return err;
}

int grt_gpus_find(struct grt_vec *gpus, const char *root)
{
	struct grt_vec all = { 0 };
	int err = scan(&all, root, "drm");

	if (!err)
		err = scan(&all, root, "accel");
	for (size_t i = 0; !err && i < grt_vec_count(&all, struct found); i++)
		if (grt_vec_append(gpus, &grt_vec_at(&all, struct found, i)->gpu, sizeof(struct grt_gpu)))
			err = grt_fail_memory();
	grt_vec_free(&all);
	return err;
}
