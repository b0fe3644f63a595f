// SPDX-License-Identifier: GPL-2.0
#include "wild.h"

#include <string.h>

#define MARK_BYTES	40000

/* Rings; two have the same name, some look like another one or like the language of a format. */
static const char *const names[] = {
	"gfx", "gfx", "unknown", "gfx#2", "a\"b\\c\nd", "*/ }; event {", "\xff\x1b[31m\xc2\x9b", "%s%n",
	"<script>alert(1)</script>", "\xe2\x80\xae" "evil",
};

#define NR_NAMES	(sizeof(names) / sizeof(names[0]))

static void add_definitions(struct synth *s)
{
	for (size_t i = 0; i < NR_NAMES; i++) {
		synth_ring(s, i + 1, names[i], SYNTH_START);
		synth_process(s, 100 + i, names[i], SYNTH_START);
	}
	synth_ring(s, UINT32_MAX, "", SYNTH_START);
}

/* All bytes that a text can have, then so many control characters that each may need an escape. */
static void add_texts(struct synth *s, uint64_t ns)
{
	static char text[MARK_BYTES + 1];

	for (int i = 0; i < 255; i++)
		text[i] = i + 1;
	synth_mark(s, text, ns);
	memset(text, 1, MARK_BYTES);
	synth_mark(s, text, ns);
	memset(text, 0xff, MARK_BYTES);
	synth_mark(s, text, ns);
	synth_mark(s, "", ns);
}

static void add_status(struct synth *s, int32_t status, uint16_t flags, uint64_t ns)
{
	struct grtrace_complete *e = synth_event(s, GRTRACE_COMPLETE, ns);

	e->hdr.flags = flags;
	e->ctx = e->seqno = UINT64_MAX;
	e->ring = UINT32_MAX - 1;
	e->status = status;
}

void wild_write(struct synth *s)
{
	uint64_t ns = SYNTH_START + 5000;

	synth_begin(s, 3);
	add_definitions(s);
	synth_subbuf(s, SYNTH_START);
	synth_lose(s, GRTRACE_FATE_BUFFER_FULL, 7);
	synth_lose(s, GRTRACE_FATE_OVERSIZE, 2);
	synth_lose(s, GRTRACE_FATE_SAMPLED, 11);
	synth_subbuf(s, SYNTH_START + 1000);
	for (size_t i = 0; i < NR_NAMES; i++)
		synth_job(s, 1 + i, 1, 1 + i, 100 + i, ns += 10000);
	add_texts(s, ns += 1000);
	add_status(s, 0, GRTRACE_F_NO_STATUS, ns);
	add_status(s, INT32_MAX, 0, ns);
	add_status(s, INT32_MIN + 1, 0xffff & ~GRTRACE_F_NO_STATUS, ns);
	/* Back, to the begin of time, and to its end; then none can be later. */
	add_status(s, -5, 0, ns - 7000);
	add_status(s, -5, 0, 0);
	synth_lose(s, GRTRACE_FATE_BUFFER_FULL, UINT32_MAX);
	synth_subbuf(s, ns + 1000);
	add_status(s, -5, 0, UINT64_MAX);
	add_status(s, -5, 0, ns + 2000);
}
