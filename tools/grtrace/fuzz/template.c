// SPDX-License-Identifier: GPL-2.0
/* Single lines of text: the head, and how each kind of event parses the rest. */
#include <string.h>

#include "fuzz.h"
#include "line.h"
#include "template.h"
#include "import_private.h"

/* The result must be inside the input. */
static void check_within(struct grt_piece piece, const char *at, size_t len)
{
	FUZZ_EXPECT(piece.at >= at && piece.at <= at + len);
	FUZZ_EXPECT(piece.len <= (size_t)(at + len - piece.at));
}

static void check_slots(const struct grt_foreign *ev)
{
	for (int i = 0; i < GRT_NR_SLOTS; i++)
		if (grt_foreign_has(ev, i) && grt_slots[i].kind == GRT_SLOT_TEXT)
			check_within(ev->piece[i], ev->text.at, ev->text.len);
}

static void check_templates(struct grt_foreign *ev)
{
	const struct grt_slot_set none = { .bits = { 0 } };

	for (size_t i = 0; i < grt_nr_event_kinds; i++) {
		const struct grt_event_kind *kind = &grt_event_kinds[i];

		for (int t = 0; t < GRT_MAX_TEMPLATES && kind->templates[t]; t++) {
			ev->has = none;
			if (grt_template_match(kind->templates[t], ev->text, ev))
				check_slots(ev);
			else
				FUZZ_EXPECT(!memcmp(&ev->has, &none, sizeof(none)));
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	const char *at = (const char *)data;
	struct grt_missing missing;
	struct grt_foreign ev;

	if (grt_line_parse(at, bytes, &ev, &missing) == GRT_LINE_EVENT) {
		FUZZ_EXPECT(memchr(ev.comm, 0, sizeof(ev.comm)));
		check_within(ev.name, at, bytes);
		check_within(ev.text, at, bytes);
		grt_event_kind_find(grt_event_kinds, grt_nr_event_kinds, ev.name);
	} else {
		ev.text = (struct grt_piece){ at, bytes };
	}
	check_templates(&ev);
	return 0;
}
