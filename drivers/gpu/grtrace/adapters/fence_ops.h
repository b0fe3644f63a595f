/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For adapters that learn from a first fence which ops the fences of a kind have.
 */
#ifndef _GRTRACE_FENCE_OPS_H
#define _GRTRACE_FENCE_OPS_H

#include <linux/dma-fence.h>

/*
 * Ops that no fence has: the kind is not known yet.  Not NULL: from 7.1 on signalled fences may
 * have no ops.
 */
static const struct dma_fence_ops grt_no_fence_ops;

#endif
