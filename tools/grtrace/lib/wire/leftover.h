/* SPDX-License-Identifier: LGPL-2.1 */
/* Names of unfinished files, and the cleanup after a command was killed. */
#ifndef GRT_LEFTOVER_H
#define GRT_LEFTOVER_H

#include <stdint.h>

/* Follows the name of the file; six random letters and digits follow the mark. */
#define GRT_LEFT_PRODUCT	".grtrace-part-"
#define GRT_LEFT_RECORDING	".grtrace-rec-"

/* The folder of @path, to be freed; NULL without memory. */
char *grt_left_folder(const char *path);

/* @path, @mark and six random characters, to be freed; NULL without memory. */
char *grt_left_name(const char *path, const char *mark);

/* Like rename(), but never replaces a file. */
int grt_left_rename(const char *from, const char *to);

/*
 * Renames the unfinished recording @temp_name: trace-cut-a1B2c3.grt.  Returns the new name, to be
 * freed, or NULL and errno.
 */
char *grt_left_set_aside(const char *temp_name);

/*
 * Removes the folder @path and its files, but no folders in it.  Errors leave a part of it.
 */
void grt_left_remove_folder(const char *path);

/*
 * Cleans up what killed commands left in the folder of @path: removes unfinished products, which
 * may be folders; renames unfinished recordings and says so.  Touches only what is of @uid and not
 * locked.
 */
void grt_left_sweep(const char *path, uint32_t uid, uint32_t gid);

#endif /* GRT_LEFTOVER_H */
