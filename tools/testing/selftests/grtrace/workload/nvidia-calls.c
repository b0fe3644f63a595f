// SPDX-License-Identifier: GPL-2.0
/*
 * nvidia-calls DEVICE ROUNDS [HOLD]: uses a device as programs use that of NVIDIA's driver.  Each round
 * opens it, calls 10 ioctls, polls 3 times, maps 1 to 4 pages, touches each, and closes all again; then
 * one mapping more is inherited by a child, and another one is read like a debugger does.  With HOLD it then
 * opens the device once more, prints "open", and keeps it open until it is killed.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define RM_CONTROL	0xc020462au	/* an ioctl of the driver, as an example */

static size_t page_bytes;

static int fail(const char *what)
{
	perror(what);
	exit(1);
}

static int open_device(const char *device)
{
	int fd = open(device, O_RDWR | O_CLOEXEC);

	return fd < 0 ? fail(device) : fd;
}

static volatile char *map(int fd, size_t bytes, off_t offset)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);

	if (at == MAP_FAILED)
		fail("mmap");
	return at;
}

static void run_round(const char *device, unsigned int number)
{
	size_t bytes = (1 + number % 4) * page_bytes;
	int fd = open_device(device);
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	volatile char *at;

	for (unsigned int i = 0; i < 10; i++)
		ioctl(fd, RM_CONTROL, 0);
	for (unsigned int i = 0; i < 3; i++)
		poll(&poll_fd, 1, 0);
	at = map(fd, bytes, 0);
	for (size_t i = 0; i < bytes; i += page_bytes)
		at[i] = 1;
	munmap((void *)at, bytes);
	close(fd);
}

static void inherit(const char *device)
{
	int fd = open_device(device);
	volatile char *at = map(fd, page_bytes, 0);
	pid_t pid = fork();

	if (!pid)
		_exit(at[0]);
	waitpid(pid, NULL, 0);
	munmap((void *)at, page_bytes);
	close(fd);
}

/* Memory without struct page is only read through the driver. */
static void look(const char *device)
{
	int fd = open_device(device), mem = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	volatile char *at = map(fd, page_bytes, page_bytes);
	char byte;

	if (mem < 0 || pread(mem, &byte, 1, (off_t)(size_t)at) != 1)
		fail("/proc/self/mem");
	close(mem);
	munmap((void *)at, page_bytes);
	close(fd);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fputs("usage: nvidia-calls DEVICE ROUNDS [HOLD]\n", stderr);
		return 2;
	}
	page_bytes = sysconf(_SC_PAGESIZE);
	for (unsigned long i = 0; i < strtoul(argv[2], NULL, 10); i++)
		run_round(argv[1], i);
	inherit(argv[1]);
	look(argv[1]);
	if (argc == 3)
		return 0;
	open_device(argv[1]);
	puts("open");
	fflush(stdout);
	for (;;)
		pause();
}
