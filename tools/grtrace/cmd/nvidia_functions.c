// SPDX-License-Identifier: GPL-2.0
/*
 * Names and arguments are those of NVIDIA's open-gpu-kernel-modules, whose releases from 515.43.04 to
 * 595.45.04 were looked through; the file of each is named below.  nvidia.ko seldom has type information,
 * so arguments are read by their number.  What they point to are structs of the kernel, whose types are
 * known.
 */
#include "nvidia_functions.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "error.h"
#include "probe_watch.h"
#include "tracefs_probe.h"
#include "types.h"

#define MOST_WAYS	2
#define MINOR_BITS	20	/* of a device's number in the kernel */

enum hit_value {
	HIT_FILE, HIT_RDEV, HIT_CMD, HIT_START, HIT_END, HIT_PGOFF, HIT_ADDRESS, HIT_BYTES, HIT_IRQ, HIT_RESULT,
	HIT_DEV, HIT_ERROR_CODE, HIT_MSG, NR_HIT_VALUES
};

_Static_assert(NR_HIT_VALUES <= GRT_PROBE_VALUES, "a hit has room for all");

const char *const nvidia_value_names[NR_HIT_VALUES] = {
	[HIT_FILE] = "file", [HIT_RDEV] = "rdev", [HIT_CMD] = "cmd", [HIT_START] = "start", [HIT_END] = "end",
	[HIT_PGOFF] = "pgoff", [HIT_ADDRESS] = "address", [HIT_BYTES] = "bytes", [HIT_IRQ] = "irq",
	[HIT_RESULT] = "result", [HIT_DEV] = "dev", [HIT_ERROR_CODE] = "error_code", [HIT_MSG] = "msg",
};
const unsigned int nvidia_nr_values = NR_HIT_VALUES;

/* Values in the words of tracefs_probe.h; the first one of each is needed for the others. */
#define OF_INODE(inode)	"rdev={inode.i_rdev}(" inode "):u32"
#define OF_FILE(file)	OF_INODE("{file.f_inode}(" file ")")
#define OF_VMA(vma)	OF_FILE("{vm_area_struct.vm_file}(" vma ")")
#define NAME_OF(dev)	"dev=+0({" dev "}($arg1)):string"
#define RESULT		"result=$retval:s32"

/* Each row is probed in the first of its ways that the driver has. */
static const struct function {
	enum grt_nvidia_event event;
	struct {
		const char *name, *args;
	} ways[MOST_WAYS];
	const char *result;	/* of its return, which is probed, too; NULL: it is not */
} functions[] = {
	/* nv.c: nvidia_open(struct inode *, struct file *), nvidia_close() likewise */
	{ GRT_NVIDIA_OPEN, { { "nvidia_open", "file=$arg2:u64 " OF_INODE("$arg1") } }, RESULT },
	{ GRT_NVIDIA_CLOSE, { { "nvidia_close", "file=$arg2:u64 " OF_INODE("$arg1") } }, NULL },
	/*
	 * nv.c: nvidia_unlocked_ioctl(struct file *, unsigned int cmd, unsigned long) calls
	 * nvidia_ioctl(struct inode *, struct file *, unsigned int cmd, unsigned long); before 545.23.06
	 * nvidia_frontend_unlocked_ioctl() did.
	 */
	{ GRT_NVIDIA_IOCTL, { { "nvidia_unlocked_ioctl", "cmd=$arg2:u32 " OF_FILE("$arg1") },
			      { "nvidia_ioctl", "cmd=$arg3:u32 " OF_INODE("$arg1") } }, NULL },
	/* nv-mmap.c: nvidia_mmap(struct file *, struct vm_area_struct *) */
	{ GRT_NVIDIA_MMAP, { { "nvidia_mmap", "file=$arg1:u64 start={vm_area_struct.vm_start}($arg2):u64 "
			       "end={vm_area_struct.vm_end}($arg2):u64 pgoff={vm_area_struct.vm_pgoff}($arg2):u64 "
			       OF_FILE("$arg1") } }, NULL },
	/* nv-mmap.c: nvidia_fault(struct vm_fault *) */
	{ GRT_NVIDIA_FAULT, { { "nvidia_fault", "address={vm_fault.real_address|vm_fault.address}($arg1):u64 "
				OF_VMA("{vm_fault.vma}($arg1)") } }, NULL },
	/* nv.c: nvidia_poll(struct file *, poll_table *) */
	{ GRT_NVIDIA_POLL, { { "nvidia_poll", "" } }, NULL },
	/* nv-mmap.c: nvidia_vma_open(struct vm_area_struct *), nvidia_vma_release() likewise */
	{ GRT_NVIDIA_VMA_OPEN, { { "nvidia_vma_open", "" } }, NULL },
	{ GRT_NVIDIA_VMA_CLOSE, { { "nvidia_vma_release", "" } }, NULL },
	/* nv-mmap.c: nvidia_vma_access(struct vm_area_struct *, unsigned long addr, void *, int length, int write) */
	{ GRT_NVIDIA_VMA_ACCESS, { { "nvidia_vma_access", "address=$arg2:u64 bytes=$arg4:s32 " OF_VMA("$arg1") } },
	  NULL },
	/* nv.c: nvidia_isr(int irq, void *), and all but the last one likewise */
	{ GRT_NVIDIA_ISR, { { "nvidia_isr", "irq=$arg1:s32" } }, RESULT },
	{ GRT_NVIDIA_ISR_MSIX, { { "nvidia_isr_msix", "irq=$arg1:s32" } }, RESULT },
	{ GRT_NVIDIA_BH, { { "nvidia_isr_kthread_bh", "irq=$arg1:s32" }, { "nvidia_isr_bh", "" } }, RESULT },
	{ GRT_NVIDIA_BH_MSIX, { { "nvidia_isr_msix_kthread_bh", "irq=$arg1:s32" } }, RESULT },
	{ GRT_NVIDIA_BH_UNLOCKED, { { "nvidia_isr_bh_unlocked", "" } }, "" },
	/*
	 * nv-p2p.c: nvidia_p2p_get_pages(uint64_t, uint32_t, uint64_t address, uint64_t length, ...),
	 * nvidia_p2p_put_pages(uint64_t, uint32_t, uint64_t address, ...); since 525.47.22
	 * nvidia_p2p_get_pages_persistent(uint64_t address, uint64_t length, ...) and
	 * nvidia_p2p_put_pages_persistent(uint64_t address, ...), for other callers
	 */
	{ GRT_NVIDIA_P2P_GET, { { "nvidia_p2p_get_pages", "address=$arg3:u64 bytes=$arg4:u64" } }, NULL },
	{ GRT_NVIDIA_P2P_GET, { { "nvidia_p2p_get_pages_persistent", "address=$arg1:u64 bytes=$arg2:u64" } }, NULL },
	{ GRT_NVIDIA_P2P_PUT, { { "nvidia_p2p_put_pages", "address=$arg3:u64" } }, NULL },
	{ GRT_NVIDIA_P2P_PUT, { { "nvidia_p2p_put_pages_persistent", "address=$arg1:u64" } }, NULL },
	/* nv-p2p.c: nvidia_p2p_dma_map_pages(struct pci_dev *peer, ...), nvidia_p2p_dma_unmap_pages() likewise */
	{ GRT_NVIDIA_P2P_MAP, { { "nvidia_p2p_dma_map_pages", NAME_OF("pci_dev.dev.kobj.name") } }, NULL },
	{ GRT_NVIDIA_P2P_UNMAP, { { "nvidia_p2p_dma_unmap_pages", NAME_OF("pci_dev.dev.kobj.name") } }, NULL },
	/*
	 * nv.c: nvidia_suspend(struct device *, ...) is called by nv_pmops_suspend(struct device *), and when
	 * /proc/driver/nvidia/suspend is written; resume likewise
	 */
	{ GRT_NVIDIA_SUSPEND, { { "nvidia_suspend", NAME_OF("device.kobj.name") },
				{ "nv_pmops_suspend", NAME_OF("device.kobj.name") } }, RESULT },
	{ GRT_NVIDIA_RESUME, { { "nvidia_resume", NAME_OF("device.kobj.name") },
			       { "nv_pmops_resume", NAME_OF("device.kobj.name") } }, RESULT },
};

#define NR_FUNCTIONS	(sizeof(functions) / sizeof(*functions))

/* --- which there are --- */

/* A function that the list of symbols has. */
struct found {
	char symbol[128], module[64];	/* "": it has not */
	bool is_clone;			/* the compiler changed its arguments */
};

/*
 * Whether @symbol is the function @name.  The compiler makes copies of static functions for some arguments,
 * with ".constprop.0" or ".isra.0" behind the name; ".cold" and ".part.0" are pieces of a function.
 */
static bool is_function(const char *symbol, const char *name, bool *is_clone)
{
	size_t len = strlen(name);

	*is_clone = false;
	if (strncmp(symbol, name, len) != 0)
		return false;
	*is_clone = !strncmp(symbol + len, ".constprop.", strlen(".constprop.")) ||
		    !strncmp(symbol + len, ".isra.", strlen(".isra."));
	return *is_clone || !symbol[len];
}

static void look_at(struct found found[NR_FUNCTIONS][MOST_WAYS], const char *symbol, const char *module)
{
	bool is_clone;

	for (size_t i = 0; i < NR_FUNCTIONS; i++)
		for (int way = 0; way < MOST_WAYS && functions[i].ways[way].name; way++) {
			struct found *f = &found[i][way];

			if (!is_function(symbol, functions[i].ways[way].name, &is_clone) || (*f->symbol && is_clone))
				continue;
			snprintf(f->symbol, sizeof(f->symbol), "%s", symbol);
			snprintf(f->module, sizeof(f->module), "%s", module);
			f->is_clone = is_clone;
		}
}

static int read_symbols(struct found found[NR_FUNCTIONS][MOST_WAYS])
{
	char line[512], symbol[128], module[64], type;
	FILE *f = fopen("/proc/kallsyms", "re");

	if (!f)
		return grt_fail_errno(NULL, "cannot read '/proc/kallsyms'");
	/* Functions of modules only, which have the name of theirs in brackets; nvidia.ko cannot be built in. */
	while (fgets(line, sizeof(line), f))
		if (strstr(line, " nv") && sscanf(line, "%*s %c %127s [%63[^]]]", &type, symbol, module) == 3 &&
		    strchr("tT", type))
			look_at(found, symbol, module);
	fclose(f);
	return 0;
}

/* The driver is the module that has the functions of a device. */
static int choose_module(struct nvidia_functions *f, struct found found[NR_FUNCTIONS][MOST_WAYS])
{
	for (size_t i = 0; i < NR_FUNCTIONS && !*f->module; i++)
		if (functions[i].event == GRT_NVIDIA_OPEN || functions[i].event == GRT_NVIDIA_IOCTL)
			for (int way = 0; way < MOST_WAYS && !*f->module; way++)
				snprintf(f->module, sizeof(f->module), "%s", found[i][way].module);
	if (*f->module)
		return 0;
	if (!access("/sys/module/nvidia", F_OK))
		return grt_fail(ENOENT, "sudo grep ' nvidia_' /proc/kallsyms    # what it has",
				"the module 'nvidia' is loaded, but has none of the functions that are known");
	return grt_fail(ENOENT, "sudo modprobe nvidia    # for jobs of nouveau: sudo grtrace monitor drm",
			"the driver of NVIDIA is not loaded");
}

/* --- their probes --- */

static void add_probe(struct nvidia_functions *f, const struct function *function, const char *symbol,
		      bool is_return, const char *args)
{
	unsigned int i = f->probes.count;
	char module[sizeof(f->module)];

	if (i == GRT_WORDS_MOST)
		return;
	memcpy(module, f->module, sizeof(module));
	snprintf(f->texts[i], sizeof(f->texts[i]), "%s:%s%s %s", module, symbol, is_return ? "%return" : "", args);
	f->of[i].event = function->event;
	f->of[i].is_return = is_return;
	f->probes.words[i] = f->texts[i];
	f->probes.count++;
}

static void add_missing(struct nvidia_functions *f, const char *name, const char *other)
{
	size_t at = strlen(f->missing);

	snprintf(f->missing + at, sizeof(f->missing) - at, "%s%s%s%s%s", at ? ", " : "", name, other ? " (or " : "",
		 other ? other : "", other ? ")" : "");
}

static void add_function(struct nvidia_functions *f, const struct function *function,
			 const struct found ways[MOST_WAYS], const struct grt_types *types)
{
	char args[NVIDIA_PROBE_BYTES] = "";
	int way = 0;

	while (way < MOST_WAYS && (!*ways[way].symbol || strcmp(ways[way].module, f->module) != 0))
		way++;
	if (way == MOST_WAYS) {
		add_missing(f, function->ways[0].name, function->ways[1].name);
		return;
	}
	if (!ways[way].is_clone && !grt_tracefs_probe_args(types, function->ways[way].args, args, sizeof(args)))
		*args = '\0';
	add_probe(f, function, ways[way].symbol, false, args);
	if (function->result)
		add_probe(f, function, ways[way].symbol, true, function->result);
}

int nvidia_functions_find(struct nvidia_functions *f)
{
	struct found found[NR_FUNCTIONS][MOST_WAYS] = { { { .symbol = "" } } };
	struct grt_types types = { .kernel = NULL };
	int err = read_symbols(found);

	if (!err)
		err = choose_module(f, found);
	if (err)
		return err;
	/* Without types there are still arguments that are numbers, so libbpf need not complain. */
	libbpf_set_print(NULL);
	grt_types_load(&types);
	for (size_t i = 0; i < NR_FUNCTIONS; i++)
		add_function(f, &functions[i], found[i], &types);
	grt_types_free(&types);
	return 0;
}

void nvidia_functions_check(struct nvidia_functions *f, const struct grt_probe_watch *watch)
{
	for (unsigned int i = 0; i < f->probes.count; i++) {
		uint32_t bit = 1u << f->of[i].event;
		char name[128];

		if (!grt_probe_watch_has(watch, i)) {
			snprintf(name, sizeof(name), "%.*s", (int)strcspn(f->texts[i], " "), f->texts[i]);
			add_missing(f, name, "refused");
		} else if (f->of[i].is_return) {
			f->has_return |= bit;
		} else {
			f->there |= bit;
		}
	}
}

/* --- hits --- */

static void set(struct grt_nvidia_call *call, enum grt_nvidia_value value, uint64_t number)
{
	call->values[value] = number;
	call->has |= 1u << value;
}

/* A value that could not be read is 0. */
static void set_mapping(struct grt_nvidia_call *call, const struct grt_probe_value *values)
{
	uint64_t start = values[HIT_START].number, end = values[HIT_END].number;

	if (values[HIT_RDEV].is_known && values[HIT_RDEV].number)
		set(call, GRT_NVIDIA_MINOR, values[HIT_RDEV].number & ((1u << MINOR_BITS) - 1));
	if (!values[HIT_START].is_known || !values[HIT_END].is_known || end <= start)
		return;
	set(call, GRT_NVIDIA_BYTES, end - start);
	if (values[HIT_PGOFF].is_known)
		set(call, GRT_NVIDIA_OFFSET, values[HIT_PGOFF].number * sysconf(_SC_PAGESIZE));
}

static void set_texts(struct grt_nvidia_call *call, const struct grt_probe_value *values,
		      char text[NVIDIA_TEXT_BYTES])
{
	const struct grt_piece *dev = &values[HIT_DEV].text, *msg = &values[HIT_MSG].text;

	/* tracefs writes "(fault)" for what it could not read. */
	if (values[HIT_DEV].is_known && !(dev->len && *dev->at == '('))
		snprintf(call->device, sizeof(call->device), "%.*s", (int)dev->len, dev->at);
	if (!values[HIT_MSG].is_known)
		return;
	snprintf(text, NVIDIA_TEXT_BYTES, "%.*s", (int)msg->len, msg->at);
	grt_nvidia_set_xid_text(call, text);
}

void nvidia_call_of(const struct nvidia_functions *f, const struct grt_probe_hit *hit, struct grt_nvidia_call *call,
		    char text[NVIDIA_TEXT_BYTES])
{
	static const struct {
		enum hit_value from;
		enum grt_nvidia_value to;
		bool may_be_0;
	} same[] = {
		{ HIT_FILE, GRT_NVIDIA_FILE, false }, { HIT_CMD, GRT_NVIDIA_CMD, true },
		{ HIT_ADDRESS, GRT_NVIDIA_ADDRESS, false }, { HIT_BYTES, GRT_NVIDIA_BYTES, true },
		{ HIT_IRQ, GRT_NVIDIA_IRQ, true }, { HIT_RESULT, GRT_NVIDIA_RESULT, true },
		{ HIT_ERROR_CODE, GRT_NVIDIA_CODE, true },
	};
	bool is_probe = hit->probe < f->probes.count;

	*call = (struct grt_nvidia_call){
		.event = is_probe ? f->of[hit->probe].event : GRT_NVIDIA_XID,
		.is_return = is_probe && f->of[hit->probe].is_return,
		.is_in_irq = hit->is_in_irq, .ns = hit->ns, .tid = hit->tid, .cpu = hit->cpu,
	};
	/* Whoever runs when an error is reported did not cause it: its text tells. */
	if (is_probe) {
		call->tgid = hit->tgid;
		memcpy(call->comm, hit->comm, sizeof(call->comm));
	}
	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++) {
		const struct grt_probe_value *value = &hit->values[same[i].from];

		if (value->is_known && (value->number || same[i].may_be_0))
			set(call, same[i].to, value->number);
	}
	set_mapping(call, hit->values);
	set_texts(call, hit->values, text);
}
