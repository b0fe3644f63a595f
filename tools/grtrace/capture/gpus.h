/* SPDX-License-Identifier: GPL-2.0 */
/* The GPUs and accelerators of a machine, as sysfs lists them. */
#ifndef GRT_CAPTURE_GPUS_H
#define GRT_CAPTURE_GPUS_H

#include <stdbool.h>

#include "vec.h"

struct grt_gpu {
	char nodes[64];		/* "card0 renderD128" */
	char device[64];	/* as traces call it: "0000:03:00.0", "virtio0" */
	char address[64];	/* of the bus; PCI's for a device of virtio, too */
	char driver[64];	/* in sysfs, of the device; "": it has none */
	char module[64];	/* of that driver; "": it is built in */
	char pci_id[16];	/* "1002:744c"; "": not on PCI */
	bool has_display;	/* it has connectors, used or not */
	char product[128];	/* as the driver or the device tree calls it; "": nothing does */
};

/*
 * Appends struct grt_gpu for each.  @root is put before all paths; "" is this machine.  0, or -ENOMEM
 * with a cause.  A machine without any is no error.
 */
int grt_gpus_find(struct grt_vec *gpus, const char *root);

#endif /* GRT_CAPTURE_GPUS_H */
