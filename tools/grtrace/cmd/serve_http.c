// SPDX-License-Identifier: GPL-2.0
#include "serve_http.h"

#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "clock_snapshot.h"
#include "error.h"
#include "openmetrics.h"

#define LIBRARY		"libmicrohttpd.so.12"
#define MANY_FILES	4096		/* each connection is one */
#define OTHER_FILES	64		/* of sources, and so on */
#define CONNECTION_BYTES	4096
#define IDLE_S		5		/* until a connection is closed on which nothing moves */
#define BLOCK_BYTES	65536
#define PAGES		8
#define FRESH_NS	100000000	/* requests within this time share a page */

/* The functions of the library that are used. */
#define FUNCTIONS(X)						\
	X(start_daemon) X(stop_daemon) X(create_response_from_callback) X(create_response_from_buffer)	\
	X(add_response_header) X(queue_response) X(destroy_response) X(lookup_connection_value)

struct library {
#define X(name) typeof(MHD_##name) *name;
	FUNCTIONS(X)
#undef X
};

/* A text that several requests may be given. */
struct page {
	struct serve_http *http;
	struct grt_vec text;		/* of char; NULL data: too old, and taken from its clients */
	uint64_t made_ns;
	bool is_openmetrics;
	bool is_released;		/* no new client gets it; it is freed with its last one */
	struct MHD_Response *response;
};

struct serve_http {
	serve_page_fn *page;
	void *page_arg;
	struct library mhd;
	struct MHD_Daemon *daemon;
	struct page *pages[PAGES];	/* each is freed with its response; NULL: none */
	struct grt_vec spare;		/* memory of a freed page, for the next one, which is faster than new memory */
	struct MHD_Response *index, *not_found, *bad_method, *failed;
};

/* --- pages --- */

static ssize_t read_page(void *arg, uint64_t at, char *to, size_t room)
{
	struct page *page = arg;
	size_t left;

	if (at >= page->text.bytes)
		return MHD_CONTENT_READER_END_WITH_ERROR;
	left = page->text.bytes - at;
	if (left > room)
		left = room;
	memcpy(to, (const char *)page->text.data + at, left);
	return left;
}

static void free_page(void *arg)
{
	struct page *page = arg;
	struct serve_http *h = page->http;

	for (int i = 0; i < PAGES; i++)
		if (h->pages[i] == page)
			h->pages[i] = NULL;
	if (page->text.capacity > h->spare.capacity) {
		grt_vec_free(&h->spare);
		h->spare = page->text;
	} else {
		grt_vec_free(&page->text);
	}
	free(page);
}

/* From now on no new client gets it. */
static void release_page(struct serve_http *h, struct page *page)
{
	if (!page || page->is_released)
		return;
	page->is_released = true;
	h->mhd.destroy_response(page->response);
}

/* A place for a page.  If none is free, the clients that still read the oldest page lose their connection. */
static struct page **find_place(struct serve_http *h)
{
	struct page **oldest = &h->pages[0];

	for (int i = 0; i < PAGES; i++) {
		if (!h->pages[i])
			return &h->pages[i];
		if (h->pages[i]->made_ns < (*oldest)->made_ns)
			oldest = &h->pages[i];
	}
	grt_vec_free(&(*oldest)->text);
	*oldest = NULL;
	return oldest;
}

static struct page *make_page(struct serve_http *h, bool is_openmetrics)
{
	struct grt_om om = { .is_openmetrics = is_openmetrics, .text = h->spare };
	struct page *page = calloc(1, sizeof(*page));
	int err;

	h->spare = (struct grt_vec){ .data = NULL };
	om.text.bytes = 0;
	err = page ? h->page(h->page_arg, &om) : grt_fail_memory();
	grt_vec_free(&om.labels);
	if (err) {
		grt_om_free(&om);
		free(page);
		return NULL;
	}
	*page = (struct page){
		.http = h, .text = om.text, .is_openmetrics = is_openmetrics,
		.made_ns = grt_snapshot_now(CLOCK_MONOTONIC),
	};
	page->response = h->mhd.create_response_from_callback(om.text.bytes, BLOCK_BYTES, read_page, page, free_page);
	if (!page->response) {
		free_page(page);
		return NULL;
	}
	h->mhd.add_response_header(page->response, MHD_HTTP_HEADER_CONTENT_TYPE,
				   is_openmetrics ? GRT_OM_CONTENT_TYPE : GRT_OM_TEXT_CONTENT_TYPE);
	return page;
}

static struct page *fresh_page(struct serve_http *h, bool is_openmetrics)
{
	uint64_t now_ns = grt_snapshot_now(CLOCK_MONOTONIC);
	struct page *page;

	for (int i = 0; i < PAGES; i++) {
		page = h->pages[i];
		if (page && page->is_openmetrics == is_openmetrics && now_ns - page->made_ns < FRESH_NS)
			return page;
		if (page && now_ns - page->made_ns >= FRESH_NS)
			release_page(h, page);
	}
	page = make_page(h, is_openmetrics);
	if (page)
		*find_place(h) = page;
	return page;
}

/* --- requests --- */

static bool wants_openmetrics(struct serve_http *h, struct MHD_Connection *c)
{
	const char *accept = h->mhd.lookup_connection_value(c, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT);

	return accept && strcasestr(accept, GRT_OM_MEDIA_TYPE);
}

static enum MHD_Result answer(void *arg, struct MHD_Connection *c, const char *url, const char *method,
			      const char *version, const char *data, size_t *bytes, void **state)
{
	struct serve_http *h = arg;
	struct page *page;

	(void)version;
	(void)data;
	(void)bytes;
	(void)state;
	if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
		return h->mhd.queue_response(c, MHD_HTTP_METHOD_NOT_ALLOWED, h->bad_method);
	if (!strcmp(url, "/"))
		return h->mhd.queue_response(c, MHD_HTTP_OK, h->index);
	if (strcmp(url, "/metrics") != 0)
		return h->mhd.queue_response(c, MHD_HTTP_NOT_FOUND, h->not_found);
	page = fresh_page(h, wants_openmetrics(h, c));
	if (!page)
		return h->mhd.queue_response(c, MHD_HTTP_INTERNAL_SERVER_ERROR, h->failed);
	return h->mhd.queue_response(c, MHD_HTTP_OK, page->response);
}

/* --- begin and end --- */

static int load(struct library *to)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	bool has_all = library;

#define X(name) has_all = has_all && (to->name = (typeof(to->name))dlsym(library, "MHD_" #name));
	FUNCTIONS(X)
#undef X
	/* It is never unloaded, as it is needed until the end. */
	return has_all ? 0 : grt_fail(ENOENT, "on Debian: sudo apt-get install libmicrohttpd12; or use --textfile",
				      "cannot load " LIBRARY);
}

static struct MHD_Response *make_text(struct serve_http *h, const char *type, const char *text)
{
	struct MHD_Response *r = h->mhd.create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_PERSISTENT);

	if (r)
		h->mhd.add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	return r;
}

static bool make_texts(struct serve_http *h)
{
	h->index = make_text(h, "text/html; charset=utf-8",
			     "<!doctype html>\n<title>grtrace</title>\n<p>grtrace " GRT_VERSION
			     ": <a href=\"metrics\">metrics</a> of GPU jobs, for Prometheus\n");
	h->not_found = make_text(h, "text/plain", "not found; the metrics are at /metrics\n");
	h->bad_method = make_text(h, "text/plain", "only GET and HEAD\n");
	h->failed = make_text(h, "text/plain", "no memory\n");
	return h->index && h->not_found && h->failed && h->bad_method &&
	       h->mhd.add_response_header(h->bad_method, MHD_HTTP_HEADER_ALLOW, "GET, HEAD") == MHD_YES;
}

/* How many connections may be open.  Raises the limit of open files, which a flood of clients would use up. */
static unsigned int allow_connections(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files))
		return 512;
	if (files.rlim_cur < MANY_FILES) {
		files.rlim_cur = files.rlim_max < MANY_FILES ? files.rlim_max : MANY_FILES;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	if (files.rlim_cur > MANY_FILES)
		files.rlim_cur = MANY_FILES;
	return files.rlim_cur > 2 * OTHER_FILES ? files.rlim_cur - OTHER_FILES : OTHER_FILES;
}

/* Signals are for the thread that reads. */
static void start(struct serve_http *h, int socket)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	h->daemon = h->mhd.start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, answer, h,
					MHD_OPTION_LISTEN_SOCKET, socket,
					MHD_OPTION_CONNECTION_LIMIT, allow_connections(),
					MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
					MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)IDLE_S,
					MHD_OPTION_END);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int serve_http_start(struct serve_http **http, serve_page_fn *page, void *arg, int socket)
{
	struct serve_http *h = *http = calloc(1, sizeof(*h));
	int err = h ? load(&h->mhd) : grt_fail_memory();

	if (!err) {
		h->page = page;
		h->page_arg = arg;
		if (!make_texts(h))
			err = grt_fail_memory();
	}
	if (!err) {
		start(h, socket);
		if (h->daemon)
			return 0;	/* it closes the socket */
		err = grt_fail(EIO, NULL, "cannot start to answer requests");
	}
	close(socket);
	return err;
}

static void destroy(struct serve_http *h, struct MHD_Response *r)
{
	if (r)
		h->mhd.destroy_response(r);
}

void serve_http_stop(struct serve_http *h)
{
	if (!h)
		return;
	if (h->daemon)
		h->mhd.stop_daemon(h->daemon);
	for (int i = 0; i < PAGES; i++)
		release_page(h, h->pages[i]);
	grt_vec_free(&h->spare);
	destroy(h, h->index);
	destroy(h, h->not_found);
	destroy(h, h->bad_method);
	destroy(h, h->failed);
	free(h);
}
