/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Whether a trace keeps what the format promises.  Looks at each CPU's bytes as
 * they lie in the files, below the merge: nothing is sorted, repaired or left out
 * before it was looked at.
 */
#ifndef GRT_VERIFY_H
#define GRT_VERIFY_H

#include <stddef.h>
#include <stdint.h>

/* X(NAME, name, what holds when it passes), in the order of their telling. */
#define GRT_CHECKS(X)								\
	X(RECORDS,    records,	  "records have whole and possible sizes")	\
	X(CPU,	      cpu,	  "each record stands in the stream of its CPU") \
	X(SESSION,    session,	  "all records that name a session name the same") \
	X(TIME,	      time,	  "time never runs back on a CPU")		\
	X(CSEQ,	      cseq,	  "cseq counts the events of a CPU: no gap, no repeat") \
	X(GSEQ,	      gseq,	  "gseq counts the events of all CPUs: no gap, no repeat") \
	X(ORDER,      order,	  "gseq and time give the same order")		\
	X(SUBBUFS,    subbufs,	  "sub-buffers are numbered without gap and within their size") \
	X(FATES,      fates,	  "fates sum to seen")				\
	X(GROWTH,     growth,	  "no fate ever decreases")			\
	X(WRITTEN,    written,	  "as many events are here as the fates say were written") \
	X(END,	      end,	  "STREAM_END comes last and names the last event") \
	X(RINGS,      rings,	  "every ring that is used is defined")		\
	X(PROCESSES,  processes,  "every process that submits is named")	\
	X(CLOSED,     closed,	  "files were closed: header, index and trailer are there") \
	X(CHECKSUMS,  checksums,  "checksums fit, and nothing lies between the chunks") \
	X(CHUNKS,     chunks,	  "headers of chunks say what is in them")	\
	X(INDEX,      index,	  "the index lists every chunk, the trailer counts the events") \
	X(WATERMARKS, watermarks, "no event below a watermark is older than it says")

enum grt_check_id {
#define GRT_X(NAME, name, text) GRT_CHECK_##NAME,
	GRT_CHECKS(GRT_X)
#undef GRT_X
	GRT_NR_CHECKS
};

struct grt_check {
	const char *name, *text;
	uint64_t violations;
	char first[256];	/* the first of them: where and what */
	const char *skipped;	/* why it could not be made, NULL = it was made */
};

struct grt_verdict_sums {
	uint64_t events, unknown_events;
	uint32_t cpus, failed;	/* failed: checks */
};

struct grt_verify;

/*
 * Looks at @count files that are one trace: raw streams, a .grt, or the several
 * .grt of one recording.  @slack_ns: by how much time and gseq may disagree.
 * 0 or -errno with a cause, -EBADMSG for what is no trace at all; a violation is
 * no error.  The caller frees *v.
 */
int grt_verify_files(struct grt_verify **v, int count, char *const *paths, uint64_t slack_ns);
void grt_verify_free(struct grt_verify *v);	/* NULL is fine */

const struct grt_check *grt_verify_check(const struct grt_verify *v, enum grt_check_id id);
struct grt_verdict_sums grt_verify_sums(const struct grt_verify *v);

#endif /* GRT_VERIFY_H */
