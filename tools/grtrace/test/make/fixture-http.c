// SPDX-License-Identifier: GPL-2.0
/*
 * Clients of grtrace serve.  All print what they got on standard output.
 *
 * fixture-http get PORT PATH [ACCEPT]	the body; the head goes to standard error
 * fixture-http raw PORT		sends standard input, ends it, and prints the answer
 * fixture-http slow PORT N		N clients ask for the metrics and read nothing; then one that reads: its ms
 * fixture-http idle PORT N		N clients say nothing; then one that asks: its ms
 * fixture-http time PORT		how long one that asks waits, in us, and how many bytes it gets
 * fixture-http listen PROGRAM...	runs it with a socket, as systemd does; the port goes to standard error
 */
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECONDS	20	/* until a client gives up */
#define METRICS	"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

static void check(bool is_good, const char *what)
{
	if (is_good)
		return;
	perror(what);
	exit(1);
}

static int open_client(const char *port)
{
	const struct timeval limit = { .tv_sec = SECONDS };
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(strtoul(port, NULL, 0)) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	check(fd >= 0, "socket");
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	check(!connect(fd, (struct sockaddr *)&at, sizeof(at)), "connect");
	return fd;
}

static void say(int fd, const char *text, size_t bytes)
{
	check(send(fd, text, bytes, MSG_NOSIGNAL) == (ssize_t)bytes, "send");
}

/* Reads until the other end closes.  The text ends with a NUL. */
static char *read_all(int fd, size_t *bytes)
{
	size_t room = 1 << 16;
	char *text = malloc(room);
	ssize_t got = 1;

	for (*bytes = 0; got > 0; *bytes += got > 0 ? got : 0) {
		if (room - *bytes < 2)
			text = realloc(text, room *= 2);
		check(text, "memory");
		got = read(fd, text + *bytes, room - *bytes - 1);
	}
	text[*bytes] = 0;
	close(fd);
	return text;
}

static int get(const char *port, const char *path, const char *accept)
{
	char request[512], *answer, *body;
	int fd = open_client(port), n;
	size_t bytes;

	n = snprintf(request, sizeof(request), "GET %s HTTP/1.1\r\nHost: x\r\nAccept: %s\r\nConnection: close\r\n\r\n",
		     path, accept);
	say(fd, request, n);
	answer = read_all(fd, &bytes);
	body = strstr(answer, "\r\n\r\n");
	check(body, "an answer");
	fwrite(answer, body + 2 - answer, 1, stderr);
	fwrite(body + 4, answer + bytes - body - 4, 1, stdout);
	free(answer);
	return 0;
}

static int raw(const char *port)
{
	static char request[1 << 20];
	size_t bytes = fread(request, 1, sizeof(request), stdin);
	int fd = open_client(port);
	char *answer;

	/* The server may refuse it before it has read all of it. */
	send(fd, request, bytes, MSG_NOSIGNAL);
	shutdown(fd, SHUT_WR);
	answer = read_all(fd, &bytes);
	fwrite(answer, bytes, 1, stdout);
	free(answer);
	return 0;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* @n clients send @request and then nothing more; measures how long another one waits for its answer. */
static int crowd(const char *port, unsigned long n, const char *request, bool is_timed)
{
	struct rlimit files = { 0 };
	uint64_t from_ns;
	char *answer;
	size_t bytes;
	int fd;

	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	for (unsigned long i = 0; i < n; i++) {
		fd = open_client(port);
		say(fd, request, strlen(request));
	}
	from_ns = now_ns();
	fd = open_client(port);
	say(fd, METRICS, strlen(METRICS));
	answer = read_all(fd, &bytes);
	check(!strncmp(answer, "HTTP/1.1 200", 12), "an answer");
	if (is_timed)
		printf("%llu %zu\n", (unsigned long long)(now_ns() - from_ns) / 1000, bytes);
	else
		printf("%llu\n", (unsigned long long)(now_ns() - from_ns) / 1000000);
	free(answer);
	return 0;
}

static int run_listening(char **argv)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t bytes = sizeof(at);
	char pid[16];

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	check(fd >= 0 && !bind(fd, (struct sockaddr *)&at, sizeof(at)) && !listen(fd, 16) &&
	      !getsockname(fd, (struct sockaddr *)&at, &bytes), "listen");
	fprintf(stderr, "%u\n", ntohs(at.sin_port));
	if (fd != 3)
		check(dup2(fd, 3) == 3 && !close(fd), "dup2");
	snprintf(pid, sizeof(pid), "%d", getpid());
	setenv("LISTEN_PID", pid, 1);
	setenv("LISTEN_FDS", "1", 1);
	execv(argv[0], argv);
	check(false, argv[0]);
	return 1;
}

int main(int argc, char **argv)
{
	const char *what = argc >= 3 ? argv[1] : "";

	if (!strcmp(what, "get") && argc >= 4)
		return get(argv[2], argv[3], argc > 4 ? argv[4] : "*/*");
	if (!strcmp(what, "raw"))
		return raw(argv[2]);
	if (!strcmp(what, "slow") && argc == 4)
		return crowd(argv[2], strtoul(argv[3], NULL, 0), METRICS, false);
	if (!strcmp(what, "idle") && argc == 4)
		return crowd(argv[2], strtoul(argv[3], NULL, 0), "GET /met", false);
	if (!strcmp(what, "time"))
		return crowd(argv[2], 0, NULL, true);
	if (!strcmp(what, "listen"))
		return run_listening(argv + 2);
	fprintf(stderr, "usage: fixture-http get PORT PATH [ACCEPT] | raw PORT | slow PORT N | idle PORT N | time PORT | "
		"listen PROGRAM...\n");
	return 2;
}
