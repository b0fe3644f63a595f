/* SPDX-License-Identifier: GPL-2.0 */
/* The forms in which commands print tables: text, csv and json. */
#ifndef GRT_CMD_FORMAT_H
#define GRT_CMD_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

struct grt_report_table;

/* Whether there is one of that name; NULL is text. */
bool grt_has_format(const char *name);

/* Prints the tables to standard output; @format is one that there is. */
void grt_print_as(const char *format, const struct grt_report_table *tables, size_t count);

#endif /* GRT_CMD_FORMAT_H */
