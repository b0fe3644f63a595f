// SPDX-License-Identifier: LGPL-2.1
/* Says why frames were late. */
#include <inttypes.h>
#include <string.h>

#include "frames_sink.h"

/* How a root is told: with the ring and the process of the job that it names, or without. */
static const struct wording {
	const char *with;	/* %1$s: ring, %2$s: process, "X's" or "its own other" */
	const char *without;	/* nobody's job, or not known whose */
} wordings[GRT_NR_ROOTS] = {
	[GRT_ROOT_RUN] = { "%1$s ran %2$s jobs", "other jobs ran" },
	[GRT_ROOT_FULL] = { "%1$s was full while it ran %2$s jobs", "the ring was full" },
	[GRT_ROOT_ON_RING] = { "%1$s had %2$s jobs", "other jobs were on the ring" },
	[GRT_ROOT_SIGNAL] = { "fences of %2$s jobs on %1$s were signalled late",
			      "fences were signalled late" },
	[GRT_ROOT_NOT_SUBMITTED] = { "its jobs waited for %2$s jobs on %1$s, which were submitted late",
				     "its jobs waited for jobs that were submitted late" },
	[GRT_ROOT_FOREIGN] = { "its jobs waited for fences of no job",
			       "its jobs waited for fences of no job" },
	[GRT_ROOT_SCHEDULER] = { "its jobs were ready, but the scheduler did not hand them over",
				 "its jobs were ready, but the scheduler did not hand them over" },
	[GRT_ROOT_UNKNOWN] = { "its jobs waited; why is not known",
			       "its jobs waited; why is not known" },
};

static const char *word_root(char *buf, const struct grt_model *m, uint32_t process,
			     const struct grt_frame_cause *cause)
{
	char name[GRT_WORD_MAX], ring[GRT_WORD_MAX], whose[GRT_WORD_MAX + 16];
	const struct wording *w = &wordings[cause->part - GRT_FRAME_WAIT];
	const struct grt_names *names = grt_model_names(m);
	const struct grt_client *client;

	if (cause->part == GRT_FRAME_WAIT + GRT_ROOT_HANG) {
		snprintf(buf, GRT_FRAME_WORD_MAX, "%" PRIu64 ":%" PRIu64 " hung", cause->ctx,
			 cause->seqno);
		return cause->ctx ? buf : "a job hung";
	}
	if (cause->client == GRT_NONE)
		return w->without;
	client = grt_model_client(m, cause->client);
	snprintf(whose, sizeof(whose), "%s's", grt_word_process(name, names, client->process));
	if (client->process == process)
		snprintf(whose, sizeof(whose), "its own other");
	snprintf(buf, GRT_FRAME_WORD_MAX, w->with, grt_word_ring(ring, names, client->ring), whose);
	return buf;
}

const char *grt_word_frame_cause(char *buf, const struct grt_model *m, uint32_t process,
				 const struct grt_frame_cause *cause)
{
	char name[GRT_WORD_MAX];

	switch (cause->part) {
	case GRT_FRAME_BEFORE:
		snprintf(buf, GRT_FRAME_WORD_MAX, "%s submitted late",
			 grt_word_process(name, grt_model_names(m), process));
		return buf;
	case GRT_FRAME_RAN:
		return "its own jobs ran long";
	case GRT_FRAME_HELD:
		return "its own jobs were on their ring for long";
	case GRT_FRAME_DONE:
		return "the end of its own jobs was seen late";
	default:
		return word_root(buf, m, process, cause);
	}
}

const char *grt_frame_cause_name(const struct grt_frame_cause *cause)
{
	static const char *const names[GRT_NR_FRAME_PARTS] = {
		[GRT_FRAME_BEFORE] = "before", [GRT_FRAME_RAN] = "ran", [GRT_FRAME_HELD] = "held",
		[GRT_FRAME_DONE] = "done", [GRT_FRAME_AFTER] = "after",
	};

	return names[cause->part] ? names[cause->part] : grt_root_name(cause->part - GRT_FRAME_WAIT);
}
