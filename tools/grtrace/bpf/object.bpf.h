/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers for objects of the kernel, whose addresses must not leave it. */
#ifndef GRT_OBJECT_BPF_H
#define GRT_OBJECT_BPF_H

#include "kernel.bpf.h"

#include <bpf/bpf_helpers.h>

/* Random; set before the programs are loaded. */
const volatile __u64 object_secret[2];

static __always_inline u64 rotate(u64 x, u32 bits)
{
	return x << bits | x >> (64 - bits);
}

struct sip_state {
	u64 a, b, c, d;
};

static __always_inline void sip_round(struct sip_state *v)
{
	v->a += v->b;
	v->c += v->d;
	v->b = rotate(v->b, 13) ^ v->a;
	v->d = rotate(v->d, 16) ^ v->c;
	v->a = rotate(v->a, 32) + v->d;
	v->c += v->b;
	v->d = rotate(v->d, 21) ^ v->a;
	v->b = rotate(v->b, 17) ^ v->c;
	v->c = rotate(v->c, 32);
}

/* SipHash-1-3 of a number, as published: nobody can find the number without the secret. */
static __noinline u64 hash_number(u64 number)
{
	const u64 length = 8ull << 56;
	struct sip_state v = {
		.a = 0x736f6d6570736575ull ^ object_secret[0],
		.b = 0x646f72616e646f6dull ^ object_secret[1],
		.c = 0x6c7967656e657261ull ^ object_secret[0],
		.d = 0x7465646279746573ull ^ object_secret[1] ^ number,
	};

	sip_round(&v);
	v.a ^= number;
	v.d ^= length;
	sip_round(&v);
	v.a ^= length;
	v.c ^= 0xff;
	for (u32 i = 0; i < 3; i++)
		sip_round(&v);
	return v.a ^ v.b ^ v.c ^ v.d;
}

/* A number for an object of the kernel, as grt_object_id() of the module makes it: not its address. */
static __always_inline u64 object_id(const void *object)
{
	u64 address = 0, id;

	/* What a helper copies is a number for the verifier. */
	bpf_probe_read_kernel(&address, sizeof(address), &object);
	if (!address)
		return 0;
	id = hash_number(address) & ((1ull << 52) - 1);
	return id ? id : 1;
}

#endif /* GRT_OBJECT_BPF_H */
