// SPDX-License-Identifier: LGPL-2.1
#include "ctf_event.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "quote.h"

#define COMM_BYTES	(sizeof(((struct grtrace_process *)0)->comm) + 1)

/* Trace Compass finds the events of perf by these names. */
static const struct ctf_kernel_event kernel_events[] = {
	{ GRTRACE_CPU_SWITCH, "sched:sched_switch", {
		{ "prev_tid", "prev_pid", "prev_comm" }, { "next_tid", "next_pid", "next_comm" },
	} },
	{ GRTRACE_CPU_WAKE, "sched:sched_wakeup", { { "tid", "pid", "comm" } } },
};

const struct ctf_kernel_event *ctf_kernel_event(const struct grt_type *type)
{
	for (size_t i = 0; i < sizeof(kernel_events) / sizeof(kernel_events[0]); i++)
		if (kernel_events[i].type == type->number)
			return &kernel_events[i];
	return NULL;
}

static bool is_ring(const struct grt_field *f)
{
	return !strcmp(f->name, "ring") || !strcmp(f->name, "hw_ring");
}

enum ctf_kind ctf_field_kind(const struct grt_field *f)
{
	switch (f->kind) {
	case GRT_KIND_ID:
	case GRT_KIND_UINT:
		return is_ring(f) ? CTF_RING : CTF_NUMBER;
	case GRT_KIND_SINT:
		return strcmp(f->name, "status") ? CTF_SIGNED : CTF_STATUS;
	case GRT_KIND_HEX:
		return CTF_HEX;
	case GRT_KIND_TEXT:
		return CTF_STRING;
	case GRT_KIND_RSVD:
		return CTF_NOTHING;
	default:
		return CTF_ENUM;
	}
}

int ctf_threads_learn(struct ctf_threads *t, const struct grtrace_process *rec)
{
	uint32_t row = grt_keymap_get(&t->rows, rec->tgid, 0);
	char *name;

	if (row == GRT_NONE) {
		row = t->names.bytes / COMM_BYTES;
		if (!grt_vec_grow(&t->names, COMM_BYTES) ||
		    grt_keymap_put(&t->rows, rec->tgid, 0, row))
			return grt_fail_memory();
	}
	name = (char *)t->names.data + row * COMM_BYTES;
	memset(name, 0, COMM_BYTES);
	memcpy(name, rec->comm, strnlen(rec->comm, sizeof(rec->comm)));
	return 0;
}

void ctf_threads_free(struct ctf_threads *t)
{
	grt_keymap_free(&t->rows);
	grt_vec_free(&t->names);
}

/* Into @buf if no PROCESS names it: the idle thread of @cpu, else "". */
static const char *name_of(const struct ctf_threads *t, uint32_t tid, uint32_t cpu, char buf[COMM_BYTES])
{
	uint32_t row = tid ? grt_keymap_get(&t->rows, tid, 0) : GRT_NONE;

	if (row != GRT_NONE)
		return (const char *)t->names.data + row * COMM_BYTES;
	*buf = '\0';
	if (!tid)
		snprintf(buf, COMM_BYTES, "swapper/%u", cpu);
	return buf;
}

int ctf_put(struct grt_vec *to, const void *data, size_t bytes)
{
	return grt_vec_append(to, data, bytes) ? grt_fail_memory() : 0;
}

/* How many bytes from the start need no escape. */
static size_t sound_bytes(const char *text, size_t bytes)
{
	size_t at = 0, len = 1;

	while (at < bytes && len) {
		len = (unsigned char)text[at] < 0x80 ? 1 : grt_shown_bytes(text + at, bytes - at);
		at += len;
	}
	return at;
}

int ctf_put_string(struct grt_vec *to, const char *text, size_t bytes)
{
	static const char nothing[] = "-";
	char escaped[8];
	int err = 0;

	/* babeltrace2 2.0.4 shows the text of an earlier event in place of an empty one. */
	bytes = strnlen(text, bytes);
	if (!bytes)
		return ctf_put(to, nothing, sizeof(nothing));
	while (bytes && !err) {
		size_t len = sound_bytes(text, bytes);

		err = ctf_put(to, text, len);
		text += len;
		bytes -= len;
		if (!bytes || err)
			break;
		snprintf(escaped, sizeof(escaped), "\\x%02x", (unsigned char)*text++);
		err = ctf_put(to, escaped, strlen(escaped));
		bytes--;
	}
	return err ? err : ctf_put(to, "", 1);
}

static int put_text(struct grt_vec *to, const struct grt_type *type, const struct grt_field *f,
		    const struct grtrace_hdr *rec)
{
	size_t bytes;
	const char *text = grt_field_text(type, f, rec, &bytes);

	return ctf_put_string(to, text, bytes);
}

static int put_field(struct grt_vec *to, const struct grt_type *type, const struct grt_field *f,
		     const struct grtrace_hdr *rec)
{
	static const int32_t unknown = CTF_UNKNOWN_STATUS;
	uint64_t value;

	if (f->kind == GRT_KIND_RSVD)
		return 0;
	if (f->kind == GRT_KIND_TEXT)
		return put_text(to, type, f, rec);
	if (rec->flags & GRTRACE_F_NO_STATUS && ctf_field_kind(f) == CTF_STATUS)
		return ctf_put(to, &unknown, sizeof(unknown));
	/* Little endian, as the trace; 0 if the record is of a version without that field. */
	value = grt_field_u64(f, rec);
	return ctf_put(to, &value, f->bytes);
}

static int put_comms(struct grt_vec *to, const struct ctf_kernel_event *k,
		     const struct grt_type *type, const struct grtrace_hdr *rec,
		     const struct ctf_threads *threads)
{
	char buf[COMM_BYTES];
	int err = 0;

	for (int i = 0; i < 2 && k->fields[i].field && !err; i++) {
		const struct grt_field *f = grt_field_by_name(type, k->fields[i].field);

		err = ctf_put_string(to, name_of(threads, grt_field_u64(f, rec), rec->cpu, buf),
				     COMM_BYTES);
	}
	return err;
}

int ctf_put_fields(struct grt_vec *to, const struct grt_type *type, const struct grtrace_hdr *rec,
		   const struct ctf_threads *threads)
{
	const struct ctf_kernel_event *k = ctf_kernel_event(type);
	int err = 0;

	for (unsigned int i = 0; i < type->nr_fields && !err; i++)
		err = put_field(to, type, &type->fields[i], rec);
	if (!err && grt_type_tail(type))
		err = put_text(to, type, NULL, rec);
	return err || !k ? err : put_comms(to, k, type, rec, threads);
}
