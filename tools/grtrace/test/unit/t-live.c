// SPDX-License-Identifier: GPL-2.0
/* What a source of live streams has read: whether it was given, and that it is kept at once. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "input.h"
#include "live.h"
#include "synth.h"

/* A source of one stream: read() gives all of @s at once, but for its last @left bytes. */
struct source {
	struct synth s;
	size_t given, left;
	uint64_t kept;		/* events */
};

static ssize_t source_read(void *arg, unsigned int lane, void *to, size_t room)
{
	struct source *source = arg;
	size_t bytes = source->s.bytes.bytes - source->given - source->left;

	(void)lane;
	assert_in_range(bytes, 0, room);
	memcpy(to, (char *)source->s.bytes.data + source->given, bytes);
	source->given += bytes;
	return bytes ? (ssize_t)bytes : -EAGAIN;
}

static uint64_t source_flush(void *arg)
{
	(void)arg;
	return 0;
}

static void source_close(void *arg)
{
	synth_free(&((struct source *)arg)->s);
}

static const struct grt_live_ops ops = { .read = source_read, .flush = source_flush, .close = source_close, .file = "x" };

/* Definitions, two events, a definition and two more events. */
static struct grt_live *make(struct source *source)
{
	const struct grt_live_lane lane = { .fd = -1 };
	struct grt_live *live;

	*source = (struct source){ .left = 0 };
	synth_begin(&source->s, 0);
	for (int i = 0; i < 2; i++) {
		synth_ring(&source->s, i, "gfx", SYNTH_START);
		synth_subbuf(&source->s, SYNTH_START + i);
		synth_event(&source->s, GRTRACE_VBLANK, SYNTH_START + i);
		synth_event(&source->s, GRTRACE_VBLANK, SYNTH_START + i);
	}
	assert_int_equal(grt_live_create(&live, &ops, source, &lane, 1), 0);
	return live;
}

static void test_holds(void **state)
{
	struct source source;
	struct grt_live *live = make(&source);
	struct grt_run run;
	int runs = 0;

	(void)state;
	/* The last record was read in part: there is nothing to give. */
	source.left = 8;
	assert_false(grt_live_holds(live));
	while (grt_live_next(live, 0, &run) == 1)
		assert_int_equal(grt_live_holds(live), ++runs < 4);
	assert_int_equal(runs, 4);
	assert_false(grt_live_holds(live));
	source.left = 0;
	assert_int_equal(grt_live_next(live, 0, &run), 1);
	assert_int_equal(run.events, 1);
	assert_false(grt_live_holds(live));
	grt_live_close(live);
}

static int keep(void *arg, unsigned int lane, struct grt_run run)
{
	assert_int_equal(lane, 0);
	((struct source *)arg)->kept += run.events;
	return 0;
}

/* Each event is kept once, when it was read, whether somebody has asked for it or not. */
static void test_keep(void **state)
{
	struct source source;
	struct grt_live *live = make(&source);
	struct grt_input *in = grt_live_input(live, "test");
	const void *data;
	size_t bytes;

	(void)state;
	grt_live_keep(live, keep, &source);
	source.left = 8;
	assert_int_equal(in->ops->fill(in, 0, &data, &bytes), 1);
	assert_int_equal(source.kept, 3);
	source.left = 0;
	while (in->ops->fill(in, 0, &data, &bytes) == 1)
		;
	assert_int_equal(source.kept, 4);
	in->ops->close(in);
	assert_int_equal(source.kept, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_holds),
		cmocka_unit_test(test_keep),
	};

	return cmocka_run_group_tests_name("live", tests, NULL, NULL);
}
