// SPDX-License-Identifier: GPL-2.0
/*
 * stream-wait FILE TEST: how a stream of events behaves for those who wait for it, while a
 * session runs and writes nothing.  Prints what was wrong, exits with 1 then.
 *
 *	poll		poll(fd, 0) answers at once while another thread waits in read()
 *	nonblock	read() of a descriptor that was set to O_NONBLOCK answers -EAGAIN at
 *			once while another thread waits in read()
 *	fault		as poll, and the other thread's read() waits for the page that
 *			it reads to
 *	hold		tests nothing: a read() waits for the page that it reads to, until the
 *			process is killed
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define AT_ONCE_MS	1000	/* generous, for busy machines */
#define PAGE		4096

static int stream;
static char *target;

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ull + t.tv_nsec / 1000000;
}

static void *read_forever(void *unused)
{
	(void)unused;
	while (read(stream, target, PAGE) > 0)
		;
	return NULL;
}

/* Makes the call that must return at once, and keeps its result. */
static void *poll_once(void *ms)
{
	struct pollfd p = { .fd = stream, .events = POLLIN };
	uint64_t start = now_ms();

	poll(&p, 1, 0);
	*(int64_t *)ms = now_ms() - start;
	return NULL;
}

static void *read_once(void *ms)
{
	uint64_t start = now_ms();
	char text[PAGE];
	ssize_t got;

	fcntl(stream, F_SETFL, fcntl(stream, F_GETFL) | O_NONBLOCK);
	got = read(stream, text, sizeof(text));
	*(int64_t *)ms = got < 0 && errno == EAGAIN ? (int64_t)(now_ms() - start) : -2;
	return NULL;
}

static int answers_at_once(const char *what, void *(*call)(void *))
{
	static int64_t ms = -1;
	pthread_t thread;

	pthread_create(&thread, NULL, call, &ms);
	for (uint64_t end = now_ms() + AT_ONCE_MS; now_ms() < end && ms == -1; usleep(1000))
		;
	if (ms >= 0 && ms < AT_ONCE_MS) {
		printf("%s: %d ms\n", what, (int)ms);
		return 0;
	}
	printf("%s: %s\n", what, ms == -1 ? "no answer" : ms == -2 ? "not EAGAIN" : "late");
	return 1;
}

/* A page that is not loaded until the process ends. */
static char *page_that_never_comes(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int uffd = syscall(SYS_userfaultfd, O_CLOEXEC);
	char *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	reg.range.start = (uintptr_t)page;
	reg.range.len = PAGE;
	if (uffd < 0 || page == MAP_FAILED || ioctl(uffd, UFFDIO_API, &api) ||
	    ioctl(uffd, UFFDIO_REGISTER, &reg)) {
		perror("userfaultfd");
		exit(3);
	}
	return page;
}

int main(int argc, char **argv)
{
	static char page[PAGE];
	pthread_t reader;
	int failed;

	stream = argc == 3 ? open(argv[1], O_RDONLY) : -1;
	if (stream < 0) {
		perror("stream-wait");
		return 2;
	}
	target = page;
	if (!strcmp(argv[2], "fault") || !strcmp(argv[2], "hold"))
		target = page_that_never_comes();
	if (!strcmp(argv[2], "hold"))
		read_forever(NULL);
	pthread_create(&reader, NULL, read_forever, NULL);
	usleep(500000);
	failed = answers_at_once(argv[2], strcmp(argv[2], "nonblock") ? poll_once : read_once);
	fflush(stdout);
	_exit(failed);
}
