// SPDX-License-Identifier: GPL-2.0
/*
 * Reads whole trace.dat files. libtracecmd may crash on them in its child process.  Code that is
 * compiled with sanitizers must not have findings, in either process.
 */
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "error.h"
#include "fuzz.h"
#include "import.h"

/* Errors of libtracecmd in functions of libc are not findings. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "replace_str=0:replace_intrin=0:intercept_strlen=0:intercept_strchr=0:"
	       "intercept_strndup=0:allocator_may_return_null=1:detect_leaks=0";
}

/* Missing without a sanitizer. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
void __sanitizer_symbolize_pc(void *pc, const char *format, char *text, size_t bytes)
	__attribute__((weak));

static bool *has_finding;	/* shared with the child */

/* Whether the finding is in our code, not in what libtracecmd called. */
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

/* Signals must end the child; libFuzzer would handle them. */
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
	const struct grt_import_options options = { .keeps_marks = bytes % 2, .to_name = "output" };
	struct grt_import_sums sums;
	char path[64];
	int fd, to, err;

	if (!has_finding)
		prepare();
	/* Other files are not a trace.dat; the target "text" reads them. */
	if (bytes < 10 || memcmp(data, "\x17\x08\x44tracing", 10))
		return 0;
	fd = fuzz_file(data, bytes);
	snprintf(path, sizeof(path), "/dev/shm/fuzz-dat-%d", getpid());
	to = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	FUZZ_EXPECT(to >= 0);
	err = grt_import_file(fd, "input", to, &options, &sums);
	close(to);
	FUZZ_EXPECT(!*has_finding);
	FUZZ_EXPECT(!err || (err == -EBADMSG && *grt_cause()));
	if (!err)
		fuzz_analyse(path);
	unlink(path);
	return 0;
}
