/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A share of the jobs, chosen by their keys: each is kept whole or not at all.
 */
#ifndef _GRTRACE_SAMPLE_H
#define _GRTRACE_SAMPLE_H

#include <linux/bits.h>
#include <linux/types.h>

#define GRT_SAMPLE_ALL	BIT_ULL(32)

/* Of @pct percent, 0..100: what the hashes of the jobs that are kept stay below. */
static inline u64 grt_sample_limit(u64 pct)
{
	return (pct << 32) / 100;
}

#define GRT_SAMPLE_FACTOR	0xd6e8feb86659fd93ull

/* Even, and for the next seqno or context unlike.  The low bits are the best ones. */
static __always_inline u64 grt_sample_mix(u64 ctx, u64 seqno, u64 salt)
{
	u64 x = ((ctx + salt) * 0x9e3779b97f4a7c15ull ^ seqno) * GRT_SAMPLE_FACTOR;

	return x ^ x >> 32;
}

/*
 * The same, and its high bits are as good.  Samplers that follow each other take different
 * @salts, so half of a half is a quarter.
 */
static __always_inline u32 grt_sample_hash(u64 ctx, u64 seqno, u64 salt)
{
	return grt_sample_mix(ctx, seqno, salt) * GRT_SAMPLE_FACTOR >> 32;
}

static __always_inline bool grt_sample_keeps(u64 limit, u64 ctx, u64 seqno, u64 salt)
{
	return grt_sample_hash(ctx, seqno, salt) < limit;
}

#endif
