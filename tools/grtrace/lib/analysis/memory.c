// SPDX-License-Identifier: LGPL-2.1
#include "memory.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "omitted.h"
#include "policy_log.h"

#define SECOND_NS	1000000000ull
#define MAX_BINDS	16	/* address spaces of an object that are followed */

/* An object that is known to exist. */
struct object {
	uint64_t id, bytes;
	uint32_t device, domain;
	uint32_t process;	/* row of its creator; GRT_NONE: nobody asked for it */
	uint32_t binds;		/* list of struct bind */
	bool is_created;	/* the trace shows its CREATE */
};

struct bind {
	uint64_t vm;
	uint32_t next;
	bool is_bound;
};

static struct object *object_at(const struct grt_memory *m, uint32_t i)
{
	return grt_vec_at(&m->objects, struct object, i);
}

static struct bind *bind_at(const struct grt_memory *m, uint32_t i)
{
	return grt_vec_at(&m->binds, struct bind, i);
}

static struct grt_memory_process *process_at(const struct grt_memory *m, uint32_t i)
{
	return grt_vec_at(&m->processes, struct grt_memory_process, i);
}

static struct grt_memory_row *row_at(const struct grt_memory *m, uint32_t i)
{
	return grt_vec_at(&m->rows, struct grt_memory_row, i);
}

static void forget(struct grt_memory *m)
{
	if (m->omitted)
		grt_omitted_free(m->omitted);
	free(m->omitted);
	grt_vec_free(&m->processes);
	grt_vec_free(&m->rows);
	grt_vec_free(&m->moves);
	grt_vec_free(&m->objects);
	grt_vec_free(&m->binds);
	grt_keymap_free(&m->process_at);
	grt_keymap_free(&m->row_at);
	grt_keymap_free(&m->move_at);
	grt_keymap_free(&m->object_at);
	grt_keymap_free(&m->ends_told);
}

void grt_memory_free(struct grt_memory *m)
{
	forget(m);
	*m = (struct grt_memory){ .wants = m->wants };
}

int grt_memory_begin(struct grt_memory *m, const struct grt_model *model)
{
	const struct grt_window *w = m->wants.window;

	grt_memory_free(m);
	m->model = model;
	m->window = (struct grt_live_window){ w->from_ns, w->to_ns };
	if (w->to_ns == UINT64_MAX)
		m->window.to_ns = w->last_ns == UINT64_MAX ? UINT64_MAX : w->last_ns + 1;
	if (m->window.from_ns == UINT64_MAX)
		m->window.from_ns--;	/* no window is empty, not even in a damaged trace */
	m->blind_ns = UINT64_MAX;
	m->free_object = m->free_bind = GRT_NONE;
	m->all.tgid = GRT_MEMORY_OTHERS;
	m->omitted = malloc(sizeof(*m->omitted));
	if (!m->omitted)
		return grt_fail_memory();
	grt_omitted_init(m->omitted);
	return 0;
}

/* Live bytes are not known from @ns on. */
static void go_blind(struct grt_memory *m, uint64_t ns)
{
	if (ns < m->blind_ns)
		m->blind_ns = ns;
}

static void count(struct grt_memory_sum *sum, uint64_t bytes)
{
	sum->events++;
	sum->bytes += bytes;
}

static bool is_in_window(const struct grt_memory *m, uint64_t ns)
{
	return ns >= m->window.from_ns && ns < m->window.to_ns;
}

static void add_loss(struct grt_memory *m, const struct grtrace_loss *rec)
{
	const struct grt_window *w = m->wants.window;
	uint64_t since_ns = rec->from_ns;

	/* A ring buffer that was overwritten: the window begins behind it, and so do the sums. */
	if (w->is_known_part && rec->to_ns <= w->from_ns)
		return;
	switch (rec->reason) {
	case GRTRACE_FATE_FILTERED_RING:
	case GRTRACE_FATE_FILTERED_ENGINE:
	case GRTRACE_FATE_DUPLICATE:
		return;		/* memory has no ring; of a duplicate there is a record */
	case GRTRACE_FATE_FILTERED_TYPE:
	case GRTRACE_FATE_FILTERED_LEVEL:
		if (grt_omitted_in(m->omitted, rec->reason, GRT_KIND_ANY, rec->from_ns, rec->to_ns, &since_ns) &&
		    !grt_omitted_in(m->omitted, rec->reason, GRT_KIND_MEMORY, rec->from_ns, rec->to_ns, &since_ns))
			return;
		break;
	default:
		break;
	}
	go_blind(m, since_ns);
}

static int add_policy(struct grt_memory *m, const struct grtrace_policy *rec)
{
	struct grt_policy row;

	grt_policy_split(&row, (const char *)(rec + 1), rec->hdr.size - sizeof(*rec));
	return grt_omitted_policy(m->omitted, row.key, row.value, rec->hdr.ts) ? grt_fail_memory() : 0;
}

/* --- processes, directions, and rows of domains ---------------------------------- */

/*
 * Finds a row by its key, or adds an empty one of @bytes.  Once there are @most, the key @others
 * stands for all new ones.  *index is GRT_NONE without memory.
 */
static bool find_row(struct grt_vec *rows, struct grt_keymap *map, size_t bytes, size_t most,
		     uint64_t key[2], const uint64_t others[2], uint32_t *index)
{
	*index = grt_keymap_get(map, key[0], key[1]);
	if (*index == GRT_NONE && rows->bytes / bytes >= most) {
		memcpy(key, others, 2 * sizeof(*key));
		*index = grt_keymap_get(map, key[0], key[1]);
	}
	if (*index != GRT_NONE)
		return false;
	if (!grt_vec_grow(rows, bytes))
		return true;
	memset((char *)rows->data + rows->bytes - bytes, 0, bytes);
	if (!grt_keymap_put(map, key[0], key[1], rows->bytes / bytes - 1))
		*index = rows->bytes / bytes - 1;
	return true;
}

static uint32_t process_of(struct grt_memory *m, uint32_t tgid)
{
	uint64_t key[2] = { tgid, 0 };
	const uint64_t others[2] = { GRT_MEMORY_OTHERS, 0 };
	uint32_t i;

	if (find_row(&m->processes, &m->process_at, sizeof(struct grt_memory_process),
		     GRT_MEMORY_MAX_PROCESSES, key, others, &i) && i != GRT_NONE)
		process_at(m, i)->tgid = key[0];
	return i;
}

static struct grt_memory_row *row_of(struct grt_memory *m, const struct object *o)
{
	uint64_t key[2] = { (uint64_t)o->process << 32 | o->device, o->domain };
	/* An object whose domain finds no row counts as one whose domain is not said, of any GPU. */
	const uint64_t others[2] = { (uint64_t)o->process << 32, GRT_DOMAIN_UNSAID };
	uint32_t i;

	if (find_row(&m->rows, &m->row_at, sizeof(struct grt_memory_row), GRT_MEMORY_MAX_ROWS, key,
		     others, &i) && i != GRT_NONE) {
		row_at(m, i)->process = o->process;
		row_at(m, i)->device = key[0];
		row_at(m, i)->domain = key[1];
	}
	return i == GRT_NONE ? NULL : row_at(m, i);
}

static struct grt_memory_move *move_of(struct grt_memory *m, uint32_t device, uint32_t from, uint32_t to)
{
	uint64_t key[2] = { device, (uint64_t)from << 32 | to };
	const uint64_t others[2] = { 0, (uint64_t)GRT_DOMAIN_UNSAID << 32 | GRT_DOMAIN_UNSAID };
	struct grt_memory_move *move;
	uint32_t i;

	if (find_row(&m->moves, &m->move_at, sizeof(*move), GRT_MEMORY_MAX_MOVES, key, others, &i) &&
	    i != GRT_NONE) {
		move = grt_vec_at(&m->moves, struct grt_memory_move, i);
		move->device = key[0];
		move->from = key[1] >> 32;
		move->to = key[1];
	}
	return i == GRT_NONE ? NULL : grt_vec_at(&m->moves, struct grt_memory_move, i);
}

/* The GPU of an event that says that an object ended.  0 or -ENOMEM with a cause. */
static int note_end(struct grt_memory *m, uint32_t pci_address)
{
	if (grt_memory_reports_ends(m, pci_address) || !grt_keymap_put(&m->ends_told, pci_address, 0, 0))
		return 0;
	return grt_fail_memory();
}

static bool is_wanted(const struct grt_memory *m, const struct grtrace_memory *rec)
{
	const struct grt_names *names = grt_model_names(m->model);
	uint32_t row;

	if (m->wants.pid && rec->tgid != m->wants.pid)
		return false;
	if (!m->wants.comm)
		return true;
	row = grt_names_process_find(names, rec->tgid, rec->hdr.ts);
	return row != GRT_NONE && !strcmp(grt_names_process_at(names, row)->comm, m->wants.comm);
}

/* --- objects --------------------------------------------------------------------- */

static uint32_t find_object(const struct grt_memory *m, const struct grtrace_memory *rec)
{
	return grt_keymap_get(&m->object_at, rec->object_id, rec->pci_address);
}

/* GRT_NONE: there is no room, or the event names no object, or with *err no memory. */
static uint32_t add_object(struct grt_memory *m, const struct grtrace_memory *rec, int *err)
{
	uint32_t i = m->free_object;

	*err = 0;
	if (!rec->object_id)
		return GRT_NONE;
	if (m->nr_objects == GRT_MEMORY_MAX_OBJECTS) {
		go_blind(m, rec->hdr.ts);
		m->lacks_rebinds = true;
		return GRT_NONE;
	}
	if (i != GRT_NONE)
		m->free_object = object_at(m, i)->process;
	else if (grt_vec_grow(&m->objects, sizeof(struct object)))
		i = grt_vec_count(&m->objects, struct object) - 1;
	if (i == GRT_NONE || grt_keymap_put(&m->object_at, rec->object_id, rec->pci_address, i)) {
		*err = grt_fail_memory();
		return GRT_NONE;
	}
	m->nr_objects++;
	*object_at(m, i) = (struct object){
		.id = rec->object_id, .device = rec->pci_address, .domain = GRT_DOMAIN_UNSAID,
		.process = GRT_NONE, .binds = GRT_NONE,
	};
	return i;
}

static void drop_object(struct grt_memory *m, uint32_t i)
{
	struct object *o = object_at(m, i);

	while (o->binds != GRT_NONE) {
		uint32_t bind = o->binds;

		o->binds = bind_at(m, bind)->next;
		bind_at(m, bind)->next = m->free_bind;
		m->free_bind = bind;
		m->nr_binds--;
	}
	grt_keymap_del(&m->object_at, o->id, o->device);
	o->process = m->free_object;
	m->free_object = i;
	m->nr_objects--;
}

/* Live bytes of its creator grow by those of @o, or shrink. */
static void set_live(struct grt_memory *m, const struct object *o, uint64_t ns, bool grows)
{
	struct grt_live_bytes *live = &process_at(m, o->process)->live;
	uint64_t bytes = grows ? o->bytes : -o->bytes;

	grt_live_bytes_set(live, &m->window, ns, live->level.bytes + bytes);
	grt_live_bytes_set(&m->all.live, &m->window, ns, m->all.live.level.bytes + bytes);
}

static void set_row(struct grt_memory *m, struct grt_memory_row *row, const struct object *o,
		    uint64_t ns, bool grows)
{
	grt_live_level_set(&row->live, &m->window, ns, row->live.bytes + (grows ? o->bytes : -o->bytes));
}

static int end_object(struct grt_memory *m, uint32_t i, uint64_t ns)
{
	const struct object *o = object_at(m, i);
	struct grt_memory_row *row;

	if (!o->is_created || o->process == GRT_NONE) {
		drop_object(m, i);
		return 0;
	}
	row = row_of(m, o);
	if (!row)
		return grt_fail_memory();
	if (is_in_window(m, ns)) {
		count(&process_at(m, o->process)->destroyed, o->bytes);
		count(&m->all.destroyed, o->bytes);
		count(&row->destroyed, o->bytes);
	}
	set_live(m, o, ns, false);
	set_row(m, row, o, ns, false);
	drop_object(m, i);
	return 0;
}

static int create(struct grt_memory *m, const struct grtrace_memory *rec)
{
	uint32_t i = find_object(m, rec), process;
	struct grt_memory_row *row;
	struct object *o;
	int err = 0;

	/* The number was given again, so the object before has ended, and no event said so. */
	if (i != GRT_NONE && object_at(m, i)->is_created) {
		if (object_at(m, i)->process != GRT_NONE)
			m->all.has_untold_ends = process_at(m, object_at(m, i)->process)->has_untold_ends = true;
		err = end_object(m, i, rec->hdr.ts);
		i = GRT_NONE;
	}
	/* amdgpu places an object before it reports that it has created it. */
	if (!err && i == GRT_NONE)
		i = add_object(m, rec, &err);
	if (err)
		return err;
	if (!is_wanted(m, rec)) {
		if (i != GRT_NONE)
			object_at(m, i)->is_created = true;
		return 0;
	}
	process = process_of(m, rec->tgid);
	if (process == GRT_NONE)
		return grt_fail_memory();
	if (is_in_window(m, rec->hdr.ts)) {
		count(&m->all.created, rec->bytes);
		count(&process_at(m, process)->created, rec->bytes);
	}
	/* xe's own event of a CREATE, for example.  Nobody can tell when that object ends. */
	if (!rec->object_id)
		m->all.has_blind_device = process_at(m, process)->has_blind_device = true;
	if (i == GRT_NONE)
		return 0;
	o = object_at(m, i);
	o->is_created = true;
	o->bytes = rec->bytes;
	o->process = process;
	row = row_of(m, o);
	if (!row)
		return grt_fail_memory();
	if (is_in_window(m, rec->hdr.ts))
		count(&row->created, o->bytes);
	set_live(m, o, rec->hdr.ts, true);
	set_row(m, row, o, rec->hdr.ts, true);
	return 0;
}

static int destroy(struct grt_memory *m, const struct grtrace_memory *rec)
{
	uint32_t i = find_object(m, rec);

	if ((i == GRT_NONE || !object_at(m, i)->is_created) && is_in_window(m, rec->hdr.ts) &&
	    is_wanted(m, rec))
		count(&m->earlier, rec->bytes);
	return i == GRT_NONE ? 0 : end_object(m, i, rec->hdr.ts);
}

/* The object is in another domain from now on. */
static int change_domain(struct grt_memory *m, struct object *o, uint32_t to, uint64_t ns)
{
	struct grt_memory_row *row;

	if (!o->is_created || o->process == GRT_NONE || o->domain == to) {
		o->domain = to;
		return 0;
	}
	row = row_of(m, o);
	if (!row)
		return grt_fail_memory();
	if (is_in_window(m, ns))
		count(&row->moved_out, o->bytes);
	set_row(m, row, o, ns, false);
	o->domain = to;
	row = row_of(m, o);
	if (!row)
		return grt_fail_memory();
	if (is_in_window(m, ns))
		count(&row->moved_in, o->bytes);
	set_row(m, row, o, ns, true);
	return 0;
}

/* In how many equal parts the window is split: as many as it has whole seconds, or one. */
static uint64_t seconds_of(const struct grt_memory *m)
{
	uint64_t span_ns = m->window.to_ns - m->window.from_ns;

	return span_ns < SECOND_NS ? 1 : span_ns / SECOND_NS;
}

static void count_second(const struct grt_memory *m, struct grt_memory_move *move, uint64_t ns, uint64_t bytes)
{
	uint64_t second = grt_live_part(&m->window, ns, seconds_of(m));

	if (second != move->second)
		move->second_bytes = 0;
	move->second = second;
	move->second_bytes += bytes;
	if (move->second_bytes > move->peak_bytes)
		move->peak_bytes = move->second_bytes;
}

/*
 * Drivers also report as a MOVE that an object is placed for the first time, or that its memory is
 * given back: amdgpu since Linux 6.9 and the stable updates of May 2024, amdgpu_bo_move_notify() in
 * amdgpu_object.c.  Before, amdgpu of Linux 6.1 named the domain that the object enters twice,
 * because it asked too late.
 */
static int move(struct grt_memory *m, const struct grtrace_memory *rec, struct grt_memory_process *p)
{
	uint32_t from = rec->from_domain == rec->to_domain ? GRT_DOMAIN_UNSAID : rec->from_domain;
	uint32_t i = find_object(m, rec);
	struct grt_memory_move *move;
	int err = 0;

	if (rec->to_domain == GRT_DOMAIN_NOWHERE)
		return destroy(m, rec);
	if (p && rec->from_domain != GRT_DOMAIN_NOWHERE) {
		move = move_of(m, rec->pci_address, from, rec->to_domain);
		if (!move)
			return grt_fail_memory();
		count(&move->sum, rec->bytes);
		count(&p->moved, rec->bytes);
		count(&m->all.moved, rec->bytes);
		count_second(m, move, rec->hdr.ts, rec->bytes);
	}
	if (i == GRT_NONE)
		i = add_object(m, rec, &err);
	return i == GRT_NONE ? err : change_domain(m, object_at(m, i), rec->to_domain, rec->hdr.ts);
}

/* NULL: not followed. */
static struct bind *find_bind(struct grt_memory *m, struct object *o, uint64_t vm, int *err)
{
	uint32_t count = 0, i;

	for (i = o->binds; i != GRT_NONE; i = bind_at(m, i)->next, count++)
		if (bind_at(m, i)->vm == vm)
			return bind_at(m, i);
	if (count == MAX_BINDS || m->nr_binds == GRT_MEMORY_MAX_OBJECTS) {
		m->lacks_rebinds = true;
		return NULL;
	}
	i = m->free_bind;
	if (i != GRT_NONE)
		m->free_bind = bind_at(m, i)->next;
	else if (grt_vec_grow(&m->binds, sizeof(struct bind)))
		i = grt_vec_count(&m->binds, struct bind) - 1;
	if (i == GRT_NONE) {
		*err = grt_fail_memory();
		return NULL;
	}
	m->nr_binds++;
	*bind_at(m, i) = (struct bind){ .vm = vm, .next = o->binds, .is_bound = true };
	o->binds = i;
	return bind_at(m, i);
}

static int bind(struct grt_memory *m, const struct grtrace_memory *rec, struct grt_memory_process *p)
{
	uint32_t i = find_object(m, rec);
	struct bind *b;
	int err = 0;

	if (!rec->vm_id || !rec->object_id) {
		if (p && rec->op == GRTRACE_MEMORY_BIND) {
			p->untold_binds++;
			m->all.untold_binds++;
		}
		return 0;
	}
	if (i == GRT_NONE)
		i = add_object(m, rec, &err);
	b = i == GRT_NONE ? NULL : find_bind(m, object_at(m, i), rec->vm_id, &err);
	if (!b)
		return err;
	if (p && rec->op == GRTRACE_MEMORY_BIND && !b->is_bound) {
		p->rebinds++;
		m->all.rebinds++;
	}
	b->is_bound = rec->op == GRTRACE_MEMORY_BIND;
	return 0;
}

/* --- records --------------------------------------------------------------------- */

static bool is_end(const struct grtrace_memory *rec)
{
	return rec->op == GRTRACE_MEMORY_DESTROY ||
	       (rec->op == GRTRACE_MEMORY_MOVE && rec->to_domain == GRT_DOMAIN_NOWHERE);
}

/* Counts the event for who caused it.  NULL with *err 0: nobody asked for it. */
static struct grt_memory_process *count_event(struct grt_memory *m, const struct grtrace_memory *rec, int *err)
{
	struct grt_memory_process *p;
	uint32_t i;

	*err = 0;
	if (!is_in_window(m, rec->hdr.ts))
		return NULL;
	if (!is_wanted(m, rec)) {
		m->others++;
		return NULL;
	}
	i = process_of(m, rec->tgid);
	if (i == GRT_NONE) {
		*err = grt_fail_memory();
		return NULL;
	}
	p = process_at(m, i);
	m->events++;
	count(&p->ops[rec->op], rec->bytes);
	count(&m->all.ops[rec->op], rec->bytes);
	if (rec->op == GRTRACE_MEMORY_FAULT && rec->hdr.flags & GRTRACE_F_WRITE) {
		p->write_faults++;
		m->all.write_faults++;
	}
	if (rec->op == GRTRACE_MEMORY_FAULT && rec->hdr.flags & GRTRACE_F_ACCESS_UNKNOWN) {
		p->untold_faults++;
		m->all.untold_faults++;
	}
	return p;
}

static int add_memory(struct grt_memory *m, const struct grtrace_memory *rec)
{
	struct grt_memory_process *p;
	int err;

	if (rec->op >= GRT_MEMORY_NR_OPS)
		return 0;
	if (rec->hdr.flags & GRTRACE_F_SYNTHETIC && !m->wants.with_synthetic) {
		m->synthetic += is_in_window(m, rec->hdr.ts);
		return 0;
	}
	err = is_end(rec) ? note_end(m, rec->pci_address) : 0;
	if (err)
		return err;
	if (rec->hdr.ts >= m->window.to_ns ||
	    (m->wants.window->is_known_part && rec->hdr.ts < m->window.from_ns))
		return 0;
	p = count_event(m, rec, &err);
	if (err)
		return err;
	switch (rec->op) {
	case GRTRACE_MEMORY_CREATE:
		return create(m, rec);
	case GRTRACE_MEMORY_DESTROY:
		return destroy(m, rec);
	case GRTRACE_MEMORY_MOVE:
		return move(m, rec, p);
	case GRTRACE_MEMORY_BIND:
	case GRTRACE_MEMORY_UNBIND:
		return bind(m, rec, p);
	default:
		return 0;
	}
}

int grt_memory_record(struct grt_memory *m, const struct grtrace_hdr *rec)
{
	struct grtrace_memory memory;

	switch (rec->type) {
	case GRTRACE_MEMORY:
		memory = grt_memory_of(rec);
		/* In a damaged trace time may run back.  Sums need it to go on. */
		if (memory.hdr.ts < m->now_ns)
			memory.hdr.ts = m->now_ns;
		m->now_ns = memory.hdr.ts;
		m->is_told = true;
		return add_memory(m, &memory);
	case GRTRACE_LOSS:
		add_loss(m, (const struct grtrace_loss *)rec);
		return 0;
	case GRTRACE_POLICY:
		return add_policy(m, (const struct grtrace_policy *)rec);
	default:
		return 0;
	}
}

/* --- the end --------------------------------------------------------------------- */

/* Numbers of objects and domains are of one boot of one machine. */
static bool has_several_boots(const struct grt_memory *m)
{
	return grt_model_names(m->model)->machines.boots > 1;
}

bool grt_memory_reports_ends(const struct grt_memory *m, uint32_t pci_address)
{
	return grt_keymap_get(&m->ends_told, pci_address, 0) != GRT_NONE;
}

static int compare_processes(const void *a, const void *b)
{
	const struct grt_memory_process *x = a, *y = b;

	if (x->created.bytes != y->created.bytes)
		return x->created.bytes < y->created.bytes ? 1 : -1;
	if (x->moved.bytes != y->moved.bytes)
		return x->moved.bytes < y->moved.bytes ? 1 : -1;
	return (x->tgid > y->tgid) - (x->tgid < y->tgid);
}

static int compare_rows(const void *a, const void *b)
{
	const struct grt_memory_row *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	return (x->domain > y->domain) - (x->domain < y->domain);
}

static int compare_moves(const void *a, const void *b)
{
	const struct grt_memory_move *x = a, *y = b;

	if (x->sum.bytes != y->sum.bytes)
		return x->sum.bytes < y->sum.bytes ? 1 : -1;
	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

/* Sorts the processes; rows of domains follow them. */
static int sort(struct grt_memory *m)
{
	size_t n = grt_memory_processes(m);
	uint32_t *tgids = malloc((n + 1) * sizeof(*tgids));
	struct grt_keymap sorted = { .slots = NULL };
	int err = tgids ? 0 : grt_fail_memory();

	for (size_t i = 0; i < n && !err; i++)
		tgids[i] = process_at(m, i)->tgid;
	if (n && !err)
		qsort(m->processes.data, n, sizeof(struct grt_memory_process), compare_processes);
	for (size_t i = 0; i < n && !err; i++)
		if (grt_keymap_put(&sorted, process_at(m, i)->tgid, 0, i))
			err = grt_fail_memory();
	for (size_t i = 0; i < grt_memory_rows(m) && !err; i++)
		row_at(m, i)->process = grt_keymap_get(&sorted, tgids[row_at(m, i)->process], 0);
	if (grt_memory_rows(m) && !err)
		qsort(m->rows.data, grt_memory_rows(m), sizeof(struct grt_memory_row), compare_rows);
	if (grt_memory_moves(m) && !err)
		qsort(m->moves.data, grt_memory_moves(m), sizeof(struct grt_memory_move), compare_moves);
	grt_keymap_free(&sorted);
	free(tgids);
	return err;
}

int grt_memory_end(struct grt_memory *m)
{
	if (has_several_boots(m))
		m->blind_ns = 0;
	for (size_t i = 0; i < grt_memory_processes(m); i++)
		grt_live_bytes_close(&process_at(m, i)->live, &m->window);
	grt_live_bytes_close(&m->all.live, &m->window);
	for (size_t i = 0; i < grt_memory_rows(m); i++) {
		struct grt_memory_row *row = row_at(m, i);

		grt_live_level_close(&row->live, &m->window);
		if (grt_memory_reports_ends(m, row->device))
			continue;
		process_at(m, row->process)->has_blind_device = true;
		m->all.has_blind_device = true;
	}
	return sort(m);
}

bool grt_memory_is_whole(const struct grt_memory *m)
{
	return m->blind_ns >= m->window.to_ns;
}

bool grt_memory_knows_live(const struct grt_memory *m, const struct grt_memory_process *p)
{
	return m->is_told && grt_memory_is_whole(m) && !p->has_blind_device;
}

bool grt_memory_knows_row(const struct grt_memory *m, const struct grt_memory_row *row)
{
	return grt_memory_is_whole(m) && grt_memory_reports_ends(m, row->device);
}

bool grt_memory_knows_column(const struct grt_memory *m, const struct grt_memory_process *p, unsigned int i)
{
	return m->is_told && !p->has_blind_device &&
	       m->blind_ns >= grt_live_part_ns(&m->window, i + 1, GRT_LIVE_COLUMNS);
}

static uint64_t rate(uint64_t bytes, uint64_t ns)
{
	unsigned __int128 per_s = (unsigned __int128)bytes * SECOND_NS / ns;

	return per_s < UINT64_MAX ? per_s : UINT64_MAX;
}

bool grt_memory_rates(const struct grt_memory *m, const struct grt_memory_move *move, uint64_t *mean,
		      uint64_t *peak)
{
	uint64_t span_ns = m->window.to_ns - m->window.from_ns;

	*mean = rate(move->sum.bytes, span_ns);
	*peak = rate(move->peak_bytes, span_ns / seconds_of(m));
	return grt_memory_is_whole(m);
}

bool grt_memory_leaks(const struct grt_memory *m, const struct grt_memory_process *p, uint64_t *bytes)
{
	return grt_memory_knows_live(m, p) && !p->has_untold_ends && p->tgid != GRT_MEMORY_OTHERS &&
	       m->window.to_ns - m->window.from_ns >= GRT_LEAK_MIN_NS &&
	       grt_live_rises(&p->live, bytes) && *bytes >= GRT_LEAK_MIN_BYTES;
}
