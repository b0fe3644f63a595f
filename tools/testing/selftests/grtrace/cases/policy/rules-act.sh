#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: rules with action= keep a snapshot, stop the session or write a mark, after the COMPLETE of the job that met them; others do nothing
# kernels: 6.1
# requires: mock grtrace
# shellcheck disable=SC2016	# the dollars are those of awk
JOBS=200

rule() { echo "$1" >"$GRT_DIR/rules" || fail "rule '$1' was refused: $(cat "$GRT_DIR/error")"; }
refused()
{
	expect_refused rules "$1"
	grep -qF -- "$2" "$GRT_DIR/error" || fail "after '$1' the error file says: $(cat "$GRT_DIR/error")"
}
hits() { awk -F, -v label="$1" '$2 == label { print $3 }' "$GRT_DIR/rules"; }
is_stopped() { [ "$(stat state)" = stopped ]; }

# columns NAME TYPE EXPRESSION: printed for each event of this type, in the order of the stream
columns()
{
	awk -F, "
		NR == 1 { for (i = 1; i <= NF; i++) at[\$i] = i; next }
		\$at[\"type\"] == \"$2\" { print $3 }" "$CASE_TMP/$1.csv"
}

trap 'echo clear >"$GRT_DIR/rules"' EXIT
refused 'total > 1ms action=panic label=x'	'action= is one of snapshot, stop, mark'
refused 'total > 1ms label=x action=mark'	'before label='
refused 'total > 1ms action=mark action=stop label=x' 'once'
refused 'total > 1ms action=mark'		'label=NAME'

# A mark, with the job's name, behind its COMPLETE on the same CPU, of no process.
rule 'total > 0ns action=mark ring=gfx label=any-1'
rule 'status != 0 label=silent'
grep -qx '1,any-1,0,total > 0ns action=mark ring=gfx label=any-1' "$GRT_DIR/rules" || fail "$(cat "$GRT_DIR/rules")"
session_start mode=discard buffer_size=4M
workload --scenario mixed --jobs $JOBS --faults 6 >"$CASE_TMP/workload" || fail "$(cat "$CASE_TMP/workload")"
session_stop
save_snapshot mark
check_snapshot mark
columns mark COMPLETE '$at["flags"] ~ /RULE1/ ? "rule any-1: " $at["ctx"] ":" $at["seqno"] : "-"' | grep -v '^-$' | sort >"$CASE_TMP/want"
columns mark MARK '$at["text"]' | sort >"$CASE_TMP/marks"
[ "$(wc -l <"$CASE_TMP/want")" -ge 40 ] || fail "few jobs met the rule, so this run proves nothing"
[ "$(hits silent)" -ge 10 ] || fail "few jobs failed, so this run proves nothing"
diff "$CASE_TMP/want" "$CASE_TMP/marks" >"$CASE_TMP/diff" || fail "marks are not those of the jobs: $(head -n 5 "$CASE_TMP/diff")"
expect_eq hits "$(hits any-1)" "$(wc -l <"$CASE_TMP/marks")"
expect_eq "flags of marks" "$(columns mark MARK '$at["flags"] " " $at["tgid"] " " $at["tid"]' | sort -u)" "KERNEL_JOB 0 0"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["type"] == "COMPLETE" { cseq[$at["cpu"], "rule any-1: " $at["ctx"] ":" $at["seqno"]] = $at["cseq"] }
	$at["type"] == "MARK" && cseq[$at["cpu"], $at["text"]] + 1 != $at["cseq"] { print; bad = 1 }
	END { exit bad }' "$CASE_TMP/mark.csv" || fail "a mark does not follow its COMPLETE"
fates_sum
session_reset

# A stop, soon after.
rule clear
rule 'status == -5 action=stop label=end'
session_start
emit complete 7 gfx 900 1
emit submit 7 gfx 900 2
emit complete 7 gfx 900 2 status=-6
sleep 0.5
expect_stat state running
emit submit 7 gfx 900 3
emit complete 7 gfx 900 3 status=-5
wait_for 10 is_stopped
save_snapshot stop
check_snapshot stop
expect_eq "COMPLETEs" "$(columns stop COMPLETE '$at["seqno"]' | paste -s -d ' ')" "1 2 3"
# The holder of a session that a rule stopped does not stop the next one.
sh -c 'exec 3>"$0/control"; echo "start hold" >&3; sleep 60' "$GRT_DIR" &
holder=$!
running() { [ "$(stat state)" = running ]; }
wait_for 5 running
emit submit 7 gfx 900 4
emit complete 7 gfx 900 4 status=-5
wait_for 10 is_stopped
rule clear
session_start
kill -9 $holder
wait $holder || :
sleep 0.3
expect_stat state running
session_stop
session_reset

# Under load: stops by rules race with stops, starts and resets.
rule 'total > 0ns action=stop label=end'
count=0
for n in $(seq 20); do
	session_start
	taskset $((1 << n % 2)) sh -c "
		echo 'submit 7 gfx 900 $((n * 100)) count=50' >$GRT_DIR/emit
		echo 'complete 7 gfx 900 $((n * 100)) count=50' >$GRT_DIR/emit" 2>/dev/null &
	case $((n % 3)) in
	0) ctl stop ;;
	1) wait_for 10 is_stopped; count=$((count + 1)) ;;
	2) ctl stop; ctl reset ;;
	esac
	wait $!
	[ $((n % 2)) -eq 0 ] || ctl stop
done
[ $count -ge 5 ] || fail "rules stopped only $count sessions"
ctl stop
ctl reset

# A snapshot that contains the COMPLETE and the mark of another rule, and names the job and the rule.
rule clear
rule 'status != 0 action=mark label=told'
rule 'status < -6 action=snapshot label=kept'
session_start mode=overwrite
emit submit 7 gfx 900 1
emit complete 7 gfx 900 1 status=-5	# by its status, not by a rule
wait_for 10 snapshot_is held
save_snapshot status
check_snapshot status
expect_eq trigger "$(snapshot_told status trigger)" STATUS
ctl release
config snapshot_on=none
emit submit 7 gfx 900 2
emit complete 7 gfx 900 2 status=-5
expect_stat snapshot none
emit submit 7 gfx 900 3
emit complete 7 gfx 900 3 status=-7
wait_for 10 snapshot_is held
emit submit 7 gfx 900 4
emit complete 7 gfx 900 4 status=-7
expect_stat snapshots_missed 1
save_snapshot rule
check_snapshot rule
expect_eq told "$(snapshot_told rule trigger) $(snapshot_told rule ctx):$(snapshot_told rule seqno) $(snapshot_told rule detail)" "RULE 7:3 2"
expect_eq COMPLETEs "$(columns rule COMPLETE '$at["seqno"]' | paste -s -d ' ')" "2 3"
expect_eq marks "$(columns rule MARK '$at["text"] " " $at["flags"]' | paste -s -d '|')" \
	"rule told: 7:2 SYNTHETIC|KERNEL_JOB|rule told: 7:3 SYNTHETIC|KERNEL_JOB"
# One job that meets a rule and has a status is one trigger.
config snapshot_on=all
ctl release
emit submit 7 gfx 900 5
emit complete 7 gfx 900 5 status=-7
wait_for 10 snapshot_is held
expect_stat snapshots_missed 1
session_stop
session_reset

# Only mode=overwrite has snapshots. In mode=discard the hits of such a rule are counted, and that is all.
session_start mode=discard
emit submit 7 gfx 900 6
emit complete 7 gfx 900 6 status=-7
expect_eq hits "$(hits kept)" 4
expect_stat snapshot none
expect_stat snapshots_missed 0
expect_stat state running
session_stop
