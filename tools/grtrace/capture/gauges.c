// SPDX-License-Identifier: GPL-2.0
#include "gauges.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "machine.h"

#define NR_GAUGES	4
#define FIND_NS		1000000000ull	/* between two searches for files that give a value */
#define TEXT_MAX	4096		/* more is not in a file of sysfs */

/* How a file tells its value. */
enum gauge_kind {
	NUMBER,		/* "1500" */
	STARRED,	/* lines like "1: 1500Mhz", and a star behind the current one */
	ENERGY,		/* a number that grows; the value is what was added per second */
};

#define HWMON	"device/hwmon/hwmon*/"
#define MHZ	1000000
#define HZ	1
#define UW	1
#define UJ	1000000000	/* microjoules per ns are 10^9 uW */
#define MC	1

/*
 * What can be read below the folder of a card, the better first: of each gauge, the first file that
 * gives a value is read.  @label: the file whose name ends in _label instead of _input has to say so.
 *
 * amdgpu: Linux 6.12, drivers/gpu/drm/amd/pm/amdgpu_pm.c.  Of its temperatures edge is taken, which all
 * of its GPUs have; junction and mem are hotter.
 * i915: Linux 6.12, drivers/gpu/drm/i915/gt/intel_gt_sysfs_pm.c (gt0 since 5.18), i915_sysfs.c and i915_hwmon.c.
 * xe: Linux 6.12, drivers/gpu/drm/xe/xe_gt_freq.c and xe_hwmon.c; temperatures came with 6.15.
 * nouveau, radeon: Linux 6.12, drivers/gpu/drm/nouveau/nouveau_hwmon.c, drivers/gpu/drm/radeon/radeon_pm.c.
 * panfrost, panthor, lima: Linux 6.12, devfreq below the device, drivers/devfreq/devfreq.c.
 */
static const struct gauge_row {
	uint8_t gauge, kind;
	uint32_t unit;		/* 1 of the file is so many of struct grt_gauge_reading */
	const char *files;	/* a pattern of glob(3) */
	const char *label;	/* NULL: any, or none */
} rows[] = {
	{ GRTRACE_GAUGE_CORE, NUMBER, HZ, HWMON "freq*_input", "sclk" },
	{ GRTRACE_GAUGE_CORE, STARRED, MHZ, "device/pp_dpm_sclk", NULL },
	{ GRTRACE_GAUGE_CORE, NUMBER, MHZ, "gt/gt0/rps_act_freq_mhz", NULL },
	{ GRTRACE_GAUGE_CORE, NUMBER, MHZ, "gt_act_freq_mhz", NULL },
	{ GRTRACE_GAUGE_CORE, NUMBER, MHZ, "device/tile0/gt0/freq0/act_freq", NULL },
	{ GRTRACE_GAUGE_CORE, NUMBER, HZ, "device/devfreq/*/cur_freq", NULL },
	{ GRTRACE_GAUGE_MEMORY, NUMBER, HZ, HWMON "freq*_input", "mclk" },
	{ GRTRACE_GAUGE_MEMORY, STARRED, MHZ, "device/pp_dpm_mclk", NULL },
	{ GRTRACE_GAUGE_POWER, NUMBER, UW, HWMON "power1_average", NULL },
	{ GRTRACE_GAUGE_POWER, NUMBER, UW, HWMON "power1_input", NULL },
	{ GRTRACE_GAUGE_POWER, ENERGY, UJ, HWMON "energy1_input", NULL },
	{ GRTRACE_GAUGE_POWER, ENERGY, UJ, HWMON "energy2_input", NULL },
	{ GRTRACE_GAUGE_TEMPERATURE, NUMBER, MC, HWMON "temp*_input", "edge" },
	{ GRTRACE_GAUGE_TEMPERATURE, NUMBER, MC, HWMON "temp*_input", "pkg" },
	{ GRTRACE_GAUGE_TEMPERATURE, NUMBER, MC, HWMON "temp1_input", NULL },
};

#define NR_ROWS	(sizeof(rows) / sizeof(*rows))

struct gauge {
	const struct gauge_row *row;	/* NULL: no file gives a value, as far as is known */
	int fd;
	int64_t last;			/* ENERGY: the number before, and when it was read; 0: none */
	uint64_t last_ns;
};

struct gpu {
	char *card;			/* owned: its folder */
	uint32_t pci_address;
	uint64_t searched_ns;		/* 0: not yet */
	struct gauge gauges[NR_GAUGES];
};

static struct gpu *gpu_at(const struct grt_gauges *g, size_t i)
{
	return grt_vec_at(&g->gpus, struct gpu, i);
}

static size_t count_gpus(const struct grt_gauges *g)
{
	return grt_vec_count(&g->gpus, struct gpu);
}

/* --- files --- */

/* The text of a file without its last newline; false: there is none. */
static bool read_text(int fd, char *to, size_t room)
{
	ssize_t len;

	do
		len = pread(fd, to, room - 1, 0);
	while (len < 0 && errno == EINTR);
	if (len <= 0)
		return false;
	to[len] = '\0';
	if (to[len - 1] == '\n')
		to[len - 1] = '\0';
	return true;
}

static bool read_path(const char *path, char *to, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is_read = fd >= 0 && read_text(fd, to, room);

	if (fd >= 0)
		close(fd);
	return is_read;
}

/* The line with a star: its number, which a colon is in front of. */
static const char *find_starred(char *text)
{
	char *star = strchr(text, '*'), *line = star;

	if (!star)
		return NULL;
	while (line > text && line[-1] != '\n')
		line--;
	line = memchr(line, ':', star - line);
	return line ? line + 1 : NULL;
}

static bool read_number(const struct gauge_row *row, int fd, int64_t *number)
{
	char text[TEXT_MAX], *end;
	const char *at = text;

	if (!read_text(fd, text, sizeof(text)))
		return false;
	if (row->kind == STARRED)
		at = find_starred(text);
	if (!at)
		return false;
	errno = 0;
	*number = strtoll(at, &end, 10);
	return end != at && !errno;
}

/* --- what there is --- */

static bool has_label(const char *path, const char *label)
{
	char other[PATH_MAX], text[64];
	const char *end = strrchr(path, '_');

	if (!label)
		return true;
	if (!end || snprintf(other, sizeof(other), "%.*s_label", (int)(end - path), path) >= (int)sizeof(other))
		return false;
	return read_path(other, text, sizeof(text)) && !strcmp(text, label);
}

/* Calls @fn for each file that @row names, until a call returns true. */
static bool any_file(const char *card, const struct gauge_row *row,
		     bool (*fn)(const char *path, const struct gauge_row *row, struct gauge *to),
		     struct gauge *to)
{
	char pattern[PATH_MAX];
	bool is_found = false;
	glob_t files;

	if (snprintf(pattern, sizeof(pattern), "%s/%s", card, row->files) >= (int)sizeof(pattern) ||
	    glob(pattern, 0, NULL, &files))
		return false;
	for (size_t i = 0; i < files.gl_pathc && !is_found; i++)
		is_found = has_label(files.gl_pathv[i], row->label) && fn(files.gl_pathv[i], row, to);
	globfree(&files);
	return is_found;
}

static bool is_there(const char *path, const struct gauge_row *row, struct gauge *to)
{
	(void)row;
	(void)to;
	return !access(path, R_OK);
}

static bool open_gauge(const char *path, const struct gauge_row *row, struct gauge *to)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int64_t number;

	if (fd < 0)
		return false;
	if (!read_number(row, fd, &number)) {
		close(fd);
		return false;
	}
	*to = (struct gauge){ .row = row, .fd = fd };
	return true;
}

bool grt_gauges_has(const char *card, enum grtrace_gauge gauge)
{
	for (size_t i = 0; i < NR_ROWS; i++)
		if (rows[i].gauge == gauge && any_file(card, &rows[i], is_there, NULL))
			return true;
	return false;
}

static bool has_any(const char *card)
{
	for (unsigned int gauge = 0; gauge < NR_GAUGES; gauge++)
		if (grt_gauges_has(card, gauge))
			return true;
	return false;
}

/* Some files exist, but give no value on this GPU. */
static void search(struct gpu *gpu)
{
	uint64_t now_ns = grt_capture_now_ns();

	if (gpu->searched_ns && now_ns - gpu->searched_ns < FIND_NS)
		return;
	gpu->searched_ns = now_ns;
	for (size_t i = 0; i < NR_ROWS; i++) {
		struct gauge *gauge = &gpu->gauges[rows[i].gauge];

		if (!gauge->row)
			any_file(gpu->card, &rows[i], open_gauge, gauge);
	}
}

static bool has_gauge(const struct gpu *gpu)
{
	for (unsigned int i = 0; i < NR_GAUGES; i++)
		if (gpu->gauges[i].row)
			return true;
	return false;
}

/* A device that is not on PCI has no such name. */
static uint32_t pci_address_of(const char *card)
{
	unsigned int domain, bus, device, function;
	char path[PATH_MAX], target[PATH_MAX];
	const char *name;
	ssize_t len;

	if (snprintf(path, sizeof(path), "%s/device", card) >= (int)sizeof(path))
		return 0;
	len = readlink(path, target, sizeof(target) - 1);
	target[len > 0 ? len : 0] = '\0';
	name = strrchr(target, '/') ? strrchr(target, '/') + 1 : target;
	if (sscanf(name, "%x:%x:%x.%x", &domain, &bus, &device, &function) != 4)
		return 0;
	return GRTRACE_PCI_ADDRESS(domain, bus, device << 3 | function);
}

static bool is_known(const struct grt_gauges *g, uint32_t pci_address)
{
	for (size_t i = 0; pci_address && i < count_gpus(g); i++)
		if (gpu_at(g, i)->pci_address == pci_address)
			return true;
	return false;
}

static int add_gpu(struct grt_gauges *g, char *card)
{
	struct gpu gpu = { .card = card, .pci_address = pci_address_of(card) };

	if (is_known(g, gpu.pci_address) || !has_any(card))
		return 0;
	gpu.card = strdup(card);
	if (gpu.card && !grt_vec_append(&g->gpus, &gpu, sizeof(gpu)))
		return 0;
	free(gpu.card);
	return grt_fail_memory();
}

int grt_gauges_find(struct grt_gauges *g, const char *sysfs)
{
	char pattern[PATH_MAX];
	glob_t cards;
	int err = 0;

	snprintf(pattern, sizeof(pattern), "%s/class/drm/card[0-9]*", sysfs);
	if (glob(pattern, 0, NULL, &cards))
		return 0;
	for (size_t i = 0; i < cards.gl_pathc && !err; i++) {
		char *name = strrchr(cards.gl_pathv[i], '/') + 1;

		/* A dash is in the names of the card's plugs. */
		if (!strchr(name, '-'))
			err = add_gpu(g, cards.gl_pathv[i]);
	}
	globfree(&cards);
	return err;
}

void grt_gauges_free(struct grt_gauges *g)
{
	for (size_t i = 0; i < count_gpus(g); i++) {
		for (unsigned int k = 0; k < NR_GAUGES; k++)
			if (gpu_at(g, i)->gauges[k].row)
				close(gpu_at(g, i)->gauges[k].fd);
		free(gpu_at(g, i)->card);
	}
	grt_vec_free(&g->gpus);
}

unsigned int grt_gauges_most(const struct grt_gauges *g)
{
	return count_gpus(g) * NR_GAUGES;
}

/* --- reading --- */

/*
 * Drivers may resume a GPU for the sake of a reader.  The answer itself wakes nothing: Linux 6.12,
 * drivers/base/power/sysfs.c.  A device without runtime power management says "unsupported".
 */
static bool is_awake(const struct gpu *gpu)
{
	char path[PATH_MAX], status[32];

	snprintf(path, sizeof(path), "%s/device/power/runtime_status", gpu->card);
	return !read_path(path, status, sizeof(status)) || !strcmp(status, "active") ||
	       !strcmp(status, "unsupported");
}

/* The value of a gauge; false: it has none now. */
static bool read_gauge(struct gauge *gauge, int64_t *value)
{
	int64_t number, last = gauge->last;
	uint64_t ns, last_ns = gauge->last_ns;

	if (!read_number(gauge->row, gauge->fd, &number) ||
	    (number < 0 && gauge->row->gauge != GRTRACE_GAUGE_TEMPERATURE))
		return false;
	if (gauge->row->kind != ENERGY)
		return !__builtin_mul_overflow(number, (int64_t)gauge->row->unit, value);
	ns = grt_capture_now_ns();
	gauge->last = number;
	gauge->last_ns = ns;
	if (!last_ns || number < last || ns <= last_ns)
		return false;
	*value = (double)(number - last) * gauge->row->unit / (ns - last_ns);
	return true;
}

void grt_gauges_read(struct grt_gauges *g, grt_gauge_fn *fn, void *arg)
{
	for (size_t i = 0; i < count_gpus(g); i++) {
		struct gpu *gpu = gpu_at(g, i);
		bool is_read = is_awake(gpu);

		if (is_read && !has_gauge(gpu))
			search(gpu);
		for (unsigned int k = 0; k < NR_GAUGES; k++) {
			struct grt_gauge_reading reading = {
				.pci_address = gpu->pci_address, .gauge = k, .nr = i * NR_GAUGES + k,
			};
			struct gauge *gauge = &gpu->gauges[k];

			/* What it used while it was asleep says nothing about a moment. */
			if (!is_read)
				gauge->last_ns = 0;
			else if (gauge->row && read_gauge(gauge, &reading.value))
				fn(arg, &reading);
		}
	}
}
