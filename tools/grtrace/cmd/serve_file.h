/* SPDX-License-Identifier: GPL-2.0 */
/* The file of grtrace serve --textfile. */
#ifndef GRT_CMD_SERVE_FILE_H
#define GRT_CMD_SERVE_FILE_H

struct grt_vec;

/*
 * Replaces @path by @text, a vector of char: a reader sees the old file or the new one.  0 or -errno with a
 * cause.
 */
int serve_file_write(const char *path, const struct grt_vec *text);

#endif /* GRT_CMD_SERVE_FILE_H */
