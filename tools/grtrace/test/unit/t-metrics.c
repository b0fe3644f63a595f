// SPDX-License-Identifier: GPL-2.0
/* The page of metrics while a session runs: no label set is there twice, and no counter falls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cursor.h"
#include "input.h"
#include "error.h"
#include "metrics_page.h"
#include "model.h"
#include "reading.h"
#include "replay.h"
#include "source.h"
#include "synth.h"

#define US	1000ull
#define HOUR	3600000000000ull
#define QUIET_NS	10000000ull
#define LATER		20000000ull
#define CAP	200
#define UID_A	"0a1b2c3d-0000-4000-8000-00000000cafe"
#define UID_B	"5e54e000-0000-4000-8000-00000000beef"
#define UID_C	"77777777-0000-4000-8000-000000000077"
#define ID_	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

/* --- a session --- */

struct session {
	struct grt_metrics metrics;
	struct grt_replay replay;
	struct grt_stream *stream;
	struct synth s;			/* what comes next */
	struct grt_om page, before;	/* the last two pages */
	uint64_t seqno;
};

static int begin_pass(void *arg, struct grt_model *model)
{
	return grt_metrics_begin(arg, model);
}

static int add_record(void *arg, const struct grtrace_hdr *rec)
{
	return grt_metrics_record(arg, rec);
}

static int add_job(void *arg, const struct grt_job *job)
{
	return grt_metrics_job(arg, job);
}

static const struct grt_replay_ops ops = { .begin = begin_pass, .record = add_record, .job = add_job };

static void begin(struct session *t, uint32_t cap)
{
	char *path = strdup(reading_path("begin"));
	struct grt_input *in;

	*t = (struct session){ .metrics.has_late = true };
	t->replay = (struct grt_replay){ .ops = &ops, .arg = &t->metrics, .watches_events = true };
	grt_metrics_limit(&t->metrics, cap);
	synth_begin(&t->s, 0);
	reading_write(path, t->s.bytes.data, t->s.bytes.bytes);
	t->s.bytes.bytes = 0;
	assert_int_equal(grt_source_open(&in, 1, &path, 0), 0);
	assert_int_equal(grt_stream_open(&t->stream, in), 0);
	assert_int_equal(grt_replay_begin(&t->replay, t->stream), 0);
	free(path);
}

static void end(struct session *t)
{
	grt_replay_free(&t->replay);
	grt_stream_close(t->stream);
	grt_metrics_free(&t->metrics);
	grt_om_free(&t->page);
	grt_om_free(&t->before);
	synth_free(&t->s);
}

/* A pod's container; without @name its name is not known.  Process @tgid runs there. */
static void put_pod(struct session *t, uint32_t tgid, uint64_t cgroup, const char *uid, const char *name, uint64_t ns)
{
	struct grtrace_cgroup *rec;
	struct grtrace_process *process;
	char text[512];
	int len = snprintf(text, sizeof(text), "/kubepods/pod%s/" ID_ "%c\n", uid, 'a' + (char)(cgroup % 6));

	if (name)
		len += snprintf(text + len, sizeof(text) - len, "pod=%s\nnamespace=ml\n", name);
	process = synth_record(&t->s, GRTRACE_PROCESS, sizeof(*process), ns);
	process->tgid = tgid;
	process->cgroup_id = cgroup;
	memcpy(process->comm, "train", sizeof("train"));
	rec = synth_record(&t->s, GRTRACE_CGROUP, (sizeof(*rec) + len + 8) & ~7ull, ns);
	rec->cgroup_id = cgroup;
	memcpy(rec + 1, text, len);
}

static void put_job(struct session *t, uint32_t ring, uint32_t tgid, uint64_t ns)
{
	synth_job(&t->s, 7 + tgid, ++t->seqno, ring, tgid, ns);
}

/* --- its page --- */

/* The value behind the label set in @line, of @set bytes; NULL: the page does not have it. */
static const char *find_line(const struct grt_om *page, const char *line, size_t set)
{
	const char *at = page->text.data;

	for (; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
		if (!strncmp(at, line, set))
			return at + set;
	return NULL;
}

static bool is_counter(const char *line, size_t set)
{
	static const char *const gauges[] = { "#", "grtrace_ring_jobs{", "process_", "grtrace_last_event", "grtrace_build" };

	for (size_t i = 0; i < sizeof(gauges) / sizeof(gauges[0]); i++)
		if (!strncmp(line, gauges[i], strlen(gauges[i])))
			return false;
	return set > 0;
}

/* That the page has no label set twice, and that no counter is below that of the page before. */
static void check_page(const struct session *t)
{
	for (const char *line = t->page.text.data; *line; line = strchr(line, '\n') + 1) {
		size_t set = strcspn(line, "\n");
		const char *value, *earlier;

		while (set && line[set - 1] != ' ')
			set--;
		if (*line == '#')
			continue;
		value = line + set;
		if (find_line(&t->page, line, set) != value)
			fail_msg("twice: %.*s", (int)strcspn(line, "\n"), line);
		earlier = t->before.text.bytes && is_counter(line, set) ? find_line(&t->before, line, set) : NULL;
		if (earlier && strtod(value, NULL) < strtod(earlier, NULL))
			fail_msg("%.*s, before %.*s", (int)strcspn(line, "\n"), line, (int)strcspn(earlier, "\n"), earlier);
	}
}

static void look(struct session *t)
{
	const struct grt_metrics_own own = { .source = "test" };

	grt_om_free(&t->before);
	t->before = t->page;
	t->page = (struct grt_om){ 0 };
	assert_int_equal(grt_metrics_page(&t->page, &t->metrics, &own), 0);
	assert_int_equal(grt_vec_append(&t->page.text, "", 1), 0);
	check_page(t);
}

/* Feeds what the stream has, and looks at the page after each record. */
static void play(struct session *t)
{
	struct grt_cursor c = grt_cursor(t->s.bytes.data, t->s.bytes.bytes);
	const struct grtrace_hdr *rec;

	while ((rec = grt_take_record(&c))) {
		assert_int_equal(grt_replay_feed(&t->replay, rec), 0);
		look(t);
	}
	t->s.bytes.bytes = 0;
	grt_model_pass(t->replay.model, t->s.last_ns + QUIET_NS);
	grt_metrics_pass(&t->metrics, t->s.last_ns + QUIET_NS);
	look(t);
}

static void expect(const struct session *t, const char *set, const char *value)
{
	const char *at = find_line(&t->page, set, strlen(set));

	if (!at)
		fail_msg("missing: %s", set);
	if (strncmp(at + 1, value, strlen(value)) || at[1 + strlen(value)] != '\n')
		fail_msg("%s %s, not%.*s", set, value, (int)strcspn(at, "\n"), at);
}

static void expect_none(const struct session *t, const char *begin)
{
	assert_null(find_line(&t->page, begin, strlen(begin)));
}

#define DEVICE		"device=\"0000:0b:00.0\""
#define TRAINER		"owner=\"pod\",namespace=\"ml\",pod=\"trainer-0\""

/* A pod of a StatefulSet is made again: another UID, the same name. */
static void test_pod_again(void **state)
{
	struct session t;

	(void)state;
	begin(&t, CAP);
	synth_ring(&t.s, 1, "gfx", SYNTH_START);
	put_pod(&t, 100, 81, UID_A, "trainer-0", SYNTH_START);
	put_job(&t, 1, 100, SYNTH_START + 10 * US);
	put_pod(&t, 200, 82, UID_B, "trainer-0", SYNTH_START + 20 * US);
	put_job(&t, 1, 200, SYNTH_START + 30 * US);
	play(&t);
	expect(&t, "grtrace_jobs_total{" DEVICE ",ring=\"gfx\"," TRAINER ",result=\"ok\"}", "2");
	expect(&t, "grtrace_job_seconds_count{" DEVICE "," TRAINER "}", "2");
	end(&t);
}

/* The name of a pod becomes known late, and another pod had it. */
static void test_late_name(void **state)
{
	struct session t;

	(void)state;
	begin(&t, CAP);
	synth_ring(&t.s, 1, "gfx", SYNTH_START);
	put_pod(&t, 100, 81, UID_A, "trainer-0", SYNTH_START);
	put_pod(&t, 300, 83, UID_C, NULL, SYNTH_START);
	put_job(&t, 1, 100, SYNTH_START + 10 * US);
	put_job(&t, 1, 300, SYNTH_START + 20 * US);
	play(&t);
	put_pod(&t, 301, 84, UID_C, "trainer-0", SYNTH_START + LATER);
	put_job(&t, 1, 300, SYNTH_START + LATER + 10 * US);
	play(&t);
	expect(&t, "grtrace_jobs_total{" DEVICE ",ring=\"gfx\"," TRAINER ",result=\"ok\"}", "2");
	expect(&t, "grtrace_jobs_total{" DEVICE ",ring=\"gfx\",owner=\"pod\",pod=\"" UID_C "\",result=\"ok\"}", "1");
	end(&t);
}

static unsigned int warned;

static void count_warning(const char *hint, const char *text)
{
	(void)hint;
	warned += strstr(text, "more than 4096 jobs wait for the names of the owners") != NULL;
}

/* Jobs wait for the name of their process, but not more than are kept: a warning says that others have none. */
static void test_many_late(void **state)
{
	grt_warn_fn *before = grt_warn_to(count_warning);
	struct session t;

	(void)state;
	begin(&t, CAP);
	synth_ring(&t.s, 1, "gfx", SYNTH_START);
	for (unsigned int i = 1; i <= GRT_LATE_MAX; i++)
		put_job(&t, 1, 300, SYNTH_START + i * 10 * US);
	play(&t);
	assert_int_equal(warned, 0);
	for (unsigned int i = 1; i <= 5; i++)
		put_job(&t, 1, 300, SYNTH_START + (GRT_LATE_MAX + i) * 10 * US);
	play(&t);
	assert_int_equal(warned, 1);
	grt_warn_to(before);
	end(&t);
}

/* Two rings have one name, and the number of a third one is used again for it. */
static void test_rings_of_one_name(void **state)
{
	struct session t;

	(void)state;
	begin(&t, CAP);
	synth_ring(&t.s, 1, "queue", SYNTH_START);
	synth_ring(&t.s, 2, "queue", SYNTH_START);
	synth_ring(&t.s, 3, "copy", SYNTH_START);
	put_pod(&t, 100, 81, UID_A, "trainer-0", SYNTH_START);
	put_job(&t, 1, 100, SYNTH_START + 10 * US);
	put_job(&t, 2, 100, SYNTH_START + 20 * US);
	put_job(&t, 3, 100, SYNTH_START + 30 * US);
	play(&t);
	/* Each job ran for 4 us. */
	expect(&t, "grtrace_ring_state_seconds_total{" DEVICE ",ring=\"queue\",state=\"busy\"}", "0.000008");
	expect(&t, "grtrace_ring_state_seconds_total{" DEVICE ",ring=\"copy\",state=\"busy\"}", "0.000004");
	expect(&t, "grtrace_ring_jobs{" DEVICE ",ring=\"queue\",place=\"on_ring\"}", "0");
	synth_ring(&t.s, 3, "queue", SYNTH_START + LATER);
	put_job(&t, 3, 100, SYNTH_START + LATER + 10 * US);
	play(&t);
	expect(&t, "grtrace_jobs_total{" DEVICE ",ring=\"queue\"," TRAINER ",result=\"ok\"}", "3");
	expect(&t, "grtrace_jobs_total{" DEVICE ",ring=\"copy\"," TRAINER ",result=\"ok\"}", "1");
	expect(&t, "grtrace_ring_state_seconds_total{" DEVICE ",ring=\"queue\",state=\"busy\"}", "0.000012");
	expect(&t, "grtrace_ring_state_seconds_total{" DEVICE ",ring=\"copy\",state=\"busy\"}", "0.000004");
	end(&t);
}

/* Jobs that are there now add up, too. */
static void test_loads(void **state)
{
	struct session t;

	(void)state;
	begin(&t, CAP);
	synth_ring(&t.s, 1, "queue", SYNTH_START);
	synth_ring(&t.s, 2, "queue", SYNTH_START);
	put_pod(&t, 100, 81, UID_A, "trainer-0", SYNTH_START);
	put_job(&t, 1, 100, SYNTH_START + 10 * US);
	put_job(&t, 2, 100, SYNTH_START + 20 * US);
	play(&t);
	for (uint32_t ring = 1; ring <= 2; ring++) {
		struct grtrace_submit *submit = synth_event(&t.s, GRTRACE_SUBMIT, SYNTH_START + LATER + ring);

		submit->ctx = 900 + ring;
		submit->seqno = 1;
		submit->ring = ring;
		submit->tgid = submit->tid = 100;
		submit->credits = 1;
	}
	play(&t);
	expect(&t, "grtrace_ring_jobs{" DEVICE ",ring=\"queue\",place=\"waiting\"}", "2");
	end(&t);
}

static void test_cap(void **state)
{
	struct session t;
	char name[16];

	(void)state;
	begin(&t, 2);
	for (uint32_t ring = 1; ring <= 5; ring++) {
		snprintf(name, sizeof(name), "ring-%u", ring);
		synth_ring(&t.s, ring, name, SYNTH_START);
	}
	put_pod(&t, 100, 81, UID_A, "trainer-0", SYNTH_START);
	for (uint32_t ring = 1; ring <= 5; ring++)
		put_job(&t, ring, 100, SYNTH_START + 10 * ring * US);
	play(&t);
	expect(&t, "grtrace_ring_state_seconds_total{" DEVICE ",ring=\"ring-2\",state=\"busy\"}", "0.000004");
	expect(&t, "grtrace_ring_state_seconds_total{owner=\"other\",state=\"busy\"}", "0.000012");
	expect(&t, "grtrace_ring_jobs{owner=\"other\",place=\"on_ring\"}", "0");
	expect_none(&t, "grtrace_ring_state_seconds_total{" DEVICE ",ring=\"ring-3\"");
	expect(&t, "grtrace_series_folded_total{family=\"grtrace_ring_state_seconds\"}", "3");
	end(&t);
}

/* The old pod was idle for so long that its label set could become another's: it is that of the new pod, too. */
static void test_idle(void **state)
{
	struct session t;

	(void)state;
	begin(&t, 2);
	synth_ring(&t.s, 1, "gfx", SYNTH_START);
	put_pod(&t, 100, 81, UID_A, "trainer-0", SYNTH_START);
	put_job(&t, 1, 100, SYNTH_START + 10 * US);
	put_pod(&t, 200, 82, UID_B, "trainer-0", SYNTH_START + 20 * US);
	put_pod(&t, 300, 83, UID_C, "serve", SYNTH_START + 20 * US);
	put_job(&t, 1, 300, SYNTH_START + 30 * US);
	play(&t);
	put_job(&t, 1, 200, SYNTH_START + HOUR + HOUR / 2);
	play(&t);
	put_pod(&t, 500, 85, "88888888-0000-4000-8000-000000000088", "newer", SYNTH_START + 2 * HOUR);
	put_job(&t, 1, 500, SYNTH_START + 2 * HOUR);
	put_job(&t, 1, 200, SYNTH_START + 2 * HOUR + 10 * US);
	play(&t);
	expect(&t, "grtrace_jobs_total{" DEVICE ",ring=\"gfx\"," TRAINER ",result=\"ok\"}", "3");
	expect_none(&t, "grtrace_jobs_total{" DEVICE ",ring=\"gfx\",owner=\"pod\",namespace=\"ml\",pod=\"serve\"");
	end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pod_again),
		cmocka_unit_test(test_late_name), cmocka_unit_test(test_many_late),
		cmocka_unit_test(test_rings_of_one_name),
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_cap),
		cmocka_unit_test(test_idle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
