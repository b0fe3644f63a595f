// SPDX-License-Identifier: GPL-2.0
#include "bpf_load.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "capture.h"
#include "error.h"
#include "lockdown.h"
#include "machine.h"

#define MIN_BYTES	(64ull << 10)
#define WAKE_BYTES	(256ull << 10)

/* The last warning of libbpf. */
static char last_warning[512];

static int keep_warning(enum libbpf_print_level level, const char *fmt, va_list args)
{
	char text[sizeof(last_warning)];

	if (level != LIBBPF_WARN)
		return 0;
	if (getenv("GRTRACE_DEBUG")) {
		va_list again;

		va_copy(again, args);
		vfprintf(stderr, fmt, again);
		va_end(again);
	}
	vsnprintf(text, sizeof(text), fmt, args);
	text[strcspn(text, "\n")] = '\0';
	snprintf(last_warning, sizeof(last_warning), "%s", text);
	return 0;
}

const char *grt_bpf_last_warning(void)
{
	return last_warning;
}

/* The capabilities of this process, as bits. */
static uint64_t capabilities(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	uint64_t bits = 0;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "CapEff: %" SCNx64, &bits) == 1)
			break;
	if (f)
		fclose(f);
	return bits;
}

static const char *with_sudo(char *to, size_t room, const char *command)
{
	snprintf(to, room, "sudo %s", command);
	return to;
}

/*
 * CAP_BPF and CAP_PERFMON are not enough.  The programs need the types of the scheduler, which is a
 * module; only with CAP_SYS_ADMIN may a process read the types of modules (6.1 to 7.2
 * kernel/bpf/syscall.c, bpf_btf_get_fd_by_id()).
 */
int grt_bpf_check(const char *command)
{
	int cpus = libbpf_num_possible_cpus();
	char hint[128];

	libbpf_set_print(keep_warning);
	if (grt_capture_is_confidential())
		return grt_fail(EPERM, GRT_CAPTURE_UNLOCK_HINT,
				"the kernel is locked down (confidentiality): BPF programs may not read its memory");
	if (!(capabilities() >> CAP_SYS_ADMIN & 1))
		return grt_fail(EPERM, with_sudo(hint, sizeof(hint), command),
				"only root may load the programs: CAP_SYS_ADMIN is missing");
	if (cpus < 1 || cpus > GRT_BPF_MAX_CPUS)
		return grt_fail(E2BIG, NULL, "%d CPUs; at most %d are possible", cpus,
				GRT_BPF_MAX_CPUS);
	return 0;
}

int grt_bpf_fail_load(int err, const char *command)
{
	char hint[192];

	if (err == -EPERM)
		return grt_fail(EPERM, with_sudo(hint, sizeof(hint), command),
				"the kernel refuses BPF programs: %s", last_warning);
	snprintf(hint, sizeof(hint), "report this as a bug, with the output of GRTRACE_DEBUG=1 %s",
		 command);
	return grt_fail(-err, hint, "cannot load the BPF programs: %s", last_warning);
}

size_t grt_bpf_buffer_bytes(uint64_t asked)
{
	uint64_t most = grt_capture_buffer_bytes(asked), bytes = MIN_BYTES;

	while (2 * bytes <= most && bytes < 1ull << 30)
		bytes *= 2;
	return bytes;
}

uint64_t grt_bpf_wake_bytes(size_t buffer_bytes)
{
	return buffer_bytes / 4 < WAKE_BYTES ? buffer_bytes / 4 : WAKE_BYTES;
}

int grt_bpf_buffers_size(struct bpf_map *buffers, struct grt_bpf_cpu *counters, size_t bytes)
{
	unsigned int cpus = libbpf_num_possible_cpus(), count = 0;
	int err;

	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		counters[cpu].slot = grt_capture_cpu_is_online(cpu) ? count++ : GRT_BPF_NO_SLOT;
		counters[cpu].limit = bytes - GRT_BPF_SLACK;
	}
	err = bpf_map__set_max_entries(buffers, count);
	return err ? err : bpf_map__set_value_size(buffers, bytes + GRT_BPF_MAX_RECORD);
}

static int hear_doorbell(void *arg, void *data, size_t bytes)
{
	(void)arg, (void)data, (void)bytes;
	return 0;
}

int grt_bpf_buffers_open(struct grt_bpf_buffers *b, struct bpf_map *buffers,
			 struct bpf_map *doorbell)
{
	unsigned int cpus = bpf_map__max_entries(buffers);
	size_t page = sysconf(_SC_PAGESIZE);

	b->mapped = (cpus * (b->bytes + GRT_BPF_MAX_RECORD) + page - 1) / page * page;
	b->all = mmap(NULL, b->mapped, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(buffers), 0);
	if (b->all == MAP_FAILED) {
		b->all = NULL;
		return grt_fail_errno(NULL, "cannot map the buffers of the BPF programs");
	}
	b->doorbell = ring_buffer__new(bpf_map__fd(doorbell), hear_doorbell, NULL, NULL);
	return b->doorbell ? 0 : grt_fail_errno(NULL, "cannot wait for BPF programs");
}

void grt_bpf_buffers_close(struct grt_bpf_buffers *b)
{
	ring_buffer__free(b->doorbell);
	if (b->all)
		munmap(b->all, b->mapped);
}

uint8_t *grt_bpf_buffer(const struct grt_bpf_buffers *b, uint32_t slot)
{
	return slot == GRT_BPF_NO_SLOT ? NULL : b->all + slot * (b->bytes + GRT_BPF_MAX_RECORD);
}

bool grt_bpf_has_preemption(void)
{
	struct utsname name;

	return !uname(&name) && strtoul(name.release, NULL, 10) >= 7;
}

bool grt_bpf_is_twin(const struct bpf_program *prog)
{
	const char *name = bpf_program__name(prog), *last = strrchr(name, '_');

	return last && !strcmp(last, "_twin");
}

uint64_t grt_bpf_misses(const struct bpf_program *prog)
{
	struct bpf_prog_info info = { .type = 0 };
	uint32_t bytes = sizeof(info);

	if (bpf_program__fd(prog) < 0 ||
	    bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &bytes))
		return 0;
	return info.recursion_misses;
}

bool grt_bpf_is_entry(const struct bpf_program *prog)
{
	return !strncmp(bpf_program__section_name(prog), "fentry/", 7) ||
	       !strncmp(bpf_program__section_name(prog), "fexit/", 6);
}

bool grt_bpf_permits_entry(const struct btf *kernel, const char *function)
{
	static const struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int id = btf__find_by_name_kind(kernel, function, BTF_KIND_FUNC), prog, link;

	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FENTRY,
		    .attach_btf_id = id);
	if (id <= 0)
		return false;
	prog = bpf_prog_load(BPF_PROG_TYPE_TRACING, "grt_nothing", "GPL", nothing, 2, &opts);
	if (prog < 0)
		return false;
	link = bpf_raw_tracepoint_open(NULL, prog);
	if (link >= 0)
		close(link);
	close(prog);
	return link >= 0;
}

bool grt_bpf_permits_ioctl(const struct btf *kernel)
{
	return grt_bpf_permits_entry(kernel, "__x64_sys_ioctl") ||
	       grt_bpf_permits_entry(kernel, "__arm64_sys_ioctl");
}
