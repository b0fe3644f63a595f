// SPDX-License-Identifier: GPL-2.0
#include "event_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "error.h"
#include "vec.h"
#include "words.h"

#define NAME_MAX_CHARS	128
#define FILTER_MARK	" if "

/* One event on one CPU. */
struct counter {
	int fd;
	struct perf_event_mmap_page *page;	/* poll() of a counter needs its ring buffer */
	const char *word;		/* not owned */
};

struct grt_event_watch {
	int epoll;
	size_t page_bytes;
	struct grt_vec counters;	/* struct counter */
};

static struct counter *counter_at(const struct grt_event_watch *w, size_t i)
{
	return grt_vec_at(&w->counters, struct counter, i);
}

static const char *const tracefs_dirs[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

/* Reads the number of SYSTEM:EVENT: 0 or -errno with a cause. */
static int read_id(const char *word, uint64_t *id)
{
	const char *end = strstr(word, FILTER_MARK), *colon = strchr(word, ':');
	size_t len = end ? (size_t)(end - word) : strlen(word);
	char path[NAME_MAX_CHARS + 128], name[NAME_MAX_CHARS];
	FILE *f = NULL;
	bool is_read;

	if (!colon || colon == word || colon >= word + len - 1 || len >= sizeof(name) ||
	    memchr(word, '/', len))
		return grt_fail(EINVAL, "such as sched:sched_process_exit", "'%.*s' is not SYSTEM:EVENT",
				(int)len, word);
	snprintf(name, sizeof(name), "%.*s", (int)len, word);
	name[colon - word] = '/';
	for (size_t i = 0; !f && i < sizeof(tracefs_dirs) / sizeof(*tracefs_dirs); i++) {
		snprintf(path, sizeof(path), "%s/events/%s/id", tracefs_dirs[i], name);
		f = fopen(path, "re");
	}
	if (!f)
		return errno == EACCES ? grt_fail_errno("run it with sudo", "cannot read '%s'", path) :
		       grt_fail(EINVAL, "sudo ls /sys/kernel/tracing/events    # all systems",
				"this kernel has no event '%.*s'", (int)len, word);
	is_read = fscanf(f, "%" SCNu64, id) == 1;
	fclose(f);
	return is_read ? 0 : grt_fail(EIO, NULL, "cannot read '%s'", path);
}

static int map_counter(struct grt_event_watch *w, struct counter *c)
{
	struct epoll_event event = { .events = EPOLLIN };
	void *page = mmap(NULL, 2 * w->page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd, 0);

	if (page == MAP_FAILED)
		return grt_fail_errno(NULL, "cannot map the counter of '%s'", c->word);
	c->page = page;
	if (epoll_ctl(w->epoll, EPOLL_CTL_ADD, c->fd, &event))
		return grt_fail_errno(NULL, "cannot wait for '%s'", c->word);
	return 0;
}

static void close_counter(const struct grt_event_watch *w, const struct counter *c)
{
	if (c->page)
		munmap(c->page, 2 * w->page_bytes);
	close(c->fd);
}

static int set_filter(const struct counter *c)
{
	const char *mark = strstr(c->word, FILTER_MARK);

	if (!mark || !ioctl(c->fd, PERF_EVENT_IOC_SET_FILTER, mark + strlen(FILTER_MARK)))
		return 0;
	return grt_fail(EINVAL, "fields are listed in the file format of the event, in tracefs",
			"'%s' is no filter for this event", mark + strlen(FILTER_MARK));
}

/* A CPU that is offline has no counter. */
static int open_counter(struct grt_event_watch *w, const char *word, uint64_t id, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .config = id, .sample_period = 1,
		.wakeup_events = 1, .disabled = 1,
	};
	struct counter c = { .word = word };
	int err;

	c.fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (c.fd < 0)
		return errno == ENODEV ? 0 :
		       grt_fail_errno("run it with sudo", "cannot watch the event '%s'", word);
	err = set_filter(&c);
	if (!err)
		err = map_counter(w, &c);
	if (!err && ioctl(c.fd, PERF_EVENT_IOC_ENABLE, 0))
		err = grt_fail_errno(NULL, "cannot watch the event '%s'", word);
	if (!err && grt_vec_append(&w->counters, &c, sizeof(c)))
		err = grt_fail_memory();
	if (err)
		close_counter(w, &c);
	return err;
}

int grt_event_watch_open(struct grt_event_watch **watch, const struct grt_words *words)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct grt_event_watch *w = calloc(1, sizeof(*w));
	uint64_t id;
	int err = 0;

	if (!w)
		return grt_fail_memory();
	w->page_bytes = sysconf(_SC_PAGESIZE);
	w->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (w->epoll < 0)
		err = grt_fail_errno(NULL, "cannot wait for events");
	for (unsigned int i = 0; !err && i < words->count; i++) {
		err = read_id(words->words[i], &id);
		for (long cpu = 0; !err && cpu < cpus; cpu++)
			err = open_counter(w, words->words[i], id, cpu);
	}
	if (err)
		grt_event_watch_close(w);
	else
		*watch = w;
	return err;
}

void grt_event_watch_close(struct grt_event_watch *w)
{
	for (size_t i = 0; i < grt_vec_count(&w->counters, struct counter); i++)
		close_counter(w, counter_at(w, i));
	grt_vec_free(&w->counters);
	if (w->epoll >= 0)
		close(w->epoll);
	free(w);
}

int grt_event_watch_fd(const struct grt_event_watch *w)
{
	return w->epoll;
}

const char *grt_event_watch_take(struct grt_event_watch *w)
{
	const char *word = NULL;

	/* A counter tells poll() once that it is ready, so look at all of them. */
	for (size_t i = 0; i < grt_vec_count(&w->counters, struct counter); i++) {
		struct counter *c = counter_at(w, i);
		uint64_t head = __atomic_load_n(&c->page->data_head, __ATOMIC_ACQUIRE);

		if (head == c->page->data_tail)
			continue;
		__atomic_store_n(&c->page->data_tail, head, __ATOMIC_RELEASE);
		word = c->word;
	}
	return word;
}
