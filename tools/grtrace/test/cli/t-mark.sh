#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: marks of users: grtrace-mark.h and grtrace mark
# Where tracefs cannot be used, marks go to a file only.
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

export GRTRACE_TRACE_MARKER="$dir/marker"
: > marker
header=$tools/include
says() { grep -qF -e "$1" out; }
content() { [ "$(cat "$GRTRACE_TRACE_MARKER")" = "$1" ]; }

cat > one.c << 'END'
#include <grtrace-mark.h>
#include <pthread.h>
#include <stdio.h>

int other(const char *text);

static char failed_mark;

static void *write_many(void *arg)
{
	char text[32];
	int i;

	for (i = 0; i < 500; i++) {
		snprintf(text, sizeof(text), "thread %d mark %d", (int)(size_t)arg, i);
		if (i % 2 ? grtrace_mark(text) : other(text))
			return &failed_mark;
	}
	return NULL;
}

/* Errors of fcntl() are its answers here. */
static int open_files(void)
{
	int fd, cnt = 0, saved = errno;

	for (fd = 0; fd < 64; fd++)
		cnt += fcntl(fd, F_GETFD) >= 0;
	errno = saved;
	return cnt;
}

int main(int argc, char **argv)
{
	pthread_t threads[8];
	void *failed = NULL;
	size_t i;
	int cnt = open_files();

	errno = 77;
	if (argc > 1) {
		printf("%d", grtrace_mark(argv[1]));
		printf(" %d\n", other(argv[1]));
		return errno != 77;
	}
	for (i = 0; i < 8; i++)
		if (pthread_create(&threads[i], NULL, write_many, (void *)i))
			return 2;
	for (i = 0; i < 8; i++) {
		void *result;

		pthread_join(threads[i], &result);
		failed = result ? result : failed;
	}
	/* All threads together have opened one file. */
	return failed || open_files() != cnt + 1 || errno != 77;
}
END
cat > two.c << 'END'
#include <grtrace-mark.h>

int other(const char *text);
int other(const char *text) { return grtrace_mark(text); }
END
cat > three.cc << 'END'
#include <grtrace-mark.h>

int main(int, char **argv) { return grtrace_mark(argv[1]) ? 1 : 0; }
END
strict="-Wall -Wextra -Wshadow -Wconversion -Werror -pedantic"
# shellcheck disable=SC2086
ok "the header is C99"			run 0 "${CC:-cc}" -std=c99 $strict -I"$header" -fsyntax-only two.c
# shellcheck disable=SC2086
ok "and C++11"				run 0 "${CXX:-c++}" -std=c++11 $strict -I"$header" -o three three.cc
# shellcheck disable=SC2086
ok "two files of a program"		run 0 "${CC:-cc}" $strict -D_GNU_SOURCE -I"$header" -o marks one.c two.c -pthread
ok "and eight threads"			run 0 ./marks
ok "write whole lines"			[ "$(grep -cE '^thread [0-7] mark [0-9]+$' marker)" -eq 4000 ]
ok "each once"				[ "$(sort -u marker | wc -l)" -eq 4000 ]
: > marker
ok "C++ writes"				run 0 ./three "from C++"
ok "its text"				content "from C++"
: > marker
ok "a text with a line end"		run 0 ./marks "$(printf 'first\nsecond')"
ok "is cut there"			content "$(printf 'first\nfirst')"
: > marker
ok "a long text"			run 0 ./marks "$(head -c 3000 /dev/zero | tr '\0' x)"
ok "is cut, too"			[ "$(head -n 1 marker | wc -c)" -eq 1024 ]
ok "an empty one"			run 0 ./marks ""
ok "is none"				says "-22 -22"
export GRTRACE_TRACE_MARKER="$dir/none/marker"
ok "without the file"			run 0 ./marks text
ok "it says so, and keeps errno"	says "-2 -2"
mkdir none
cat > retry.c << 'END'
#include <grtrace-mark.h>
#include <stdio.h>

int main(void)
{
	int first = grtrace_mark("a");

	close(creat(getenv("GRTRACE_TRACE_MARKER"), 0600));
	return first != -ENOENT || grtrace_mark("b") != -ENOENT;
}
END
ok "a program"				run 0 "${CC:-cc}" -D_GNU_SOURCE -I"$header" -o retry retry.c
ok "tries the file once"		run 0 ./retry
ok "and writes nothing later"		[ ! -s none/marker ]

export GRTRACE_TRACE_MARKER="$dir/marker"
: > marker
ok "the command"			run 0 "$grtrace" mark "frame 7"
ok "writes"				content "frame 7"
ok "and says nothing"			[ ! -s out ]
export GRTRACE_TRACE_MARKER="$dir/nothing"
ok "no file"				complains 3 "cannot write a mark to '.*nothing': No such file" "GRTRACE_TRACE_MARKER" "$grtrace" mark x
export GRTRACE_TRACE_MARKER=/dev/full
ok "a file that takes nothing"		run 3 "$grtrace" mark x
ok "no text"				complains 2 "takes one text" "mark -h" "$grtrace" mark
ok "several words"			complains 2 "takes one text" "mark -h" "$grtrace" mark frame 7
ok "two lines"				complains 2 "one line" "mark -h" "$grtrace" mark "$(printf 'a\nb')"
ok "an empty line"			complains 2 "one line" "mark -h" "$grtrace" mark ""
ok "a long line"			complains 2 "at most 1023 bytes" "mark -h" "$grtrace" mark "$(head -c 1024 /dev/zero | tr '\0' x)"

# The kernel itself, in an instance of its own.
tracefs=/sys/kernel/tracing
instance=$tracefs/instances/grtrace-test-$$
if [ "$(id -u)" -eq 0 ] && mkdir "$instance" 2> /dev/null; then
	# shellcheck disable=SC2064	# these are the names now
	trap "rmdir '$instance'; rm -rf '$dir'" EXIT
	export GRTRACE_TRACE_MARKER="$instance/trace_marker"
	echo mono > "$instance/trace_clock"
	ok "the kernel takes a mark"	run 0 "$grtrace" mark 'frame 7: "a"=b'
	ok "of a program"		run 0 ./three "from C++"
	{
		cat "$instance/trace"
		echo ' p-9 [000] 1.000000: drm_sched_job_queue: dev=a, fence=5:1, ring=gfx, job count:0, hw job count:0, client_id:3'
	} > recorded
	ok "it is recorded"		run 0 "$grtrace" dump -f csv --type MARK recorded
	ok "with its text"		grep -qF '"frame 7: ""a""=b"' out
	ok "and that of the program"	grep -qF 'from C++' out
	sh -c 'echo $$ > pid; exec "$0" mark "who am I"' "$grtrace"
	cat "$instance/trace" >> recorded
	run 0 "$grtrace" dump --type MARK recorded
	ok "and its pid"		grep -qE "MARK  *tgid=$(cat pid)(\(.*\))? tid=$(cat pid) text=\"who am I\"" out
	printf '[1.000000] IOCTL_ENTER pid=9 tid=9 comm=p cmd=0x6440 arg=0x0\n' > ioctl
	run 0 "$grtrace" merge --cpu ioctl --gpu recorded
	ok "a timeline has it"		grep -qE "^\[[0-9.]+\] GPU MARK tgid=[0-9]+, tid=[0-9]+, text=\"who am I\"$" out
	echo 0 > "$instance/tracing_on"
	ok "tracing is off"		complains 3 "tracing is off" "tracing_on" "$grtrace" mark x
else
	ok "the kernel takes marks # SKIP needs root and tracefs" true
fi
end
