// SPDX-License-Identifier: GPL-2.0
/* t_ioctl: when the thread of a job entered the ioctl in which it submitted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model.h"
#include "model-script.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

#define UNKNOWN		UINT64_MAX

static void take_job(void *arg, const struct grt_job *job)
{
	uint64_t *ns = arg;

	*ns = grt_job_knows(job, GRT_STAGE_IOCTL) ? job->stage_ns[GRT_STAGE_IOCTL] : UNKNOWN;
}

#define FEED(m, st, TYPE, at, has, ...) do {					\
	const struct grtrace_##st rec = {					\
		.hdr = { .type = GRTRACE_##TYPE, .size = sizeof(rec), .cpu = 1, .ts = at, \
			 .flags = has },					\
		__VA_ARGS__							\
	};									\
	assert_int_equal(grt_model_feed(m, &rec.hdr), 0);			\
} while (0)

/* Thread 60 submits a job; the time is 2000 ns. */
static const struct entry_case {
	const char *text;
	uint64_t first_ns, second_ns;	/* IOCTLs; 0: none */
	uint32_t first_tid, second_tid;
	uint16_t ioctl_flags, submit_flags;
	uint64_t lost_from_ns, lost_to_ns;	/* 0: nothing is lost */
	uint64_t t_ioctl_ns;
} cases[] = {
	{ .text = "no ioctl", .t_ioctl_ns = UNKNOWN },
	{ .text = "its ioctl", .first_ns = 1500, .first_tid = 60, .t_ioctl_ns = 500 },
	{ .text = "the latest one", .first_ns = 1500, .first_tid = 60, .second_ns = 1900,
	  .second_tid = 60, .t_ioctl_ns = 100 },
	{ .text = "that of another thread", .first_ns = 1500, .first_tid = 61, .t_ioctl_ns = UNKNOWN },
	{ .text = "one of both", .first_ns = 1500, .first_tid = 60, .second_ns = 1900,
	  .second_tid = 61, .t_ioctl_ns = 500 },
	{ .text = "the place is taken", .first_ns = 1500, .first_tid = 60, .second_ns = 1900,
	  .second_tid = 60 + 16384, .t_ioctl_ns = UNKNOWN },
	{ .text = "at the same time", .first_ns = 2000, .first_tid = 60, .t_ioctl_ns = 0 },
	{ .text = "a job of the kernel", .first_ns = 1500, .first_tid = 60,
	  .submit_flags = GRTRACE_F_KERNEL_JOB, .t_ioctl_ns = UNKNOWN },
	{ .text = "written by hand", .first_ns = 1500, .first_tid = 60,
	  .ioctl_flags = GRTRACE_F_SYNTHETIC, .t_ioctl_ns = UNKNOWN },
	{ .text = "a loss in between", .first_ns = 1500, .first_tid = 60, .lost_from_ns = 1600,
	  .lost_to_ns = 1700, .t_ioctl_ns = UNKNOWN },
	{ .text = "a loss before", .first_ns = 1500, .first_tid = 60, .lost_from_ns = 1200,
	  .lost_to_ns = 1300, .t_ioctl_ns = 500 },
};

static void feed(struct grt_model *m, const struct entry_case *c)
{
	if (c->lost_from_ns && c->lost_to_ns < 1500)
		FEED(m, loss, LOSS, c->lost_to_ns, 0, .reason = GRTRACE_FATE_BUFFER_FULL, .count = 1,
		     .from_ns = c->lost_from_ns, .to_ns = c->lost_to_ns);
	if (c->first_ns)
		FEED(m, ioctl, IOCTL, c->first_ns, c->ioctl_flags, .tgid = 7, .tid = c->first_tid,
		     .cmd = 0xc0186444);
	if (c->lost_from_ns && c->lost_to_ns >= 1500)
		FEED(m, loss, LOSS, c->lost_to_ns, 0, .reason = GRTRACE_FATE_BUFFER_FULL, .count = 1,
		     .from_ns = c->lost_from_ns, .to_ns = c->lost_to_ns);
	if (c->second_ns)
		FEED(m, ioctl, IOCTL, c->second_ns, 0, .tgid = 7, .tid = c->second_tid,
		     .cmd = 0xc0186444);
	FEED(m, submit, SUBMIT, 2000, c->submit_flags, .ctx = 1, .seqno = 1, .ring = 1, .tgid = 7,
	     .tid = 60, .credits = 1);
	FEED(m, commit, COMMIT, 2700, 0, .ctx = 1, .seqno = 1, .ring = 1, .credits = 1,
	     .hw_credits = 1);
	FEED(m, end, END, 5000, 0, .ctx = 1, .seqno = 1, .ring = 1);
	FEED(m, complete, COMPLETE, 5100, 0, .ctx = 1, .seqno = 1, .ring = 1);
}

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		uint64_t ns = 77;
		struct grt_model *m = grt_model_create(take_job, &ns);

		print_message("# %s\n", cases[i].text);
		assert_non_null(m);
		script_rings(m);
		feed(m, &cases[i]);
		assert_int_equal(grt_model_finish(m), 0);
		assert_int_equal(ns, cases[i].t_ioctl_ns);
		grt_model_destroy(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_cases) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
