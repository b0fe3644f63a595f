// SPDX-License-Identifier: GPL-2.0
/*
 * Calls DRM ioctls on standard input, as often as the first argument says: the kernel refuses
 * them, but they are system calls.  With a second argument the calls are those of a 32-bit program.
 * A third one is the number of threads.  Prints how many
 * nanoseconds a call took, and how many another system call did.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FIRST_CMD	0xc0106400u	/* type 'd' */
#define OTHER_CMD	0x5401u		/* TCGETS, type 'T' */
#define NR_32		54		/* of a 32-bit program */

static unsigned long calls;
static int is_32;

static long call(unsigned int cmd, unsigned long arg)
{
	long ret;

	if (!is_32) {
		ret = ioctl(0, cmd, arg);
		return ret < 0 ? -errno : ret;
	}
#ifdef __x86_64__
	__asm__ volatile("int $0x80" : "=a"(ret)
			 : "a"((long)NR_32), "b"(0l), "c"((long)cmd), "d"(arg)
			 : "memory", "r8", "r9", "r10", "r11");
	/* The kernel gives 32 bits. */
	return (int)ret;
#else
	(void)arg;
	return -ENOSYS;
#endif
}

static void *call_all(void *arg)
{
	for (unsigned long i = 0; i < calls; i++) {
		if (call(FIRST_CMD + i % 256, i) == -ENOSYS)
			exit(77);
		if (!(i % 1000))
			call(OTHER_CMD, 0);
	}
	return arg;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

int main(int argc, char **argv)
{
	unsigned int count = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
	pthread_t threads[64];
	uint64_t begin_ns = now_ns(), ioctl_ns;

	calls = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	is_32 = argc > 2 && !strcmp(argv[2], "32");
	if (count > 64)
		return 2;
	for (unsigned int i = 1; i < count; i++)
		if (pthread_create(&threads[i], NULL, call_all, NULL))
			return 2;
	call_all(NULL);
	for (unsigned int i = 1; i < count; i++)
		pthread_join(threads[i], NULL);
	ioctl_ns = now_ns() - begin_ns;
	begin_ns = now_ns();
	for (unsigned long i = 0; i < calls; i++)
		syscall(SYS_getppid);
	printf("%" PRIu64 " %" PRIu64 "\n", ioctl_ns / (calls ? calls : 1),
	       (now_ns() - begin_ns) / (calls ? calls : 1));
	return 0;
}
