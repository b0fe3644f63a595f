// SPDX-License-Identifier: LGPL-2.1
/* Imports a trace.dat in a child process. */
#include <sys/mman.h>
#include <unistd.h>

#include "apart.h"
#include "child.h"
#include "error.h"
#include "reader.h"

struct work {
	int fd, to;
	const char *name;
	const struct grt_import_options *options;
	struct grt_import_sums sums;
};

static void (*progress_to)(unsigned int permille);

static void on_progress(unsigned int permille)
{
	grt_apart_alive();
	if (progress_to)
		progress_to(permille);
}

static int import(void *arg)
{
	struct work *w = arg;
	struct grt_import_options own = *w->options;

	progress_to = w->options->progress;
	own.progress = on_progress;
	return grt_import_here(w->fd, w->name, w->to, &own, &w->sums);
}

static int import_apart(int fd, const char *name, int to,
			const struct grt_import_options *options, struct grt_import_sums *sums)
{
	/* The child fills in the sums. */
	struct work *w = mmap(NULL, sizeof(*w), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const struct grt_apart apart = { .name = name, .arg = w, .work = import };
	int err;

	if (w == MAP_FAILED)
		return grt_fail_memory();
	*w = (struct work){ .fd = fd, .to = to, .name = name, .options = options };
	err = grt_apart_run(&apart);
	*sums = w->sums;
	munmap(w, sizeof(*w));
	return err;
}

int grt_import_file(int fd, const char *name, int to,
		    const struct grt_import_options *options, struct grt_import_sums *sums)
{
	char probe[16];
	ssize_t got = pread(fd, probe, sizeof(probe), 0);
	int err;

	if (got > 0 && grt_is_dat(probe, got))
		err = import_apart(fd, name, to, options, sums);
	else
		err = grt_import_here(fd, name, to, options, sums);
	if (options->progress)
		options->progress(1000);
	return err;
}
