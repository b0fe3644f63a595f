// SPDX-License-Identifier: LGPL-2.1
/*
 * What QEMU's virtio GPU does with the commands of its guest, from QEMU's own trace events
 * (hw/display/virtio-gpu-virgl.c, QEMU 5.2 to 10.0).  A command that has a fence is a job here:
 *
 *	SUBMIT		QEMU begins to handle the command
 *	COMMIT		virtio_gpu_fence_ctrl: the command is handed to the renderer
 *	COMPLETE	virtio_gpu_fence_resp: the renderer is done with it, and the guest is told
 *
 * The number of the fence is the one that the guest's driver gave it.
 */
#include "import_private.h"

static struct grt_key key_of(struct grt_import *im, const struct grt_foreign *ev)
{
	static const struct grt_piece device = { "qemu", 4 }, name = { "virtio-gpu", 10 };
	uint32_t ring = grt_out_ring(&im->rings, device, device, name);

	/* Commands of virtio-gpu that are counted have the keys with a 1 there. */
	return (struct grt_key){
		.ctx = grt_ctxs_mint(&im->ctxs, ~((im->qemu.resets + 2) << 32 | ring)),
		.seqno = ev->number[GRT_IN_ID], .ring = ring, .is_minted = true,
	};
}

void grt_on_qemu_command(struct grt_import *im, const struct grt_foreign *ev)
{
	im->qemu.began_ns = ev->ts;
	im->qemu.client = grt_foreign_has(ev, GRT_IN_CLIENT) ? ev->number[GRT_IN_CLIENT] : 0;
}

void grt_on_qemu_fence(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_qemu *q = &im->qemu;
	struct grt_foreign begin = *ev;
	struct grt_key key;

	if (ev->number[GRT_IN_ID] <= q->last_id)
		q->resets++;
	q->last_id = ev->number[GRT_IN_ID];
	key = key_of(im, ev);
	grt_note(im, GRT_FACT_DRIVER);
	if (q->began_ns && q->began_ns < ev->ts)
		begin.ts = q->began_ns;
	if (q->client)
		grt_foreign_set(&begin, GRT_IN_CLIENT, q->client);
	grt_put_submit(im, &begin, &key);
	grt_put_commit(im, ev, &key);
	q->began_ns = q->client = 0;
}

void grt_on_qemu_done(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = key_of(im, ev);

	grt_note(im, GRT_FACT_OVER);
	grt_put_end(im, ev, &key, GRT_NO_STATUS, 0);
	grt_put_complete(im, ev, &key, GRT_NO_STATUS, 0);
}
