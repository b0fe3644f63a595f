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

/*
 * Even and, for the next seqno or context, unlike.  Who samples what was sampled
 * already takes another @salt: half of a half is a quarter.
 */
static inline u32 grt_sample_hash(u64 ctx, u64 seqno, u64 salt)
{
	u64 x = (ctx + salt) * 0x9e3779b97f4a7c15ull ^ seqno;

	x = (x ^ x >> 32) * 0xd6e8feb86659fd93ull;
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93ull;
	return x >> 32;
}

static inline bool grt_sample_keeps(u64 limit, u64 ctx, u64 seqno, u64 salt)
{
	return grt_sample_hash(ctx, seqno, salt) < limit;
}

#endif
