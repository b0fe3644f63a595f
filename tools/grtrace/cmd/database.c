// SPDX-License-Identifier: GPL-2.0
#include "database.h"

#include <errno.h>
#include <fcntl.h>
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

/* Only its owner may read it, as with recordings. */
static int make(struct database *d)
{
	int fd = open(d->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0 && errno == EEXIST)
		return 0;
	if (fd < 0)
		return grt_fail_errno(grt_outfile_hint(errno), "cannot write '%s'", d->path);
	d->is_new = true;
	close(fd);
	return 0;
}

static int prepare(struct database *d)
{
	const cookie_io_functions_t io = { .write = take };
	int err = make(d);

	if (err)
		return err;
	if (sqlite3_open_v2(d->path, &d->db, SQLITE_OPEN_READWRITE, NULL) ||
	    sqlite3_busy_timeout(d->db, WAIT_MS) ||
	    sqlite3_exec(d->db, sql_before, NULL, NULL, NULL) ||
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

static void discard(struct database *d)
{
	sqlite3_finalize(d->insert);
	sqlite3_close(d->db);
	free(d->line);
}

int database_open(struct database *d)
{
	struct grt_user user = grt_user();
	int err = grt_user_enter(user.uid, user.gid);

	if (err)
		return err;
	err = prepare(d);
	if (err) {
		discard(d);
		if (d->is_new)
			unlink(d->path);
	}
	grt_user_leave();
	return err;
}

int database_close(struct database *d, bool is_whole)
{
	struct grt_user user = grt_user();
	int err = grt_user_enter(user.uid, user.gid);

	if (err)
		return err;
	if (is_whole || d->err)
		err = load(d);
	else
		fclose(d->file);
	discard(d);
	if (d->is_new && (err || !is_whole))
		unlink(d->path);
	grt_user_leave();
	return err;
}
