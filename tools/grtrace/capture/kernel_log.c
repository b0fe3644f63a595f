// SPDX-License-Identifier: GPL-2.0
#include "kernel_log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

#define LOG	"/dev/kmsg"

int grt_kernel_log_open(void)
{
	int fd = open(LOG, O_RDONLY | O_NONBLOCK | O_CLOEXEC), err;

	if (fd < 0)
		return grt_fail_errno("run it with sudo", "cannot read '%s'", LOG);
	if (lseek(fd, 0, SEEK_END) >= 0)
		return fd;
	err = grt_fail_errno(NULL, "cannot read '%s' from its end", LOG);
	close(fd);
	return err;
}

/* A read gives one record: "PRIORITY,NUMBER,STAMP,FLAGS;TEXT\n", and more lines that begin with a blank. */
int grt_kernel_log_next(int fd, char line[GRT_KERNEL_LOG_LINE])
{
	ssize_t got;
	char *text;

	do
		got = read(fd, line, GRT_KERNEL_LOG_LINE - 1);
	while (got < 0 && (errno == EINTR || errno == EINVAL));	/* EINVAL: it is too long for us, and skipped */
	if (got < 0)
		return errno == EAGAIN ? 0 : errno == EPIPE ? -EPIPE :
		       grt_fail_errno(NULL, "cannot read '%s'", LOG);
	line[got] = '\0';
	line[strcspn(line, "\n")] = '\0';
	text = strchr(line, ';');
	if (text)
		memmove(line, text + 1, strlen(text));
	return got > 0;
}
