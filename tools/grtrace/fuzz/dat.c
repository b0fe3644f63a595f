// SPDX-License-Identifier: GPL-2.0
/*
 * Whole trace.dat files.  libtracecmd may crash on them, in the child that it runs in; what
 * is compiled with sanitizers may not do anything that these see, in neither process.
 */
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "error.h"
#include "fuzz.h"
#include "import.h"

/* What libtracecmd does wrong through functions of libc is no finding. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "replace_str=0:replace_intrin=0:intercept_strlen=0:intercept_strchr=0:"
	       "intercept_strndup=0:allocator_may_return_null=1:detect_leaks=0";
}

/* Not there without a sanitizer. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
void __sanitizer_symbolize_pc(void *pc, const char *format, char *text, size_t bytes)
	__attribute__((weak));

static bool *has_finding;	/* shared with the child */

/* Whether it was found in what is ours, not in what libtracecmd called. */
static void on_finding(void)
{
	void *frames[32];
	int count = backtrace(frames, 32);
	char text[512];

	for (int i = 0; i < count && !*has_finding; i++) {
		__sanitizer_symbolize_pc(frames[i], "%m %s", text, sizeof(text));
		if (strstr(text, "/libtrace"))
			return;
		*has_finding = strstr(text, "/grtrace/lib/");
	}
}

/* In the child signals kill; libFuzzer would take them for its own. */
static void enter_child(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGALRM };

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_DFL);
	if (__sanitizer_set_death_callback)
		__sanitizer_set_death_callback(on_finding);
}

static void prepare(void)
{
	has_finding = mmap(NULL, sizeof(*has_finding), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (has_finding == MAP_FAILED || pthread_atfork(NULL, NULL, enter_child))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	const struct grt_import_options options = { .keeps_marks = bytes % 2 };
	struct grt_import_sums sums;
	char path[64];
	int fd, err;

	if (!has_finding)
		prepare();
	/* Others are no trace.dat, and "text" reads them. */
	if (bytes < 10 || memcmp(data, "\x17\x08\x44tracing", 10))
		return 0;
	fd = fuzz_file(data, bytes);
	snprintf(path, sizeof(path), "/dev/shm/fuzz-dat-%d", getpid());
	err = grt_import_file(fd, "input", path, &options, &sums);
	FUZZ_EXPECT(!*has_finding);
	FUZZ_EXPECT(!err || (err == -EBADMSG && *grt_cause()));
	if (!err)
		fuzz_analyse(path);
	FUZZ_EXPECT(!unlink(path) == !err);
	return 0;
}
