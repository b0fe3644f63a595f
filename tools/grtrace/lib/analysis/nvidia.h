/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Follows what NVIDIA's driver does, from calls of its functions.  Makes rows as they come, and sums of all
 * calls and of those in the current interval (lap).
 *
 * A call's return belongs to the last call of the same function: in an interrupt on the same CPU, else in
 * the same thread.  So calls on several CPUs, and of several GPUs, are told apart.
 *
 * Memory is bounded, however long it runs.
 */
#ifndef GRT_NVIDIA_H
#define GRT_NVIDIA_H

#include <stdbool.h>
#include <stdint.h>

#include "hist.h"
#include "keymap.h"
#include "map.h"
#include "vec.h"

#define GRT_NVIDIA_PROCESSES	256	/* with a row of their own; others share one */
#define GRT_NVIDIA_CALLS	4096	/* that have begun and not ended */
#define GRT_NVIDIA_FILES	65536	/* open ones that are followed */
#define GRT_NVIDIA_XIDS		64	/* kinds of errors with a row of their own */

/* What the driver does: X(NAME, name, "EVENT", every): one of @every calls has a row; 0: none has. */
#define GRT_NVIDIA_EVENTS(X)								\
	X(OPEN,		open,		"OPEN",		 1)				\
	X(CLOSE,	close,		"CLOSE",	 1)				\
	X(IOCTL,	ioctl,		"IOCTL",	 100)				\
	X(MMAP,		mmap,		"MMAP",		 1)				\
	X(FAULT,	fault,		"PAGE_FAULT",	 1)				\
	X(POLL,		poll,		"POLL",		 0)				\
	X(VMA_OPEN,	vma_open,	"VMA_OPEN",	 0)				\
	X(VMA_CLOSE,	vma_close,	"VMA_CLOSE",	 0)				\
	X(VMA_ACCESS,	vma_access,	"VMA_ACCESS",	 1)				\
	X(ISR,		isr,		"ISR",		 0)				\
	X(ISR_MSIX,	isr_msix,	"ISR_MSIX",	 0)				\
	X(BH,		isr_bh,		"ISR_BH",	 0)				\
	X(BH_MSIX,	isr_msix_bh,	"ISR_MSIX_BH",	 0)				\
	X(BH_UNLOCKED,	isr_bh_unlocked, "ISR_BH_UNLOCKED", 0)				\
	X(P2P_GET,	p2p_get_pages,	"P2P_GET_PAGES", 1)				\
	X(P2P_PUT,	p2p_put_pages,	"P2P_PUT_PAGES", 1)				\
	X(P2P_MAP,	p2p_dma_map,	"P2P_DMA_MAP",	 1)				\
	X(P2P_UNMAP,	p2p_dma_unmap,	"P2P_DMA_UNMAP", 1)				\
	X(SUSPEND,	suspend,	"SUSPEND",	 1)				\
	X(RESUME,	resume,		"RESUME",	 1)				\
	X(XID,		xid,		"XID_ERROR",	 1)

enum grt_nvidia_event {
#define GRT_X(NAME, name, event, every) GRT_NVIDIA_##NAME,
	GRT_NVIDIA_EVENTS(GRT_X)
#undef GRT_X
	GRT_NR_NVIDIA_EVENTS
};

struct grt_nvidia_about {
	const char *name, *event;
	unsigned int every;
};

extern const struct grt_nvidia_about grt_nvidia_abouts[GRT_NR_NVIDIA_EVENTS];

/* Numbers that a call has; a bit of grt_nvidia_call.has tells whether it is known. */
enum grt_nvidia_value {
	GRT_NVIDIA_FILE,	/* an address of the kernel, which is never shown */
	GRT_NVIDIA_MINOR,	/* of the device */
	GRT_NVIDIA_CMD,		/* of an ioctl */
	GRT_NVIDIA_ADDRESS,
	GRT_NVIDIA_BYTES,
	GRT_NVIDIA_OFFSET,	/* of a mapping, in bytes */
	GRT_NVIDIA_IRQ,
	GRT_NVIDIA_RESULT,	/* what it returned */
	GRT_NVIDIA_CODE,	/* of an Xid */
	GRT_NR_NVIDIA_VALUES
};

#define GRT_NVIDIA_MINOR_CTL		255	/* /dev/nvidiactl */
#define GRT_NVIDIA_MINOR_MODESET	254

/* A call of one of the functions, or its return; or an error. */
struct grt_nvidia_call {
	enum grt_nvidia_event event;
	bool is_return;
	bool is_in_irq;			/* its thread is just the one that was interrupted */
	bool is_from_log;		/* @ns is when the log was read */
	uint64_t ns;
	uint32_t tid, cpu;
	uint32_t tgid;			/* 0: not known */
	char comm[16];
	unsigned int has;		/* bits of enum grt_nvidia_value */
	uint64_t values[GRT_NR_NVIDIA_VALUES];
	char device[32];		/* of power and errors: a name of PCI; of P2P_MAP the peer's; "": not known */
	const char *text;		/* of an error; not owned; NULL: none */
};

/* A call that is shown. */
struct grt_nvidia_row {
	const struct grt_nvidia_call *call;
	bool has_took, has_asleep;
	uint64_t took_ns;		/* from call to return */
	uint64_t asleep_ns;		/* of RESUME: since SUSPEND ended */
	bool has_result;
	int32_t result;			/* what it returned */
};

/* What a process did. */
struct grt_nvidia_counts {
	uint64_t calls[GRT_NR_NVIDIA_EVENTS];
	uint64_t mmap_bytes, p2p_bytes, failed_opens;
};

struct grt_nvidia_xid {
	char device[32];		/* "": of several */
	uint32_t code;
	bool is_others;
	uint64_t count;
	char text[160];			/* of the last one */
};

/* Sums of a time. */
struct grt_nvidia_sums {
	uint64_t from_ns, to_ns;	/* the first and the last call */
	uint64_t events;
	struct grt_nvidia_counts all;
	struct grt_vec processes;	/* struct grt_nvidia_counts, by the number of the process */
	struct grt_hist times[GRT_NR_NVIDIA_EVENTS];	/* from call to return */
	struct grt_hist until_bh;	/* from the end of a top half to its bottom half */
	struct grt_hist asleep;
	struct grt_vec xids;		/* struct grt_nvidia_xid */
	uint64_t unsized;		/* mappings whose size is not known */
	uint64_t lost;			/* calls and returns */
	uint64_t cut;			/* calls whose return is not known, because something was lost */
	bool lacks_xids;		/* lines of the kernel's log were lost */
};

struct grt_nvidia_process {
	uint32_t tgid;			/* 0: all that have no row of their own */
	char comm[16];			/* the latest name */
	uint64_t files;			/* that it opened and that are open now */
};

/* An interrupt, by its number: since when it waits for its bottom half. */
struct grt_nvidia_irq {
	uint32_t irq;
	bool is_waiting;
	uint64_t since_ns;
};

/* A GPU that is suspended. */
struct grt_nvidia_suspended {
	char device[32];
	uint64_t since_ns, slept_ns;
};

struct grt_nvidia {
	/* Filled in by the caller; the rest is 0. */
	uint32_t has_return;		/* bits of events whose return is told, too */
	bool has_laps;
	int (*show)(void *arg, const struct grt_nvidia_row *row);	/* 0 or -errno; NULL: no rows */
	void *arg;

	/*
	 * How long the machine slept since it was started, which CLOCK_MONOTONIC does not count: when calls
	 * were read before, and now.  The caller sets both before it gives the calls in between.
	 */
	uint64_t slept_before_ns, slept_ns;

	struct grt_nvidia_sums all, lap;
	struct grt_vec processes;	/* struct grt_nvidia_process; the last one is of all others */
	bool lacks_files;		/* calls were lost: which files are open is not known */

	/* Private. */
	struct grt_keymap process_at, call_at, file_at;
	struct grt_vec calls;		/* struct grt_nvidia_call, of those that have begun */
	uint32_t free_call;		/* from 1; 0: none */
	struct grt_vec irqs;		/* struct grt_nvidia_irq */
	struct grt_vec suspended;	/* struct grt_nvidia_suspended */
};

/* Takes a call, or a return, in the order of time.  0 or -errno with a cause. */
int grt_nvidia_add(struct grt_nvidia *n, const struct grt_nvidia_call *call);
/* @count calls or returns were lost at this place. */
void grt_nvidia_lose(struct grt_nvidia *n, uint64_t count);
/* The next lap begins. */
void grt_nvidia_begin_lap(struct grt_nvidia *n);
void grt_nvidia_free(struct grt_nvidia *n);

/*
 * Takes apart a line of the driver, "NVRM: Xid (PCI:0000:01:00): 79, pid=12, name=sh, TEXT": sets device,
 * code, text, and tgid and comm if it names them.  False: it is another one.
 */
bool grt_nvidia_parse_xid(struct grt_nvidia_call *call, const char *line);
/* The same for the part behind the code. */
void grt_nvidia_set_xid_text(struct grt_nvidia_call *call, const char *text);

static inline size_t grt_nvidia_nr_processes(const struct grt_nvidia *n)
{
	return grt_vec_count(&n->processes, struct grt_nvidia_process);
}

static inline const struct grt_nvidia_process *grt_nvidia_process_at(const struct grt_nvidia *n, size_t i)
{
	return grt_vec_at(&n->processes, struct grt_nvidia_process, i);
}

static inline bool grt_nvidia_has(const struct grt_nvidia_call *call, enum grt_nvidia_value value)
{
	return call->has >> value & 1;
}

#endif /* GRT_NVIDIA_H */
