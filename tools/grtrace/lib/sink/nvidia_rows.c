// SPDX-License-Identifier: LGPL-2.1
/*
 * A row per call:
 *
 *	TIME(ms)         EVENT          COMM              PID GPU           DETAILS
 *	296119.090123    MMAP           python           4242 nvidia0       size=65536 offset=0
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "json.h"
#include "key_names.h"
#include "nvidia_sink.h"
#include "number.h"
#include "quote.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

/* A number of a call: its names in text and in JSON, and whether text has it in hexadecimal. */
static const struct {
	enum grt_nvidia_value value;
	const char *label, *name;
	bool is_hex;
} details[] = {
	{ GRT_NVIDIA_CODE, "xid", "xid", false },
	{ GRT_NVIDIA_CMD, "cmd", "cmd", true },
	{ GRT_NVIDIA_ADDRESS, "address", "address", true },
	{ GRT_NVIDIA_BYTES, "size", "bytes", false },
	{ GRT_NVIDIA_OFFSET, "offset", "offset_bytes", false },
};

/*
 * Names of ioctls: the low byte of their number.  From NVIDIA's open-gpu-kernel-modules 595.45.04,
 * src/nvidia/arch/nvalloc/unix/include/nv_escape.h, and kernel-open/common/inc/nv-ioctl-numbers.h, which
 * counts from 200.
 */
static const struct {
	uint8_t number;
	const char *name;
} ioctls[] = {
	{ 0x27, "RM_ALLOC_MEMORY" }, { 0x28, "RM_ALLOC_OBJECT" }, { 0x29, "RM_FREE" }, { 0x2a, "RM_CONTROL" },
	{ 0x2b, "RM_ALLOC" }, { 0x34, "RM_DUP_OBJECT" }, { 0x35, "RM_SHARE" }, { 0x41, "RM_IDLE_CHANNELS" },
	{ 0x4a, "RM_VID_HEAP_CONTROL" }, { 0x4e, "RM_MAP_MEMORY" }, { 0x4f, "RM_UNMAP_MEMORY" },
	{ 0x52, "RM_GET_EVENT_DATA" }, { 0x57, "RM_MAP_MEMORY_DMA" }, { 0x58, "RM_UNMAP_MEMORY_DMA" },
	{ 200 + 0, "CARD_INFO" }, { 200 + 1, "REGISTER_FD" }, { 200 + 6, "ALLOC_OS_EVENT" },
	{ 200 + 7, "FREE_OS_EVENT" }, { 200 + 10, "CHECK_VERSION_STR" }, { 200 + 11, "IOCTL_XFER_CMD" },
	{ 200 + 12, "ATTACH_GPUS_TO_FD" }, { 200 + 18, "WAIT_OPEN_COMPLETE" },
};

/* "": it has none. */
static const char *ioctl_name(uint64_t cmd)
{
	for (size_t i = 0; i < NR(ioctls); i++)
		if (ioctls[i].number == (cmd & 0xff))
			return ioctls[i].name;
	return "";
}

/* The device of P2P_MAP is the peer. */
static const char *gpu_word(const struct grt_nvidia_call *call, char word[40])
{
	uint64_t minor = call->values[GRT_NVIDIA_MINOR];

	if (*call->device && call->event != GRT_NVIDIA_P2P_MAP)
		return call->device;
	if (!grt_nvidia_has(call, GRT_NVIDIA_MINOR))
		return "";
	if (minor == GRT_NVIDIA_MINOR_CTL)
		return "nvidiactl";
	if (minor == GRT_NVIDIA_MINOR_MODESET)
		return "nvidia-modeset";
	snprintf(word, 40, "nvidia%" PRIu64, minor);
	return word;
}

/* --- text --- */

static void put_time(FILE *f, const char **gap, const char *label, uint64_t ns)
{
	char word[GRT_NUMBER_MAX], *blank;

	grt_format_ns(word, ns);
	blank = strchr(word, ' ');
	if (blank)
		memmove(blank, blank + 1, strlen(blank));
	fprintf(f, "%s%s=%s", *gap, label, word);
	*gap = " ";
}

static void put_details(FILE *f, const struct grt_nvidia_row *row)
{
	const struct grt_nvidia_call *call = row->call;
	const char *gap = "";
	char word[32];

	for (size_t i = 0; i < NR(details); i++) {
		if (!grt_nvidia_has(call, details[i].value))
			continue;
		fprintf(f, details[i].is_hex ? "%s%s=0x%" PRIx64 : "%s%s=%" PRIu64, gap, details[i].label,
			call->values[details[i].value]);
		gap = " ";
	}
	if (call->event == GRT_NVIDIA_MMAP && !grt_nvidia_has(call, GRT_NVIDIA_BYTES)) {
		fprintf(f, "%ssize=-", gap);
		gap = " ";
	}
	if (call->event == GRT_NVIDIA_IOCTL && grt_nvidia_has(call, GRT_NVIDIA_CMD) &&
	    *ioctl_name(call->values[GRT_NVIDIA_CMD])) {
		fprintf(f, "%sname=%s", gap, ioctl_name(call->values[GRT_NVIDIA_CMD]));
		gap = " ";
	}
	if (call->event == GRT_NVIDIA_P2P_MAP) {
		fprintf(f, "%speer=%s", gap, *call->device ? grt_shown(call->device) : "-");
		gap = " ";
	}
	if (row->has_took)
		put_time(f, &gap, "took", row->took_ns);
	if (row->has_asleep)
		put_time(f, &gap, "asleep", row->asleep_ns);
	if (row->has_result && row->result) {
		fprintf(f, "%sresult=%s", gap, grt_status_name(row->result, word));
		gap = " ";
	}
	if (call->text && *call->text) {
		fputs(gap, f);
		grt_put_text(f, call->text);
	} else if (!*gap) {
		putc('-', f);
	}
}

static void print_text(FILE *f, const struct grt_nvidia_row *row)
{
	const struct grt_nvidia_call *call = row->call;
	char time[40], pid[24] = "-", word[40], comm[sizeof(call->comm) + 1];
	const char *gpu = gpu_word(call, word);

	snprintf(time, sizeof(time), "%" PRIu64 ".%06" PRIu64, call->ns / 1000000, call->ns % 1000000);
	snprintf(comm, sizeof(comm), "%s", *call->comm ? grt_shown(call->comm) : "-");
	/* A word without blanks, so that columns can be counted. */
	for (char *c = comm; *c; c++)
		if (isspace((unsigned char)*c))
			*c = '_';
	if (call->tgid)
		snprintf(pid, sizeof(pid), "%" PRIu32, call->tgid);
	fprintf(f, "%-16s %-14s %-15s %7s %-13s ", time, grt_nvidia_abouts[call->event].event, comm, pid,
		*gpu ? grt_shown(gpu) : "-");
	put_details(f, row);
	putc('\n', f);
}

/* --- JSON --- */

static void print_json(FILE *f, const struct grt_nvidia_row *row)
{
	const struct grt_nvidia_call *call = row->call;
	struct grt_json j = { .file = f };
	char word[40];

	grt_json_open(&j, NULL, '{');
	grt_json_u64(&j, "time_ns", call->ns);
	if (call->is_from_log)
		grt_json_bool(&j, "time_is_of_reading", true);
	grt_json_text(&j, "event", grt_nvidia_abouts[call->event].event);
	grt_json_text(&j, "comm", call->comm);
	if (call->tgid)
		grt_json_u64(&j, "pid", call->tgid);
	else
		grt_json_null(&j, "pid");
	grt_json_text(&j, "gpu", gpu_word(call, word));
	for (size_t i = 0; i < NR(details); i++)
		if (grt_nvidia_has(call, details[i].value))
			grt_json_u64(&j, details[i].name, call->values[details[i].value]);
	if (call->event == GRT_NVIDIA_MMAP && !grt_nvidia_has(call, GRT_NVIDIA_BYTES))
		grt_json_null(&j, "bytes");
	if (call->event == GRT_NVIDIA_IOCTL)
		grt_json_text(&j, "name", ioctl_name(call->values[GRT_NVIDIA_CMD]));
	if (call->event == GRT_NVIDIA_P2P_MAP)
		grt_json_text(&j, "peer", call->device);
	if (row->has_took)
		grt_json_u64(&j, "took_ns", row->took_ns);
	if (row->has_asleep)
		grt_json_u64(&j, "asleep_ns", row->asleep_ns);
	if (row->has_result)
		grt_json_s64(&j, "result", row->result);
	if (call->text)
		grt_json_text(&j, "text", call->text);
	grt_json_close(&j, '}');
	putc('\n', f);
}

void grt_nvidia_print_header(const struct grt_nvidia_out *o)
{
	if (!o->is_json)
		fprintf(o->file, "%-16s %-14s %-15s %7s %-13s %s\n", "TIME(ms)", "EVENT", "COMM", "PID", "GPU",
			"DETAILS");
}

void grt_nvidia_print_row(const struct grt_nvidia_out *o, const struct grt_nvidia_row *row)
{
	if (o->is_json)
		print_json(o->file, row);
	else
		print_text(o->file, row);
}
