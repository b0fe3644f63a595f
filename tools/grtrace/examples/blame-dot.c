// SPDX-License-Identifier: LGPL-2.1
/* A sink of its own: who held up whom, as a graph: blame-dot trace.grt | dot -Tsvg > blame.svg */
#include <err.h>
#include <stdio.h>

#include <grtrace.h>

/* A node's name: quotes and backslashes in a process's name must not end it. */
static void print_node(const struct grtrace_client *c)
{
	const char *name = *c->comm ? c->comm : "nobody";

	putchar('"');
	for (; *name; name++)
		putchar(*name == '"' || *name == '\\' || *name < ' ' ? '?' : *name);
	printf("\\n%s\"", c->ring_name);
}

int main(int argc, char **argv)
{
	const struct grtrace_job_info *job;
	struct grtrace_blame row;
	struct grtrace *trace;
	int got;

	if (argc != 2)
		errx(2, "usage: blame-dot TRACE");
	if (grtrace_open(&trace, argv[1]))
		errx(1, "%s", grtrace_error());
	do	/* the sums are complete when all jobs are read */
		got = grtrace_next_job(trace, &job);
	while (got == 1);
	if (got < 0)
		errx(1, "%s", grtrace_error());
	printf("digraph blame {\n");
	for (size_t i = 0; grtrace_blame(trace, i, &row) == 1; i++) {
		printf("\t");
		print_node(&row.victim);
		printf(" -> ");
		print_node(&row.culprit);
		printf(" [label=\"%s %.1f us\"];\n", grtrace_blame_name(row.reason), row.ns / 1e3);
	}
	printf("}\n");
	grtrace_close(trace);
	return 0;
}
