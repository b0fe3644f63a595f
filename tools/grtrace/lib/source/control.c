// SPDX-License-Identifier: LGPL-2.1
#include "control.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "io.h"
#include "lines.h"

#define DEFAULT_DIR	"/sys/kernel/debug/grtrace"

const char *grt_control_dir(void)
{
	/* secure_getenv: a caller must not lead a privileged program away from debugfs. */
	const char *dir = secure_getenv("GRTRACE_DIR");

	return dir && *dir ? dir : DEFAULT_DIR;
}

/* Fails as errno says; to root, only a locked down kernel refuses files like that. */
static int fail_access(const char *hint, const char *what, const char *path)
{
	if (errno == EPERM && !geteuid())
		return grt_fail(EPERM, "read its events as they are: sudo cat " DEFAULT_DIR "/trace_pipe > trace.raw",
				"the kernel is locked down: nobody may control the module");
	return grt_fail_errno(hint, "cannot %s '%s'", what, path);
}

static int fail_open(const char *path)
{
	if (errno == ENOENT && !strcmp(path, grt_control_dir()))
		return grt_fail_errno("sudo modprobe grtrace",
				      "the module is not loaded: cannot open '%s'", path);
	if (errno == EACCES || errno == EPERM)
		return fail_access("run it with sudo; only root may use debugfs", "open", path);
	return grt_fail_errno(NULL, "cannot open '%s'", path);
}

int grt_control_open(void)
{
	int dir = open(grt_control_dir(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return dir < 0 ? fail_open(grt_control_dir()) : dir;
}

ssize_t grt_control_read(const char *file, char *buf, size_t bytes)
{
	char path[300];
	int dir = grt_control_open();
	ssize_t n;

	if (dir < 0)
		return dir;
	n = grt_read_text(dir, file, buf, bytes);
	if (n < 0)
		n = -errno;
	close(dir);
	if (n < 0) {
		snprintf(path, sizeof(path), "%s/%s", grt_control_dir(), file);
		errno = -n;
		return fail_access(NULL, "read", path);
	}
	/* A cut text may end within a number. */
	if ((size_t)n == bytes - 1)
		return grt_fail(E2BIG, "report this as a bug", "%s/%s has %zu bytes or more", grt_control_dir(), file,
				bytes - 1);
	if (n > 0 && buf[n - 1] == '\n')
		buf[--n] = '\0';
	return n;
}

/*
 * Fails with the module's own text about the write that it just refused.  That text begins with
 * the file's name and says what is allowed.
 */
static int fail_write(int dir, const char *file, const char *text)
{
	int err = errno;
	bool is_refused = err == EINVAL || err == EBUSY || err == ENOMEM;
	const char *hint = err == EBUSY ? "grtrace status" : NULL;
	char why[512];

	if (is_refused && grt_read_text(dir, "error", why, sizeof(why)) > 0 && why[0] != '\n') {
		why[strcspn(why, "\n")] = '\0';
		return grt_fail(err, hint, "%s", why);
	}
	errno = err;
	return grt_fail_errno(hint, "%s refused '%s'", file, text);
}

/* Returns the descriptor that wrote the text, or -errno with a cause. */
static int write_and_keep(const char *file, const char *text)
{
	int dir = grt_control_open();
	int fd, err = 0;
	ssize_t n;

	if (dir < 0)
		return dir;
	fd = openat(dir, file, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0) {
		err = fail_open(file);
		goto close_dir;
	}
	n = write(fd, text, strlen(text));
	if (n < 0)
		err = fail_write(dir, file, text);
	else if (n != (ssize_t)strlen(text))
		err = grt_fail(EIO, NULL, "%s took only part of '%s'", file, text);
	if (err)
		close(fd);
close_dir:
	close(dir);
	return err ? err : fd;
}

int grt_control_write(const char *file, const char *text)
{
	int fd = write_and_keep(file, text);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

int grt_control_hold(void)
{
	return write_and_keep("control", "start hold");
}

int grt_control_is_running(void)
{
	char text[16];
	ssize_t n = grt_control_read("enabled", text, sizeof(text));

	return n < 0 ? n : text[0] == '1';
}

int grt_control_stat(const char *name, char *buf, size_t bytes)
{
	char text[16384];
	ssize_t n = grt_control_read("stats", text, sizeof(text));

	return n < 0 ? n : grt_control_value(text, name, buf, bytes);
}

bool grt_control_overwrites(void)
{
	char mode[32];

	return grt_control_stat("mode", mode, sizeof(mode)) == 1 && !strcmp(mode, "overwrite");
}

int grt_control_has_snapshot(void)
{
	char state[32];
	int got = grt_control_stat("snapshot", state, sizeof(state));

	return got == 1 ? !strcmp(state, "held") : got;
}

bool grt_control_value(const char *text, const char *name, char *buf, size_t bytes)
{
	return grt_line_copy(buf, bytes, text, strlen(text), name);
}
