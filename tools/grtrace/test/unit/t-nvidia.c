// SPDX-License-Identifier: GPL-2.0
/* Calls of NVIDIA's driver: which return belongs to which call, whose files are open, errors of the log. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "nvidia.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))
#define HAS(value)	(1u << GRT_NVIDIA_##value)
#define TIMED		(1u << GRT_NVIDIA_OPEN | 1u << GRT_NVIDIA_ISR | 1u << GRT_NVIDIA_ISR_MSIX |	\
			 1u << GRT_NVIDIA_BH | 1u << GRT_NVIDIA_SUSPEND | 1u << GRT_NVIDIA_RESUME)

struct followed {
	struct grt_nvidia nvidia;
	unsigned int rows;
	struct grt_nvidia_row last;
	uint64_t ns;
};

static int show(void *arg, const struct grt_nvidia_row *row)
{
	struct followed *f = arg;

	f->rows++;
	f->last = *row;
	return 0;
}

static void begin(struct followed *f)
{
	*f = (struct followed){ .nvidia = { .has_return = TIMED, .has_laps = true, .show = show }, .ns = 1000 };
	f->nvidia.arg = f;
}

static void add(struct followed *f, struct grt_nvidia_call call)
{
	call.ns = f->ns++;
	assert_int_equal(grt_nvidia_add(&f->nvidia, &call), 0);
}

/* --- times --- */

/*
 * Each letter is a call that begins (i: top half, m: one of MSI-X, b: bottom half, o: open) or, in capitals,
 * ends; a digit behind it is the CPU of an interrupt, or else the thread.  '!': calls are lost.
 */
static const struct {
	const char *name, *hits;
	uint64_t isr, isr_sum, bh, bh_sum, until_bh, until_sum, cut;
} time_cases[] = {
	{ "one interrupt", "i0I0b7B7", 1, 1, 1, 1, 1, 1, 0 },
	{ "two CPUs, both in the idle thread", "i0i1I0I1", 2, 2 + 2, 0, 0, 0, 0, 0 },
	{ "one ends before the other", "i0i1I1I0", 2, 1 + 3, 0, 0, 0, 0, 0 },
	{ "a top half in a bottom half", "i0I0b7i1I1B7", 2, 1 + 1, 1, 3, 1, 1, 0 },
	{ "one bottom half for two top halves", "i0I0i1I1b7B7", 2, 1 + 1, 1, 1, 1, 3, 0 },
	{ "a bottom half that nobody woke", "b7B7", 0, 0, 1, 1, 0, 0, 0 },
	{ "a function in the other", "m0i0I0M0b7", 1, 1, 0, 0, 1, 2, 0 },
	{ "began before", "I0i0I0", 1, 1, 0, 0, 0, 0, 0 },
	{ "the end is missed", "i0i0I0", 1, 1, 0, 0, 0, 0, 1 },
	{ "a loss", "i0b7!.I0B7i0I0", 1, 1, 0, 0, 0, 0, 2 },
	{ "a loss hides who was woken", "i0I0!.b7B7", 1, 1, 1, 1, 0, 0, 0 },
};

static void test_times(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(time_cases); i++) {
		const struct grt_nvidia_sums *all;
		struct followed f;

		begin(&f);
		for (const char *at = time_cases[i].hits; *at; at += 2) {
			char letter = *at | 0x20;
			struct grt_nvidia_call call = {
				.event = letter == 'i' ? GRT_NVIDIA_ISR :
					 letter == 'm' ? GRT_NVIDIA_ISR_MSIX : GRT_NVIDIA_BH,
				.is_return = letter != *at, .is_in_irq = letter != 'b', .has = HAS(IRQ),
				.values = { [GRT_NVIDIA_IRQ] = 33, [GRT_NVIDIA_RESULT] = 2 },
			};

			call.cpu = letter == 'b' ? at[1] % 3 : at[1] - '0';
			call.tid = letter == 'b' ? at[1] - '0' : 0;
			if (call.is_return)
				call.has = HAS(RESULT);
			if (*at == '!')
				grt_nvidia_lose(&f.nvidia, 1);
			else
				add(&f, call);
		}
		all = &f.nvidia.all;
		if (all->times[GRT_NVIDIA_ISR].count != time_cases[i].isr ||
		    grt_hist_sum(&all->times[GRT_NVIDIA_ISR]) != time_cases[i].isr_sum ||
		    all->times[GRT_NVIDIA_BH].count != time_cases[i].bh ||
		    grt_hist_sum(&all->times[GRT_NVIDIA_BH]) != time_cases[i].bh_sum ||
		    all->until_bh.count != time_cases[i].until_bh ||
		    grt_hist_sum(&all->until_bh) != time_cases[i].until_sum ||
		    all->cut != time_cases[i].cut)
			fail_msg("%s: isr %ju %ju bh %ju %ju until %ju %ju cut %ju", time_cases[i].name,
				 (uintmax_t)all->times[GRT_NVIDIA_ISR].count,
				 (uintmax_t)grt_hist_sum(&all->times[GRT_NVIDIA_ISR]),
				 (uintmax_t)all->times[GRT_NVIDIA_BH].count,
				 (uintmax_t)grt_hist_sum(&all->times[GRT_NVIDIA_BH]), (uintmax_t)all->until_bh.count,
				 (uintmax_t)grt_hist_sum(&all->until_bh), (uintmax_t)all->cut);
		assert_int_equal(f.rows, 0);
		grt_nvidia_free(&f.nvidia);
	}
}

/* --- processes and files --- */

static struct grt_nvidia_call call_of(enum grt_nvidia_event event, uint32_t tgid, uint64_t file)
{
	return (struct grt_nvidia_call){
		.event = event, .tid = tgid, .tgid = tgid, .comm = "python", .has = HAS(FILE),
		.values = { [GRT_NVIDIA_FILE] = file },
	};
}

static void open_file(struct followed *f, uint32_t tgid, uint64_t file, int32_t result)
{
	struct grt_nvidia_call call = call_of(GRT_NVIDIA_OPEN, tgid, file);

	add(f, call);
	call.is_return = true;
	call.has = HAS(RESULT);
	call.values[GRT_NVIDIA_RESULT] = (int64_t)result;
	add(f, call);
}

static uint64_t files_of(const struct followed *f, size_t process)
{
	return grt_nvidia_process_at(&f->nvidia, process)->files;
}

static void test_files(void **state)
{
	struct followed f;

	(void)state;
	begin(&f);
	open_file(&f, 10, 0xa0, 0);
	open_file(&f, 10, 0xb0, 0);
	open_file(&f, 11, 0xc0, 0);
	open_file(&f, 11, 0xd0, -5);
	assert_int_equal(f.rows, 4);
	assert_true(f.last.has_took && f.last.has_result);
	assert_int_equal(f.last.result, -5);
	/* The process that closes it is another one, as after a fork. */
	add(&f, call_of(GRT_NVIDIA_CLOSE, 12, 0xa0));
	/* Opened before. */
	add(&f, call_of(GRT_NVIDIA_CLOSE, 11, 0xe0));
	assert_int_equal(grt_nvidia_nr_processes(&f.nvidia), 3);
	assert_int_equal(files_of(&f, 0), 1);
	assert_int_equal(files_of(&f, 1), 1);
	assert_int_equal(files_of(&f, 2), 0);
	assert_int_equal(f.nvidia.all.all.calls[GRT_NVIDIA_OPEN], 4);
	assert_int_equal(f.nvidia.all.all.failed_opens, 1);
	assert_false(f.nvidia.lacks_files);
	grt_nvidia_lose(&f.nvidia, 3);
	assert_true(f.nvidia.lacks_files);
	assert_int_equal(f.nvidia.all.lost, 3);
	grt_nvidia_free(&f.nvidia);
}

/* Memory stays, whatever happens. */
static void test_bounds(void **state)
{
	const struct grt_nvidia_process *others;
	struct followed f;
	uint64_t sum = 0;

	(void)state;
	begin(&f);
	for (uint32_t i = 0; i < 2 * GRT_NVIDIA_PROCESSES; i++)
		open_file(&f, i + 1, 0x1000 + i, 0);
	assert_int_equal(grt_nvidia_nr_processes(&f.nvidia), GRT_NVIDIA_PROCESSES + 1);
	others = grt_nvidia_process_at(&f.nvidia, GRT_NVIDIA_PROCESSES);
	assert_int_equal(others->tgid, 0);
	assert_int_equal(others->files, GRT_NVIDIA_PROCESSES);
	for (size_t i = 0; i < grt_vec_count(&f.nvidia.all.processes, struct grt_nvidia_counts); i++)
		sum += grt_vec_at(&f.nvidia.all.processes, struct grt_nvidia_counts, i)->calls[GRT_NVIDIA_OPEN];
	assert_int_equal(sum, 2 * GRT_NVIDIA_PROCESSES);
	/* Calls that never end. */
	for (uint32_t i = 0; i < 3 * GRT_NVIDIA_CALLS; i++)
		add(&f, (struct grt_nvidia_call){ .event = GRT_NVIDIA_BH, .tid = i });
	assert_true(grt_vec_count(&f.nvidia.calls, struct grt_nvidia_call) <= GRT_NVIDIA_CALLS);
	assert_int_equal(f.nvidia.all.cut, 2 * GRT_NVIDIA_CALLS);
	for (uint64_t i = 0; i < GRT_NVIDIA_FILES; i++)
		open_file(&f, 1, 1 << 20 | i, 0);
	assert_true(f.nvidia.lacks_files);
	/* Errors. */
	for (uint32_t i = 0; i < 3 * GRT_NVIDIA_XIDS; i++)
		add(&f, (struct grt_nvidia_call){ .event = GRT_NVIDIA_XID, .has = HAS(CODE),
						  .values = { [GRT_NVIDIA_CODE] = i } });
	assert_int_equal(grt_vec_count(&f.nvidia.all.xids, struct grt_nvidia_xid), GRT_NVIDIA_XIDS);
	assert_int_equal(grt_vec_at(&f.nvidia.all.xids, struct grt_nvidia_xid, GRT_NVIDIA_XIDS - 1)->count,
			 2 * GRT_NVIDIA_XIDS + 1);
	grt_nvidia_free(&f.nvidia);
}

static void test_rows(void **state)
{
	struct followed f;

	(void)state;
	begin(&f);
	for (int i = 0; i < 301; i++)
		add(&f, call_of(GRT_NVIDIA_IOCTL, 10, 0));
	assert_int_equal(f.rows, 4);
	for (int i = 0; i < 5; i++)
		add(&f, call_of(GRT_NVIDIA_POLL, 10, 0));
	assert_int_equal(f.rows, 4);
	/* Laps sum to all. */
	assert_int_equal(f.nvidia.lap.all.calls[GRT_NVIDIA_IOCTL], 301);
	grt_nvidia_begin_lap(&f.nvidia);
	add(&f, call_of(GRT_NVIDIA_IOCTL, 10, 0));
	assert_int_equal(f.nvidia.lap.all.calls[GRT_NVIDIA_IOCTL], 1);
	assert_int_equal(f.nvidia.all.all.calls[GRT_NVIDIA_IOCTL], 302);
	grt_nvidia_free(&f.nvidia);
}

/* --- power --- */

static void power(struct followed *f, enum grt_nvidia_event event, const char *device, uint64_t took_ns)
{
	struct grt_nvidia_call call = { .event = event, .tid = 9, .tgid = 9 };

	snprintf(call.device, sizeof(call.device), "%s", device);
	add(f, call);
	f->ns += took_ns - 1;
	call.is_return = true;
	add(f, call);
	f->ns--;
}

static void test_power(void **state)
{
	struct followed f;

	(void)state;
	begin(&f);
	power(&f, GRT_NVIDIA_SUSPEND, "0000:01:00.0", 50);
	assert_int_equal(f.last.took_ns, 50);
	f.ns += 300;
	power(&f, GRT_NVIDIA_SUSPEND, "0000:02:00.0", 10);
	f.ns += 100;
	power(&f, GRT_NVIDIA_RESUME, "0000:01:00.0", 20);
	assert_true(f.last.has_asleep);
	assert_int_equal(f.last.asleep_ns, 300 + 10 + 100);
	/* The machine slept, too, which its clock does not count. */
	f.nvidia.slept_ns = 5000;
	power(&f, GRT_NVIDIA_RESUME, "0000:02:00.0", 20);
	assert_int_equal(f.last.asleep_ns, 100 + 20 + 5000);
	power(&f, GRT_NVIDIA_RESUME, "0000:02:00.0", 20);
	assert_false(f.last.has_asleep);
	assert_int_equal(f.nvidia.all.asleep.count, 2);
	grt_nvidia_free(&f.nvidia);
}

/* Many GPUs, and many interrupts: none is left out. */
static void test_many(void **state)
{
	struct followed f;
	char device[32];

	(void)state;
	begin(&f);
	for (unsigned int i = 0; i < 200; i++) {
		snprintf(device, sizeof(device), "0000:%02x:00.0", i);
		power(&f, GRT_NVIDIA_SUSPEND, device, 10);
	}
	for (unsigned int i = 0; i < 200; i++) {
		snprintf(device, sizeof(device), "0000:%02x:00.0", i);
		power(&f, GRT_NVIDIA_RESUME, device, 10);
		assert_true(f.last.has_asleep);
	}
	assert_int_equal(f.nvidia.all.asleep.count, 200);
	for (uint32_t i = 0; i < 600; i++) {
		struct grt_nvidia_call call = {
			.event = GRT_NVIDIA_ISR, .is_in_irq = true, .has = HAS(IRQ),
			.values = { [GRT_NVIDIA_IRQ] = i, [GRT_NVIDIA_RESULT] = 2 },
		};

		add(&f, call);
		call.is_return = true;
		call.has = HAS(RESULT);
		add(&f, call);
	}
	for (uint32_t i = 0; i < 600; i++)
		add(&f, (struct grt_nvidia_call){ .event = GRT_NVIDIA_BH, .tid = i, .has = HAS(IRQ),
						  .values = { [GRT_NVIDIA_IRQ] = i } });
	assert_int_equal(f.nvidia.all.until_bh.count, 600);
	grt_nvidia_free(&f.nvidia);
}

/* --- errors --- */

static const struct xid_case {
	const char *line;
	bool is_one;
	const char *device;
	uint32_t code, tgid;
	const char *comm, *text;
} xid_cases[] = {
	{ "NVRM: Xid (PCI:0000:01:00): 79, pid=1234, name=python, GPU has fallen off the bus.", true, "0000:01:00",
	  79, 1234, "python", "pid=1234, name=python, GPU has fallen off the bus." },
	{ "NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.", true, "0000:01:00", 79, 0, "",
	  "GPU has fallen off the bus." },
	{ "NVRM: Xid (PCI:0000:01:00): 31, pid='<unknown>', name=<unknown>, MMU Fault", true, "0000:01:00", 31, 0, "",
	  "pid='<unknown>', name=<unknown>, MMU Fault" },
	{ "NVRM: Xid (PCI:0000:01:00 GPU-I:05): 94, pid=7194, Contained", true, "0000:01:00", 94, 0, "",
	  "pid=7194, Contained" },
	{ "NVRM: Xid (PCI:0000:01:00): 45", true, "0000:01:00", 45, 0, "", "" },
	{ "NVRM: Xid (PCI:0000:01:00): x", false, "", 0, 0, "", "" },
	{ "NVRM: Xid (PCI:0000:01:00", false, "", 0, 0, "", "" },
	{ "NVRM: Xid (PCI:0000:01:00): 8, pid=1, name=a_name_that_is_longer_than_it_may_be, x", true, "0000:01:00", 8,
	  1, "a_name_that_is_", "pid=1, name=a_name_that_is_longer_than_it_may_be, x" },
	{ "NVRM: loading NVIDIA UNIX Open Kernel Module", false, "", 0, 0, "", "" },
	/* Errors of switches look similar, but are no Xids. */
	{ "nvidia-nvswitch3: SXid (PCI:0000:01:00): 12028, x", false, "", 0, 0, "", "" },
	{ "", false, "", 0, 0, "", "" },
};

static bool is_as_expected(const struct xid_case *c, const struct grt_nvidia_call *call)
{
	return call->event == GRT_NVIDIA_XID && !strcmp(call->device, c->device) && call->tgid == c->tgid &&
	       grt_nvidia_has(call, GRT_NVIDIA_CODE) && call->values[GRT_NVIDIA_CODE] == c->code &&
	       !strcmp(call->comm, c->comm) && !strcmp(call->text, c->text);
}

static void test_xids(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(xid_cases); i++) {
		struct grt_nvidia_call call = { .event = GRT_NVIDIA_OPEN };

		if (grt_nvidia_parse_xid(&call, xid_cases[i].line) != xid_cases[i].is_one ||
		    (xid_cases[i].is_one && !is_as_expected(&xid_cases[i], &call)))
			fail_msg("'%s': device %s code %ju pid %u comm '%s'", xid_cases[i].line, call.device,
				 (uintmax_t)call.values[GRT_NVIDIA_CODE], call.tgid, call.comm);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times), cmocka_unit_test(test_files), cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_rows), cmocka_unit_test(test_power), cmocka_unit_test(test_xids),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
