/* SPDX-License-Identifier: GPL-2.0 */
/*
 * workload: submits jobs to the mock GPU and checks their results.
 *
 *	workload.c  options, processes
 *	scenario.c  what each process submits
 *	foreign.c   the same, with jobs that wait for foreign fences
 *	gpu.c       the device: open, submit, wait, fences
 *	script.h    a script, step by step, instead of a scenario
 *	report.c    what was submitted, as text and CSV
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <drm/grtrace_mock_drm.h>

#define MAX_DEPS	4
#define MAX_FOREIGN	2
#define MAX_PROCESSES	64
#define MAX_JOBS	1000000
#define NO_JOB		UINT32_MAX

/* NOT_HERE: this kernel cannot do it. */
enum { EXIT_OK, EXIT_UNEXPECTED, EXIT_USAGE, EXIT_SETUP, EXIT_NOT_HERE };

/* When a foreign fence is signalled; UNUSED: late too, and no job needs it. */
enum foreign_time { FOREIGN_EARLY, FOREIGN_LATE, FOREIGN_UNUSED };

struct foreign {
	struct drm_grtrace_mock_job_key key;
	int32_t status;
	enum foreign_time time;
};

struct job {
	struct drm_grtrace_mock_job_key key;
	struct drm_grtrace_mock_job_key deps[MAX_DEPS];
	struct foreign foreign[MAX_FOREIGN];	/* created with the job */
	uint64_t duration_ns;
	uint32_t dep_count;
	uint32_t foreign_cnt;
	uint32_t ring;
	uint32_t flags;		/* GRTRACE_MOCK_JOB_* */
	int32_t status;		/* valid if is_waited */
	bool is_submitted;
	bool is_waited;
};

struct process {
	char comm[16];
	pid_t pid;
	uint32_t first_job;	/* index into run->jobs */
	uint32_t job_cnt;	/* planned number */
	bool is_done;		/* all were submitted and waited for */
};

/* Shared by all processes; each writes only its own rows. */
struct run {
	const struct scenario *scenario;
	const char *device;
	uint64_t seed;
	uint64_t shortest_ns, longest_ns;
	uint32_t fault_every;	/* 0 = no faulty jobs */
	uint32_t hang_job;	/* index of the job that hangs, or NO_JOB */
	uint32_t process_cnt;
	uint32_t job_cnt;
	uint64_t elapsed_ns;
	struct process processes[MAX_PROCESSES];
	struct job jobs[];
};

/* A process that submits jobs. */
struct worker {
	struct run *run;
	struct process *self;
	int fd;
	int chain_in, chain_out;	/* pipes for keys: from the previous process, to the next */
	uint64_t random;
	uint32_t handles[GRTRACE_MOCK_RINGS];	/* 0 = not created yet */
	uint32_t submitted;		/* jobs submitted so far */
};

static inline uint32_t jobs_left(const struct worker *w)
{
	return w->self->job_cnt - w->submitted;
}

/* gpu.c: messages are printed there; -1 or NULL is failure */
extern const char * const ring_names[GRTRACE_MOCK_RINGS];

uint64_t clock_ns(void);
int gpu_open(const char *path);
const char *gpu_find(void);
struct job *gpu_submit(struct worker *w, uint32_t ring, const struct job **deps,
		       uint32_t dep_count);
int gpu_wait(struct worker *w, struct job *job);
int gpu_fence_create(struct worker *w, struct drm_grtrace_mock_job_key *key);
int gpu_signal_stub(struct worker *w);
int gpu_fence_signal(struct worker *w, const struct foreign *fence);
int job_expected_status(const struct job *job);

/* scenario.c */
struct scenario {
	const char *name;
	const char *doc;
	const struct role *const *roles;	/* given to the processes in turn */
	uint32_t role_cnt;
	uint32_t process_cnt;			/* default number of processes */
	bool has_hang;
};

extern const struct scenario scenarios[];
extern const uint32_t scenario_cnt;

const struct scenario *scenario_find(const char *name);
const char *scenario_comm(const struct scenario *s, uint32_t process);
int scenario_work(struct worker *w);

/* foreign.c */
int foreign_work(struct worker *w);

/* report.c */
bool report_print(const struct run *run);
int report_csv(const struct run *run, const char *path);

struct script;

void report_script(const struct script *s);
int report_script_csv(const struct script *s, const char *path);

#endif /* WORKLOAD_H */
