// SPDX-License-Identifier: LGPL-2.1
#include "perfetto_packet.h"

#include "error.h"
#include "export.h"
#include "idle.h"
#include "job.h"

#define SEQUENCE	1	/* number of the only writer */
#define MAX_PACKETS	65536	/* until definitions begin anew */
#define MAX_SEEN	65536

/* sequence_flags */
enum { CLEARED = 1, NEEDS_STATE = 2 };

/* Definitions that never change.  Their pointers, as protobuf-c wants them, follow each table. */
#define NAMED(number, text) \
	{ .base = PROTOBUF_C_MESSAGE_INIT(&grtpf__interned_name__descriptor), \
	  .has_iid = 1, .iid = (number), .name = (char *)(text) },

static Grtpf__InternedName categories[] = {
#define GRT_X(NAME, text) NAMED(GRT_PF_CATEGORY_##NAME, text)
	GRT_PF_CATEGORIES(GRT_X)
#undef GRT_X
};

static Grtpf__InternedName notes[] = {
#define GRT_X(NAME, text) NAMED(GRT_PF_NOTE_##NAME, text)
	GRT_PF_NOTES(GRT_X)
#undef GRT_X
};

static Grtpf__InternedName names[] = {
#define GRT_X(NAME, name, text) NAMED(GRT_PF_STAGE + GRT_STAGE_##NAME, #name)
	GRT_STAGES(GRT_X)
	GRT_CPU_STAGES(GRT_X)
#undef GRT_X
#define GRT_X(NAME, name, text) NAMED(GRT_PF_IDLE + GRT_IDLE_##NAME, #name)
	GRT_IDLES(GRT_X)
#undef GRT_X
#define GRT_X(NAME, text) NAMED(GRT_PF_WORD_##NAME, text)
	GRT_PF_WORDS(GRT_X)
#undef GRT_X
};

#define MEANS(number, text) \
	{ .base = PROTOBUF_C_MESSAGE_INIT(&grtpf__interned_string__descriptor), \
	  .has_iid = 1, .iid = (number), .has_str = 1, \
	  .str = { sizeof(text) - 1, (uint8_t *)(text) } },

/* What stages and idle causes mean, under the numbers of their names. */
static Grtpf__InternedString meanings[] = {
#define GRT_X(NAME, name, text) MEANS(GRT_PF_STAGE + GRT_STAGE_##NAME, text)
	GRT_STAGES(GRT_X)
#undef GRT_X
#define GRT_X(NAME, name, text) MEANS(GRT_PF_IDLE + GRT_IDLE_##NAME, text)
	GRT_IDLES(GRT_X)
#undef GRT_X
};

#define SPEC(number, text, meaning, kind) \
	{ .base = PROTOBUF_C_MESSAGE_INIT( \
		&grtpf__interned_gpu_render_stage_specification__descriptor), \
	  .has_iid = 1, .iid = (number) + (kind), .name = (char *)(text), \
	  .description = (char *)(meaning), .has_category = 1, .category = (kind) },

#define SPECS(number, text, meaning) \
	SPEC(number, text, meaning, 0) SPEC(number, text, meaning, 1) SPEC(number, text, meaning, 2)

static Grtpf__InternedGpuRenderStageSpecification specs[] = {
	SPECS(GRT_PF_SPEC_EXEC, "execution", "START to END")
	SPECS(GRT_PF_SPEC_ON_RING, "on the ring", "COMMIT to END: when it ran is not known")
};

#define COUNT(table)	(sizeof(table) / sizeof((table)[0]))

static Grtpf__InternedName *category_list[COUNT(categories)], *note_list[COUNT(notes)],
			   *name_list[COUNT(names)];
static Grtpf__InternedString *meaning_list[COUNT(meanings)];
static Grtpf__InternedGpuRenderStageSpecification *spec_list[COUNT(specs)];

#define LIST(table, list) do { \
	for (size_t i = 0; i < COUNT(table); i++) \
		(list)[i] = &(table)[i]; \
} while (0)

/* Begins a message: a byte for field 1 with a length, and the length. */
static size_t put_head(uint8_t *to, size_t bytes)
{
	size_t at = 0;

	to[at++] = 1 << 3 | 2;
	for (; bytes >= 0x80; bytes >>= 7)
		to[at++] = bytes | 0x80;
	to[at++] = bytes;
	return at;
}

static void put_packet(struct grt_pf_out *o, Grtpf__TracePacket *packet)
{
	size_t bytes, head;
	uint8_t *to;

	if (o->err)
		return;
	packet->has_trusted_packet_sequence_id = 1;
	packet->trusted_packet_sequence_id = SEQUENCE;
	bytes = grtpf__trace_packet__get_packed_size(packet);
	o->bytes.bytes = 0;
	to = grt_vec_grow(&o->bytes, bytes + 16);
	if (!to) {
		o->err = grt_fail_memory();
		return;
	}
	head = put_head(to, bytes);
	grtpf__trace_packet__pack(packet, to + head);
	fwrite(to, 1, head + bytes, o->x->file);
	o->err = grt_export_check(o->x);
	o->packets++;
}

static void put_state(struct grt_pf_out *o, bool is_after_loss)
{
	Grtpf__TracePacketDefaults defaults = GRTPF__TRACE_PACKET_DEFAULTS__INIT;
	Grtpf__TracePacket packet = GRTPF__TRACE_PACKET__INIT;
	Grtpf__InternedData data = GRTPF__INTERNED_DATA__INIT;

	LIST(categories, category_list);
	LIST(notes, note_list);
	LIST(names, name_list);
	LIST(meanings, meaning_list);
	LIST(specs, spec_list);
	data.n_event_categories = COUNT(categories);
	data.event_categories = category_list;
	data.n_debug_annotation_names = COUNT(notes);
	data.debug_annotation_names = note_list;
	data.n_event_names = COUNT(names);
	data.event_names = name_list;
	data.n_debug_annotation_string_values = COUNT(meanings);
	data.debug_annotation_string_values = meaning_list;
	data.n_gpu_specifications = COUNT(specs);
	data.gpu_specifications = spec_list;
	defaults.has_timestamp_clock_id = 1;
	defaults.timestamp_clock_id = o->clock_id;
	packet.interned_data = &data;
	packet.trace_packet_defaults = &defaults;
	packet.has_sequence_flags = 1;
	packet.sequence_flags = CLEARED | NEEDS_STATE;
	packet.has_first_packet_on_sequence = packet.first_packet_on_sequence = !o->has_first;
	packet.has_previous_packet_dropped = packet.previous_packet_dropped = is_after_loss;
	grt_keymap_free(&o->seen);
	o->has_first = true;
	o->packets = 0;
	put_packet(o, &packet);
}

void grt_pf_begin_item(struct grt_pf_out *o, bool is_after_loss)
{
	if (!o->has_first || is_after_loss || o->packets >= MAX_PACKETS ||
	    o->seen.used >= MAX_SEEN)
		put_state(o, is_after_loss);
}

void grt_pf_put(struct grt_pf_out *o, Grtpf__TracePacket *packet)
{
	packet->has_sequence_flags = 1;
	packet->sequence_flags = NEEDS_STATE;
	put_packet(o, packet);
}

void grt_pf_put_interned(struct grt_pf_out *o, Grtpf__InternedData *data)
{
	Grtpf__TracePacket packet = GRTPF__TRACE_PACKET__INIT;

	packet.interned_data = data;
	grt_pf_put(o, &packet);
}

bool grt_pf_is_known(const struct grt_pf_out *o, enum grt_pf_kind kind, uint64_t id)
{
	return grt_keymap_get(&o->seen, kind, id) != GRT_NONE;
}

bool grt_pf_is_new(struct grt_pf_out *o, enum grt_pf_kind kind, uint64_t id)
{
	if (o->err || grt_pf_is_known(o, kind, id))
		return false;
	if (grt_keymap_put(&o->seen, kind, id, 0))
		o->err = grt_fail_memory();
	return !o->err;
}

void grt_pf_free(struct grt_pf_out *o)
{
	grt_keymap_free(&o->seen);
	grt_vec_free(&o->bytes);
}
