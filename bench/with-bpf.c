// SPDX-License-Identifier: GPL-2.0
/*
 * with-bpf OBJECT COMMAND...: runs COMMAND while the programs of OBJECT (cost.bpf.o) are attached,
 * then prints how many events they recorded and lost.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define TRACEFS		"/sys/kernel/tracing/events"

/* The tracepoint of each program; the name in newer kernels comes first. */
static const struct {
	const char *program, *system, *names[2];
} wanted[] = {
	{ "on_submit", "gpu_scheduler", { "drm_sched_job_queue", "drm_sched_job" } },
	{ "on_commit", "gpu_scheduler", { "drm_sched_job_run", "drm_run_job" } },
	{ "on_end", "gpu_scheduler", { "drm_sched_job_done", "drm_sched_process_job" } },
	{ "on_fence", "dma_fence", { "dma_fence_signaled" } },
};

static int fail(const char *what)
{
	fprintf(stderr, "with-bpf: cannot %s\n", what);
	return 3;
}

static const char *find_name(size_t i)
{
	char path[256];

	for (size_t n = 0; n < ARRAY_SIZE(wanted[i].names) && wanted[i].names[n]; n++) {
		snprintf(path, sizeof(path), TRACEFS "/%s/%s", wanted[i].system,
			 wanted[i].names[n]);
		if (!access(path, F_OK))
			return wanted[i].names[n];
	}
	return NULL;
}

static bool set_targets(struct bpf_object *object)
{
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		struct bpf_program *program =
			bpf_object__find_program_by_name(object, wanted[i].program);
		const char *name = find_name(i);

		if (!program || !name || bpf_program__set_attach_target(program, 0, name))
			return false;
	}
	return true;
}

static bool attach_all(struct bpf_object *object)
{
	struct bpf_program *program;

	/* The links stay until we exit. */
	bpf_object__for_each_program(program, object)
		if (!bpf_program__attach(program))
			return false;
	return true;
}

static int run(char **command)
{
	int status;
	pid_t child = fork();

	if (!child) {
		execvp(command[0], command);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int count_event(void *context, void *data, size_t bytes)
{
	(void)data;
	(void)bytes;
	++*(unsigned long long *)context;
	return 0;
}

static bool show_counts(struct bpf_object *object)
{
	int events = bpf_object__find_map_fd_by_name(object, "events");
	struct bpf_map *bss = bpf_object__find_map_by_name(object, ".bss");
	unsigned long long recorded = 0;
	const unsigned long long *lost;	/* the first and only public variable */
	struct ring_buffer *ring;
	size_t bytes;

	ring = ring_buffer__new(events, count_event, &recorded, NULL);
	lost = bss ? bpf_map__initial_value(bss, &bytes) : NULL;
	if (!ring || !lost || ring_buffer__consume(ring) < 0)
		return false;
	printf("bpf recorded %llu lost %llu\n", recorded, *lost);
	return true;
}

int main(int argc, char **argv)
{
	struct bpf_object *object;
	int status;

	if (argc < 3) {
		fprintf(stderr, "usage: with-bpf OBJECT COMMAND...\n");
		return 2;
	}
	object = bpf_object__open_file(argv[1], NULL);
	if (!object)
		return fail("open the BPF object");
	if (!set_targets(object))
		return fail("find the tracepoints");
	if (bpf_object__load(object))
		return fail("load the BPF programs");
	if (!attach_all(object))
		return fail("attach the BPF programs");
	status = run(argv + 2);
	if (status)
		return fail("run the command");
	return show_counts(object) ? 0 : fail("read the ring buffer");
}
