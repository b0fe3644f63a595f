/* SPDX-License-Identifier: LGPL-2.1 */
/* Records of MEMORY, and the domains that a GPU's memory is in: numbers of the driver's own. */
#ifndef GRT_DOMAIN_H
#define GRT_DOMAIN_H

#include <stdint.h>
#include <string.h>

#include <linux/grtrace.h>

/* In a MEMORY record: nowhere.  Drivers place new objects from there, and give memory back to it. */
#define GRT_DOMAIN_NOWHERE	UINT32_MAX
#define GRT_DOMAIN_UNSAID	(UINT32_MAX - 1)	/* the driver did not say */

/* A copy of a MEMORY record.  Members that older traces lack are 0: not known. */
static inline struct grtrace_memory grt_memory_of(const struct grtrace_hdr *rec)
{
	struct grtrace_memory memory = { .bytes = 0 };

	memcpy(&memory, rec, rec->size < sizeof(memory) ? rec->size : sizeof(memory));
	return memory;
}

/* "VRAM" and so on; NULL: the driver is not known, or gives the number no fixed meaning. */
const char *grt_domain_name(const char *driver, uint32_t domain);

/* "0000:0b:00.0" of the pci_address of a record, "" of 0.  Needs GRT_PCI_NAME_MAX bytes. */
#define GRT_PCI_NAME_MAX	16
const char *grt_pci_name(char *buf, uint32_t pci_address);

#endif /* GRT_DOMAIN_H */
