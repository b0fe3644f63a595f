/* SPDX-License-Identifier: LGPL-2.1 */
/* Accounts for streams that we write: every event is written, and losses are LOSS records. */
#ifndef GRT_LOSSLESS_H
#define GRT_LOSSLESS_H

#include <stdint.h>

#include <linux/grtrace.h>

static inline struct grtrace_fates grt_lossless_fates(uint64_t events)
{
	return (struct grtrace_fates){ .seen = events, .written = events };
}

/* The account of sub-buffer @index of a CPU, after @cseq events. */
static inline struct grtrace_subbuf grt_lossless_subbuf(uint32_t cpu, uint64_t ts,
							uint64_t session_id, uint64_t index,
							uint64_t cseq)
{
	return (struct grtrace_subbuf){
		.hdr = {
			.type = GRTRACE_SUBBUF, .size = sizeof(struct grtrace_subbuf), .cpu = cpu,
			.ts = ts, .cseq = cseq,
		},
		.session_id = session_id, .index = index, .fates = grt_lossless_fates(cseq),
	};
}

/* The end of the stream of a CPU that wrote @cseq events. */
static inline struct grtrace_stream_end grt_lossless_end(uint32_t cpu, uint64_t ts,
							 uint64_t session_id, uint64_t cseq)
{
	return (struct grtrace_stream_end){
		.hdr = {
			.type = GRTRACE_STREAM_END, .size = sizeof(struct grtrace_stream_end),
			.cpu = cpu, .ts = ts, .cseq = cseq,
		},
		.session_id = session_id, .last_cseq = cseq, .fates = grt_lossless_fates(cseq),
	};
}

#endif /* GRT_LOSSLESS_H */
