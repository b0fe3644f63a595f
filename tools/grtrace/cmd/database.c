// SPDX-License-Identifier: GPL-2.0
#include "database.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "outfile.h"
#include "load_sql.h"
#include "user.h"

#define WAIT_MS	10000	/* for another program that writes to it */

static int fail(struct database *d)
{
	int code = sqlite3_errcode(d->db);
	const char *hint = code == SQLITE_NOTADB ? "name a database of SQLite, or a file that does not exist" :
			   code == SQLITE_FULL ? grt_outfile_hint(ENOSPC) :
			   code == SQLITE_BUSY ? "try again when no other program writes to it" : NULL;

	return grt_fail(EIO, hint, "cannot write '%s': %s", d->path, sqlite3_errmsg(d->db));
}

static int insert(struct database *d)
{
	sqlite3_bind_text(d->insert, 1, d->line, d->length, SQLITE_STATIC);
	sqlite3_step(d->insert);
	d->length = 0;
	return sqlite3_reset(d->insert) ? fail(d) : 0;
}

static int append(struct database *d, const char *text, size_t length)
{
	if (d->length + length > d->room) {
		size_t room = 2 * (d->length + length);
		char *line = realloc(d->line, room);

		if (!line)
			return grt_fail_memory();
		d->line = line;
		d->room = room;
	}
	memcpy(d->line + d->length, text, length);
	d->length += length;
	return 0;
}

/* For ->file. */
static ssize_t take(void *arg, const char *text, size_t length)
{
	struct database *d = arg;
	const char *at = text, *end = text + length, *newline;

	for (; at < end && !d->err; at = newline + 1) {
		newline = memchr(at, '\n', end - at);
		d->err = append(d, at, (newline ? newline : end) - at);
		if (!newline)
			break;
		if (!d->err)
			d->err = insert(d);
	}
	errno = EIO;
	return d->err ? 0 : (ssize_t)length;
}

/* An earlier database of that name left these files: SQLite would apply them to the new one. */
static void remove_remains(const char *path)
{
	static const char *const ends[] = { "-journal", "-wal", "-shm" };
	char name[4096];

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (snprintf(name, sizeof(name), "%s%s", path, ends[i]) < (int)sizeof(name))
			unlink(name);
}

static int make(struct database *d)
{
	struct grt_user user = grt_user();
	int err;

	if (!access(d->path, F_OK))
		return 0;
	d->made = (struct grt_outfile){
		.path = d->path, .uid = user.uid, .gid = user.gid, .is_named = true, .is_new = true,
	};
	err = grt_outfile_open(&d->made);
	d->is_new = !err;
	return err;
}

/* A database of an older version lacks the columns that were added later. */
static int add_columns(struct database *d)
{
	static const char *const later[] = {
		"t_gpu_wait_ns", "t_sched_cpu_ns", "t_wake_ns", "t_ioctl_ns", "pidns", "cgroup_id",
	};
	char sql[128];

	for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++) {
		if (!sqlite3_table_column_metadata(d->db, NULL, "job", later[i], NULL, NULL, NULL, NULL, NULL))
			continue;
		snprintf(sql, sizeof(sql), "alter table job add column %s integer", later[i]);
		if (sqlite3_exec(d->db, sql, NULL, NULL, NULL))
			return SQLITE_ERROR;
	}
	return SQLITE_OK;
}

static int prepare(struct database *d)
{
	const cookie_io_functions_t io = { .write = take };

	/* A new database is thrown away if it does not become whole, so it needs no journal. */
	if (sqlite3_open_v2(d->is_new ? d->made.temp_name : d->path, &d->db, SQLITE_OPEN_READWRITE, NULL) ||
	    sqlite3_busy_timeout(d->db, WAIT_MS) ||
	    (d->is_new && sqlite3_exec(d->db, "pragma journal_mode = off", NULL, NULL, NULL)) ||
	    sqlite3_exec(d->db, sql_before, NULL, NULL, NULL) || add_columns(d) ||
	    sqlite3_prepare_v2(d->db, "insert into line values (?)", -1, &d->insert, NULL) ||
	    sqlite3_exec(d->db, "begin", NULL, NULL, NULL))
		return fail(d);
	d->file = fopencookie(d, "w", io);
	return d->file ? 0 : grt_fail_memory();
}

/* Now the rows come from the lines into their tables, all of them or none. */
static int load(struct database *d)
{
	fclose(d->file);
	if (d->err == -ENOMEM)
		return grt_fail_memory();
	if (d->err || sqlite3_exec(d->db, "commit", NULL, NULL, NULL) ||
	    sqlite3_exec(d->db, sql_after, NULL, NULL, NULL))
		return fail(d);
	return 0;
}

/* Where SQLite could not undo a change, its journal has what it needs: who opens the database next does it. */
static void undo(const char *path)
{
	sqlite3 *db = NULL;

	if (!sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL))
		sqlite3_exec(db, "select count(*) from sqlite_master", NULL, NULL, NULL);
	sqlite3_close(db);
}

static void close_database(struct database *d)
{
	sqlite3_finalize(d->insert);
	sqlite3_close(d->db);
	free(d->line);
}

/* A new database is gone, and another one is as it was. */
static void discard(struct database *d)
{
	close_database(d);
	if (!d->is_new)
		undo(d->path);
}

static int as_user(struct database *d, int (*act)(struct database *d))
{
	struct grt_user user = grt_user();
	int err = grt_user_enter(user.uid, user.gid);

	if (err)
		return err;
	err = act(d);
	grt_user_leave();
	return err;
}

static int begin(struct database *d)
{
	int err = prepare(d);

	if (err)
		discard(d);
	return err;
}

static int end_whole(struct database *d)
{
	int err = load(d);

	if (err) {
		discard(d);
		return err;
	}
	close_database(d);
	if (d->is_new && access(d->path, F_OK))
		remove_remains(d->path);
	return 0;
}

static int end_early(struct database *d)
{
	fclose(d->file);
	discard(d);
	return 0;
}

int database_open(struct database *d)
{
	int err = make(d);

	if (err)
		return err;
	err = as_user(d, begin);
	if (err && d->is_new) {
		grt_outfile_abandon(&d->made);
		grt_outfile_free(&d->made);
	}
	return err;
}

int database_close(struct database *d, bool is_whole)
{
	int err = as_user(d, is_whole || d->err ? end_whole : end_early);

	if (!d->is_new)
		return err;
	if (!err && is_whole)
		err = grt_outfile_commit(&d->made);
	else
		grt_outfile_abandon(&d->made);
	grt_outfile_free(&d->made);
	return err;
}
