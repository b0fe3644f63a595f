/* SPDX-License-Identifier: GPL-2.0 */
/* The files of a flight recorder: their names have the time, so that no file replaces another. */
#ifndef GRT_FLIGHT_FILES_H
#define GRT_FLIGHT_FILES_H

#include <stddef.h>
#include <stdint.h>

/* hang.grt -> hang-20261125-180312.grt, in UTC; with -2 and so on where that exists.  0 or -errno. */
int grt_flight_files_name(char *to, size_t room, const char *path);

/* hang.grt -> hang-end.grt.  0 or -errno with a cause. */
int grt_flight_files_end_name(char *to, size_t room, const char *path);

/*
 * Removes the oldest of these files until no more than @keep are left and they take no more than
 * @max_bytes together; 0 is no limit.  @latest, the one just written, always stays.  Removes with the
 * rights of @uid:@gid.
 */
void grt_flight_files_prune(const char *path, const char *latest, uint64_t keep, uint64_t max_bytes,
			    uint32_t uid, uint32_t gid);

#endif /* GRT_FLIGHT_FILES_H */
