/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The argument of amdgpu's tracepoint amdgpu_iv.
 */
#ifndef _GRTRACE_AMDGPU_IV_H
#define _GRTRACE_AMDGPU_IV_H

#include <linux/types.h>

/* The start of struct amdgpu_iv_entry (amdgpu_ih.h), the same from 6.1 to 7.2. */
struct grt_amdgpu_iv {
	void *ih;
	u32 client_id;
	u32 src_id;
	u32 ring_id;
	u32 vmid;
	u32 vmid_src;
	u64 timestamp;
	u32 timestamp_src;
	u32 pasid;
	u32 node_id;
	u32 src_data[4];
};

#endif
