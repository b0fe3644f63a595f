/* SPDX-License-Identifier: GPL-2.0 */
/* What every loader of BPF programs needs: rights, messages, and buffers of CPUs. */
#ifndef GRT_BPF_LOAD_H
#define GRT_BPF_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_map;
struct bpf_program;
struct btf;
struct grt_bpf_cpu;
struct ring_buffer;

/* The buffers of all CPUs, see capture.h. */
struct grt_bpf_buffers {
	size_t bytes;			/* of a CPU's buffer: a power of two */
	uint8_t *all;			/* mapped; NULL: not open */
	size_t mapped;
	struct ring_buffer *doorbell;
};

/*
 * Checks that this process may load programs.  @command is the command line without sudo, for
 * hints.  0 or -errno with a cause that says what is missing.
 */
int grt_bpf_check(const char *command);

/* The last warning of libbpf, one line without its end; empty if there was none. */
const char *grt_bpf_last_warning(void);

/* Records the cause of a failed load.  Returns @err, a -errno. */
int grt_bpf_fail_load(int err, const char *command);

/* After how many bytes in a CPU's buffer of @buffer_bytes programs wake the reader, which looks by itself, too. */
uint64_t grt_bpf_wake_bytes(size_t buffer_bytes);

/* The size of a CPU's buffer if the user asked for so many bytes; 0: what suits the machine. */
size_t grt_bpf_buffer_bytes(uint64_t asked);

/*
 * Sets up the map of buffers before its programs are loaded: each CPU that is online gets a
 * buffer in its @counters.  0 or -errno.
 */
int grt_bpf_buffers_size(struct bpf_map *buffers, struct grt_bpf_cpu *counters, size_t bytes);

/* Maps the buffers of programs that are loaded.  0 or -errno with a cause. */
int grt_bpf_buffers_open(struct grt_bpf_buffers *b, struct bpf_map *buffers,
			 struct bpf_map *doorbell);
void grt_bpf_buffers_close(struct grt_bpf_buffers *b);

/* The buffer in @slot; NULL for GRT_BPF_NO_SLOT. */
uint8_t *grt_bpf_buffer(const struct grt_bpf_buffers *b, uint32_t slot);

/* Whether a program may be preempted here, so that it needs its twin; see twin.bpf.h. */
bool grt_bpf_has_preemption(void);

/* Whether @prog is the twin of another one. */
bool grt_bpf_is_twin(const struct bpf_program *prog);

/* Events that @prog did not see, because it was running on that CPU already. */
uint64_t grt_bpf_misses(const struct bpf_program *prog);

/* Whether @prog is attached to a function of the kernel, with fentry or fexit. */
bool grt_bpf_is_entry(const struct bpf_program *prog);

/*
 * Whether a program can be attached to @function with fentry: tries it.  Some kernels have no such
 * programs, some machines forbid them.
 */
bool grt_bpf_permits_entry(const struct btf *kernel, const char *function);

/* The same for the function that is the system call ioctl. */
bool grt_bpf_permits_ioctl(const struct btf *kernel);

#endif /* GRT_BPF_LOAD_H */
