/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions of nvidia.ko that "grtrace monitor nvidia" looks for, with the names and
 * arguments that they have there; nvidia.c tells from where.  They are not static: probes find
 * them by name.
 */
#ifndef GRTRACE_NVIDIA_MOCK_H
#define GRTRACE_NVIDIA_MOCK_H

#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/poll.h>

struct nvidia_p2p_dma_mapping;
struct nvidia_p2p_page_table;

enum nv_pm_action {
	NV_PM_ACTION_HIBERNATE,
	NV_PM_ACTION_STANDBY,
	NV_PM_ACTION_RESUME,
};

int nvidia_open(struct inode *inode, struct file *file);
int nvidia_close(struct inode *inode, struct file *file);
long nvidia_unlocked_ioctl(struct file *file, unsigned int cmd, unsigned long i_arg);
__poll_t nvidia_poll(struct file *file, poll_table *wait);
int nvidia_mmap(struct file *file, struct vm_area_struct *vma);

void nvidia_vma_open(struct vm_area_struct *vma);
void nvidia_vma_release(struct vm_area_struct *vma);
int nvidia_vma_access(struct vm_area_struct *vma, unsigned long addr, void *buffer, int length,
		      int write);
vm_fault_t nvidia_fault(struct vm_fault *vmf);

irqreturn_t nvidia_isr(int irq, void *arg);
irqreturn_t nvidia_isr_kthread_bh(int irq, void *data);

int nvidia_p2p_get_pages(u64 p2p_token, u32 va_space, u64 virtual_address, u64 length,
			 struct nvidia_p2p_page_table **page_table,
			 void (*free_callback)(void *data), void *data);
int nvidia_p2p_put_pages(u64 p2p_token, u32 va_space, u64 virtual_address,
			 struct nvidia_p2p_page_table *page_table);
int nvidia_p2p_dma_map_pages(struct pci_dev *peer, struct nvidia_p2p_page_table *page_table,
			     struct nvidia_p2p_dma_mapping **dma_mapping);

u32 nvidia_suspend(struct device *dev, enum nv_pm_action pm_action, bool is_procfs_suspend);
u32 nvidia_resume(struct device *dev, enum nv_pm_action pm_action);

#endif /* GRTRACE_NVIDIA_MOCK_H */
