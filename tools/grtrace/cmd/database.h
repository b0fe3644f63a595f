/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A database of SQLite that takes the rows of export --to ndjson, as sql/sqlite/load.sql does.  Rows of a
 * trace that it has already are replaced.
 */
#ifndef GRT_CMD_DATABASE_H
#define GRT_CMD_DATABASE_H

#include <stdbool.h>
#include <stdio.h>

#include "outfile.h"

struct sqlite3;
struct sqlite3_stmt;

struct database {
	const char *path;	/* the caller sets only this one */
	FILE *file;		/* takes the lines of JSON */

	/* Private. */
	struct sqlite3 *db;
	struct sqlite3_stmt *insert;
	char *line;		/* the line that is not complete yet */
	size_t length, room;
	struct grt_outfile made; /* of a new database, which has its name only when it is whole */
	bool is_new;
	int err;		/* of a line */
};

/*
 * Opens the database, or makes it under a temporary name, and opens ->file.  0 or -errno with a cause.
 */
int database_open(struct database *d);

/*
 * Closes it.  If the rows are not @is_whole, or cannot be written, the database has those that it had, and a new
 * one is gone.  0 or -errno with a cause, which is also that of a line that @file did not take.
 */
int database_close(struct database *d, bool is_whole);

#endif /* GRT_CMD_DATABASE_H */
