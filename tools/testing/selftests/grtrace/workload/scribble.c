// SPDX-License-Identifier: GPL-2.0
/*
 * Writes random lines to all control files.  A refused write must change nothing; an accepted
 * write may change only what it names.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "scribble.h"

#define ALL_EVERY	64	/* refused writes between two checks of all files */

static struct views views;
static uint64_t writes = 1000, most_changes = 20, seed = 1;
static const char *dir = "/sys/kernel/debug/grtrace";

static const char usage[] =
	"usage: scribble [options]\n\n"
	"Writes random lines to all control files of grtrace that can be written: right ones,\n"
	"right ones with a fault, noise. After each it looks at what the files show: a write\n"
	"that was refused must have changed nothing, one that was taken only what it names.\n"
	"The same seed gives the same lines. What was set before is gone afterwards.\n\n"
	"  -n, --writes N       (1000)\n"
	"  -c, --changes N      of these at most so many that change something (20)\n"
	"  -s, --seed N         (1)\n"
	"  -d, --dir PATH       of the files (/sys/kernel/debug/grtrace)\n"
	"  -h, --help\n\n"
	"Exit: 0 all was as it must be, 1 it was not, 2 usage, 3 no grtrace or no root\n";

/* A write and its result. */
struct attempt {
	struct view *to;
	char text[LINES_MAX + 1024];
	size_t len;
	ssize_t taken;		/* bytes, or a negative errno */
};

struct tally {
	uint64_t refused, taken, changes, files;
};

static void print_text(const char *what, const char *text, size_t len)
{
	printf("  %s: '", what);
	for (size_t i = 0; i < len && i < 600; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c >= ' ' && c < 127)
			putchar(c);
		else
			printf(c == '\n' ? "\\n" : "\\x%02x", c);
	}
	printf("'%s\n", len > 600 ? " and so on" : "");
}

static int complain(const struct attempt *a, const struct view *changed, const char *what)
{
	size_t len;
	const char *text;

	printf("%s %s, seed %llu\n", a->to->name, what, (unsigned long long)seed);
	print_text("written", a->text, a->len);
	if (a->taken < 0)
		printf("  it got: %s\n", strerror((int)-a->taken));
	else
		printf("  it got: %zd of %zu bytes\n", a->taken, a->len);
	if (changed) {
		printf("  what changed: %s\n", changed->name);
		print_text("before", changed->was, changed->len);
		text = view_text(changed, &len);
		print_text("after", text, len);
	}
	return 1;
}

/* Files that the write could have changed. */
static bool is_near(const struct view *view, void *arg)
{
	const struct attempt *a = arg;

	return view == a->to || view_may_change(a->to->name, a->text, a->len, view->name);
}

static bool is_any(const struct view *view, void *arg)
{
	(void)view;
	(void)arg;
	return true;
}

static int check_refused(struct attempt *a, struct tally *t)
{
	struct view *changed;

	changed = views_changed(&views, ++t->refused % ALL_EVERY ? is_near : is_any, a);
	return changed ? complain(a, changed, "refused a write, and something changed") : 0;
}

static int check_taken(struct attempt *a, struct tally *t)
{
	bool is_change = false;

	t->taken++;
	for (unsigned int i = 0; i < views.cnt; i++) {
		struct view *view = &views.view[i];
		struct view before = *view;

		before.was = view->was ? strdup(view->was) : NULL;
		if (view_refresh(view)) {
			is_change = true;
			if (!view_may_change(a->to->name, a->text, (size_t)a->taken, view->name))
				return complain(a, &before, "took a write, and what it does not name changed");
		}
		free(before.was);
	}
	t->changes += is_change;
	return 0;
}

static int write_once(struct tally *t, uint64_t *random, bool must_fail)
{
	static struct attempt a;

	do {
		a.to = &views.view[random_below(random, views.cnt)];
	} while (a.to->out < 0);
	a.len = line_make(random, a.to->name, a.to->was, must_fail, a.text);
	a.taken = write(a.to->out, a.text, a.len);
	if (a.taken < 0)
		a.taken = -errno;
	if (a.taken > (ssize_t)a.len)
		return complain(&a, NULL, "took more than there was");
	return a.taken < 0 ? check_refused(&a, t) : check_taken(&a, t);
}

static int verdict(const struct tally *t)
{
	printf("%llu writes to %llu files, seed %llu: %llu refused, %llu taken, of which %llu changed something\n",
	       (unsigned long long)(t->refused + t->taken), (unsigned long long)t->files,
	       (unsigned long long)seed, (unsigned long long)t->refused,
	       (unsigned long long)t->taken, (unsigned long long)t->changes);
	if (t->changes > most_changes) {
		printf("more than %llu changed something\n", (unsigned long long)most_changes);
		return 1;
	}
	if (!t->refused || !t->changes) {
		printf("so this run proves nothing\n");
		return 1;
	}
	return 0;
}

static int scribble(void)
{
	struct tally t = { .files = views.cnt - 2 };	/* without the two that are read only */
	uint64_t random = seed;
	int wrong = 0;

	/* Spreads the changes over the whole run. */
	for (uint64_t i = 0; i < writes && !wrong; i++)
		wrong = write_once(&t, &random, t.changes >= (i + 1) * most_changes / writes);
	return wrong ? wrong : verdict(&t);
}

static bool parse_number(const char *text, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	return *text && !*end && !errno;
}

static const struct option options[] = {
	{ "writes", required_argument, NULL, 'n' },
	{ "changes", required_argument, NULL, 'c' },
	{ "seed", required_argument, NULL, 's' },
	{ "dir", required_argument, NULL, 'd' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static bool parse_option(int option)
{
	switch (option) {
	case 'n': return parse_number(optarg, &writes);
	case 'c': return parse_number(optarg, &most_changes);
	case 's': return parse_number(optarg, &seed);
	case 'd': dir = optarg; return true;
	}
	return false;
}

int main(int argc, char **argv)
{
	int option;

	while ((option = getopt_long(argc, argv, "n:c:s:d:h", options, NULL)) != -1) {
		if (option == 'h') {
			fputs(usage, stdout);
			return 0;
		}
		if (!parse_option(option)) {
			fputs(usage, stderr);
			return 2;
		}
	}
	if (!writes || optind != argc) {
		fputs(usage, stderr);
		return 2;
	}
	return views_open(&views, dir) ? scribble() : 3;
}
