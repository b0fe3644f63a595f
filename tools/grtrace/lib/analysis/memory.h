/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Which memory of GPUs processes created, destroyed and moved.
 *
 * Live bytes are of the objects that the trace shows to be created; they belong to the process
 * that created them.  All other events belong to the process that caused them, which may evict
 * another one's objects.
 *
 * Live bytes are known only where the driver reports the end of objects, and until the first
 * event of memory that may be missing.  Drivers report it as DESTROY, or as a MOVE to nowhere.
 *
 * Memory is bounded: past the limits below, more processes, directions and domains share a row
 * each, and from the first object that finds no room on live bytes are not known.
 */
#ifndef GRT_MEMORY_H
#define GRT_MEMORY_H

#include "domain.h"
#include "keymap.h"
#include "live_bytes.h"
#include "model.h"
#include "window.h"

#define GRT_MEMORY_MAX_OBJECTS		(1u << 18)	/* at a time; and as many address spaces */
#define GRT_MEMORY_MAX_PROCESSES	4096
#define GRT_MEMORY_MAX_ROWS		16384		/* of a process, GPU and domain */
#define GRT_MEMORY_MAX_MOVES		1024		/* directions */
#define GRT_MEMORY_NR_OPS		(GRTRACE_MEMORY_PREAD + 1)

#define GRT_MEMORY_OTHERS	UINT32_MAX		/* the tgid of a row of several processes */

/* Growth that is less, or in a shorter time, is no suspected leak. */
#define GRT_LEAK_MIN_BYTES	(1u << 20)
#define GRT_LEAK_MIN_NS		1000000000u

struct grt_memory_sum {
	uint64_t events, bytes;
};

struct grt_memory_process {
	uint32_t tgid;
	struct grt_memory_sum created, destroyed;	/* its objects */
	struct grt_live_bytes live;
	struct grt_memory_sum ops[GRT_MEMORY_NR_OPS];	/* of all objects: caused by it */
	struct grt_memory_sum moved;	/* of ops[MOVE], those from a domain to a domain */
	uint64_t write_faults;		/* of ops[FAULT] */
	uint64_t untold_faults;		/* of ops[FAULT]: reads or writes */
	uint64_t rebinds;		/* of ops[BIND]: this object was unbound from there before */
	uint64_t untold_binds;		/* of ops[BIND]: the object or the address space is not known */
	bool has_untold_ends;		/* an object ended without an event that says so */
	bool has_blind_device;		/* has objects whose end nobody tells: those of some drivers */
};

/* Of a process, the objects in a domain; created + moved_in - moved_out - destroyed = what is added. */
struct grt_memory_row {
	uint32_t process;	/* once closed: a row of the processes */
	uint32_t device;	/* pci_address of the records */
	uint32_t domain;
	struct grt_memory_sum created, moved_in, moved_out, destroyed;
	struct grt_live_level live;
};

/* A direction of moves. */
struct grt_memory_move {
	uint32_t device, from, to;
	struct grt_memory_sum sum;
	uint64_t peak_bytes;	/* the most in one second of the window */
	uint64_t second, second_bytes;	/* the latest one */
};

struct grt_memory_wants {
	uint64_t pid;		/* 0: any */
	const char *comm;	/* NULL: any */
	bool with_synthetic;
	const struct grt_window *window;	/* settled when a pass begins; not owned */
};

/* Zeroed memory but for @wants is empty. */
struct grt_memory {
	struct grt_memory_wants wants;
	const struct grt_model *model;		/* not owned */
	struct grt_live_window window;
	uint64_t now_ns;			/* of the latest event of memory */
	struct grt_omitted *omitted;		/* owned */
	uint64_t blind_ns;			/* events may be missing from then on; UINT64_MAX: never */
	uint64_t events, others, synthetic;	/* in the window: counted, of others, written by hand */
	bool is_told;		/* the trace has events of memory: without one, it is not known whether any was recorded */
	struct grt_memory_process all;		/* its has_blind_device: of any process */
	struct grt_vec processes;		/* struct grt_memory_process */
	struct grt_vec rows;			/* struct grt_memory_row */
	struct grt_vec moves;			/* struct grt_memory_move */
	struct grt_keymap process_at, row_at, move_at;
	struct grt_memory_sum earlier;		/* DESTROYs of objects that the trace does not see created */
	struct grt_keymap ends_told;		/* pci_address of GPUs that report the end of objects */
	struct grt_vec objects, binds;
	struct grt_keymap object_at;
	uint32_t free_object, free_bind, nr_objects, nr_binds;
	bool lacks_rebinds;			/* some may not be counted */
};

/* These are for struct grt_replay_ops; the window must be settled.  0 or -errno with a cause. */
int grt_memory_begin(struct grt_memory *m, const struct grt_model *model);
int grt_memory_record(struct grt_memory *m, const struct grtrace_hdr *rec);
int grt_memory_end(struct grt_memory *m);
void grt_memory_free(struct grt_memory *m);

/* These are valid after grt_memory_end().  Processes with most bytes come first. */
static inline size_t grt_memory_processes(const struct grt_memory *m)
{
	return grt_vec_count(&m->processes, struct grt_memory_process);
}

static inline const struct grt_memory_process *grt_memory_process_at(const struct grt_memory *m, size_t i)
{
	return grt_vec_at(&m->processes, struct grt_memory_process, i);
}

static inline size_t grt_memory_rows(const struct grt_memory *m)
{
	return grt_vec_count(&m->rows, struct grt_memory_row);
}

static inline const struct grt_memory_row *grt_memory_row_at(const struct grt_memory *m, size_t i)
{
	return grt_vec_at(&m->rows, struct grt_memory_row, i);
}

static inline size_t grt_memory_moves(const struct grt_memory *m)
{
	return grt_vec_count(&m->moves, struct grt_memory_move);
}

static inline const struct grt_memory_move *grt_memory_move_at(const struct grt_memory *m, size_t i)
{
	return grt_vec_at(&m->moves, struct grt_memory_move, i);
}

/* Whether some event of this GPU says that an object ended, so that its driver reports all ends. */
bool grt_memory_reports_ends(const struct grt_memory *m, uint32_t pci_address);

/* Whether all events of memory in the window are in the trace. */
bool grt_memory_is_whole(const struct grt_memory *m);

/*
 * Whether the live bytes of a process, or in a row, are known in all of the window; and those of a
 * process in column @i.
 */
bool grt_memory_knows_live(const struct grt_memory *m, const struct grt_memory_process *p);
bool grt_memory_knows_row(const struct grt_memory *m, const struct grt_memory_row *row);
bool grt_memory_knows_column(const struct grt_memory *m, const struct grt_memory_process *p, unsigned int i);

/*
 * Bytes per second of a direction, in the window and in its fastest second; at most UINT64_MAX.  False:
 * not known, as a MOVE may be missing.
 */
bool grt_memory_rates(const struct grt_memory *m, const struct grt_memory_move *move, uint64_t *mean,
		      uint64_t *peak);

/*
 * Whether the process seems to leak: the fewest live bytes in each tenth of the window are more
 * than in the tenth before, by GRT_LEAK_MIN_BYTES or more in all, and nothing is missing.
 */
bool grt_memory_leaks(const struct grt_memory *m, const struct grt_memory_process *p, uint64_t *bytes);

#endif /* GRT_MEMORY_H */
