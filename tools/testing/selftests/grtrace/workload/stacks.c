// SPDX-License-Identifier: GPL-2.0
/*
 * stacks [JOBS]: submits that many jobs to the mock GPU, from two functions in turns, whose call stacks
 * are known: main, draw_frame, call_kernel; and main, copy_frame, upload, call_kernel.  Built with -O0:
 * each function has a frame.  Prints a line for each job: its key and its functions, the outermost first.
 * It stays for a second, because a recorder may look at its files.
 *
 * call_kernel() calls no function of the C library: those have no frame pointers, so the kernel would
 * not see who called them.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "workload.h"

static struct drm_grtrace_mock_submit args;
static int fd;

static long call_kernel(unsigned long request, void *arg)
{
	long ret;

#if defined(__x86_64__)
	register unsigned long a3 __asm__("rdx") = (unsigned long)arg;

	__asm__ volatile("syscall" : "=a"(ret) : "a"((long)SYS_ioctl), "D"((long)fd), "S"(request), "r"(a3)
			 : "rcx", "r11", "memory");
#elif defined(__aarch64__)
	register long nr __asm__("x8") = SYS_ioctl;
	register long a0 __asm__("x0") = fd;
	register unsigned long a1 __asm__("x1") = request, a2 __asm__("x2") = (unsigned long)arg;

	/* x30: a function that changes it has a frame of its own */
	__asm__ volatile("svc #0" : "+r"(a0) : "r"(nr), "r"(a1), "r"(a2) : "x30", "memory");
	ret = a0;
#else
	ret = syscall(SYS_ioctl, fd, request, arg);
#endif
	return ret;
}

static long draw_frame(void)
{
	return call_kernel(DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &args);
}

static long upload(void)
{
	return call_kernel(DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &args);
}

static long copy_frame(void)
{
	return upload();
}

static int fail(const char *what)
{
	fprintf(stderr, "stacks: %s failed\n", what);
	return EXIT_SETUP;
}

int main(int argc, char **argv)
{
	unsigned long jobs = argc > 1 ? strtoul(argv[1], NULL, 10) : 10;
	struct drm_grtrace_mock_ctx_create ctx = { .ring = GRTRACE_MOCK_RING_GFX };
	struct drm_grtrace_mock_wait wait = { .deadline_ns = INT64_MAX };
	const char *path = gpu_find();

	fd = path ? gpu_open(path) : -1;
	if (fd < 0)
		return EXIT_SETUP;
	if (ioctl(fd, DRM_IOCTL_GRTRACE_MOCK_CTX_CREATE, &ctx))
		return fail("a context");
	for (unsigned long i = 0; i < jobs; i++) {
		args = (struct drm_grtrace_mock_submit){ .handle = ctx.handle, .duration_ns = 1000 };
		if (i % 2 ? copy_frame() : draw_frame())
			return fail("a job");
		printf("%" PRIu64 ":%" PRIu64 " %s\n", (uint64_t)args.fence_ctx, (uint64_t)args.seqno,
		       i % 2 ? "main;copy_frame;upload;call_kernel" : "main;draw_frame;call_kernel");
	}
	wait.handle = ctx.handle;
	wait.seqno = args.seqno;
	if (ioctl(fd, DRM_IOCTL_GRTRACE_MOCK_WAIT, &wait))
		return fail("the last job");
	sleep(1);
	return EXIT_OK;
}
