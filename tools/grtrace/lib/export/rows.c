// SPDX-License-Identifier: LGPL-2.1
/*
 * Rows for a database, each a JSON object in a line of its own: a row per job, then the tables of the
 * report, at last a ledger for each machine, which says how many rows it has and what they sum to.
 *
 * Every row has "row", the name of its table, and "segment", "host", "boot_id" and "day".  Rows of jobs have
 * the columns of grtrace report --jobs and "owner", the others those of their table in the report, and "nr", which counts
 * them.  So (host, boot_id, ctx, seqno) is a key of jobs and (host, boot_id, segment, nr) one of the others:
 * a file that is loaded again changes nothing.  Tables are of all machines: they name what all of them have in common.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "boot.h"
#include "error.h"
#include "formats.h"
#include "json.h"
#include "report_tables.h"

#define SECONDS_PER_DAY	86400
#define NS_PER_S	1000000000ll

/* Counts the rows of a machine.  Rows of machines with the same names cannot be told apart: those have one ledger. */
struct ledger {
	struct grt_machine machine;
	uint64_t nr;			/* rows of the report's tables */
	uint64_t events, lost, left_out, missing;
	uint64_t jobs, exec_jobs, exec_ns, total_jobs, total_ns, waited_ns;
};

struct rows {
	uint64_t segment;		/* when it begins, in the trace's clock */
	bool has_realtime;
	uint64_t realtime_ahead_ns;	/* CLOCK_REALTIME, less the trace's clock; wraps around */
	int64_t day;			/* since 1970; of @day_text */
	char day_text[16];
	struct grt_vec ledgers;		/* of struct ledger */
	struct grt_namemap numbers;	/* of ledgers, by their machines' names */
	uint32_t of_boot[GRT_MAX_BOOTS + 1];	/* number of the ledger, + 1; 0: not looked up with the names as they are now */
	uint32_t of_tables;		/* number of the ledger of the machine that all machines have in common */
};

/* The tables of the report that become rows.  All of their numbers but the worst can be added up. */
static void (*const tables[])(struct grt_report_table *s, const struct grt_job_out *o) = {
	grt_report_time, grt_report_idle, grt_report_blame, grt_report_roots, grt_report_owner_blame,
	grt_report_owner_roots,
};

#define NR_TABLES	(sizeof(tables) / sizeof(tables[0]))

static void set_realtime(struct rows *r, uint64_t ns, uint64_t real_ns)
{
	r->has_realtime = real_ns;
	r->realtime_ahead_ns = real_ns - ns;
}

static void free_rows(struct grt_export *x)
{
	struct rows *r = x->state;

	if (r) {
		grt_vec_free(&r->ledgers);
		grt_namemap_free(&r->numbers);
	}
	free(r);
	x->state = NULL;
}

static int begin(struct grt_export *x)
{
	struct rows *r = calloc(1, sizeof(*r));

	free_rows(x);
	x->state = r;
	if (!r)
		return grt_fail_memory();
	r->segment = x->segment_ns ? x->segment_ns : x->info->start_ns;
	r->day = -1;
	x->out.has_all_rings = true;
	set_realtime(r, x->info->start_ns, x->info->start_real_ns);
	return 0;
}

static struct ledger *ledger_at(struct rows *r, uint32_t nr)
{
	return grt_vec_at(&r->ledgers, struct ledger, nr);
}

static int find_ledger(struct rows *r, const struct grt_machine *m, uint32_t *nr)
{
	struct ledger new = { .machine = *m };
	char key[sizeof(m->host) + sizeof(m->boot_id)];

	snprintf(key, sizeof(key), "%s\n%s", m->host, m->boot_id);
	*nr = grt_namemap_get(&r->numbers, key);
	if (*nr != GRT_NONE)
		return 0;
	*nr = grt_vec_count(&r->ledgers, struct ledger);
	return grt_vec_append(&r->ledgers, &new, sizeof(new)) || grt_namemap_set(&r->numbers, key, *nr) ?
	       grt_fail_memory() : 0;
}

/* The ledger of the boot that a number belongs to.  NULL: no memory. */
static struct ledger *ledger_of(const struct grt_export *x, uint64_t number, uint64_t unit)
{
	const struct grt_machine_names *machines = &grt_model_names(x->model)->machines;
	uint64_t boot = grt_machine_names_boot(machines, number, unit);
	struct rows *r = x->state;
	uint32_t *known, nr;

	/* Numbers of a damaged trace may be of no boot. */
	known = &r->of_boot[boot < GRT_MAX_BOOTS ? boot : GRT_MAX_BOOTS];
	if (!*known) {
		if (find_ledger(r, grt_machine_names_of(machines, boot), &nr))
			return NULL;
		*known = nr + 1;
	}
	return ledger_at(r, *known - 1);
}

static void count_loss(struct ledger *l, const struct grtrace_loss *loss)
{
	if (loss->reason == GRTRACE_FATE_WRITTEN)
		l->missing += loss->count;
	else if (GRTRACE_LOST_FATES >> loss->reason & 1)
		l->lost += loss->count;
	else
		l->left_out += loss->count;
}

static int record(struct grt_export *x, const struct grtrace_hdr *rec)
{
	struct rows *r = x->state;
	struct ledger *l;

	if (rec->type == GRTRACE_CLOCK) {
		const struct grtrace_clock *clock = (const struct grtrace_clock *)rec;

		set_realtime(r, rec->ts, clock->real_ns);
	} else if (rec->type == GRTRACE_MACHINE || rec->type == GRTRACE_METADATA) {
		memset(r->of_boot, 0, sizeof(r->of_boot));
	}
	if ((rec->type != GRTRACE_LOSS && rec->type >= GRTRACE_STREAM_BASE) || !grt_window_has_ns(&x->window, rec->ts))
		return 0;
	l = ledger_of(x, rec->cpu, GRT_BOOT_CPUS);
	if (!l)
		return -ENOMEM;
	if (rec->type == GRTRACE_LOSS)
		count_loss(l, (const struct grtrace_loss *)rec);
	else
		l->events++;
	return 0;
}

/*
 * Opens the object of a row and adds the members that every row has.  @ns is a time of the trace's clock; the
 * row's day (in UTC) and realtime_ns are made from it.
 */
static void open_row(struct grt_export *x, struct grt_json *j, const char *name, const char *host,
		     const char *boot_id, uint64_t ns)
{
	struct rows *r = x->state;
	uint64_t real_ns = ns + r->realtime_ahead_ns;
	time_t s = real_ns / NS_PER_S;
	struct tm tm;

	grt_json_open(j, NULL, '{');
	grt_json_text(j, "row", name);
	grt_json_u64(j, "segment", r->segment);
	if (host)
		grt_json_text(j, "host", host);
	if (boot_id)
		grt_json_text(j, "boot_id", boot_id);
	if (!r->has_realtime) {
		grt_json_null(j, "day");
		grt_json_null(j, "realtime_ns");
		return;
	}
	if (s / SECONDS_PER_DAY != r->day && gmtime_r(&s, &tm)) {
		r->day = s / SECONDS_PER_DAY;
		strftime(r->day_text, sizeof(r->day_text), "%Y-%m-%d", &tm);
	}
	grt_json_text(j, "day", r->day_text);
	grt_json_u64(j, "realtime_ns", real_ns);
}

static int close_row(struct grt_export *x, struct grt_json *j)
{
	grt_json_close(j, '}');
	putc('\n', x->file);
	return grt_export_check(x);
}

/* As the tables of pods call it; "": not known. */
static const char *owner_of(const struct grt_names *names, uint32_t process, char to[GRT_OWNER_MAX])
{
	uint32_t row = grt_names_owner_of(names, process);

	return row == GRT_NONE ? "" :
	       grt_cgroup_owner(&names->cgroups, grt_cgroup_names_at(&names->cgroups, row), to);
}

static int job(struct grt_export *x, const struct grt_job *job)
{
	const struct grt_names *names = grt_model_names(x->model);
	struct grt_json j = { .file = x->file };
	struct ledger *l = ledger_of(x, job->ctx, GRT_BOOT_CTXS);
	char owner[GRT_OWNER_MAX];

	if (!l)
		return -ENOMEM;
	/* Host and boot are columns of a job. */
	open_row(x, &j, "job", NULL, NULL, grt_job_last_ns(job));
	grt_json_text(&j, "owner", owner_of(names, job->process, owner));
	grt_job_json_add(&j, &x->out, job);
	l->jobs++;
	if (grt_job_knows(job, GRT_STAGE_EXEC)) {
		l->exec_jobs++;
		l->exec_ns += job->stage_ns[GRT_STAGE_EXEC];
	}
	if (grt_job_knows(job, GRT_STAGE_TOTAL)) {
		l->total_jobs++;
		l->total_ns += job->stage_ns[GRT_STAGE_TOTAL];
	}
	return close_row(x, &j);
}

static int write_table(struct grt_export *x, const struct grt_report_table *t)
{
	struct rows *r = x->state;
	struct ledger *l = ledger_at(r, r->of_tables);
	int err = t->failed;

	for (unsigned int i = 0; i < grt_report_rows(t) && !err; i++) {
		struct grt_json j = { .file = x->file };

		open_row(x, &j, t->name, l->machine.host, l->machine.boot_id, x->from_ns);
		grt_json_u64(&j, "nr", l->nr++);
		grt_report_json_row(t, &j, i);
		err = close_row(x, &j);
	}
	return err;
}

static void add_times(const struct grt_export *x, struct grt_json *j)
{
	uint64_t begin_ns = x->segment_ns ? x->segment_ns : x->info->start_ns;
	/* A segment in which nothing happened has no first and no last event. */
	uint64_t from_ns = x->from_ns ? x->from_ns : begin_ns;
	uint64_t to_ns = x->to_ns && x->to_ns != UINT64_MAX ? x->to_ns : from_ns;

	grt_json_u64(j, "from_ns", from_ns);
	grt_json_u64(j, "to_ns", to_ns);
	grt_json_u64(j, "wall_ns", grt_model_wall_ns(x->model));
}

static int write_ledger(struct grt_export *x, uint32_t nr)
{
	const struct ledger *l = ledger_at(x->state, nr);
	struct grt_json j = { .file = x->file };

	open_row(x, &j, "ledger", l->machine.host, l->machine.boot_id, x->from_ns);
	grt_json_u64(&j, "nr", l->nr);
	grt_json_text(&j, "trace", x->name ? x->name : x->info->name);
	grt_json_text(&j, "version", GRT_VERSION);
	add_times(x, &j);
	grt_json_u64(&j, "events", l->events);
	grt_json_u64(&j, "lost", l->lost);
	grt_json_u64(&j, "left_out", l->left_out);
	grt_json_u64(&j, "missing", l->missing);
	grt_json_u64(&j, "jobs", l->jobs);
	grt_json_u64(&j, "exec_jobs", l->exec_jobs);
	grt_json_u64(&j, "exec_ns", l->exec_ns);
	grt_json_u64(&j, "total_jobs", l->total_jobs);
	grt_json_u64(&j, "total_ns", l->total_ns);
	grt_json_u64(&j, "waited_ns", l->waited_ns);
	return close_row(x, &j);
}

/* The ledger of the tables comes last: a file without it is not complete. */
static int write_ledgers(struct grt_export *x)
{
	struct rows *r = x->state;
	int err = 0;

	for (uint32_t nr = 0; nr < grt_vec_count(&r->ledgers, struct ledger) && !err; nr++)
		if (nr != r->of_tables)
			err = write_ledger(x, nr);
	return err ? err : write_ledger(x, r->of_tables);
}

static uint64_t waited_ns(const struct grt_matrix *blame)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < grt_matrix_count(blame); i++)
		ns += grt_matrix_at(blame, i)->ns;
	return ns;
}

static int end(struct grt_export *x)
{
	struct grt_machine common = grt_machine_names_common(&grt_model_names(x->model)->machines);
	struct rows *r = x->state;
	int err = find_ledger(r, &common, &r->of_tables);

	if (err)
		return err;
	ledger_at(r, r->of_tables)->waited_ns = waited_ns(&x->summary.blame);
	for (size_t i = 0; i < NR_TABLES && !err; i++) {
		struct grt_report_table table;

		tables[i](&table, &x->out);
		err = write_table(x, &table);
		grt_report_free(&table);
	}
	return err ? err : write_ledgers(x);
}

#define ROW_FUNCTIONS										\
	.needs = GRT_EXPORT_EVENTS | GRT_EXPORT_REPORT | GRT_EXPORT_ROOTS | GRT_EXPORT_OUTSIDE,	\
	.begin = begin, .record = record, .job = job, .end = end, .free = free_rows

const struct grt_export_format grt_export_ndjson = {
	.name = "ndjson", .text = "a JSON object per line: jobs, and the report's tables, for databases",
	ROW_FUNCTIONS,
};

const struct grt_export_format grt_export_sqlite = {
	.name = "sqlite", .text = "the rows of ndjson, in a database of SQLite",
	.suffix = ".db", .is_database = true,
	ROW_FUNCTIONS,
};
