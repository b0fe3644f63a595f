/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Samples a share of the jobs by a hash of their keys: each is kept whole or not at all.
 */
#ifndef _GRTRACE_SAMPLE_H
#define _GRTRACE_SAMPLE_H

#include <linux/bits.h>
#include <linux/types.h>

#define GRT_SAMPLE_ALL	BIT_ULL(32)

/* The limit for @pct percent, 0..100: jobs whose hash is below it are kept. */
static inline u64 grt_sample_limit(u64 pct)
{
	return (pct << 32) / 100;
}

#define GRT_SAMPLE_FACTOR	0xd6e8feb86659fd93ull

/* A hash that spreads evenly, also for neighbouring keys.  Its low bits are the best. */
static __always_inline u64 grt_sample_mix(u64 ctx, u64 seqno, u64 salt)
{
	u64 x = ((ctx + salt) * 0x9e3779b97f4a7c15ull ^ seqno) * GRT_SAMPLE_FACTOR;

	return x ^ x >> 32;
}

/*
 * The same, with good high bits.  Each sampler uses its own @salt, so that samplers are
 * independent: half of a half is a quarter.
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
