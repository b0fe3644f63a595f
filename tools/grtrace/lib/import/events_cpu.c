// SPDX-License-Identifier: LGPL-2.1
/* Events of CPUs and displays, and text that users wrote into the trace. */
#include <stddef.h>
#include <string.h>

#include <linux/grtrace_rings.h>

#include "import_private.h"

/* Bits of prev_state that mean waiting; higher bits mean that the thread could run on. */
#define WAITING		0xff

void grt_on_switch(struct grt_import *im, const struct grt_foreign *ev)
{
	const struct grt_piece *letters = &ev->piece[GRT_IN_PREV_STATE];
	/* Only grtrace export writes the flags of its record. */
	unsigned int flags = grt_foreign_has(ev, GRT_IN_FLAGS) ? ev->number[GRT_IN_FLAGS] :
			     GRTRACE_F_PREV_FOLLOWED | GRTRACE_F_NEXT_FOLLOWED;
	struct grtrace_cpu_switch *rec;

	if (!grt_foreign_has(ev, GRT_IN_PREV_TID) || !grt_foreign_has(ev, GRT_IN_NEXT_TID))
		return;
	rec = grt_out_add(&im->out, ev->cpu, ev->ts, GRTRACE_CPU_SWITCH, sizeof(*rec),
			  flags);
	if (!rec)
		return;
	rec->prev_tid = ev->number[GRT_IN_PREV_TID];
	rec->next_tid = ev->number[GRT_IN_NEXT_TID];
	if (grt_foreign_has(ev, GRT_IN_PREV_STATE))
		rec->prev_state = letters->len && *letters->at != 'R';
	else
		rec->prev_state = ev->number[GRT_IN_PREV_BITS] & WAITING;
}

void grt_on_wakeup(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grtrace_cpu_wake *rec;

	if (!grt_foreign_has(ev, GRT_IN_TID))
		return;
	rec = grt_out_add(&im->out, ev->cpu, ev->ts, GRTRACE_CPU_WAKE, sizeof(*rec), 0);
	if (!rec)
		return;
	rec->tid = ev->number[GRT_IN_TID];
	rec->target_cpu = grt_foreign_has(ev, GRT_IN_TARGET_CPU) ?
			  ev->number[GRT_IN_TARGET_CPU] : ev->cpu;
}

static bool is_high_precision(const struct grt_foreign *ev)
{
	static const char words[] = "high-prec=true";

	return ev->number[GRT_IN_HIGH_PREC] ||
	       (ev->text.len && memmem(ev->text.at, ev->text.len, words, strlen(words)));
}

void grt_on_vblank(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grtrace_vblank *rec = grt_out_add(&im->out, ev->cpu, ev->ts, GRTRACE_VBLANK,
						 offsetof(struct grtrace_vblank, client_id),
						 is_high_precision(ev) ? GRTRACE_F_HIGH_PRECISION : 0);

	if (!rec)
		return;
	rec->crtc = ev->number[GRT_IN_CRTC];
	rec->frame = ev->number[GRT_IN_FRAME];
	rec->vblank_ns = grt_foreign_has(ev, GRT_IN_TIME) ? ev->number[GRT_IN_TIME] : ev->ts;
}

/* What a client asks for, or is told. */
static struct grtrace_vblank *put_blank_of_client(struct grt_import *im, const struct grt_foreign *ev,
						  unsigned int flag)
{
	struct grtrace_vblank *rec = grt_out_add(&im->out, ev->cpu, ev->ts, GRTRACE_VBLANK,
						 sizeof(*rec), flag);

	if (!rec)
		return NULL;
	rec->crtc = ev->number[GRT_IN_CRTC];
	rec->frame = ev->number[GRT_IN_FRAME];
	return rec;
}

void grt_on_vblank_queued(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grtrace_vblank *rec = put_blank_of_client(im, ev, GRTRACE_F_QUEUED);

	if (rec)
		rec->tgid = grt_out_tgid(&im->procs, ev);
}

void grt_on_vblank_delivered(struct grt_import *im, const struct grt_foreign *ev)
{
	put_blank_of_client(im, ev, GRTRACE_F_DELIVERED);
}

/* Most interrupts are of other devices. */
static bool is_gpu_handler(const struct grt_piece *name)
{
	static const char *const starts[] = {
#define GRT_X(start) start,
		GRTRACE_IRQ_NAMES(GRT_X)
#undef GRT_X
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (name->len >= strlen(starts[i]) && !memcmp(name->at, starts[i], strlen(starts[i])))
			return true;
	return false;
}

void grt_on_irq_handler(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grtrace_irq *rec;

	if (!is_gpu_handler(&ev->piece[GRT_IN_HANDLER]))
		return;
	rec = grt_out_add(&im->out, ev->cpu, ev->ts, GRTRACE_IRQ, offsetof(struct grtrace_irq, gpu_stamp),
			  GRTRACE_F_HANDLER);
	if (rec)
		rec->irq = ev->number[GRT_IN_IRQ];
}

/* In MHz, for both Intel's and Qualcomm's drivers. */
void grt_on_frequency(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grtrace_frequency *rec = grt_out_add(&im->out, ev->cpu, ev->ts,
						    GRTRACE_FREQUENCY,
						    offsetof(struct grtrace_frequency, power_uw), 0);

	if (rec)
		rec->freq_hz = ev->number[GRT_IN_FREQ] * 1000000;
}

void grt_on_print(struct grt_import *im, const struct grt_foreign *ev)
{
	if (grt_foreign_has(ev, GRT_IN_MARK))
		grt_put_mark(im, ev, ev->piece[GRT_IN_MARK]);
}

/* A probe reads the text up to its first NUL, though it may be shorter. */
void grt_on_user_mark(struct grt_import *im, const struct grt_foreign *ev)
{
	static const char fault[] = "(fault)", faulted[] = "<faulted>";
	struct grt_piece text = ev->piece[GRT_IN_MARK];
	uint64_t bytes = ev->number[GRT_IN_BYTES];
	bool is_read = text.len && (text.len != strlen(fault) || memcmp(text.at, fault, text.len));

	if (!grt_foreign_has(ev, GRT_IN_MARK) || !grt_foreign_has(ev, GRT_IN_BYTES))
		return;
	/* As the kernel itself writes it. */
	if (bytes && !is_read)
		text = (struct grt_piece){ faulted, strlen(faulted) };
	else if (bytes < text.len)
		text.len = bytes;
	grt_put_mark(im, ev, text);
}
