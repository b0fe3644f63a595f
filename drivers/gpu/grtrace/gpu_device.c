// SPDX-License-Identifier: GPL-2.0
/*
 * Names and PCI addresses of GPUs.  Adapters read the pointer to the device from private structs.
 * It may be wrong, so every read may fault.
 */
#include <linux/device.h>
#include <linux/export.h>
#include <linux/grtrace.h>
#include <linux/pci.h>
#include <linux/string.h>
#include <linux/uaccess.h>

/* Reads @member of the struct at @object; 0 if no memory is there. */
#define peek(object, member)							\
({										\
	typeof(*(object)) *object_ = (object);					\
	typeof(object_->member) value_;						\
										\
	if (!object_ || get_kernel_nofault(value_, &object_->member))		\
		memset(&value_, 0, sizeof(value_));				\
	value_;									\
})

static void read_text(char *to, size_t room, const char *from)
{
	size_t i;

	for (i = 0; from && i < room - 1; i++)
		if (get_kernel_nofault(to[i], &from[i]) || !to[i])
			break;
	to[i] = '\0';
	if (!i)
		strscpy(to, "unknown", room);
}

static struct pci_dev *to_pci(struct device *dev)
{
#ifdef CONFIG_PCI
	if (dev && peek(dev, bus) == &pci_bus_type)
		return container_of(dev, struct pci_dev, dev);
#endif
	return NULL;
}

void grtrace_gpu_describe(struct device *dev, struct grtrace_gpu_names *names)
{
	const char *name = peek(dev, init_name);
	struct device_driver *driver = peek(dev, driver);

	read_text(names->device, sizeof(names->device), name ?: peek(dev, kobj.name));
	read_text(names->driver, sizeof(names->driver), peek(driver, name));
}
EXPORT_SYMBOL_GPL(grtrace_gpu_describe);

u32 grtrace_gpu_pci_id(struct device *dev)
{
	struct pci_dev *pdev = to_pci(dev);

	return pdev ? peek(pdev, vendor) << 16 | peek(pdev, device) : 0;
}
EXPORT_SYMBOL_GPL(grtrace_gpu_pci_id);

u32 grtrace_gpu_pci_address(struct device *dev)
{
	struct pci_dev *pdev = to_pci(dev);
	struct pci_bus *bus = pdev ? peek(pdev, bus) : NULL;
	u32 domain = 0;

	if (!bus)
		return 0;
#if defined(CONFIG_X86) && defined(CONFIG_PCI_DOMAINS)
	domain = peek((struct pci_sysdata *)peek(bus, sysdata), domain);
#elif defined(CONFIG_PCI_DOMAINS_GENERIC)
	domain = peek(bus, domain_nr);
#endif
	return GRTRACE_PCI_ADDRESS(domain, peek(bus, number), peek(pdev, devfn));
}
EXPORT_SYMBOL_GPL(grtrace_gpu_pci_address);

u32 grtrace_device_pci_address(struct device *dev)
{
	const struct pci_dev *pdev;

	if (!dev || !dev_is_pci(dev))
		return 0;
	pdev = to_pci_dev(dev);
	return GRTRACE_PCI_ADDRESS(pci_domain_nr(pdev->bus), pdev->bus->number, pdev->devfn);
}
EXPORT_SYMBOL_GPL(grtrace_device_pci_address);
