/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * libgrtrace: reads traces of GPU jobs.
 *
 *	struct grtrace *trace;
 *	const struct grtrace_hdr *rec;
 *
 *	if (grtrace_open(&trace, "trace.grt"))
 *		errx(1, "%s", grtrace_error());
 *	while (grtrace_next(trace, &rec) == 1)
 *		if (rec->type == GRTRACE_SUBMIT)
 *			printf("%llu\n", ((const struct grtrace_submit *)rec)->seqno);
 *	grtrace_close(trace);
 *
 * Records are those of <linux/grtrace.h>; times are nanoseconds of the trace's
 * clock, CLOCK_MONOTONIC unless STREAM_INFO says otherwise.  A trace may be used
 * by one thread at a time; several traces are independent.
 */
#ifndef GRTRACE_H
#define GRTRACE_H

#include <stdint.h>

#include <linux/grtrace.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GRTRACE_API __attribute__((visibility("default")))

struct grtrace;

/*
 * Opens the trace in @path: a .grt file, or a raw stream read from eventsN; "-"
 * is standard input; or a file of another tracer, see Documentation/import.rst: a
 * trace.dat is read in a forked child.  0 and *trace, which the caller closes, or a negative errno:
 * -EBADMSG for what is no trace, -ENOENT, -EACCES, -ENOMEM and so on.
 */
GRTRACE_API int grtrace_open(struct grtrace **trace, const char *path);

/*
 * Opens one trace that lies in @count raw streams of the same session, one or
 * more per CPU.  As grtrace_open() else.
 */
GRTRACE_API int grtrace_open_files(struct grtrace **trace, int count, char *const *paths);

/*
 * Opens the session that the kernel module runs now; root only.  What is read is
 * gone for other readers; -EBUSY when there is one.  As grtrace_open() else.
 */
GRTRACE_API int grtrace_open_live(struct grtrace **trace);

/* Closes @trace and everything got from it; NULL is fine. */
GRTRACE_API void grtrace_close(struct grtrace *trace);

/*
 * The next record in the order (time, CPU, count of the CPU): definitions before
 * the events that need them, events, and LOSS where events are missing.  Returns
 * 1 and *rec, valid until the next call, whose size is at least that of its
 * type's struct; 0 at the end; -EINTR when a signal came in a live session, or
 * another negative errno.  A live session is waited for.
 */
GRTRACE_API int grtrace_next(struct grtrace *trace, const struct grtrace_hdr **rec);

/*
 * The definition of ring @ring, the number in an event; NULL if no record given
 * so far had it, and for 0.  Valid until the trace is closed.
 */
GRTRACE_API const struct grtrace_ring *grtrace_ring_of(struct grtrace *trace, uint32_t ring);

/*
 * The latest definition of process @tgid among the records given so far, NULL if
 * there was none.  Valid until the next grtrace_next().
 */
GRTRACE_API const struct grtrace_process *grtrace_process_of(struct grtrace *trace,
							     uint32_t tgid);

/*
 * How many events met @fate (enum grtrace_fate) and are missing among the records
 * given so far; GRTRACE_FATE_WRITTEN: written, but not in this trace.  Counts.
 */
GRTRACE_API uint64_t grtrace_lost(const struct grtrace *trace, unsigned int fate);

/* How many records had a type that this library does not know. */
GRTRACE_API uint64_t grtrace_unknown_events(const struct grtrace *trace);

/* The name of a record type, "SUBMIT"; NULL if not known.  Static. */
GRTRACE_API const char *grtrace_type_name(unsigned int type);

/* What failed last in this thread, in words; "" if nothing did.  Static. */
GRTRACE_API const char *grtrace_error(void);

/* What to do about it, NULL if that is not known.  Static. */
GRTRACE_API const char *grtrace_hint(void);

/* The version of the library, "0.1".  Static. */
GRTRACE_API const char *grtrace_version(void);

#ifdef __cplusplus
}
#endif

#endif /* GRTRACE_H */
