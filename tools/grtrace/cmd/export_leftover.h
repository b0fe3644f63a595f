/* SPDX-License-Identifier: GPL-2.0 */
/* What a recorder that was killed left for record --export. */
#ifndef GRT_EXPORT_LEFTOVER_H
#define GRT_EXPORT_LEFTOVER_H

struct grt_export_folder;

/*
 * Gives the unfinished segment its name, and writes what the module still holds of that session behind it.
 * 0 or -errno with a cause.
 */
int grt_export_take_leftovers(const struct grt_export_folder *f);

#endif /* GRT_EXPORT_LEFTOVER_H */
