/* SPDX-License-Identifier: GPL-2.0 */
/* The names that reports, filters and imports know, for users and tests. */
#ifndef GRT_TABLES_H
#define GRT_TABLES_H

#include <stdbool.h>

/* Prints a table, a row per line: name, then meaning.  False: there is no such table. */
bool print_table(const char *name);

/* Prints the names of the tables, one per line, for the help. */
void print_tables(void);

#endif /* GRT_TABLES_H */
