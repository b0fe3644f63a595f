#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: every hint that is a command of grtrace works when it is pasted
# Tests call these functions through ok(); $'x' is for the shell that hints are pasted into.
# shellcheck disable=SC2317,SC2016,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

mkdir bin && ln -s "$grtrace" bin/grtrace
PATH=$dir/bin:$PATH
export LC_ALL=C.UTF-8

# Runs a command. Each of its hints that begins with grtrace must succeed or find what it looks for
# when it is pasted. The last argument is the expected number of such hints.
pastes()	# hints, then the command
{
	wanted=$1
	shift
	"$@" > out 2> err < /dev/null
	sed -n 's/^hint: \(grtrace .*\)/\1/p' out err > hints
	[ "$(wc -l < hints)" -eq "$wanted" ] || return 1
	while read -r hint; do
		bash -c "$hint" > pasted 2>&1 < /dev/null
		code=$?
		[ "$code" -le 1 ] && continue
		{ echo "$hint: exit code $code"; cat pasted; } >> err
		return 1
	done < hints
}

carries()	# what the hints say besides, then as above
{
	words=$1
	shift
	pastes "$@" && [ "$(grep -cF -e "$words" hints)" -eq "$1" ]
}

no_hints() { "$@" > out 2> err && ! grep -q '^hint: ' out err; }

"$gen" scene blame > blame || exit 1
"$gen" scene synthetic > synthetic || exit 1
"$gen" grt 3 300 plain.grt || exit 1
"$grtrace" slice --until 100us -o "early ones.grt" plain.grt > out || exit 1
"$grtrace" slice --since 100us -o late.grt plain.grt > out || exit 1
cp "$golden/import/sched-617.txt" 'a text.txt' || exit 1
for trace in 'my trace.grt' "it's.grt" 'a$(touch pwned)`b`.grt' '"x" & y.grt' '-p.grt' 'ü;.grt' "$(printf 'new\nline\033[31m.grt')"; do
	cp plain.grt "./$trace" || exit 1
	ok "report, with a name like $(printf %s "$trace" | tr '\n\033' '??')" \
		pastes 2 grtrace report "./$trace"
	case $trace in -*) ;; *) ok "the same without a folder" pastes 2 grtrace report "$trace" ;; esac
done
ok "nothing in a name is run"		[ ! -e pwned ]
ok "the options in force"		carries "--ring gfx --filter 'total > 5 ms' blame" 2 grtrace report -r gfx -F 'total > 5 ms' blame
ok "those with a value"			carries "--since '5 us' blame" 2 grtrace report --since '5 us' --limit 5 blame
ok "a span of time"			carries "--until '8 ms'" 2 grtrace report --until '8 ms' blame
"$gen" scene vblanks > vblanks || exit 1
ok "frames"				carries "--why 1:2 vblanks" 1 grtrace report --frames vblanks
ok "frames of nobody"			carries "--per-process vblanks" 1 grtrace report --frames -p 99 vblanks
ok "several raw files"			pastes 2 grtrace report blame blame
ok "what a table does not show"		sh -c "grtrace report 'my trace.grt' | sed -n 's/.* more: //p' > more; bash more > out && [ -s out ] || [ ! -s more ]"
ok "a pid that nobody has"		carries " blame" 1 grtrace report --pid 77 blame
ok "which then says whose jobs there are" grep -q "processes  game\[7\] (2 jobs), llama\[8\] (1 job)" out
ok "and on which rings"			grep -q "rings      gfx (2 jobs), compute (2 jobs)" out
ok "a ring without jobs in a time"	pastes 1 grtrace report --since 6.1ms --ring compute blame
ok "a filter that no job matches"	pastes 1 grtrace report --filter 'total > 1 h' 'my trace.grt'
ok "with CSV the hint is on stderr"	sh -c "grtrace report --jobs -f csv --pid 77 blame 2>&1 > out | grep -q 'processes: game (7)'"
ok "a job that is not there"		pastes 1 grtrace report --why 1:9 blame
ok "a context that is not there"	pastes 1 grtrace report --why 99:9 blame
ok "several whole traces"		pastes 1 grtrace report --idle "early ones.grt" late.grt
ok "which can be merged"		sh -c "grep -q \"^hint: grtrace merge 'early ones.grt' late.grt\" err"
ok "a word like a command"		carries "report --per-ring 'my trace.grt'" 1 grtrace reprot --per-ring 'my trace.grt'
ok "an unknown option"			pastes 1 grtrace report --nope blame
ok "an import"				pastes 1 grtrace import -o 'made of text.grt' 'a text.txt'
ok "a trace of another tool"		pastes 1 grtrace verify 'a text.txt'
ok "an empty slice"			pastes 1 grtrace slice --since 1h 'my trace.grt'
"$gen" load rings=2 > before && "$gen" load rings=2 jobs=60 > 'few jobs' || exit 1
cp 'few jobs' fewer; "$gen" load jobs=1 > single; "$gen" load comm=train jobs=60 > train
ok "too few jobs to compare"		carries "diff --confidence 90% --quantile p50 --stage total --ring gfx before 'few jobs'    # or" 1 grtrace diff --quantile p99 --stage total --ring gfx before 'few jobs'
ok "none in common"			carries "diff --confidence 90% --quantile p50 --together before train" 1 grtrace diff --per-process before train
ok "nothing that would be enough"	sh -c "grtrace diff before single 2>&1 | grep -q '^hint: sudo grtrace record --duration 60 '"
ok "no job of those asked for"		carries "report --per-process" 1 grtrace diff --pid 99 before 'few jobs'
ok "a ring that neither has"		carries "diff --stage total before before    # its rings: gfx (1), copy (2)" 1 grtrace diff --stage total --ring nope before before
for wrong in "--quantile p100" "--threshold 5" "--threshold x=5%" "--stage exec" "--confidence 20%" "--format xml" "--since soon" "--filter nope" "--together --per-process" "--nope"; do
	# shellcheck disable=SC2086
	ok "diff $wrong"		carries "grtrace diff " 1 grtrace diff --both $wrong before before
done
ok "one trace to compare"		pastes 1 grtrace diff before
"$gen" scene snapshot-hang > "a snapshot" && "$gen" scene snapshot-request > asked || exit 1
ok "a snapshot"				carries "'a snapshot'" 4 grtrace report "a snapshot"
ok "the events of its job"		grep -q "^hint: grtrace dump --job 15:43 'a snapshot'" out
ok "the last events"			grep -q "^hint: grtrace dump --since 0s 'a snapshot'" out
ok "a snapshot of no job"		pastes 3 grtrace report asked
ok "jobs written by hand"		pastes 2 grtrace report synthetic
ok "from standard input no file can be named" no_hints sh -c "grtrace report - < plain.grt"
ok "nor where nothing matches"		no_hints sh -c "grtrace report --pid 77 - < plain.grt"
ok "nor a FIFO"				no_hints sh -c "mkfifo fifo && { cat plain.grt > fifo & } && grtrace report fifo"
end
