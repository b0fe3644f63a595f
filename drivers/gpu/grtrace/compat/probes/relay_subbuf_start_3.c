// SPDX-License-Identifier: GPL-2.0
/* relay's subbuf_start() takes 3 arguments instead of 4 (6.17). */
#include <linux/relay.h>

int probe_start(struct rchan_buf *buf, void *subbuf, void *prev_subbuf);

const struct rchan_callbacks probe_callbacks = {
	.subbuf_start = probe_start,
};
