// SPDX-License-Identifier: LGPL-2.1
#include "drm_ioctl.h"

#include <stddef.h>
#include <string.h>

#include "cpu_event.h"

/* include/uapi/drm/drm.h: a driver's own ioctls have these numbers. */
#define COMMAND_BASE	0x40
#define COMMAND_END	0xa0

/* Names by number, from include/uapi/drm of Linux 7.3.  A number keeps its meaning for ever. */
static const char *const core[] = {
	[0x00] = "DRM_IOCTL_VERSION", [0x01] = "DRM_IOCTL_GET_UNIQUE",
	[0x02] = "DRM_IOCTL_GET_MAGIC", [0x03] = "DRM_IOCTL_IRQ_BUSID",
	[0x04] = "DRM_IOCTL_GET_MAP", [0x05] = "DRM_IOCTL_GET_CLIENT",
	[0x06] = "DRM_IOCTL_GET_STATS", [0x07] = "DRM_IOCTL_SET_VERSION",
	[0x08] = "DRM_IOCTL_MODESET_CTL", [0x09] = "DRM_IOCTL_GEM_CLOSE",
	[0x0a] = "DRM_IOCTL_GEM_FLINK", [0x0b] = "DRM_IOCTL_GEM_OPEN",
	[0x0c] = "DRM_IOCTL_GET_CAP", [0x0d] = "DRM_IOCTL_SET_CLIENT_CAP",
	[0x10] = "DRM_IOCTL_SET_UNIQUE", [0x11] = "DRM_IOCTL_AUTH_MAGIC",
	[0x12] = "DRM_IOCTL_BLOCK", [0x13] = "DRM_IOCTL_UNBLOCK",
	[0x14] = "DRM_IOCTL_CONTROL", [0x15] = "DRM_IOCTL_ADD_MAP",
	[0x16] = "DRM_IOCTL_ADD_BUFS", [0x17] = "DRM_IOCTL_MARK_BUFS",
	[0x18] = "DRM_IOCTL_INFO_BUFS", [0x19] = "DRM_IOCTL_MAP_BUFS",
	[0x1a] = "DRM_IOCTL_FREE_BUFS", [0x1b] = "DRM_IOCTL_RM_MAP",
	[0x1c] = "DRM_IOCTL_SET_SAREA_CTX", [0x1d] = "DRM_IOCTL_GET_SAREA_CTX",
	[0x1e] = "DRM_IOCTL_SET_MASTER", [0x1f] = "DRM_IOCTL_DROP_MASTER",
	[0x20] = "DRM_IOCTL_ADD_CTX", [0x21] = "DRM_IOCTL_RM_CTX",
	[0x22] = "DRM_IOCTL_MOD_CTX", [0x23] = "DRM_IOCTL_GET_CTX",
	[0x24] = "DRM_IOCTL_SWITCH_CTX", [0x25] = "DRM_IOCTL_NEW_CTX",
	[0x26] = "DRM_IOCTL_RES_CTX", [0x27] = "DRM_IOCTL_ADD_DRAW",
	[0x28] = "DRM_IOCTL_RM_DRAW", [0x29] = "DRM_IOCTL_DMA", [0x2a] = "DRM_IOCTL_LOCK",
	[0x2b] = "DRM_IOCTL_UNLOCK", [0x2c] = "DRM_IOCTL_FINISH",
	[0x2d] = "DRM_IOCTL_PRIME_HANDLE_TO_FD", [0x2e] = "DRM_IOCTL_PRIME_FD_TO_HANDLE",
	[0x30] = "DRM_IOCTL_AGP_ACQUIRE", [0x31] = "DRM_IOCTL_AGP_RELEASE",
	[0x32] = "DRM_IOCTL_AGP_ENABLE", [0x33] = "DRM_IOCTL_AGP_INFO",
	[0x34] = "DRM_IOCTL_AGP_ALLOC", [0x35] = "DRM_IOCTL_AGP_FREE",
	[0x36] = "DRM_IOCTL_AGP_BIND", [0x37] = "DRM_IOCTL_AGP_UNBIND",
	[0x38] = "DRM_IOCTL_SG_ALLOC", [0x39] = "DRM_IOCTL_SG_FREE",
	[0x3a] = "DRM_IOCTL_WAIT_VBLANK", [0x3b] = "DRM_IOCTL_CRTC_GET_SEQUENCE",
	[0x3c] = "DRM_IOCTL_CRTC_QUEUE_SEQUENCE", [0x3f] = "DRM_IOCTL_UPDATE_DRAW",
	[0xa0] = "DRM_IOCTL_MODE_GETRESOURCES", [0xa1] = "DRM_IOCTL_MODE_GETCRTC",
	[0xa2] = "DRM_IOCTL_MODE_SETCRTC", [0xa3] = "DRM_IOCTL_MODE_CURSOR",
	[0xa4] = "DRM_IOCTL_MODE_GETGAMMA", [0xa5] = "DRM_IOCTL_MODE_SETGAMMA",
	[0xa6] = "DRM_IOCTL_MODE_GETENCODER", [0xa7] = "DRM_IOCTL_MODE_GETCONNECTOR",
	[0xa8] = "DRM_IOCTL_MODE_ATTACHMODE", [0xa9] = "DRM_IOCTL_MODE_DETACHMODE",
	[0xaa] = "DRM_IOCTL_MODE_GETPROPERTY", [0xab] = "DRM_IOCTL_MODE_SETPROPERTY",
	[0xac] = "DRM_IOCTL_MODE_GETPROPBLOB", [0xad] = "DRM_IOCTL_MODE_GETFB",
	[0xae] = "DRM_IOCTL_MODE_ADDFB", [0xaf] = "DRM_IOCTL_MODE_RMFB",
	[0xb0] = "DRM_IOCTL_MODE_PAGE_FLIP", [0xb1] = "DRM_IOCTL_MODE_DIRTYFB",
	[0xb2] = "DRM_IOCTL_MODE_CREATE_DUMB", [0xb3] = "DRM_IOCTL_MODE_MAP_DUMB",
	[0xb4] = "DRM_IOCTL_MODE_DESTROY_DUMB",
	[0xb5] = "DRM_IOCTL_MODE_GETPLANERESOURCES", [0xb6] = "DRM_IOCTL_MODE_GETPLANE",
	[0xb7] = "DRM_IOCTL_MODE_SETPLANE", [0xb8] = "DRM_IOCTL_MODE_ADDFB2",
	[0xb9] = "DRM_IOCTL_MODE_OBJ_GETPROPERTIES",
	[0xba] = "DRM_IOCTL_MODE_OBJ_SETPROPERTY", [0xbb] = "DRM_IOCTL_MODE_CURSOR2",
	[0xbc] = "DRM_IOCTL_MODE_ATOMIC", [0xbd] = "DRM_IOCTL_MODE_CREATEPROPBLOB",
	[0xbe] = "DRM_IOCTL_MODE_DESTROYPROPBLOB", [0xbf] = "DRM_IOCTL_SYNCOBJ_CREATE",
	[0xc0] = "DRM_IOCTL_SYNCOBJ_DESTROY", [0xc1] = "DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD",
	[0xc2] = "DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE", [0xc3] = "DRM_IOCTL_SYNCOBJ_WAIT",
	[0xc4] = "DRM_IOCTL_SYNCOBJ_RESET", [0xc5] = "DRM_IOCTL_SYNCOBJ_SIGNAL",
	[0xc6] = "DRM_IOCTL_MODE_CREATE_LEASE", [0xc7] = "DRM_IOCTL_MODE_LIST_LESSEES",
	[0xc8] = "DRM_IOCTL_MODE_GET_LEASE", [0xc9] = "DRM_IOCTL_MODE_REVOKE_LEASE",
	[0xca] = "DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT", [0xcb] = "DRM_IOCTL_SYNCOBJ_QUERY",
	[0xcc] = "DRM_IOCTL_SYNCOBJ_TRANSFER",
	[0xcd] = "DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL", [0xce] = "DRM_IOCTL_MODE_GETFB2",
	[0xcf] = "DRM_IOCTL_SYNCOBJ_EVENTFD", [0xd0] = "DRM_IOCTL_MODE_CLOSEFB",
	[0xd1] = "DRM_IOCTL_SET_CLIENT_NAME", [0xd2] = "DRM_IOCTL_GEM_CHANGE_HANDLE",
};

/* Those of drivers count from COMMAND_BASE. */
static const char *const amdgpu[] = {
	[0x00] = "AMDGPU_GEM_CREATE", [0x01] = "AMDGPU_GEM_MMAP", [0x02] = "AMDGPU_CTX",
	[0x03] = "AMDGPU_BO_LIST", [0x04] = "AMDGPU_CS", [0x05] = "AMDGPU_INFO",
	[0x06] = "AMDGPU_GEM_METADATA", [0x07] = "AMDGPU_GEM_WAIT_IDLE",
	[0x08] = "AMDGPU_GEM_VA", [0x09] = "AMDGPU_WAIT_CS", [0x10] = "AMDGPU_GEM_OP",
	[0x11] = "AMDGPU_GEM_USERPTR", [0x12] = "AMDGPU_WAIT_FENCES",
	[0x13] = "AMDGPU_VM", [0x14] = "AMDGPU_FENCE_TO_HANDLE", [0x15] = "AMDGPU_SCHED",
	[0x16] = "AMDGPU_USERQ", [0x17] = "AMDGPU_USERQ_SIGNAL",
	[0x18] = "AMDGPU_USERQ_WAIT", [0x19] = "AMDGPU_GEM_LIST_HANDLES",
	[0x1a] = "AMDGPU_PROC_OPTIONS",
};

static const char *const i915[] = {
	[0x06] = "I915_GETPARAM", [0x13] = "I915_GEM_INIT",
	[0x14] = "I915_GEM_EXECBUFFER", [0x15] = "I915_GEM_PIN",
	[0x16] = "I915_GEM_UNPIN", [0x17] = "I915_GEM_BUSY", [0x18] = "I915_GEM_THROTTLE",
	[0x19] = "I915_GEM_ENTERVT", [0x1a] = "I915_GEM_LEAVEVT",
	[0x1b] = "I915_GEM_CREATE", [0x1c] = "I915_GEM_PREAD", [0x1d] = "I915_GEM_PWRITE",
	[0x1e] = "I915_GEM_MMAP", [0x1f] = "I915_GEM_SET_DOMAIN",
	[0x20] = "I915_GEM_SW_FINISH", [0x21] = "I915_GEM_SET_TILING",
	[0x22] = "I915_GEM_GET_TILING", [0x23] = "I915_GEM_GET_APERTURE",
	[0x24] = "I915_GEM_MMAP_OFFSET", [0x25] = "I915_GET_PIPE_FROM_CRTC_ID",
	[0x26] = "I915_GEM_MADVISE", [0x27] = "I915_OVERLAY_PUT_IMAGE",
	[0x28] = "I915_OVERLAY_ATTRS", [0x29] = "I915_GEM_EXECBUFFER2",
	[0x2a] = "I915_GET_SPRITE_COLORKEY", [0x2b] = "I915_SET_SPRITE_COLORKEY",
	[0x2c] = "I915_GEM_WAIT", [0x2d] = "I915_GEM_CONTEXT_CREATE",
	[0x2e] = "I915_GEM_CONTEXT_DESTROY", [0x2f] = "I915_GEM_SET_CACHING",
	[0x30] = "I915_GEM_GET_CACHING", [0x31] = "I915_REG_READ",
	[0x32] = "I915_GET_RESET_STATS", [0x33] = "I915_GEM_USERPTR",
	[0x34] = "I915_GEM_CONTEXT_GETPARAM", [0x35] = "I915_GEM_CONTEXT_SETPARAM",
	[0x36] = "I915_PERF_OPEN", [0x37] = "I915_PERF_ADD_CONFIG",
	[0x38] = "I915_PERF_REMOVE_CONFIG", [0x39] = "I915_QUERY",
	[0x3a] = "I915_GEM_VM_CREATE", [0x3b] = "I915_GEM_VM_DESTROY",
	[0x3c] = "I915_GEM_CREATE_EXT",
};

static const char *const xe[] = {
	[0x00] = "XE_DEVICE_QUERY", [0x01] = "XE_GEM_CREATE",
	[0x02] = "XE_GEM_MMAP_OFFSET", [0x03] = "XE_VM_CREATE", [0x04] = "XE_VM_DESTROY",
	[0x05] = "XE_VM_BIND", [0x06] = "XE_EXEC_QUEUE_CREATE",
	[0x07] = "XE_EXEC_QUEUE_DESTROY", [0x08] = "XE_EXEC_QUEUE_GET_PROPERTY",
	[0x09] = "XE_EXEC", [0x0a] = "XE_WAIT_USER_FENCE", [0x0b] = "XE_OBSERVATION",
	[0x0c] = "XE_MADVISE", [0x0d] = "XE_VM_QUERY_MEM_RANGE_ATTRS",
	[0x0e] = "XE_EXEC_QUEUE_SET_PROPERTY", [0x0f] = "XE_VM_GET_PROPERTY",
};

static const char *const nouveau[] = {
	[0x00] = "NOUVEAU_GETPARAM", [0x02] = "NOUVEAU_CHANNEL_ALLOC",
	[0x03] = "NOUVEAU_CHANNEL_FREE", [0x08] = "NOUVEAU_SVM_INIT",
	[0x09] = "NOUVEAU_SVM_BIND", [0x10] = "NOUVEAU_VM_INIT",
	[0x11] = "NOUVEAU_VM_BIND", [0x12] = "NOUVEAU_EXEC",
	[0x13] = "NOUVEAU_GET_ZCULL_INFO", [0x40] = "NOUVEAU_GEM_NEW",
	[0x41] = "NOUVEAU_GEM_PUSHBUF", [0x42] = "NOUVEAU_GEM_CPU_PREP",
	[0x43] = "NOUVEAU_GEM_CPU_FINI", [0x44] = "NOUVEAU_GEM_INFO",
};

static const char *const radeon[] = {
	[0x1c] = "RADEON_GEM_INFO", [0x1d] = "RADEON_GEM_CREATE",
	[0x1e] = "RADEON_GEM_MMAP", [0x21] = "RADEON_GEM_PREAD",
	[0x22] = "RADEON_GEM_PWRITE", [0x23] = "RADEON_GEM_SET_DOMAIN",
	[0x24] = "RADEON_GEM_WAIT_IDLE", [0x26] = "RADEON_CS", [0x27] = "RADEON_INFO",
	[0x28] = "RADEON_GEM_SET_TILING", [0x29] = "RADEON_GEM_GET_TILING",
	[0x2a] = "RADEON_GEM_BUSY", [0x2b] = "RADEON_GEM_VA", [0x2c] = "RADEON_GEM_OP",
	[0x2d] = "RADEON_GEM_USERPTR",
};

static const char *const virtio_gpu[] = {
	[0x01] = "VIRTGPU_MAP", [0x02] = "VIRTGPU_EXECBUFFER",
	[0x03] = "VIRTGPU_GETPARAM", [0x04] = "VIRTGPU_RESOURCE_CREATE",
	[0x05] = "VIRTGPU_RESOURCE_INFO", [0x06] = "VIRTGPU_TRANSFER_FROM_HOST",
	[0x07] = "VIRTGPU_TRANSFER_TO_HOST", [0x08] = "VIRTGPU_WAIT",
	[0x09] = "VIRTGPU_GET_CAPS", [0x0a] = "VIRTGPU_RESOURCE_CREATE_BLOB",
	[0x0b] = "VIRTGPU_CONTEXT_INIT",
};

static const char *const v3d[] = {
	[0x00] = "V3D_SUBMIT_CL", [0x01] = "V3D_WAIT_BO", [0x02] = "V3D_CREATE_BO",
	[0x03] = "V3D_MMAP_BO", [0x04] = "V3D_GET_PARAM", [0x05] = "V3D_GET_BO_OFFSET",
	[0x06] = "V3D_SUBMIT_TFU", [0x07] = "V3D_SUBMIT_CSD",
	[0x08] = "V3D_PERFMON_CREATE", [0x09] = "V3D_PERFMON_DESTROY",
	[0x0a] = "V3D_PERFMON_GET_VALUES", [0x0b] = "V3D_SUBMIT_CPU",
	[0x0c] = "V3D_PERFMON_GET_COUNTER", [0x0d] = "V3D_PERFMON_SET_GLOBAL",
};

static const char *const vc4[] = {
	[0x00] = "VC4_SUBMIT_CL", [0x01] = "VC4_WAIT_SEQNO", [0x02] = "VC4_WAIT_BO",
	[0x03] = "VC4_CREATE_BO", [0x04] = "VC4_MMAP_BO", [0x05] = "VC4_CREATE_SHADER_BO",
	[0x06] = "VC4_GET_HANG_STATE", [0x07] = "VC4_GET_PARAM",
	[0x08] = "VC4_SET_TILING", [0x09] = "VC4_GET_TILING", [0x0a] = "VC4_LABEL_BO",
	[0x0b] = "VC4_GEM_MADVISE", [0x0c] = "VC4_PERFMON_CREATE",
	[0x0d] = "VC4_PERFMON_DESTROY", [0x0e] = "VC4_PERFMON_GET_VALUES",
};

static const char *const lima[] = {
	[0x00] = "LIMA_GET_PARAM", [0x01] = "LIMA_GEM_CREATE", [0x02] = "LIMA_GEM_INFO",
	[0x03] = "LIMA_GEM_SUBMIT", [0x04] = "LIMA_GEM_WAIT", [0x05] = "LIMA_CTX_CREATE",
	[0x06] = "LIMA_CTX_FREE",
};

static const char *const panfrost[] = {
	[0x00] = "PANFROST_SUBMIT", [0x01] = "PANFROST_WAIT_BO",
	[0x02] = "PANFROST_CREATE_BO", [0x03] = "PANFROST_MMAP_BO",
	[0x04] = "PANFROST_GET_PARAM", [0x05] = "PANFROST_GET_BO_OFFSET",
	[0x06] = "PANFROST_PERFCNT_ENABLE", [0x07] = "PANFROST_PERFCNT_DUMP",
	[0x08] = "PANFROST_MADVISE", [0x09] = "PANFROST_SET_LABEL_BO",
	[0x0a] = "PANFROST_JM_CTX_CREATE", [0x0b] = "PANFROST_JM_CTX_DESTROY",
	[0x0c] = "PANFROST_SYNC_BO", [0x0d] = "PANFROST_QUERY_BO_INFO",
};

static const char *const panthor[] = {
	[0x00] = "PANTHOR_DEV_QUERY", [0x01] = "PANTHOR_VM_CREATE",
	[0x02] = "PANTHOR_VM_DESTROY", [0x03] = "PANTHOR_VM_BIND",
	[0x04] = "PANTHOR_VM_GET_STATE", [0x05] = "PANTHOR_BO_CREATE",
	[0x06] = "PANTHOR_BO_MMAP_OFFSET", [0x07] = "PANTHOR_GROUP_CREATE",
	[0x08] = "PANTHOR_GROUP_DESTROY", [0x09] = "PANTHOR_GROUP_SUBMIT",
	[0x0a] = "PANTHOR_GROUP_GET_STATE", [0x0b] = "PANTHOR_TILER_HEAP_CREATE",
	[0x0c] = "PANTHOR_TILER_HEAP_DESTROY", [0x0d] = "PANTHOR_BO_SET_LABEL",
	[0x0e] = "PANTHOR_SET_USER_MMIO_OFFSET", [0x0f] = "PANTHOR_BO_SYNC",
	[0x10] = "PANTHOR_BO_QUERY_INFO",
};

static const char *const etnaviv[] = {
	[0x00] = "ETNAVIV_GET_PARAM", [0x02] = "ETNAVIV_GEM_NEW",
	[0x03] = "ETNAVIV_GEM_INFO", [0x04] = "ETNAVIV_GEM_CPU_PREP",
	[0x05] = "ETNAVIV_GEM_CPU_FINI", [0x06] = "ETNAVIV_GEM_SUBMIT",
	[0x07] = "ETNAVIV_WAIT_FENCE", [0x08] = "ETNAVIV_GEM_USERPTR",
	[0x09] = "ETNAVIV_GEM_WAIT", [0x0a] = "ETNAVIV_PM_QUERY_DOM",
	[0x0b] = "ETNAVIV_PM_QUERY_SIG",
};

static const char *const msm[] = {
	[0x00] = "MSM_GET_PARAM", [0x01] = "MSM_SET_PARAM", [0x02] = "MSM_GEM_NEW",
	[0x03] = "MSM_GEM_INFO", [0x04] = "MSM_GEM_CPU_PREP", [0x05] = "MSM_GEM_CPU_FINI",
	[0x06] = "MSM_GEM_SUBMIT", [0x07] = "MSM_WAIT_FENCE", [0x08] = "MSM_GEM_MADVISE",
	[0x0a] = "MSM_SUBMITQUEUE_NEW", [0x0b] = "MSM_SUBMITQUEUE_CLOSE",
	[0x0c] = "MSM_SUBMITQUEUE_QUERY", [0x0d] = "MSM_VM_BIND",
	[0x0e] = "MSM_PERFCNTR_CONFIG",
};

static const char *const vmwgfx[] = {
	[0x00] = "VMW_GET_PARAM", [0x01] = "VMW_ALLOC_BO", [0x03] = "VMW_CURSOR_BYPASS",
	[0x04] = "VMW_CONTROL_STREAM", [0x05] = "VMW_CLAIM_STREAM",
	[0x06] = "VMW_UNREF_STREAM", [0x07] = "VMW_CREATE_CONTEXT",
	[0x08] = "VMW_UNREF_CONTEXT", [0x09] = "VMW_CREATE_SURFACE",
	[0x0a] = "VMW_UNREF_SURFACE", [0x0b] = "VMW_REF_SURFACE", [0x0c] = "VMW_EXECBUF",
	[0x0d] = "VMW_GET_3D_CAP", [0x0e] = "VMW_FENCE_WAIT",
	[0x0f] = "VMW_FENCE_SIGNALED", [0x10] = "VMW_FENCE_UNREF",
	[0x11] = "VMW_FENCE_EVENT", [0x12] = "VMW_PRESENT",
	[0x13] = "VMW_PRESENT_READBACK", [0x14] = "VMW_UPDATE_LAYOUT",
	[0x15] = "VMW_CREATE_SHADER", [0x16] = "VMW_UNREF_SHADER",
	[0x17] = "VMW_GB_SURFACE_CREATE", [0x18] = "VMW_GB_SURFACE_REF",
	[0x19] = "VMW_SYNCCPU", [0x1a] = "VMW_CREATE_EXTENDED_CONTEXT",
	[0x1b] = "VMW_GB_SURFACE_CREATE_EXT", [0x1c] = "VMW_GB_SURFACE_REF_EXT",
	[0x1d] = "VMW_MSG", [0x1e] = "VMW_MKSSTAT_RESET", [0x1f] = "VMW_MKSSTAT_ADD",
	[0x20] = "VMW_MKSSTAT_REMOVE",
};

static const char *const qxl[] = {
	[0x00] = "QXL_ALLOC", [0x01] = "QXL_MAP", [0x02] = "QXL_EXECBUFFER",
	[0x03] = "QXL_UPDATE_AREA", [0x04] = "QXL_GETPARAM", [0x05] = "QXL_CLIENTCAP",
	[0x06] = "QXL_ALLOC_SURF",
};

#define NAMES(array)	array, sizeof(array) / sizeof((array)[0])

/* The device of a virtio GPU may be the one on the PCI bus. */
static const struct driver {
	const char *name;
	const char *const *ioctls;
	size_t count;
} drivers[] = {
	{ "amdgpu", NAMES(amdgpu) },
	{ "etnaviv", NAMES(etnaviv) },
	{ "etnaviv-gpu", NAMES(etnaviv) },
	{ "i915", NAMES(i915) },
	{ "lima", NAMES(lima) },
	{ "msm", NAMES(msm) },
	{ "msm_dpu", NAMES(msm) },
	{ "nouveau", NAMES(nouveau) },
	{ "panfrost", NAMES(panfrost) },
	{ "panthor", NAMES(panthor) },
	{ "qxl", NAMES(qxl) },
	{ "radeon", NAMES(radeon) },
	{ "v3d", NAMES(v3d) },
	{ "vc4-drm", NAMES(vc4) },
	{ "virtio-pci", NAMES(virtio_gpu) },
	{ "virtio_gpu", NAMES(virtio_gpu) },
	{ "vmwgfx", NAMES(vmwgfx) },
	{ "xe", NAMES(xe) },
};

static const char *name_at(const char *const *names, size_t count, unsigned int number)
{
	return number < count ? names[number] : NULL;
}

const char *grt_drm_ioctl_name(const char *driver, uint32_t cmd)
{
	unsigned int number = cmd & 0xff;

	if (!driver || !grt_is_drm_ioctl(cmd))
		return NULL;
	if (number < COMMAND_BASE || number >= COMMAND_END)
		return name_at(NAMES(core), number);
	for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++)
		if (!strcmp(drivers[i].name, driver))
			return name_at(drivers[i].ioctls, drivers[i].count, number - COMMAND_BASE);
	return NULL;
}
