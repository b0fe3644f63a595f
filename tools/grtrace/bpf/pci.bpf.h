/* SPDX-License-Identifier: GPL-2.0 */
/* The PCI address of a device. */
#ifndef GRT_PCI_BPF_H
#define GRT_PCI_BPF_H

#include "kernel.bpf.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <linux/grtrace.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

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

#endif /* GRT_PCI_BPF_H */
