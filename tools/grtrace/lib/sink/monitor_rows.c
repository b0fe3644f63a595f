// SPDX-License-Identifier: LGPL-2.1
/*
 * A row per event:
 *
 *	TIME(ms)         EVENT      JOB_ID     RING       QUEUED DETAILS
 *	296119.090123    RUN        12:345     gfx             5 hw=2
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "describe.h"
#include "event_private.h"
#include "job_words.h"
#include "key_names.h"
#include "meaning.h"
#include "monitor_sink.h"
#include "number.h"
#include "quote.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))
#define ANY		(-1)
#define MAX_DETAILS	7

enum extra { NO_EXTRA, HAS_LIFE, HAS_LATENCY, HAS_ANSWER, HAS_PROCESS, HAS_DEP_STATE };

/* How an event is called, by which kinds of monitor, and which of its fields are shown. */
struct row_kind {
	unsigned int kinds;		/* bit per enum grt_monitor_kind */
	uint16_t type;
	int which;			/* op of a MEMORY, code of an ERROR; ANY */
	uint16_t with, without;		/* flags */
	const char *event;
	struct detail {
		const char *label, *field;
	} details[MAX_DETAILS];
	enum extra extra;
};

#define DRM	(1u << GRT_MONITOR_DRM)
#define I915	(1u << GRT_MONITOR_I915)
#define AMDGPU	(1u << GRT_MONITOR_AMDGPU)
#define VBLANK	(1u << GRT_MONITOR_VBLANK)
#define JOBS	(DRM | I915 | AMDGPU)
#define CHECKED	(GRTRACE_F_POPPED | GRTRACE_F_BLOCKED)

#define SIZE	{ "size", "bytes" }
#define OBJECT	{ "obj", "object_id" }
#define MEMORY(kind, OP, event, ...)	\
	{ kind, GRTRACE_MEMORY, GRTRACE_MEMORY_##OP, 0, 0, event, { __VA_ARGS__ }, HAS_PROCESS }

static const struct row_kind row_kinds[] = {
	{ DRM | I915, GRTRACE_SUBMIT, ANY, 0, 0, "QUEUE", { { NULL, NULL } }, HAS_PROCESS },
	{ AMDGPU, GRTRACE_SUBMIT, ANY, 0, 0, "CS_IOCTL", { { "ibs", "num_ibs" } }, HAS_PROCESS },
	{ JOBS, GRTRACE_DEPENDENCY, ANY, CHECKED, 0, "WAIT_DEP",
	  { { "ctx", "dep_ctx" }, { "seq", "dep_seqno" } }, HAS_DEP_STATE },
	{ JOBS, GRTRACE_DEPENDENCY, ANY, 0, CHECKED, "ADD_DEP",
	  { { "ctx", "dep_ctx" }, { "seq", "dep_seqno" } }, HAS_DEP_STATE },
	{ DRM | I915, GRTRACE_COMMIT, ANY, 0, 0, "RUN", { { "hw", "hw_credits" } }, NO_EXTRA },
	{ AMDGPU, GRTRACE_COMMIT, ANY, 0, 0, "SCHED_RUN", { { "hw", "hw_credits" } }, HAS_LATENCY },
	{ JOBS, GRTRACE_COMPLETE, ANY, 0, 0, "COMPLETE", { { NULL, NULL } }, HAS_LIFE },
	{ JOBS, GRTRACE_JOB, ANY, 0, 0, "COMPLETE", { { NULL, NULL } }, HAS_LIFE },
	{ JOBS, GRTRACE_ERROR, GRTRACE_ERROR_TIMEOUT, 0, 0, "TIMEOUT", { { "status", "status" } }, NO_EXTRA },
	{ JOBS, GRTRACE_ERROR, ANY, 0, 0, "ERROR",
	  { { "code", "code" }, { "status", "status" }, { "driver_code", "driver_code" } }, NO_EXTRA },
	{ I915 | AMDGPU, GRTRACE_CTX_SWITCH, ANY, 0, 0, "CTX_SWITCH",
	  { { "from", "from_ctx" }, { "vmid", "vmid" } }, NO_EXTRA },
	MEMORY(I915, CREATE, "GEM_CREATE", SIZE, OBJECT),
	MEMORY(I915, DESTROY, "GEM_FREE", SIZE, OBJECT),
	MEMORY(I915, MOVE, "GEM_MOVE", SIZE, OBJECT),
	MEMORY(I915, BIND, "VMA_BIND", SIZE, { "offset", "offset_bytes" }, OBJECT, { "vm", "vm_id" }),
	MEMORY(I915, UNBIND, "VMA_UNBIND", SIZE, { "offset", "offset_bytes" }, OBJECT, { "vm", "vm_id" }),
	MEMORY(AMDGPU, CREATE, "BO_CREATE", SIZE, { "preferred", "preferred_domains" },
	       { "allowed", "allowed_domains" }, OBJECT),
	MEMORY(AMDGPU, DESTROY, "BO_DESTROY", SIZE, OBJECT),
	MEMORY(AMDGPU, MOVE, "BO_MOVE", SIZE, { "from", "from_domain" }, { "to", "to_domain" }, OBJECT),
	MEMORY(AMDGPU, BIND, "VM_BO_MAP", SIZE, { "offset", "offset_bytes" }, OBJECT, { "vm", "vm_id" }),
	MEMORY(AMDGPU, UNBIND, "VM_BO_UNMAP", SIZE, { "offset", "offset_bytes" }, OBJECT, { "vm", "vm_id" }),
	MEMORY(I915 | AMDGPU, SHRINK, "SHRINK", SIZE),
	MEMORY(I915 | AMDGPU, EVICT, "EVICT", SIZE, OBJECT),
	MEMORY(I915 | AMDGPU, PWRITE, "PWRITE", SIZE, { "offset", "offset_bytes" }, OBJECT),
	MEMORY(I915 | AMDGPU, PREAD, "PREAD", SIZE, { "offset", "offset_bytes" }, OBJECT),
	{ I915 | AMDGPU, GRTRACE_MEMORY, GRTRACE_MEMORY_FAULT, 0, GRTRACE_F_ACCESS_UNKNOWN | GRTRACE_F_WRITE,
	  "FAULT", { { "read at", "offset_bytes" }, OBJECT }, HAS_PROCESS },
	{ I915 | AMDGPU, GRTRACE_MEMORY, GRTRACE_MEMORY_FAULT, GRTRACE_F_WRITE, 0, "FAULT",
	  { { "write at", "offset_bytes" }, OBJECT }, HAS_PROCESS },
	{ I915 | AMDGPU, GRTRACE_MEMORY, GRTRACE_MEMORY_FAULT, 0, 0, "FAULT",
	  { { "at", "offset_bytes" }, OBJECT }, HAS_PROCESS },
	{ I915 | AMDGPU, GRTRACE_IRQ, ANY, GRTRACE_F_HANDLER, 0, "INTERRUPT", { { "irq", "irq" } }, NO_EXTRA },
	{ I915 | AMDGPU, GRTRACE_IRQ, ANY, 0, GRTRACE_F_HANDLER, "INTERRUPT",
	  { { "client", "irq_client" }, { "src", "irq_source" }, { "ring", "irq_ring" }, { "vmid", "vmid" },
	    { "pasid", "pasid" }, { "ih", "ih" } }, NO_EXTRA },
	{ VBLANK, GRTRACE_VBLANK, ANY, GRTRACE_F_QUEUED, 0, "QUEUED",
	  { { "seq", "frame" }, { "client", "client_id" } }, HAS_PROCESS },
	{ VBLANK, GRTRACE_VBLANK, ANY, GRTRACE_F_DELIVERED, 0, "DELIVERED",
	  { { "seq", "frame" }, { "client", "client_id" } }, HAS_ANSWER },
	{ VBLANK, GRTRACE_VBLANK, ANY, 0, 0, "VBLANK", { { "seq", "frame" } }, NO_EXTRA },
	{ ~0u, GRTRACE_LOSS, ANY, 0, 0, "LOSS", { { "events", "count" }, { "reason", "reason" } }, NO_EXTRA },
};

static int which_of(const struct grt_monitor_row *row)
{
	return row->rec.type == GRTRACE_MEMORY ? (int)row->memory.op :
	       row->rec.type == GRTRACE_ERROR ? (int)row->error.code : ANY;
}

/* NULL: it is not shown. */
static const struct row_kind *kind_of(enum grt_monitor_kind kind, const struct grt_monitor_row *row)
{
	for (size_t i = 0; i < NR(row_kinds); i++) {
		const struct row_kind *k = &row_kinds[i];

		if (k->kinds >> kind & 1 && k->type == row->rec.type &&
		    (k->which == ANY || k->which == which_of(row)) &&
		    (!k->with || k->with & row->rec.flags) && !(k->without & row->rec.flags))
			return k;
	}
	return NULL;
}

/* --- values, for both forms --- */

struct line {
	FILE *file;
	struct grt_json *json;	/* NULL: text */
	bool has_one;
};

static void put_label(struct line *l, const char *label)
{
	fprintf(l->file, "%s%s=", l->has_one ? " " : "", label);
	l->has_one = true;
}

static void put_unknown(struct line *l, const char *label)
{
	if (l->json) {
		grt_json_null(l->json, label);
		return;
	}
	put_label(l, label);
	putc('-', l->file);
}

static void put_u64(struct line *l, const char *label, uint64_t value)
{
	if (l->json) {
		grt_json_u64(l->json, label, value);
		return;
	}
	put_label(l, label);
	fprintf(l->file, "%" PRIu64, value);
}

static void put_text(struct line *l, const char *label, const char *text)
{
	if (l->json) {
		grt_json_text(l->json, label, text);
		return;
	}
	put_label(l, label);
	fputs(*text ? grt_shown(text) : "-", l->file);
}

/* "wait=1.2ms", "exec=<=1.2ms", or "wait_ns":1200000. */
static void put_ns(struct line *l, const char *label, bool is_known, bool is_bound, uint64_t ns)
{
	char name[40], word[GRT_WORD_MAX], *blank;

	snprintf(name, sizeof(name), "%s_ns", label);
	if (!is_known) {
		put_unknown(l, l->json ? name : label);
		return;
	}
	if (l->json) {
		grt_json_u64(l->json, name, ns);
		return;
	}
	blank = strchr(grt_word_ns(word, ns, is_bound), ' ');
	if (blank)
		memmove(blank, blank + 1, strlen(blank));
	put_text(l, label, word);
}

/* --- details --- */

static const struct grt_ring *ring_of(const struct grt_monitor *m, const struct grt_monitor_row *row)
{
	return row->ring == GRT_NONE ? NULL : grt_names_ring_at(&m->names.names, row->ring);
}

static const char *comm_of(const struct grt_monitor *m, const struct grt_monitor_row *row)
{
	return row->process == GRT_NONE ? "" : grt_names_process_at(&m->names.names, row->process)->comm;
}

/* 0 in these fields means that they are not known. */
static bool knows(const struct grt_field *f, const struct grtrace_hdr *rec)
{
	static const char *const unknown_is_0[] = {
		"object_id", "vm_id", "client_id", "num_ibs", "preferred_domains", "allowed_domains", "driver_code",
		"bytes",
	};

	if (f->offset + f->bytes > rec->size || !grt_event_knows(f, rec))
		return false;
	/* A job that is handed over uses credits itself.  A LOSS of 0 events is one of an unknown number. */
	if ((rec->type == GRTRACE_COMMIT && !strcmp(f->name, "hw_credits")) ||
	    (rec->type == GRTRACE_LOSS && !strcmp(f->name, "count")))
		return grt_field_u64(f, rec);
	for (size_t i = 0; i < NR(unknown_is_0); i++)
		if (!strcmp(f->name, unknown_is_0[i]))
			return grt_field_u64(f, rec);
	return true;
}

/* A domain, by the name that the driver gives it; NULL: it has none. */
static const char *domain_name(const struct grt_monitor *m, const struct grt_field *f, uint64_t value)
{
	const char *driver = grt_monitor_abouts[m->kind].driver;

	if (strcmp(f->name, "from_domain") != 0 && strcmp(f->name, "to_domain") != 0)
		return NULL;
	return value == GRT_DOMAIN_NOWHERE ? "nowhere" : value == GRT_DOMAIN_UNSAID ? "" :
	       grt_domain_name(driver ? driver : "", value);
}

static void put_field(struct line *l, const struct grt_monitor *m, const struct detail *d,
		      const struct grtrace_hdr *rec)
{
	const struct grt_type *type = grt_type_by_number(rec->type);
	const struct grt_field *f = type ? grt_field_by_name(type, d->field) : NULL;
	const char *label = l->json ? d->field : d->label, *name;
	uint64_t value;

	if (f && !l->json && rec->type == GRTRACE_ERROR && f->kind != GRT_KIND_ERRCODE && !grt_field_u64(f, rec))
		return;		/* it says nothing */
	/* A label of two words: the first one says how. */
	if (!l->json && strchr(d->label, ' ')) {
		fprintf(l->file, "%.*s ", (int)(strchr(d->label, ' ') - d->label), d->label);
		label = strchr(d->label, ' ') + 1;
	}
	if (!f)
		return;
	if (!knows(f, rec)) {
		put_unknown(l, label);
		return;
	}
	value = grt_field_u64(f, rec);
	name = grt_field_enum(f) ? grt_value_name(grt_field_enum(f), value) : domain_name(m, f, value);
	if (name) {
		put_text(l, label, name);
	} else if (f->kind == GRT_KIND_SINT) {
		char word[32];

		put_text(l, label, grt_status_name(value, word));
	} else {
		put_u64(l, label, value);
	}
}

static void put_life(struct line *l, const struct grt_monitor_row *row)
{
	static const enum grt_job_span text[] = { GRT_SPAN_WAIT, GRT_SPAN_EXEC };
	char word[32], flags[GRT_JOB_FLAGS_LEN];

	for (size_t i = 0; i < (l->json ? GRT_NR_JOB_SPANS : NR(text)); i++) {
		enum grt_job_span span = l->json ? i : text[i];

		put_ns(l, grt_job_span_name(span), row->life.has_span[span], row->life.is_bound[span],
		       row->life.span_ns[span]);
	}
	if (!l->json && (!row->life.has_status || !row->life.status))
		return;
	if (row->life.has_status)
		put_text(l, "status", grt_status_name(row->life.status, word));
	else
		put_unknown(l, "status");
	if (l->json)
		grt_json_text(l->json, "flags", grt_job_flags(row->life.flags, flags));
}

/* How long it took, and how long since the blank began. */
static void put_answer(struct line *l, const struct grt_monitor_row *row)
{
	const struct grt_crtc_answer *a = &row->answer;

	put_ns(l, "latency", row->has_answer && a->has_asked, false, a->asked_ns);
	put_ns(l, l->json ? "since_blank" : "blank", row->has_answer && a->has_blank, false, a->blank_ns);
}

static void put_dep_state(struct line *l, const struct grt_monitor_row *row)
{
	static const struct {
		uint16_t flag;
		const char *text;
	} states[] = {
		{ GRTRACE_F_BLOCKED, "waits" }, { GRTRACE_F_SIGNALED, "signaled" }, { GRTRACE_F_SELF, "own" },
		{ GRTRACE_F_PIPELINED, "pipelined" }, { GRTRACE_F_DECLARED, "declared" },
	};

	for (size_t i = 0; i < NR(states); i++) {
		if (!(row->rec.flags & states[i].flag))
			continue;
		if (l->json)
			grt_json_text(l->json, "state", states[i].text);
		else
			fprintf(l->file, " %s", states[i].text);
		return;
	}
	if (l->json)
		grt_json_null(l->json, "state");
}

static void put_process(struct line *l, const struct grt_monitor *m, const struct grt_monitor_row *row)
{
	if (l->json || !row->has_pid)
		return;		/* see grt_monitor_print_row() */
	fprintf(l->file, "%s%s[%" PRIu32 "]", l->has_one ? " " : "", grt_shown(comm_of(m, row)), row->pid);
	l->has_one = true;
}

static void put_details(struct line *l, const struct grt_monitor *m, const struct row_kind *k,
			const struct grt_monitor_row *row)
{
	for (int i = 0; i < MAX_DETAILS && k->details[i].label; i++)
		put_field(l, m, &k->details[i], &row->rec);
	switch (k->extra) {
	case HAS_LIFE:
		put_life(l, row);
		break;
	case HAS_LATENCY:
		put_ns(l, "latency", row->has_latency, false, row->latency_ns);
		break;
	case HAS_ANSWER:
		put_answer(l, row);
		break;
	case HAS_PROCESS:
		put_process(l, m, row);
		break;
	case HAS_DEP_STATE:
		put_dep_state(l, row);
		break;
	case NO_EXTRA:
		break;
	}
}

/* --- a whole row --- */

static bool has_job(const struct grt_monitor_row *row)
{
	const struct grt_type *type = grt_type_by_number(row->rec.type);
	const struct grtrace_dependency *rec = &row->dependency;

	return type && (type->class == GRT_CLASS_JOB || type->class == GRT_CLASS_KEY) && (rec->ctx || rec->seqno);
}

/* The scheduler has the queue.  i915 does not use it, and amdgpu's own events do not tell of it. */
static bool has_queued(const struct grt_monitor *m, const struct grt_monitor_row *row, uint64_t *queued)
{
	const struct grt_ring *ring = ring_of(m, row);
	bool may_have_none = ring && (!strcmp(ring->driver, "i915") || !strcmp(ring->driver, "amdgpu"));

	if (row->rec.type == GRTRACE_SUBMIT) {
		*queued = row->submit.queue_depth;
		return !may_have_none || row->submit.credits || row->submit.hw_credits || *queued;
	}
	*queued = row->commit.queue_depth;
	return row->rec.type == GRTRACE_COMMIT &&
	       (!may_have_none || row->commit.credits || row->commit.hw_credits || *queued);
}

/* A word without blanks, so that columns can be counted. */
static void ring_word(char *buf, size_t bytes, const struct grt_monitor *m, const struct grt_monitor_row *row)
{
	const struct grt_ring *ring = ring_of(m, row);
	char name[GRT_RING_NAME_MAX];

	snprintf(buf, bytes, "%s", ring ? grt_shown(grt_ring_name(ring, name)) : "-");
	if (row->rec.type == GRTRACE_VBLANK)
		snprintf(buf, bytes, "crtc%" PRIu32, row->vblank.crtc);
	for (char *c = buf; *c; c++)
		if (isspace((unsigned char)*c))
			*c = '_';
}

static void print_text(FILE *f, const struct grt_monitor *m, const struct row_kind *k,
		       const struct grt_monitor_row *row)
{
	char time[40], job[48] = "-", ring[GRT_WORD_MAX], queued[24] = "-";
	struct line line = { .file = f };
	uint64_t n;

	snprintf(time, sizeof(time), "%" PRIu64 ".%06" PRIu64, (uint64_t)row->rec.ts / 1000000,
		 (uint64_t)row->rec.ts % 1000000);
	if (has_job(row))
		snprintf(job, sizeof(job), "%" PRIu64 ":%" PRIu64, (uint64_t)row->dependency.ctx,
			 (uint64_t)row->dependency.seqno);
	if (has_queued(m, row, &n))
		snprintf(queued, sizeof(queued), "%" PRIu64, n);
	ring_word(ring, sizeof(ring), m, row);
	fprintf(f, "%-16s %-10s %-10s %-10s %6s ", time, k->event, job, ring, queued);
	put_details(&line, m, k, row);
	if (!line.has_one)
		putc('-', f);
	putc('\n', f);
}

static void print_json(FILE *f, const struct grt_monitor *m, const struct row_kind *k,
		       const struct grt_monitor_row *row)
{
	const struct grt_ring *ring = ring_of(m, row);
	struct grt_json j = { .file = f };
	struct line line = { .file = f, .json = &j };
	char name[GRT_RING_NAME_MAX], gpu[GRT_PCI_NAME_MAX];
	uint64_t n;

	grt_json_open(&j, NULL, '{');
	grt_json_u64(&j, "time_ns", row->rec.ts);
	grt_json_text(&j, "event", k->event);
	if (has_job(row)) {
		grt_json_u64(&j, "ctx", row->dependency.ctx);
		grt_json_u64(&j, "seqno", row->dependency.seqno);
	}
	if (row->rec.type == GRTRACE_VBLANK) {
		grt_json_text(&j, "gpu", grt_pci_name(gpu, grt_member(&row->vblank, pci_address)));
		grt_json_u64(&j, "crtc", row->vblank.crtc);
	} else {
		grt_json_text(&j, "ring", ring ? grt_ring_name(ring, name) : "");
		grt_json_text(&j, "device", ring ? ring->device : "");
	}
	if (row->has_pid) {
		grt_json_u64(&j, "pid", row->pid);
		grt_json_text(&j, "comm", comm_of(m, row));
	}
	if (has_queued(m, row, &n))
		grt_json_u64(&j, "queued", n);
	put_details(&line, m, k, row);
	grt_json_close(&j, '}');
	putc('\n', f);
}

void grt_monitor_print_header(const struct grt_monitor_out *o)
{
	if (!o->is_json)
		fprintf(o->file, "%-16s %-10s %-10s %-10s %6s %s\n", "TIME(ms)", "EVENT", "JOB_ID", "RING",
			"QUEUED", "DETAILS");
}

void grt_monitor_print_row(const struct grt_monitor_out *o, const struct grt_monitor *m,
			   const struct grt_monitor_row *row)
{
	const struct row_kind *k = kind_of(m->kind, row);

	if (!k)
		return;
	if (o->is_json)
		print_json(o->file, m, k, row);
	else
		print_text(o->file, m, k, row);
}
