// SPDX-License-Identifier: GPL-2.0
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "error.h"
#include "user.h"

/* In the child: takes the user's identity.  Groups first, because only root may set them. */
static int become(const struct grt_user *user)
{
	const struct passwd *pw;
	gid_t *groups;
	int count;

	if (!user->is_sudo)
		return 0;
	count = grt_user_groups(user->uid, user->gid, &groups);
	if (count < 0 || setgroups(count, groups) || setgid(user->gid) || setuid(user->uid))
		return -1;
	pw = getpwuid(user->uid);
	if (pw) {
		setenv("HOME", pw->pw_dir, 1);
		setenv("USER", pw->pw_name, 1);
		setenv("LOGNAME", pw->pw_name, 1);
	}
	return 0;
}

static int set_up(const struct grt_child_setup *setup)
{
	if (setup->out >= 0 && dup2(setup->out, STDOUT_FILENO) < 0)
		return -1;
	if (setup->err >= 0 && dup2(setup->err, STDERR_FILENO) < 0)
		return -1;
	return setup->tmpdir ? setenv("TMPDIR", setup->tmpdir, 1) : 0;
}

static void run_child(int go, int failed, char **argv, const struct grt_child_setup *setup)
{
	struct grt_user user = grt_user();
	sigset_t none;
	char word;
	int err;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	/* End of file: the recorder failed, so do not start. */
	if (read(go, &word, 1) != 1)
		_exit(127);
	if (!become(&user) && !set_up(setup))
		execvp(argv[0], argv);
	err = errno;
	if (write(failed, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

int grt_child_create(struct grt_child *child, char **argv, const struct grt_child_setup *setup)
{
	int go[2], failed[2], err;

	*child = (struct grt_child){ .pidfd = -1, .go = -1, .failed = -1 };
	if (pipe2(go, O_CLOEXEC))
		return grt_fail_errno(NULL, "cannot make a pipe");
	if (pipe2(failed, O_CLOEXEC)) {
		err = grt_fail_errno(NULL, "cannot make a pipe");
		goto close_go;
	}
	child->pid = fork();
	if (child->pid < 0) {
		child->pid = 0;
		err = grt_fail_errno(NULL, "cannot run '%s'", argv[0]);
		goto close_failed;
	}
	if (!child->pid) {
		close(go[1]);
		run_child(go[0], failed[1], argv, setup);
	}
	close(go[0]);
	close(failed[1]);
	child->go = go[1];
	child->failed = failed[0];
	child->pidfd = syscall(SYS_pidfd_open, child->pid, 0);
	if (child->pidfd >= 0)
		return 0;
	err = grt_fail_errno(NULL, "cannot watch '%s'", argv[0]);
	grt_child_destroy(child);
	return err;

close_failed:
	close(failed[0]);
	close(failed[1]);
close_go:
	close(go[0]);
	close(go[1]);
	return err;
}

int grt_child_start(struct grt_child *child, const char *name)
{
	ssize_t n;
	int err;

	if (write(child->go, "", 1) != 1)
		return grt_fail_errno(NULL, "cannot run '%s'", name);
	close(child->go);
	child->go = -1;
	/* A successful exec closes the pipe. */
	n = read(child->failed, &err, sizeof(err));
	if (n != sizeof(err))
		return 0;
	errno = err;
	return grt_fail_errno(err == ENOENT ? "name it with its path" : NULL,
			      "cannot run '%s'", name);
}

bool grt_child_wait(struct grt_child *child, int timeout_ms, int *status)
{
	struct pollfd fd = { .fd = child->pidfd, .events = POLLIN };

	if (poll(&fd, 1, timeout_ms) != 1)
		return false;
	if (waitpid(child->pid, status, WNOHANG) != child->pid)
		return false;
	child->pid = 0;
	return true;
}

void grt_child_destroy(struct grt_child *child)
{
	int *fds[] = { &child->go, &child->failed, &child->pidfd };
	bool has_started = child->go < 0;

	for (int i = 0; i < 3; i++)
		if (*fds[i] >= 0)
			close(*fds[i]);
	/* Without its pipe the child ends by itself. */
	if (child->pid && !has_started)
		waitpid(child->pid, NULL, 0);
	*child = (struct grt_child){ .pidfd = -1, .go = -1, .failed = -1 };
}
