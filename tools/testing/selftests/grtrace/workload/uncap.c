// SPDX-License-Identifier: GPL-2.0
/* uncap NUMBER COMMAND...: runs it without this capability, which root otherwise has. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: uncap NUMBER COMMAND...\n");
		return 2;
	}
	if (prctl(PR_CAPBSET_DROP, atoi(argv[1]), 0, 0, 0)) {
		perror("uncap");
		return 2;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}
