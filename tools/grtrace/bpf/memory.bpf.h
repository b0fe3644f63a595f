/* SPDX-License-Identifier: GPL-2.0 */
/* Writes events of GPU memory. */
#ifndef GRT_MEMORY_BPF_H
#define GRT_MEMORY_BPF_H

#include "kernel.bpf.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <linux/bpf.h>
#include <linux/grtrace.h>

#include "processes.bpf.h"
#include "record.bpf.h"

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

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct drm_device {
	struct device *dev;
};

struct drm_gem_object {
	struct drm_device *dev;
	unsigned long size;
};

struct pci_sysdata {
	int domain;
};

struct pci_bus {
	void *sysdata;
	unsigned char number;
	int domain_nr;
};

struct pci_dev {
	struct pci_bus *bus;
	unsigned int devfn;
	struct device dev;
};

#pragma clang attribute pop

/* See GRTRACE_PCI_ADDRESS; 0: not on PCI. */
static __noinline u32 pci_address(struct device *dev)
{
	struct pci_sysdata *sysdata;
	struct pci_dev *pdev = NULL;
	struct pci_bus *bus;
	char type[4] = "";
	u32 domain = 0;

	if (!dev || bpf_probe_read_kernel_str(type, sizeof(type), BPF_CORE_READ(dev, bus, name)) != 4 ||
	    type[0] != 'p' || type[1] != 'c' || type[2] != 'i')
		return 0;
	pdev = (void *)dev - bpf_core_field_offset(pdev->dev);
	bus = BPF_CORE_READ(pdev, bus);
	if (bpf_core_field_exists(bus->domain_nr)) {
		domain = BPF_CORE_READ(bus, domain_nr);
	} else if (bpf_core_type_exists(struct pci_sysdata)) {
		sysdata = BPF_CORE_READ(bus, sysdata);
		domain = BPF_CORE_READ(sysdata, domain);
	}
	return GRTRACE_PCI_ADDRESS(domain, BPF_CORE_READ(bus, number), BPF_CORE_READ(pdev, devfn));
}

/* NULL: the event is counted already.  The caller fills the record in and calls end(). */
static __always_inline struct grtrace_memory *begin_memory(struct event *e, u32 op)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u32 tgid = bpf_get_current_pid_tgid() >> 32;
	struct grtrace_memory *ev;

	if (!see(e, GRTRACE_MEMORY))
		return NULL;
	note_process(task, tgid);
	if (!begin(e, sizeof(*ev)))
		return NULL;
	ev = e->record;
	ev->op = op;
	ev->tgid = tgid;
	return ev;
}

#endif /* GRT_MEMORY_BPF_H */
