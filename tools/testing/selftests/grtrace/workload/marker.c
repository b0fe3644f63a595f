// SPDX-License-Identifier: GPL-2.0
/*
 * marker FILE COUNT: writes COUNT numbered marks to FILE, a trace_marker, then odd ones: empty
 * lines, control characters, a long text, a text behind which memory goes on, and addresses that
 * cannot be read.  Prints how many of these the kernel refused.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int file;

static int write_mark(const char *text, size_t bytes)
{
	return write(file, text, bytes) < 0;
}

static void write_numbers(int count)
{
	char text[64];

	for (int i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "number %d of %d\n", i, (int)getpid());
		if (write_mark(text, strlen(text)))
			perror("marker");
	}
}

int main(int argc, char **argv)
{
	static char text[3000];

	file = argc == 3 ? open(argv[1], O_WRONLY) : -1;
	if (file < 0) {
		fprintf(stderr, "usage: marker FILE COUNT\n");
		return 2;
	}
	write_numbers(atoi(argv[2]));
	write_mark("\n", 1);
	write_mark("two\n\nlines\n\n", 12);
	write_mark("\t\a\033[31m \r\x7f\xc3\xa4 \xff", 13);
	write_mark("ends at a NUL\0not this", 22);
	memset(text, 'x', sizeof(text));
	memcpy(text, "long", 4);
	write_mark(text, sizeof(text) - 1);
	write_mark(text, 9);
	printf("%d refused\n", write_mark((char *)8, 20) + write_mark((char *)-4096, 20));
	return 0;
}
