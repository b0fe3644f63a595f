/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A GPU on PCI that the kernel does not know, for the objects that fire_*.c make: 0001:03:02.1.
 */
#ifndef _GRTRACE_FIRE_GPU_H
#define _GRTRACE_FIRE_GPU_H

#include <linux/pci.h>

struct fire_gpu {
	struct device_driver driver;
	struct pci_dev dev;
	struct pci_bus bus;
#ifdef CONFIG_X86
	struct pci_sysdata sysdata;
#endif
};

/* Fills @gpu, which is all zeroes. */
static inline void fire_gpu_init(struct fire_gpu *gpu, const char *driver, u16 vendor, u16 device)
{
	gpu->driver.name = driver;
	gpu->dev.dev.bus = &pci_bus_type;
	gpu->dev.dev.init_name = "grtrace_fire";
	gpu->dev.dev.driver = &gpu->driver;
	gpu->dev.bus = &gpu->bus;
	gpu->dev.vendor = vendor;
	gpu->dev.device = device;
	gpu->dev.devfn = PCI_DEVFN(2, 1);
	gpu->bus.number = 3;
#ifdef CONFIG_X86
	gpu->sysdata.domain = 1;
	gpu->bus.sysdata = &gpu->sysdata;
#endif
#ifdef CONFIG_PCI_DOMAINS_GENERIC
	gpu->bus.domain_nr = 1;
#endif
}

#endif
