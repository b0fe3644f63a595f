// SPDX-License-Identifier: GPL-2.0
#include "hostile.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "describe.h"

#define NR_RINGS	9
#define NR_ROUNDS	36	/* each flag and each value of an enum has its turn */
#define ROUND_NS	1000000
#define STEP_NS		10000
#define REAL_NS		1700000000000000000ull	/* CLOCK_REALTIME at boot */
#define LONG_BYTES	3000	/* a text that fits into a page even if each byte needs no escape */

/* Only the last one has a line end, which not all texts behind a record may have. */
static const char *const texts[] = {
	"gfx", "a,b;c\td", "\"quoted\" 'text'", "back\\slash\\n\\x1b", "100%s%n%d",
	"\033]0;title\007\033[31m", "\xff\xfe\xc2\x9b\x80", "<script>alert(1)</script>&amp;",
	"\xe2\x80\xaeltr\xe2\x81\xa6", "=cmd|' /C calc'!A0", "  blank  ", "\r\v\f\b", "*/ }; {\"a\":[1",
	"\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xa7", "$(id) `id` ${HOME}", "-", "?", "null", "#1 x=y z:w",
	"no room for a NUL in any field of a fixed size",
	"cut\xe2\x82 in two\xf0\x9f",
	"li\nne\\n\n",
};

#define NR_NAMES	(sizeof(texts) / sizeof(texts[0]))
#define NR_TEXTS	(NR_NAMES - 1)

/* The order in which the events of a round come.  Types that are not here come last. */
static const uint16_t life[] = {
	GRTRACE_IOCTL, GRTRACE_SUBMIT, GRTRACE_STACK, GRTRACE_DEPENDENCY, GRTRACE_CPU_SWITCH,
	GRTRACE_CPU_WAKE, GRTRACE_SYNC_WAIT_ENTER, GRTRACE_FENCE_SIGNALED, GRTRACE_COMMIT,
	GRTRACE_CTX_SWITCH, GRTRACE_START, GRTRACE_IRQ, GRTRACE_END, GRTRACE_COMPLETE,
	GRTRACE_SYNC_WAIT_EXIT,
};

#define NR_LIFE		(sizeof(life) / sizeof(life[0]))

/* What the records of a round are about. */
struct round {
	unsigned int nr;
	uint64_t ns, session_id;
	uint64_t ctx, seqno, dep_ctx, dep_seqno, client_id, cgroup_id, stack;
	uint32_t ring, tgid, tid, next_tid;
};

static void begin_round(struct round *r, unsigned int nr)
{
	*r = (struct round){
		.nr = nr, .ns = SYNTH_START + (1 + (uint64_t)nr) * ROUND_NS, .session_id = SYNTH_SESSION,
		.ctx = 70000 + nr % 7, .seqno = UINT32_MAX - 2 + nr / 7,
		.dep_ctx = 70000 + (nr + 6) % 7, .dep_seqno = UINT32_MAX - 2 + (nr ? nr - 1 : 0) / 7,
		.client_id = 0xc0ffee0000000001ull + nr % 5, .cgroup_id = 800 + nr % NR_TEXTS,
		.stack = 0xfeedfacecafe0001ull + nr % NR_TEXTS,
		.ring = 1 + nr % NR_RINGS, .tgid = 1000 + nr % NR_TEXTS,
		.tid = 3000 + nr % NR_TEXTS, .next_tid = 3000 + (nr + 1) % NR_TEXTS,
	};
}

/* Members that must fit the others of the stream.  False: @name is none of them. */
static bool value_by_name(const struct round *r, const char *name, bool is_process, uint64_t *value)
{
	const struct {
		const char *name;
		uint64_t value;
	} known[] = {
		{ "ctx", r->ctx }, { "seqno", r->seqno }, { "ring", r->ring }, { "hw_ring", r->ring },
		{ "dep_ctx", r->dep_ctx }, { "dep_seqno", r->dep_seqno }, { "from_ctx", r->dep_ctx },
		{ "tgid", r->tgid }, { "tid", r->tid }, { "prev_tid", r->tid }, { "next_tid", r->next_tid },
		{ "client_id", r->client_id }, { "cgroup_id", r->cgroup_id },
		{ "session_id", r->session_id },
		{ "stack", r->stack }, { "kernel_stack", r->stack }, { "user_stack", r->stack },
		{ "boot", r->nr % 2 }, { "target_cpu", 1 }, { "slept_ns", 1000 + r->nr },
		{ "credits", 1 }, { "hw_credits", 2 }, { "credit_limit", 16 }, { "queue_depth", 1 + r->nr % 3 },
		{ "pci_id", 0x10de1eb8 }, { "pci_address", GRTRACE_PCI_ADDRESS(1u, 2u, 3u << 3 | 4) },
		{ "real_ns", REAL_NS + r->ns }, { "tai_ns", REAL_NS + 37000000000ull + r->ns },
		{ "peer_real_ns", REAL_NS + r->ns },
		{ "mono_ns", r->ns }, { "boot_ns", r->ns + 5000 }, { "number", 1 + r->nr },
	};

	if (is_process && !strcmp(name, "start_ns")) {
		*value = SYNTH_START - 1000 + r->nr % NR_TEXTS;
		return true;
	}
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i].name, name)) {
			*value = known[i].value;
			return true;
		}
	return false;
}

/* All others differ, and have bits that a smaller type would lose. */
static uint64_t value_of(const struct grt_type *type, const struct round *r, unsigned int i)
{
	const struct grt_field *f = &type->fields[i];
	const struct grt_table *values = grt_field_enum(f);
	uint64_t value = r->nr * 64 + i + 1;

	if (values)
		return values->values[r->nr % values->count].number;
	if (value_by_name(r, f->name, type->number == GRTRACE_PROCESS, &value))
		return value;
	if (f->kind == GRT_KIND_SINT)
		return -(uint64_t)(1 + r->nr % 40);
	if (f->unit == GRT_UNIT_NS)
		return r->ns - 100 + i;
	return value + (f->bytes == 8 ? 1ull << 63 : 1ull << 31);
}

static void put_name(char *to, size_t bytes, const char *name)
{
	size_t len = strlen(name);

	memset(to, 0, bytes);
	memcpy(to, name, len < bytes ? len : bytes);
}

static void fill(void *rec, const struct grt_type *type, const struct round *r)
{
	for (unsigned int i = 0; i < type->nr_fields; i++) {
		const struct grt_field *f = &type->fields[i];
		char *to = (char *)rec + f->offset;
		uint64_t value;

		if (f->kind == GRT_KIND_RSVD)
			continue;
		if (f->kind == GRT_KIND_TEXT) {
			put_name(to, f->bytes, texts[(r->nr + r->nr / NR_NAMES + i) % NR_NAMES]);
			continue;
		}
		value = value_of(type, r, i);
		memcpy(to, &value, f->bytes);
	}
}

/* --- texts behind a record --- */

static void print_text(char *to, size_t bytes, const struct grt_type *type, const struct round *r)
{
	const char *text = texts[r->nr % NR_TEXTS], *next = texts[(r->nr + 1) % NR_TEXTS];

	switch (type->number) {
	case GRTRACE_MACHINE:
	case GRTRACE_PEER:
		snprintf(to, bytes, "host=%s\nboot_id=%u-%s\nmore=%s\n", text, r->nr % 2, next, text);
		return;
	case GRTRACE_CGROUP:
		snprintf(to, bytes, "/kubepods/burstable/pod5e54e000-0000-4000-8000-%012x/%064x/%s\n"
			 "pod=%s\nnamespace=%s\ncontainer=%s", r->nr, r->nr, text, text, next, text);
		return;
	case GRTRACE_STACK_TEXT:
		snprintf(to, bytes, "main;%s;drm_ioctl_[k]\nbuild_id.00ff=/usr/lib/%s", text, next);
		return;
	case GRTRACE_METADATA:
	case GRTRACE_STATS:
	case GRTRACE_POLICY:
		snprintf(to, bytes, "text=%s\nmore=%s\n", text, next);
		return;
	case GRTRACE_TRACE_EVENT:
		snprintf(to, bytes, "sys:event field=%s\n other=%s", text, next);
		return;
	default:
		snprintf(to, bytes, "%s\n%s\n", text, next);
		if (r->nr == NR_ROUNDS - 1)
			memset(to + strlen(to), 'x', LONG_BYTES);
	}
}

/* Flags of a type, one in each record of it, as far as there are rounds. */
static uint16_t flags_of(const struct grt_type *type, unsigned int round)
{
	uint32_t mask = type->number < GRTRACE_NR_EVENTS ? 1u << type->number : 0;
	unsigned int nr = 0;

	for (size_t i = 0; i < grt_flags.count && mask; i++)
		if (grt_flags.values[i].types & mask && ++nr == round)
			return 1u << grt_flags.values[i].number;
	return 0;
}

static void put(struct synth *s, const struct grt_type *type, struct round *r)
{
	char text[LONG_BYTES + 500] = "";
	bool is_event = type->number < GRTRACE_STREAM_BASE;
	struct grtrace_hdr *rec;
	size_t len = 0;

	if (grt_type_tail(type)) {
		print_text(text, sizeof(text), type, r);
		len = (strlen(text) / 8 + 1) * 8;
	}
	s->cseq += is_event;
	s->fates.seen += is_event;
	s->fates.written += is_event;
	rec = synth_record(s, type->number, type->bytes + len, r->ns);
	rec->flags = flags_of(type, r->nr);
	rec->gseq = is_event && s->gseq ? ++*s->gseq : 0;
	fill(rec, type, r);
	memcpy((char *)rec + type->bytes, text, len);
}

/* --- the stream --- */

/* Each stream has all definitions, like those of the module. */
static void define(struct synth *s)
{
	static const struct {
		uint16_t type;
		unsigned int count;
	} defs[] = {
		{ GRTRACE_RING, NR_RINGS }, { GRTRACE_PROCESS, NR_TEXTS }, { GRTRACE_MACHINE, 2 },
		{ GRTRACE_CGROUP, NR_TEXTS }, { GRTRACE_STACK_TEXT, NR_TEXTS },
	};
	struct grtrace_stream_info *info;
	struct round r;

	synth_begin(s, s->cpu);
	info = synth_find(s, GRTRACE_STREAM_INFO, 0);
	for (size_t i = 0; i < grt_features.count; i++)
		info->features |= 1ull << grt_features.values[i].number;
	info->start_real_ns = REAL_NS + SYNTH_START;
	for (size_t i = 0; i < sizeof(defs) / sizeof(defs[0]); i++)
		for (unsigned int n = 0; n < defs[i].count; n++) {
			begin_round(&r, n);
			r.ns = SYNTH_START;
			put(s, grt_type_by_number(defs[i].type), &r);
		}
}

static bool is_in_life(unsigned int type)
{
	for (size_t i = 0; i < NR_LIFE; i++)
		if (life[i] == type)
			return true;
	return false;
}

/* Accounts and the definitions of a whole stream come by themselves. */
static bool is_of_stream(unsigned int type)
{
	switch (type) {
	case GRTRACE_STREAM_INFO:
	case GRTRACE_METADATA:
	case GRTRACE_MACHINE:
	case GRTRACE_CGROUP:
	case GRTRACE_STACK_TEXT:
	case GRTRACE_SUBBUF:
	case GRTRACE_STREAM_END:
		return true;
	default:
		return false;
	}
}

static void put_round(struct synth *s, unsigned int nr)
{
	struct round r;

	begin_round(&r, nr);
	synth_subbuf(s, r.ns);
	for (size_t i = 0; i < NR_LIFE; i++, r.ns += STEP_NS)
		put(s, grt_type_by_number(life[i]), &r);
	/* A JOB is another job, which has no events. */
	r.seqno += 1000;
	for (size_t i = 0; i < grt_nr_types; i++)
		if (!is_in_life(grt_types[i].number) && !is_of_stream(grt_types[i].number)) {
			put(s, &grt_types[i], &r);
			r.ns += STEP_NS;
		}
	synth_lose(s, GRTRACE_FATE_FILTERED_LEVEL + nr % (GRTRACE_NR_FATES - 1), 1 + nr);
}

void hostile_write(struct synth streams[HOSTILE_CPUS], struct grt_file_header *header)
{
	static uint64_t gseq;

	*header = (struct grt_file_header){
		.session_id = SYNTH_SESSION, .start_ns = SYNTH_START, .start_real_ns = REAL_NS + SYNTH_START,
		.host = "host=\"a,b\" <i>\033[1m", .kernel = "6.1.0-<i>", .command = "game 'a b'\ncommand=\t\xff, end",
		.focus_pid = 1003,
	};

	for (int cpu = 0; cpu < HOSTILE_CPUS; cpu++) {
		streams[cpu].cpu = cpu;
		define(&streams[cpu]);
		streams[cpu].gseq = &gseq;
	}
	for (unsigned int nr = 0; nr < NR_ROUNDS; nr++)
		put_round(&streams[nr / 2 % HOSTILE_CPUS], nr);
	for (int cpu = 0; cpu < HOSTILE_CPUS; cpu++)
		synth_end(&streams[cpu], SYNTH_START + (NR_ROUNDS + 2) * (uint64_t)ROUND_NS);
}
