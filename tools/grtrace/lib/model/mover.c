// SPDX-License-Identifier: LGPL-2.1
#include "mover.h"

#include <errno.h>
#include <string.h>

#include "domain.h"

struct mover {
	uint64_t move_ns, ctx;
	uint32_t tgid, pci_address;
	bool is_armed, has_ctx, is_synthetic;
};

/*
 * Numbers that amdgpu gives to its own jobs, from the last one down: the first four update page
 * tables.  Linux 7.2, drivers/gpu/drm/amd/amdgpu/amdgpu_job.h, AMDGPU_KERNEL_JOB_ID_*.
 */
#define AMDGPU_VM_PT_CLEAR	(UINT64_MAX - 3)

static struct mover *mover_at(const struct grt_movers *m, uint16_t cpu)
{
	return cpu < grt_vec_count(&m->cpus, struct mover) ? grt_vec_at(&m->cpus, struct mover, cpu) : NULL;
}

static void disarm(struct grt_movers *m, struct mover *mover)
{
	m->armed -= mover->is_armed;
	mover->is_armed = false;
}

static bool is_vram(const struct grt_names *names, uint32_t pci_address, uint32_t domain)
{
	char device[GRT_PCI_NAME_MAX];
	const char *name = grt_domain_name(grt_names_driver(names, grt_pci_name(device, pci_address)), domain);

	return name && !strncmp(name, "VRAM", strlen("VRAM"));
}

static bool has_copy(const struct grtrace_memory *rec, const struct grt_names *names)
{
	return rec->op == GRTRACE_MEMORY_MOVE && rec->from_domain != rec->to_domain &&
	       rec->from_domain != GRT_DOMAIN_NOWHERE && rec->to_domain != GRT_DOMAIN_NOWHERE &&
	       (is_vram(names, rec->pci_address, rec->from_domain) ||
		is_vram(names, rec->pci_address, rec->to_domain));
}

int grt_movers_event(struct grt_movers *m, const struct grtrace_hdr *rec, const struct grt_names *names)
{
	static const struct mover none = { .ctx = 0 };
	struct mover *mover = mover_at(m, rec->cpu);
	struct grtrace_memory memory;

	if (rec->type != GRTRACE_MEMORY && rec->type != GRTRACE_IOCTL && rec->type != GRTRACE_CPU_SWITCH)
		return 0;
	if (mover)
		disarm(m, mover);
	if (rec->type != GRTRACE_MEMORY)
		return 0;
	memory = grt_memory_of(rec);
	if (!has_copy(&memory, names))
		return 0;
	if (grt_vec_reach(&m->cpus, rec->cpu, &none, sizeof(none)))
		return -ENOMEM;
	*mover_at(m, rec->cpu) = (struct mover){
		.move_ns = rec->ts, .tgid = memory.tgid, .pci_address = memory.pci_address,
		.is_armed = true, .is_synthetic = rec->flags & GRTRACE_F_SYNTHETIC,
	};
	m->armed++;
	return 0;
}

static bool is_its_job(const struct mover *mover, const struct grtrace_submit *rec,
		       const struct grt_ring *ring)
{
	char device[GRT_PCI_NAME_MAX];

	return rec->hdr.flags & GRTRACE_F_KERNEL_JOB &&
	       !(rec->hdr.flags & GRTRACE_F_SYNTHETIC) == !mover->is_synthetic &&
	       rec->tgid && rec->tgid == mover->tgid && ring->engine == GRTRACE_ENGINE_COPY &&
	       !strcmp(ring->device, grt_pci_name(device, mover->pci_address)) &&
	       (strcmp(ring->driver, "amdgpu") || rec->client_id < AMDGPU_VM_PT_CLEAR) &&
	       (!mover->has_ctx || mover->ctx == rec->ctx) && rec->hdr.ts >= mover->move_ns &&
	       rec->hdr.ts - mover->move_ns <= GRT_MOVE_NS;
}

bool grt_movers_submit(struct grt_movers *m, const struct grtrace_submit *rec, const struct grt_names *names,
		       uint32_t row, const struct grt_losses *losses)
{
	struct mover *mover = mover_at(m, rec->hdr.cpu);

	if (!mover || !mover->is_armed)
		return false;
	if (row == GRT_NONE || !is_its_job(mover, rec, grt_names_ring_at(names, row)) ||
	    (grt_losses_count(losses) && grt_losses_touch(losses, mover->move_ns, rec->hdr.ts))) {
		disarm(m, mover);
		return false;
	}
	mover->has_ctx = true;
	mover->ctx = rec->ctx;
	return true;
}

void grt_movers_free(struct grt_movers *m)
{
	grt_vec_free(&m->cpus);
	m->armed = 0;
}
