/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Answers requests for metrics, with libmicrohttpd.  That is loaded only here: with all that it needs it would
 * take memory and time in every command.
 *
 * Whatever clients do, memory is bounded: pages are shared, and clients that do not read the newest ones in
 * time lose their connection.
 */
#ifndef GRT_CMD_SERVE_HTTP_H
#define GRT_CMD_SERVE_HTTP_H

struct grt_om;
struct serve_http;

/* Writes a page into the empty @o.  0 or -errno with a cause. */
typedef int serve_page_fn(void *arg, struct grt_om *o);

/*
 * Answers on @socket with pages of @page, in a thread, until serve_http_stop().  Takes the socket over, also on
 * failure.  0 or -errno with a cause.
 */
int serve_http_start(struct serve_http **http, serve_page_fn *page, void *arg, int socket);
void serve_http_stop(struct serve_http *http);	/* NULL is allowed */

#endif /* GRT_CMD_SERVE_HTTP_H */
