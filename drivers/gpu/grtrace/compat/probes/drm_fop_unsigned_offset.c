// SPDX-License-Identifier: GPL-2.0
/* DRM refuses files without FOP_UNSIGNED_OFFSET (6.12). */
#include <linux/fs.h>

const struct file_operations probe_fops = {
	.fop_flags = FOP_UNSIGNED_OFFSET,
};
