// SPDX-License-Identifier: GPL-2.0
/* Copies standard input to standard output at a given rate: a piece every 50 ms. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define PIECES_PER_S	20
#define PIECE_NS	(1000000000 / PIECES_PER_S)

static int copy_out(const char *from, size_t bytes)
{
	while (bytes) {
		ssize_t n = write(STDOUT_FILENO, from, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		from += n;
		bytes -= n;
	}
	return 0;
}

int main(int argc, char **argv)
{
	unsigned long bytes_per_s = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	size_t piece = bytes_per_s / PIECES_PER_S, got;
	char *buffer = piece ? malloc(piece) : NULL;
	struct timespec next;

	if (!buffer) {
		fprintf(stderr, "usage: pace BYTES_PER_SECOND <INPUT >OUTPUT\n");
		return 2;
	}
	clock_gettime(CLOCK_MONOTONIC, &next);
	while ((got = fread(buffer, 1, piece, stdin)) > 0) {
		if (copy_out(buffer, got))
			return 1;
		next.tv_nsec += PIECE_NS;
		if (next.tv_nsec >= 1000000000) {
			next.tv_nsec -= 1000000000;
			next.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
	free(buffer);
	return 0;
}
