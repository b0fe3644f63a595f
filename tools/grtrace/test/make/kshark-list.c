// SPDX-License-Identifier: GPL-2.0
/*
 * Prints what KernelShark's library sees in a file, a line per entry: time, CPU, number and name of
 * the task, name of the event.  t-export-dat.sh builds it, because only it needs libkshark.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <libkshark.h>

static void print(const struct kshark_entry *e)
{
	char *task = kshark_get_task(e), *event = kshark_get_event_name(e);

	printf("%" PRId64 "\t%d\t%d\t%s\t%s\n", e->ts, e->cpu, e->pid, task ? task : "",
	       event ? event : "");
	free(task);
	free(event);
}

int main(int argc, char **argv)
{
	struct kshark_context *context = NULL;
	struct kshark_entry **entries = NULL;
	ssize_t count;
	int stream;

	if (argc != 2 || !kshark_instance(&context))
		return 2;
	stream = kshark_open(context, argv[1]);
	if (stream < 0) {
		fprintf(stderr, "libkshark cannot open '%s': %d\n", argv[1], stream);
		return 1;
	}
	count = kshark_load_entries(context, stream, &entries);
	for (ssize_t i = 0; i < count; i++)
		print(entries[i]);
	for (ssize_t i = 0; i < count; i++)
		free(entries[i]);
	free(entries);
	kshark_close_all(context);
	kshark_free(context);
	return count > 0 ? 0 : 1;
}
