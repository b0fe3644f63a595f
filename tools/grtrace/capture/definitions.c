// SPDX-License-Identifier: GPL-2.0
#include "definitions.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <xxhash.h>

#include "error.h"
#include "ring_kind.h"

#define PCI_DEVICES	"/sys/bus/pci/devices"

static const char names[] =
#define ROW(NAME, nr, text) "engine." #nr "=" #NAME "\n"
	GRTRACE_ENGINES(ROW)
#undef ROW
#define ROW(NAME, nr, text) "order." #nr "=" #NAME "\n"
	GRTRACE_ORDERS(ROW)
#undef ROW
#define ROW(NAME, nr, text) "error." #nr "=" #NAME "\n"
	GRTRACE_ERRORS(ROW)
#undef ROW
#define ROW(NAME, member, nr, CLASS, text) "fate." #nr "=" #NAME "\n"
	GRTRACE_FATES(ROW)
#undef ROW
#define ROW(NAME, st, nr, class, text) "type." #nr "=" #NAME "\n"
	GRTRACE_EVENT_TYPES(ROW)
#undef ROW
;

#define ROW(NAME, st, nr, class, text) { #NAME, sizeof(struct grtrace_##st) },
static const struct {
	const char *name;
	size_t bytes;
} sizes[] = { GRTRACE_TYPES(ROW) };
#undef ROW

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static int __attribute__((format(printf, 2, 3))) add_line(struct grt_vec *to, const char *fmt, ...)
{
	char line[512];
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	return grt_vec_append(to, line, len < (int)sizeof(line) ? len : (int)sizeof(line) - 1);
}

static int make_text(struct grt_vec *to, const char *source)
{
	struct utsname name;
	int err;

	if (uname(&name))
		return grt_fail_errno(NULL, "cannot read the name of the kernel");
	err = add_line(to, "grtrace=%s\nsource=%s\nkernel=%s\nmachine=%s\n", GRT_VERSION, source,
		       name.release, name.machine);
	if (!err)
		err = grt_vec_append(to, names, sizeof(names) - 1);
	for (size_t i = 0; !err && i < sizeof(sizes) / sizeof(*sizes); i++)
		err = add_line(to, "size.%s=%zu\n", sizes[i].name, sizes[i].bytes);
	return err ? grt_fail_memory() : 0;
}

int grt_capture_defs_begin(struct grt_capture_defs *d, const char *source, uint64_t features,
			   unsigned int cpus, uint32_t subbuf_bytes)
{
	*d = (struct grt_capture_defs){
		.info = {
			.hdr.type = GRTRACE_STREAM_INFO,
			.hdr.size = sizeof(d->info),
			.magic = GRTRACE_STREAM_MAGIC,
			.version = GRTRACE_FORMAT_VERSION,
			.clock = GRTRACE_CLOCK_MONOTONIC,
			.features = features | 1ull << GRTRACE_FEATURE_SIZE_SKIP,
			.start_ns = clock_ns(CLOCK_MONOTONIC),
			.start_real_ns = clock_ns(CLOCK_REALTIME),
			.cpus = cpus,
			.subbuf_bytes = subbuf_bytes,
		},
	};
	d->info.hdr.ts = d->info.start_ns;
	if (getrandom(&d->info.session_id, sizeof(d->info.session_id), 0) < 0)
		d->info.session_id = d->info.start_real_ns;
	return make_text(&d->text, source);
}

void grt_capture_defs_free(struct grt_capture_defs *d)
{
	grt_vec_free(&d->text);
	grt_vec_free(&d->policies);
	grt_vec_free(&d->rings);
	grt_map_free(&d->processes);
}

int grt_capture_defs_line(struct grt_capture_defs *d, const char *name, const char *value)
{
	return add_line(&d->text, "%s=%s\n", name, value) ? grt_fail_memory() : 0;
}

int grt_capture_defs_policy(struct grt_capture_defs *d, const char *key, const char *value)
{
	struct grtrace_policy *rec;
	size_t bytes = (sizeof(*rec) + strlen(key) + strlen(value) + 2 + 7) & ~7ull;

	rec = grt_vec_grow(&d->policies, bytes);
	if (!rec)
		return grt_fail_memory();
	memset(rec, 0, bytes);
	rec->hdr.type = GRTRACE_POLICY;
	rec->hdr.size = bytes;
	rec->hdr.ts = d->info.start_ns;
	rec->value = strtoull(value, NULL, 0);
	snprintf((char *)(rec + 1), bytes - sizeof(*rec), "%s=%s", key, value);
	return 0;
}

int grt_capture_defs_stream(const struct grt_capture_defs *d, uint32_t cpu, struct grt_vec *to)
{
	size_t bytes = (sizeof(struct grtrace_metadata) + d->text.bytes + 8) & ~7ull;
	struct grtrace_stream_info *info = grt_vec_grow(to, sizeof(*info));
	struct grtrace_metadata *meta;

	if (!info)
		return grt_fail_memory();
	*info = d->info;
	info->hdr.cpu = cpu;
	meta = grt_vec_grow(to, bytes);
	if (!meta)
		return grt_fail_memory();
	memset(meta, 0, bytes);
	meta->hdr = (struct grtrace_hdr){
		.type = GRTRACE_METADATA, .size = bytes, .cpu = cpu, .ts = d->info.start_ns,
	};
	meta->session_id = d->info.session_id;
	memcpy(meta + 1, d->text.data, d->text.bytes);
	return grt_vec_append(to, d->policies.data, d->policies.bytes) ? grt_fail_memory() : 0;
}

/* One number of a PCI device; 0 if there is none. */
static uint32_t read_pci(const char *device, const char *file)
{
	char path[sizeof(PCI_DEVICES) + sizeof(((struct grtrace_ring *)0)->device) + 16];
	uint32_t number = 0;
	FILE *f;

	snprintf(path, sizeof(path), PCI_DEVICES "/%s/%s", device, file);
	f = strchr(device, '/') ? NULL : fopen(path, "r");
	if (!f)
		return 0;
	if (fscanf(f, "%" SCNx32, &number) != 1)
		number = 0;
	fclose(f);
	return number;
}

static const struct grtrace_ring *ring_at(const struct grt_capture_defs *d, size_t i)
{
	return grt_vec_at(&d->rings, struct grtrace_ring, i);
}

static size_t count_rings(const struct grt_capture_defs *d)
{
	return grt_vec_count(&d->rings, struct grtrace_ring);
}

/* The hardware ring of the first ring that shares it, else @ring itself. */
static uint32_t hw_ring_of(const struct grt_capture_defs *d, const struct grtrace_ring *ring)
{
	const char *shared = grt_ring_hw_name(ring), *other;

	for (size_t i = 0; shared && i < count_rings(d); i++) {
		other = grt_ring_hw_name(ring_at(d, i));
		if (other && !strcmp(other, shared) &&
		    !strcmp(ring_at(d, i)->device, ring->device))
			return ring_at(d, i)->hw_ring;
	}
	return ring->ring;
}

static void name_unknown(char *text, size_t room, const char *name)
{
	if (!*text)
		snprintf(text, room, "%s", name);
}

const struct grtrace_ring *grt_capture_defs_find_ring(const struct grt_capture_defs *d,
						      uint32_t number)
{
	for (size_t i = 0; i < count_rings(d); i++)
		if (ring_at(d, i)->ring == number)
			return ring_at(d, i);
	return NULL;
}

int grt_capture_defs_ring(struct grt_capture_defs *d, const struct grtrace_ring *from,
			  struct grt_vec *to)
{
	struct grtrace_ring ring = *from;

	if (grt_capture_defs_find_ring(d, ring.ring))
		return 0;
	name_unknown(ring.name, sizeof(ring.name), "unnamed");
	name_unknown(ring.device, sizeof(ring.device), "unknown");
	name_unknown(ring.driver, sizeof(ring.driver), "unknown");
	grt_ring_classify(&ring);
	ring.hw_ring = hw_ring_of(d, &ring);
	ring.pci_id = read_pci(ring.device, "vendor") << 16 | read_pci(ring.device, "device");
	if (grt_vec_append(&d->rings, &ring, sizeof(ring)) ||
	    grt_vec_append(to, &ring, sizeof(ring)))
		return grt_fail_memory();
	return 0;
}

/*
 * A CPU may name a process twice, and CPUs are read one after the other.  So only a process that
 * never had another row can be left out.
 */
int grt_capture_defs_process(struct grt_capture_defs *d, const struct grtrace_process *process,
			     struct grt_vec *to)
{
	uint64_t hash = XXH64(&process->cgroup_id,
			      sizeof(*process) - sizeof(process->hdr), 0) | 1;
	uint64_t *known = grt_map_put(&d->processes, process->tgid);

	if (!known)
		return grt_fail_memory();
	if (*known == hash)
		return 0;
	*known = *known ? ~1ull : hash;	/* no hash is even */
	return grt_vec_append(to, process, sizeof(*process)) ? grt_fail_memory() : 0;
}
