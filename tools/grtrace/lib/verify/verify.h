/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Checks whether a trace keeps the rules of its format.  It reads the bytes of each CPU as they
 * are in the files, before anything is sorted, repaired or left out.
 */
#ifndef GRT_VERIFY_H
#define GRT_VERIFY_H

#include <stddef.h>
#include <stdint.h>

/* X(NAME, name, what is true if it passes), in the order of the output. */
#define GRT_CHECKS(X)								\
	X(RECORDS,    records,	  "record sizes are valid")	\
	X(CPU,	      cpu,	  "each record is in the stream of its CPU") \
	X(SESSION,    session,	  "all records that name a session name the same one") \
	X(TIME,	      time,	  "time never runs back on a CPU")		\
	X(CSEQ,	      cseq,	  "cseq counts the events of a CPU: no gap, no repeat") \
	X(GSEQ,	      gseq,	  "gseq counts the events of all CPUs: no gap, no repeat") \
	X(ORDER,      order,	  "gseq and time give the same order")		\
	X(SUBBUFS,    subbufs,	  "sub-buffers are numbered without gap and not too large") \
	X(FATES,      fates,	  "fates sum to seen")				\
	X(GROWTH,     growth,	  "no fate ever decreases")			\
	X(WRITTEN,    written,	  "all events are here that the fates count as written") \
	X(END,	      end,	  "STREAM_END comes last and names the last event") \
	X(RINGS,      rings,	  "every ring that is used is defined")		\
	X(PROCESSES,  processes,  "every process that submits is named")	\
	X(JOBS,	      jobs,	  "every JOB has a time")		\
	X(STACKS,     stacks,	  "every call stack that is used has a text")	\
	X(CGROUPS,    cgroups,	  "every cgroup that is described has one path")	\
	X(CLOSED,     closed,	  "files were closed: header, index and trailer are there") \
	X(CHECKSUMS,  checksums,  "checksums fit, and nothing lies between the chunks") \
	X(CHUNKS,     chunks,	  "chunk headers match what is in the chunks")	\
	X(INDEX,      index,	  "the index lists every chunk, the trailer counts the events") \
	X(WATERMARKS, watermarks, "no event after a watermark is older than the watermark")

enum grt_check_id {
#define GRT_X(NAME, name, text) GRT_CHECK_##NAME,
	GRT_CHECKS(GRT_X)
#undef GRT_X
	GRT_NR_CHECKS
};

struct grt_check {
	const char *name, *text;
	uint64_t violations;
	char first[256];	/* place and text of the first violation */
	const char *skipped;	/* why it was skipped, NULL = it was checked */
};

struct grt_verdict_sums {
	uint64_t events, unknown_events;
	uint32_t cpus, failed;	/* failed: number of checks that failed */
};

struct grt_verify;

/*
 * Checks @count files as one trace: raw streams, a .grt, or the .grt files of one recording.
 * @slack_ns: how far time and gseq may disagree.  0 even if rules are broken; -errno with a cause;
 * -EBADMSG for files that are no trace.  The caller frees *v.
 */
int grt_verify_files(struct grt_verify **v, int count, char *const *paths, uint64_t slack_ns);
void grt_verify_free(struct grt_verify *v);	/* NULL is allowed */

const struct grt_check *grt_verify_check(const struct grt_verify *v, enum grt_check_id id);
struct grt_verdict_sums grt_verify_sums(const struct grt_verify *v);

#endif /* GRT_VERIFY_H */
