// SPDX-License-Identifier: GPL-2.0
/* Reads inputs from files, without libFuzzer: replay-TARGET FILE... */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

#define MAX_BYTES	(1u << 20)

/* For the linker; nothing mutates here. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t bytes, size_t room)
{
	(void)data;
	(void)room;
	return bytes;
}

/* In a block of exactly that size, so that a sanitizer sees reads beyond it. */
static void replay(const uint8_t *all, size_t bytes)
{
	uint8_t *own = malloc(bytes ? bytes : 1);

	if (!own)
		abort();
	for (size_t i = 0; i < bytes; i++)
		own[i] = all[i];
	LLVMFuzzerTestOneInput(own, bytes);
	free(own);
}

int main(int argc, char **argv)
{
	uint8_t *all = malloc(MAX_BYTES);

	if (!all || argc < 2) {
		fprintf(stderr, "usage: %s FILE...\n", argv[0]);
		return 2;
	}
	for (int i = 1; i < argc; i++) {
		FILE *f = fopen(argv[i], "r");
		size_t bytes;

		if (!f) {
			perror(argv[i]);
			return 3;
		}
		/* Printed first: after a crash, the last name is the cause. */
		printf("%s\n", argv[i]);
		fflush(stdout);
		bytes = fread(all, 1, MAX_BYTES, f);
		fclose(f);
		replay(all, bytes);
	}
	free(all);
	return 0;
}
