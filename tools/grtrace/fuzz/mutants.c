// SPDX-License-Identifier: GPL-2.0
/*
 * mutants GRTRACE COUNT SEED FILE...: damages traces at random, COUNT times, and gives each to
 * every command that reads traces; with COUNT 0, each file as it is.  No command may crash, exceed
 * the limits of time or memory, or exit with an unknown status.  Failing inputs stay in the
 * folder, as mutant-SEED-NUMBER.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"
#include "index.h"
#include "cursor.h"
#include "mutate.h"

#define MAX_BYTES	(1u << 20)
#define MAX_STEPS	4	/* changes per mutant */
#define MAX_CPU_S	20
#define MAX_RSS_KIB	(1u << 20)
#define GREATEST_EXIT	4
#define MAX_WORDS	12

struct input {
	const char *path;
	uint8_t *data;
	size_t bytes;
};

static struct mutation chance;

/* Replaces libFuzzer's function: changes a few bytes. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t bytes, size_t room)
{
	static const uint64_t odd[] = { 0, 1, 0x7f, 0xff, 0xffff, 1u << 31, UINT32_MAX, 1ull << 63,
					UINT64_MAX };
	uint64_t value = odd[mutation_below(&chance, sizeof(odd) / sizeof(odd[0]))];
	size_t at = bytes ? mutation_below(&chance, bytes) : 0, width = 1u << mutation_below(&chance, 4);

	(void)room;
	if (!bytes)
		return 0;
	switch (mutation_below(&chance, 4)) {
	case 0:
		data[at] ^= 1u << mutation_below(&chance, 8);
		break;
	case 1:
		data[at] = mutation_below(&chance, 256);
		break;
	case 2:
		memcpy(&data[at], &value, width < bytes - at ? width : bytes - at);
		break;
	case 3:
		if (!mutation_below(&chance, 8))
			return at;
		memset(&data[at], 0, width < bytes - at ? width : bytes - at);
		break;
	}
	return bytes;
}

static size_t mutate(uint8_t *data, size_t bytes)
{
	for (uint64_t steps = 1 + mutation_below(&chance, MAX_STEPS); steps; steps--) {
		if (grt_is_grt(data, bytes))
			bytes = mutate_grt(&chance, data, bytes, MAX_BYTES);
		else if (grt_is_stream(data, bytes))
			bytes = mutate_records(&chance, data, bytes, MAX_BYTES);
		else
			bytes = LLVMFuzzerMutate(data, bytes, MAX_BYTES);
	}
	return bytes;
}

/* Commands that read traces; F: the mutant, B: the original file. */
static const char *const commands[][MAX_WORDS] = {
	{ "report", "F" },
	{ "report", "--format", "csv", "F" },
	{ "report", "--format", "json", "F" },
	{ "report", "--jobs", "--all", "--synthetic", "F" },
	{ "report", "--jobs", "--format", "csv", "F" },
	{ "report", "--per-ring", "--per-device", "--per-engine", "--per-process", "--per-client",
	  "--per-ctx", "--per-cgroup", "F" },
	{ "report", "--per-pod", "--blame", "--roots", "F" },
	{ "report", "--idle", "--blame", "--overhead", "--hist", "lat,size,result", "F" },
	{ "report", "--idle", "--blame", "--overhead", "--format", "csv", "F" },
	{ "report", "--why", "7:1", "F" },
	{ "report", "--since", "1us", "--until", "1s", "F" },
	{ "timeline", "F" },
	{ "timeline", "--around", "7:1", "--ascii", "--width", "60", "F" },
	{ "timeline", "--format", "csv", "F" },
	{ "timeline", "--latency-only", "F" },
	{ "timeline", "--list", "F" },
	{ "dump", "F" },
	{ "dump", "--format", "csv", "F" },
	{ "dump", "--format", "json", "F" },
	{ "verify", "F" },
	{ "repair", "-o", "out.grt", "F" },
	{ "slice", "--since", "1us", "-o", "out.grt", "F" },
	{ "merge", "-o", "out.grt", "F", "B" },
	{ "merge", "--cpu", "F", "--gpu", "F", "--deltas" },
	{ "diff", "F", "B" },
	{ "top", "--batch", "F" },
	{ "top", "--batch", "--format", "csv", "--interval", "0.1", "F" },
	{ "top", "--batch", "--screen", "200x50", "F" },
	{ "monitor", "drm", "F" },
	{ "monitor", "--json", "--interval", "0.1", "i915", "F" },
	{ "monitor", "--json", "--interval", "0.1", "amdgpu", "F" },
	{ "monitor", "--interval", "0.1", "vblank", "F" },
	{ "import", "-o", "out.grt", "F" },
};

#define NR_COMMANDS	(sizeof(commands) / sizeof(commands[0]))

static void become(const char *grtrace, const char *const *words, const char *mutant,
		   const char *base)
{
	const struct rlimit cpu = { MAX_CPU_S, MAX_CPU_S };
	const char *argv[MAX_WORDS + 2] = { grtrace };
	int null = open("/dev/null", O_RDWR), log = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	for (int i = 0; i < MAX_WORDS && words[i]; i++)
		argv[i + 1] = !strcmp(words[i], "F") ? mutant : !strcmp(words[i], "B") ? base : words[i];
	setrlimit(RLIMIT_CPU, &cpu);
	setenv("ASAN_OPTIONS", "exitcode=99:allocator_may_return_null=1", 1);
	setenv("UBSAN_OPTIONS", "exitcode=99:print_stacktrace=1", 1);
	if (dup2(null, 0) >= 0 && dup2(null, 1) >= 0 && dup2(log, 2) >= 0)
		execv(grtrace, (char *const *)argv);
	_exit(127);
}

/* What is wrong with its end; NULL: nothing. */
static const char *judge(int status, const struct rusage *used)
{
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL ?
		       "took too long" : "was ended by a signal";
	if (WEXITSTATUS(status) > GREATEST_EXIT)
		return "ended with a status that is none of its own";
	return used->ru_maxrss > MAX_RSS_KIB ? "took too much memory" : NULL;
}

static bool run(const char *grtrace, const char *const *words, const char *mutant, const char *base)
{
	const char *wrong;
	struct rusage used;
	int status;
	pid_t child = fork();

	if (!child)
		become(grtrace, words, mutant, base);
	if (child < 0 || wait4(child, &status, 0, &used) < 0) {
		perror("mutants");
		exit(3);
	}
	unlink("out.grt");
	wrong = judge(status, &used);
	if (!wrong)
		return true;
	printf("%s: grtrace", wrong);
	for (int i = 0; i < MAX_WORDS && words[i]; i++)
		printf(" %s", !strcmp(words[i], "F") ? mutant : !strcmp(words[i], "B") ? base : words[i]);
	printf(" (status %#x, %ld KiB)\n", status, used.ru_maxrss);
	fflush(stdout);
	return false;
}

static void save(const char *path, const uint8_t *data, size_t bytes)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(data, 1, bytes, f) != bytes || fclose(f)) {
		perror(path);
		exit(3);
	}
}

static unsigned int try_input(const char *grtrace, const struct input *in, const char *name,
			      bool is_mutant)
{
	static uint8_t data[MAX_BYTES];
	unsigned int found = 0;
	size_t bytes;

	memcpy(data, in->data, in->bytes);
	bytes = is_mutant ? mutate(data, in->bytes) : in->bytes;
	save(name, data, bytes);
	for (size_t i = 0; i < NR_COMMANDS; i++)
		found += !run(grtrace, commands[i], name, in->path);
	if (!found)
		unlink(name);
	return found;
}

static void read_input(struct input *in, const char *path)
{
	FILE *f = fopen(path, "r");

	in->path = path;
	in->data = calloc(1, MAX_BYTES);
	if (!f || !in->data) {
		perror(path);
		exit(3);
	}
	in->bytes = fread(in->data, 1, MAX_BYTES / 2, f);
	fclose(f);
}

int main(int argc, char **argv)
{
	unsigned int count, inputs = argc - 4, found = 0;
	struct input *in;

	if (argc < 5) {
		fprintf(stderr, "usage: mutants GRTRACE COUNT SEED FILE...\n");
		return 2;
	}
	count = strtoul(argv[2], NULL, 0);
	chance.state = strtoul(argv[3], NULL, 0);
	in = calloc(inputs, sizeof(*in));
	if (!in)
		return 3;
	for (unsigned int i = 0; i < inputs; i++)
		read_input(&in[i], argv[4 + i]);
	for (unsigned int i = 0; i < (count ? count : inputs); i++) {
		char name[64];

		snprintf(name, sizeof(name), "mutant-%.32s-%u", argv[3], i);
		found += try_input(argv[1], &in[count ? mutation_below(&chance, inputs) : i], name,
				   count);
	}
	printf("%u mutants of %u files, %zu runs, %u failed\n", count, inputs,
	       (count ? count : inputs) * NR_COMMANDS, found);
	for (unsigned int i = 0; i < inputs; i++)
		free(in[i].data);
	free(in);
	return found != 0;
}
