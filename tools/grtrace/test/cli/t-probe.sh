#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: grtrace probe: wrong usage, and probes of a program where tracefs takes them
# Tests call these functions through ok().
# shellcheck disable=SC2317,SC2016
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

tracefs=/sys/kernel/tracing
hint="grtrace probe -h"
probe() { "$grtrace" probe "$@"; }

ok "nothing to do"		complains 2 "needs add, list, del, lines or vars" "$hint" "$grtrace" probe
ok "no such action"		complains 2 "probe has no 'show'" "$hint" "$grtrace" probe show
ok "add without a function"	complains 2 "probe add takes a function" "$hint" "$grtrace" probe add
ok "list takes no names"	complains 2 "probe list takes nothing" "$hint" "$grtrace" probe list x
ok "del without a name"		complains 2 "probe del takes names" "$hint" "$grtrace" probe del
ok "del of all and of one"	complains 2 "--all stands alone" "$hint" "$grtrace" probe del --all one
ok "--all of list"		complains 2 "--all stands alone" "$hint" "$grtrace" probe list --all
ok "vars of one function"	complains 2 "probe vars takes one function" "$hint" "$grtrace" probe vars a b
ok "two things at a time"	complains 2 "--graph takes no --time" "$hint" "$grtrace" probe --time a --graph a
ok "three points"		complains 2 "one function, or two points" "$hint" "$grtrace" probe --time a b c
ok "a key of one point"		complains 2 "--key needs --time with two points" "$hint" "$grtrace" probe --time a --key x
ok "a graph of two"		complains 2 "--graph takes one function" "$hint" "$grtrace" probe --graph a b
ok "a graph of a program"	complains 2 "--graph takes no --exec" "$hint" "$grtrace" probe --graph a -x /bin/true
ok "no such format"		complains 2 "no format 'xml'" "$hint" "$grtrace" probe list -f xml
ok "a command for nothing"	complains 2 "needs --time or --graph" "$hint" "$grtrace" probe list -- true
ok "a time for nothing"		complains 2 "--duration needs --time or --graph" "$hint" "$grtrace" probe list -d 1
ok "record sums up no hits"	complains 2 "takes no --summary" "record -h" "$grtrace" record --probe f --summary
ok "record has types without"	complains 2 "leaves out all events of -e and --probe" "record -h" \
	"$grtrace" record --probe f --type SUBMIT
ok "a flight recorder has none"	complains 2 "--flight.*takes no.*--probe" "record -h" "$grtrace" record --flight --probe f
ok "nor has BPF"		complains 3 "it has no --probe" "--source=tracefs" "$grtrace" record --source=bpf --probe f

if [ "$(id -u)" -eq 0 ]; then
	ok "not for everybody"	run 3 setpriv --reuid 65534 --clear-groups --bounding-set -all "$grtrace" probe list
	ok "one error"		[ "$(grep -c '^grtrace: ' err)" -eq 1 ]
	ok "and a hint"		grep -q -e '^hint: run it with sudo$' -e '^hint: sudo mount ' err
fi
if [ "$(id -u)" -ne 0 ] || [ ! -f "$tracefs/uprobe_events" ]; then
	ok "probes of a program # SKIP needs root and tracefs" true
	end
fi

cat > calls.c << 'END'
#include <stdlib.h>

int work_hard(int a, const char *text);
int work_not(int a);
__attribute__((noinline)) int work_not(int a) { __asm__ volatile(""); return a; }
__attribute__((noinline)) int work_hard(int a, const char *text) { __asm__ volatile(""); return a + work_not(*text); }

int main(int argc, char **argv)
{
	int sum = 0;

	for (int i = 0; i < atoi(argv[1]); i++)
		sum += work_hard(i, argv[argc - 1]);
	return sum < 0;
}
END
"${CC:-cc}" -O1 -o calls calls.c || exit 1
cat "$tracefs/dynamic_events" > before
left_nothing() { cat "$tracefs/dynamic_events" > after; cmp -s before after; }
has() { grep -q -e "$1" out; }
# shellcheck disable=SC2064	# this is the folder now
trap "'$grtrace' probe del work_hard work_not work_hard__return 2> /dev/null; rm -rf '$dir'" EXIT

ok "no such file"		complains 3 "cannot find 'nothing'" "with its path" "$grtrace" probe add -x nothing f
ok "no program"			complains 3 "is no ELF file" "a program or a library" "$grtrace" probe add -x calls.c f
ok "no such function"		complains 3 "has no function 'works'" "nm -D" "$grtrace" probe add -x calls works
ok "no such register"		complains 3 "Invalid register name, at '.*%foo" "grtrace-probe" \
	"$grtrace" probe add -x calls work_hard '%foo'
ok "no names of arguments"	complains 3 "does not name the arguments of 'work_hard'" '$arg1' "$grtrace" probe add -x calls work_hard a
ok "the shell took a part"	complains 3 "the shell took the '>'" "in quotes" "$grtrace" probe add -x calls work_hard 'a-'
ok "no such place"		complains 3 "is no place in a function" "%return" "$grtrace" probe add -x calls work_hard%exit
ok "nothing is left"		left_nothing
ok "a pattern"			run 0 "$grtrace" probe add -x calls 'work_*' '$arg1:s32'
ok "has two functions"		[ "$(grep -c '^grtrace_probe:work_' out)" -eq 2 ]
ok "and says so"		grep -q "added 2 probes" err
ok "the same name again"	complains 3 "already is a probe of that name" "probe list" "$grtrace" probe add -x calls work_hard
ok "they are listed"		run 0 "$grtrace" probe list -f csv
ok "as uprobes"			has "^work_hard,uprobe,0,"
ok "one is removed"		run 0 "$grtrace" probe del grtrace_probe:work_not
ok "once"			complains 3 "cannot remove the probe 'work_not'" "probe list" "$grtrace" probe del work_not
ok "the return of the other"	run 0 "$grtrace" probe add -x calls work_hard%return '$retval:s32'
ok "they record"		run 0 "$grtrace" record -q -o t.grt -e 'grtrace_probe:*' -- ./calls 3 A
ok "into a trace"		run 0 "$grtrace" dump --type TRACE_EVENT t.grt
ok "calls"			[ "$(grep -c '"grtrace_probe:work_hard arg1=[0-2]"' out)" -eq 3 ]
ok "and what they return"	[ "$(grep -c '"grtrace_probe:work_hard__return retval=6[5-7]"' out)" -eq 3 ]
ok "all are removed"		run 0 "$grtrace" probe del --all
ok "and gone"			left_nothing
ok "a recording's own probe"	run 0 "$grtrace" record -q -o t.grt --probe '-x ./calls work_hard text=+0($arg2):string' -- ./calls 2 word
ok "is in the trace"		run 0 "$grtrace" dump --type TRACE_EVENT t.grt
ok "with its text"		[ "$(grep -c 'grtrace_probe:work_hard text=.*word' out)" -eq 2 ]
ok "and not in the kernel"	left_nothing
ok "a wrong one"		complains 3 "Invalid register name" "grtrace-probe" \
	"$grtrace" record -q -o no.grt --probe '-x ./calls work_hard %foo'
ok "makes no file"		[ ! -e no.grt ]
ok "and leaves nothing"		left_nothing
ok "how long calls take"	run 0 "$grtrace" probe --time work_hard -x calls --per-process -f csv -- ./calls 500 A
ok "of the process"		has "^[0-9]*,calls,500,[0-9]*,[0-9]*,"
ok "and of all"			has "^,(all),500,"
ok "two points"			run 0 "$grtrace" probe --time work_hard work_not -x calls -f json -- ./calls 20 A
ok "are paired"			has '"count": *20'
ok "a key"			run 0 "$grtrace" probe --time work_hard work_not -x calls --key '+0($arg2):u8,$arg1:s32' -f csv -- ./calls 20 A
ok "pairs them, too"		has "^,(all),20,"
ok "the exit code"		run 7 "$grtrace" probe --time work_hard -x calls -- sh -c 'exit 7'
ok "no calls"			has "(all) *0"
ok "a time"			run 0 "$grtrace" probe --time work_hard -x calls --seconds 100ms
ok "a pattern is not timed"	complains 3 "means 2 functions" "name one" "$grtrace" probe --time 'work_*' -x calls -d 1
ok "nothing is left at the end"	left_nothing
end
