// SPDX-License-Identifier: GPL-2.0
/*
 * measure RUNS COMMAND...: runs COMMAND this many times without its output, and prints "WALL_S
 * CPU_S PEAK_KIB" for each run.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
	return t.tv_sec + t.tv_usec / 1e6;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void become(char **command)
{
	int null = open("/dev/null", O_WRONLY);

	if (null >= 0 && dup2(null, STDOUT_FILENO) >= 0)
		execvp(command[0], command);
	perror(command[0]);
	_exit(127);
}

static int run(char **command)
{
	struct rusage used;
	double begin = now();
	int status;
	pid_t child = fork();

	if (!child)
		become(command);
	if (child < 0 || wait4(child, &status, 0, &used) < 0) {
		perror("measure");
		return 1;
	}
	printf("%.6f %.6f %ld\n", now() - begin,
	       seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss);
	return !WIFEXITED(status) || WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	int runs = argc > 2 ? atoi(argv[1]) : 0;

	if (runs < 1) {
		fprintf(stderr, "usage: measure RUNS COMMAND...\n");
		return 2;
	}
	while (runs--)
		if (run(argv + 2))
			return 1;
	return 0;
}
