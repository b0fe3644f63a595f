// SPDX-License-Identifier: LGPL-2.1
#include "domain.h"

#include <stdio.h>
#include <string.h>

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

/*
 * Placements of TTM, Linux 6.12: include/drm/ttm/ttm_placement.h, and for those from 3 on
 * drivers/gpu/drm/amd/amdgpu/amdgpu_ttm.h and drivers/gpu/drm/xe/xe_bo.h.
 */
static const char *const amdgpu_domains[] = { "SYSTEM", "GTT", "VRAM", "GDS", "GWS", "OA" };
static const char *const xe_domains[] = { "SYSTEM", "TT", "VRAM0", "VRAM1" };

const char *grt_domain_name(const char *driver, uint32_t domain)
{
	if (!strcmp(driver, "amdgpu") && domain < NR(amdgpu_domains))
		return amdgpu_domains[domain];
	if (!strcmp(driver, "xe") && domain < NR(xe_domains))
		return xe_domains[domain];
	return NULL;
}

const char *grt_pci_name(char *buf, uint32_t pci_address)
{
	uint32_t at = pci_address - 1;

	*buf = '\0';
	if (pci_address)
		snprintf(buf, GRT_PCI_NAME_MAX, "%04x:%02x:%02x.%x", at >> 16, at >> 8 & 0xff,
			 at >> 3 & 0x1f, at & 7);
	return buf;
}
