/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A script for the mock GPU; workload --help has its grammar.
 *
 *	script.c      text -> struct script, and what is wrong with the text
 *	script-run.c  struct script -> the mock, in manual mode
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <stdbool.h>
#include <stdint.h>
#include <drm/grtrace_mock_drm.h>

#define SCRIPT_NAME	32	/* bytes of a name, with the NUL */
#define SCRIPT_DEPS	8

enum script_verb {
	SCRIPT_SUBMIT, SCRIPT_FENCE, SCRIPT_SIGNAL, SCRIPT_ADVANCE, SCRIPT_KILL,
	SCRIPT_HANG, SCRIPT_RESET, SCRIPT_STEP,
};

struct script_line {
	uint32_t number;	/* number of the line in the file */
	enum script_verb verb;
	uint32_t index;		/* row of the job, fence, context or ring */
	uint32_t count;		/* for ADVANCE and STEP */
};

/* An earlier job or fence, by its row. */
struct script_dep {
	uint32_t index;
	bool is_fence;
};

struct script_job {
	char name[SCRIPT_NAME];
	uint32_t ctx;
	uint32_t flags;		/* GRTRACE_MOCK_JOB_* */
	uint32_t credits;	/* 0 = 1 */
	uint32_t dep_cnt;
	struct script_dep deps[SCRIPT_DEPS];
	/* set when the script runs */
	struct drm_grtrace_mock_job_key key;
	int32_t status;
	bool has_status;	/* false for jobs of a killed context, which have no status */
};

struct script_ctx {
	char name[SCRIPT_NAME];
	uint32_t ring, prio;
	uint32_t handle;	/* 0 = not created yet, or killed */
	bool is_killed;		/* by a line read so far */
};

struct script_fence {
	char name[SCRIPT_NAME];
	struct drm_grtrace_mock_job_key key;
	bool is_signaled;	/* by a line read so far */
};

struct script {
	const char *path;
	uint32_t line_cnt, job_cnt, ctx_cnt, fence_cnt;
	struct script_line lines[512];
	struct script_job jobs[256];
	struct script_ctx ctxs[GRTRACE_MOCK_MAX_CONTEXTS - 1];
	struct script_fence fences[GRTRACE_MOCK_MAX_FENCES];
};

/* Reads a script; NULL after an error message.  To be freed with free(). */
struct script *script_read(const char *path);

/*
 * Runs the script on @device, with @unit_ms for each unit of time, and fills in the results of the
 * jobs.  0, or an exit status after a message.
 */
int script_run(struct script *s, const char *device, uint32_t unit_ms);

#endif /* SCRIPT_H */
