// SPDX-License-Identifier: GPL-2.0
/* workload: options and processes.  See workload.h for the other files. */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "script.h"
#include "workload.h"

struct settings {
	const struct scenario *scenario;
	const char *device;
	const char *csv;
	const char *script;
	uint64_t unit_ms;
	uint64_t jobs, processes, seed, faults;
	uint64_t shortest_us, longest_us;
};

static void print_help(void)
{
	puts("usage: workload [options]\n"
	     "\n"
	     "Submits jobs to the mock GPU (module grtrace_mock), waits for all of them and\n"
	     "says what it did.  The same seed gives the same jobs.\n"
	     "\n"
	     "  -j, --jobs N             jobs in total, over all processes (1000)\n"
	     "  -p, --processes P        processes that submit (by scenario)\n"
	     "  -s, --seed S             seed of durations (1)\n"
	     "  -S, --scenario NAME      what they do (mixed)\n"
	     "  -u, --duration-us LO:HI  how long a job runs (500:3500)\n"
	     "  -f, --faults N           every Nth job fails, is refused or does not run (0)\n"
	     "  -d, --device PATH        render node (the first of a mock GPU)\n"
	     "  -c, --csv FILE           one row per job; jobs and fences are named ctx:seqno\n"
	     "  -x, --script FILE        do what it says, line by line, instead of all that\n"
	     "  -U, --unit-ms N          a unit of time of the script (20)\n"
	     "  -h, --help\n"
	     "\n"
	     "Scenarios:");
	for (uint32_t i = 0; i < scenario_cnt; i++)
		printf("  %-8s %s\n", scenarios[i].name, scenarios[i].doc);
	puts("\n"
	     "Lines of a script; nothing takes time but step, and a # begins a comment:\n"
	     "  submit JOB ctx=NAME ring=RING [dep=JOB,...] [fence=FENCE,...] [credits=N]\n"
	     "         [prio=low|normal|high|kernel] [flags=fail|no_hw|run_error]\n"
	     "  fence FENCE, signal FENCE    one that is no job's\n"
	     "  advance RING N               its next N jobs may end\n"
	     "  kill NAME                    a context; its jobs in the queue die\n"
	     "  hang RING                    the next job that begins there hangs\n"
	     "  reset RING                   the oldest job there is lost\n"
	     "  step N                       N units of time pass\n"
	     "\n"
	     "Exit: 0 all jobs ended as asked, 1 some did not, 2 usage, 3 no device or no root,\n"
	     "4 this kernel cannot do it.\n"
	     "\n"
	     "Examples:\n"
	     "  workload --scenario frame --jobs 400     100 frames of a game\n"
	     "  workload --faults 50 --csv jobs.csv      with failures, listed in jobs.csv\n"
	     "  workload --duration-us 2000:20000        long jobs, to compare times");
}

static bool parse_number(const char *text, uint64_t low, uint64_t high,
			 const char *what, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 0);
	if (*text >= '0' && *text <= '9' && !*end && !errno &&
	    *number >= low && *number <= high)
		return true;
	fprintf(stderr, "workload: %s is '%s', allowed %llu..%llu\n"
			"hint: workload --help\n", what, text,
		(unsigned long long)low, (unsigned long long)high);
	return false;
}

static bool parse_durations(char *text, struct settings *s)
{
	const uint64_t most = GRTRACE_MOCK_MAX_DURATION_NS / 1000;
	char *colon = strchr(text, ':');

	if (colon)
		*colon = '\0';
	if (!parse_number(text, 1, most, "--duration-us", &s->shortest_us))
		return false;
	return parse_number(colon ? colon + 1 : text, s->shortest_us, most,
			    "the longer --duration-us", &s->longest_us);
}

static bool parse_scenario(const char *name, struct settings *s)
{
	s->scenario = scenario_find(name);
	if (s->scenario)
		return true;
	fprintf(stderr, "workload: no scenario '%s'\nhint: one of", name);
	for (uint32_t i = 0; i < scenario_cnt; i++)
		fprintf(stderr, " %s", scenarios[i].name);
	fputc('\n', stderr);
	return false;
}

static bool parse_option(int option, struct settings *s)
{
	switch (option) {
	case 'j':
		return parse_number(optarg, 1, MAX_JOBS, "--jobs", &s->jobs);
	case 'p':
		return parse_number(optarg, 1, MAX_PROCESSES, "--processes",
				    &s->processes);
	case 's':
		return parse_number(optarg, 0, UINT64_MAX, "--seed", &s->seed);
	case 'f':
		return parse_number(optarg, 0, MAX_JOBS, "--faults", &s->faults);
	case 'S':
		return parse_scenario(optarg, s);
	case 'u':
		return parse_durations(optarg, s);
	case 'd':
		s->device = optarg;
		return true;
	case 'c':
		s->csv = optarg;
		return true;
	case 'x':
		s->script = optarg;
		return true;
	case 'U':
		return parse_number(optarg, 1, 1000, "--unit-ms", &s->unit_ms);
	default:	/* getopt has said what it did not understand */
		fprintf(stderr, "hint: workload --help\n");
		return false;
	}
}

static void parse_options(int argc, char **argv, struct settings *s)
{
	static const struct option options[] = {
		{ "jobs", required_argument, NULL, 'j' },
		{ "processes", required_argument, NULL, 'p' },
		{ "seed", required_argument, NULL, 's' },
		{ "scenario", required_argument, NULL, 'S' },
		{ "duration-us", required_argument, NULL, 'u' },
		{ "faults", required_argument, NULL, 'f' },
		{ "device", required_argument, NULL, 'd' },
		{ "csv", required_argument, NULL, 'c' },
		{ "script", required_argument, NULL, 'x' },
		{ "unit-ms", required_argument, NULL, 'U' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "j:p:s:S:u:f:d:c:x:U:h", options,
				     NULL)) != -1) {
		if (option == 'h') {
			print_help();
			exit(EXIT_OK);
		}
		if (!parse_option(option, s))
			exit(EXIT_USAGE);
	}
	if (optind < argc) {
		fprintf(stderr, "workload: '%s' is not an option\n"
				"hint: workload --help\n", argv[optind]);
		exit(EXIT_USAGE);
	}
}

/* Shared with the children; deals the jobs out. */
static struct run *run_create(const struct settings *s)
{
	const size_t bytes = sizeof(struct run) + s->jobs * sizeof(struct job);
	struct run *run = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint32_t next = 0;

	if (run == MAP_FAILED) {
		perror("workload: no memory for the list of jobs");
		return NULL;
	}
	run->scenario = s->scenario;
	run->device = s->device;
	run->seed = s->seed;
	run->shortest_ns = s->shortest_us * 1000;
	run->longest_ns = s->longest_us * 1000;
	run->fault_every = (uint32_t)s->faults;
	run->job_cnt = (uint32_t)s->jobs;
	run->process_cnt = (uint32_t)s->processes;
	/* In the middle, where many jobs depend on it. */
	run->hang_job = s->scenario->has_hang ? run->job_cnt / 2 : NO_JOB;
	for (uint32_t i = 0; i < run->process_cnt; i++) {
		struct process *process = &run->processes[i];

		process->first_job = next;
		process->job_cnt = run->job_cnt / run->process_cnt +
				   (i < run->job_cnt % run->process_cnt);
		next += process->job_cnt;
		snprintf(process->comm, sizeof(process->comm), "%s",
			 scenario_comm(run->scenario, i));
	}
	return run;
}

/* Pipe i carries keys from process i - 1 to process i, in a circle. */
struct pipes {
	int chain[MAX_PROCESSES][2];
	int done[2];	/* gets a byte from each process that has finished */
	int quit[2];	/* closed by the parent when all may end */
};

static int pipes_open(struct pipes *pipes, uint32_t process_cnt)
{
	if (pipe(pipes->done) || pipe(pipes->quit))
		goto failed;
	for (uint32_t i = 0; i < process_cnt; i++)
		if (pipe(pipes->chain[i]))
			goto failed;
	return 0;
failed:
	perror("workload: cannot make a pipe");
	return -1;
}

/*
 * Closes all ends of the chain that this process does not need.  So a reader sees the end if the
 * writer died, instead of waiting for ever.
 */
static void close_chain(struct pipes *pipes, uint32_t process_cnt, int keep_in,
			int keep_out)
{
	for (uint32_t i = 0; i < process_cnt; i++) {
		if (pipes->chain[i][0] != keep_in)
			close(pipes->chain[i][0]);
		if (pipes->chain[i][1] != keep_out)
			close(pipes->chain[i][1]);
	}
}

static int work_as(struct run *run, uint32_t index, struct pipes *pipes)
{
	const uint32_t next = (index + 1) % run->process_cnt;
	struct worker w = {
		.run = run,
		.self = &run->processes[index],
		.chain_in = pipes->chain[index][0],
		.chain_out = pipes->chain[next][1],
		.random = run->seed * MAX_PROCESSES + index,
	};
	char byte = 0;

	close_chain(pipes, run->process_cnt, w.chain_in, w.chain_out);
	close(pipes->quit[1]);
	prctl(PR_SET_NAME, w.self->comm);
	prctl(PR_SET_PDEATHSIG, SIGKILL);	/* do not outlive the parent */
	w.fd = gpu_open(run->device);
	if (w.fd >= 0)
		w.self->is_done = !scenario_work(&w);

	/*
	 * A context, and with it the names of its jobs, goes with its process: stay until no job
	 * can depend on them.
	 */
	close(w.chain_in);
	close(w.chain_out);
	if (write(pipes->done[1], &byte, 1) == 1)
		(void)!read(pipes->quit[0], &byte, 1);
	return w.self->is_done ? EXIT_OK : EXIT_UNEXPECTED;
}

/* Waits until all processes have finished or died; dead ones send no byte. */
static void await_processes(struct run *run, struct pipes *pipes)
{
	struct pollfd done = { .fd = pipes->done[0], .events = POLLIN };
	uint32_t gone = 0;
	char byte;

	while (gone < run->process_cnt) {
		if (poll(&done, 1, 100) > 0 && read(done.fd, &byte, 1) == 1)
			gone++;
		else if (waitpid(-1, NULL, WNOHANG) > 0)
			gone++;
	}
}

static void run_processes(struct run *run, struct pipes *pipes)
{
	const uint64_t begin_ns = clock_ns();
	uint32_t started = 0;

	for (uint32_t i = 0; i < run->process_cnt; i++, started++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(work_as(run, i, pipes));
		if (pid < 0) {
			perror("workload: cannot start a process");
			break;
		}
		run->processes[i].pid = pid;
	}
	close_chain(pipes, run->process_cnt, -1, -1);
	if (started == run->process_cnt)
		await_processes(run, pipes);
	run->elapsed_ns = clock_ns() - begin_ns;
	close(pipes->quit[1]);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
}

/* The script names all jobs: there are no processes and no random values. */
static int run_script(const struct settings *settings)
{
	struct script *script = script_read(settings->script);
	const char *device;
	int status;

	if (!script)
		return EXIT_USAGE;
	device = settings->device ?: gpu_find();
	status = device ? script_run(script, device, (uint32_t)settings->unit_ms) : EXIT_SETUP;
	if (!status) {
		report_script(script);
		if (settings->csv && report_script_csv(script, settings->csv))
			status = EXIT_SETUP;
	}
	free(script);
	return status;
}

int main(int argc, char **argv)
{
	struct settings settings = {
		.scenario = &scenarios[0],
		.unit_ms = 20,
		.jobs = 1000,
		.seed = 1,
		.shortest_us = 500,
		.longest_us = 3500,
	};
	struct pipes pipes;
	struct run *run;
	bool is_good;

	parse_options(argc, argv, &settings);
	if (settings.script)
		return run_script(&settings);
	if (!settings.processes)
		settings.processes = settings.scenario->process_cnt;
	if (settings.processes > settings.jobs)
		settings.processes = settings.jobs;
	if (!settings.device)
		settings.device = gpu_find();
	if (!settings.device)
		return EXIT_SETUP;
	/* Opens the device once, to print an error once instead of in every process. */
	int fd = gpu_open(settings.device);

	if (fd < 0)
		return EXIT_SETUP;
	close(fd);

	run = run_create(&settings);
	if (!run || pipes_open(&pipes, (uint32_t)settings.processes))
		return EXIT_SETUP;
	signal(SIGPIPE, SIG_IGN);
	run_processes(run, &pipes);

	is_good = report_print(run);
	for (uint32_t i = 0; i < run->process_cnt; i++)
		is_good &= run->processes[i].is_done;
	if (settings.csv && report_csv(run, settings.csv))
		return EXIT_SETUP;
	if (!is_good)
		fprintf(stderr, "workload: not all jobs ended as asked\n");
	return is_good ? EXIT_OK : EXIT_UNEXPECTED;
}
