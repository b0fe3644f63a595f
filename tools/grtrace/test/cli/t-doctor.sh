#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: grtrace doctor looks at this machine, whatever it is, and its bug report names nobody
# Tests call these functions through ok().
# shellcheck disable=SC2317,SC2016
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

says() { grep -qE -e "$1" out; }
says_nothing_of() { ! grep -qE -e "$1" out; }

# What it finds is the machine's.  0 and 1 are no errors, and 1 needs a problem.
looks()		# arguments of doctor
{
	"$grtrace" doctor "$@" > out 2> err
	code=$?
	[ "$code" -le 1 ]
}
agrees() { [ "$code" -eq "$(grep -qE "$1" out && echo 1 || echo 0)" ]; }

ok "it looks"				looks
ok "it ends with 1 if there is a problem" agrees '^  problem '
ok "a line of sources"			says '^source: module (\(best\)|ok|no) . bpf (\(best\)|ok|no) . tracefs (\(best\)|ok|no)$'
ok "at most one is the best"		[ "$(grep -o '(best)' out | wc -l)" -le 1 ]
gpus=$(for node in /sys/class/drm/card[0-9]* /sys/class/drm/renderD[0-9]* /sys/class/accel/accel[0-9]*; do
	case $node in *-*) ;; *) readlink -f "$node/device" ;; esac
done | grep -v '/\*/' | sort -u | grep -c .)
ok "a line for each GPU ($gpus)"	[ "$(grep -c '^GPU ' out)" -eq "$gpus" ]
ok "or a note that there is none"	[ "$(grep -c 'has no GPU' out)" -eq "$([ "$gpus" -eq 0 ] && echo 1 || echo 0)" ]
[ "$gpus" -gt 0 ] || ok "no GPU is no problem"	sh -c "! grep -q '^  problem .*nothing can be recorded' out"

# Each line that is one source is the same in all formats.
looks && sed -nE 's/^  (module|bpf|tracefs)  .*/\1/p' out | sort > lacking
looks -f csv && cp out csv
ok "CSV: the columns"			[ "$(head -n 1 csv)" = "what,gpu,driver,name,result,text,hint" ]
ok "CSV: the same sources"		[ "$(sed -nE 's/^source,,,([a-z]+),no,.*/\1/p' csv | sort)" = "$(cat lacking)" ]
ok "CSV: three sources"			[ "$(grep -c '^source,' csv)" -eq 3 ]
ok "CSV: the same end"			agrees '^check,,,,problem,'
looks -f json && cp out json
ok "JSON: it is JSON"			perl -MJSON::PP -0777 -ne '
	my $d = decode_json($_);
	die "sources" unless @{$d->{sources}} == 3 && ref $d->{gpus} eq "ARRAY" && ref $d->{checks} eq "ARRAY";
	my @works = grep { $_->{works} } @{$d->{sources}};
	die "best" unless (@works ? $works[0]{name} : "") eq ($d->{best} // "");
	for (@{$d->{gpus}}) { die "facts" unless (@{$_->{facts}} || $_->{no_jobs}) && $_->{driver} }
	for (@{$d->{sources}}) { die "why" if !$_->{works} && !$_->{text} }' json
ok "JSON: the same end"			agrees '"is_problem":true'

for source in module bpf tracefs; do
	ok "about $source"		looks --source $source -f json
	ok "says so"			says "\"about\":\"$source\""
done
ok "no such source"			complains 2 "no source 'perf'" "one of: auto module" "$grtrace" doctor --source perf

# Under another user, less is known, and nothing breaks.
if [ "$(id -u)" -eq 0 ] && command -v setpriv > /dev/null && setpriv --reuid 65534 --clear-groups "$grtrace" --version > /dev/null 2>&1; then
	# A machine without a GPU has nothing to record, so that is no problem.
	ok "as another user"		run "$([ "$gpus" -eq 0 ] && echo 0 || echo 1)" \
		setpriv --reuid 65534 --clear-groups "$grtrace" doctor
	ok "no source works then"	says '^source: module no . bpf no . tracefs no$'
	ok "and hints say so"		says 'hint: sudo '
fi

# The files of a module whose session was stopped; what nobody may learn is in them, too.
user=t-doctor-user
host=$(uname -n)
export GRTRACE_DIR="$dir/module"
mkdir module
echo stopped > module/control
echo 0 > module/enabled
echo unread_bytes=20480 > module/stats
printf "filter_pid=1234\nfilter_uid=0\nfilter_cgroup=\nlevel=3\n" > module/config
printf 'adapter.drm_bridge=drm_run_job \n' > module/metadata
echo ring,device,driver > module/rings
echo "$host: $user wrote ffffffff81234567 and 0xffff888012345678, not ffff, to $host.example" > module/error
ok "unread events are a problem"	run 1 "$grtrace" doctor
ok "with what to do"			says '^  problem     the session .* holds 20.0 KiB that nobody has read  hint: sudo grtrace extract$'
ok "in CSV, too"			run 1 "$grtrace" doctor -f csv
ok "a problem in CSV"			says '^check,,,,problem,the session .*,sudo grtrace extract$'
ok "in JSON, too"			run 1 "$grtrace" doctor -f json
ok "a problem in JSON"			says '"is_problem":true'
bug_report() { SUDO_USER=$user USER=$user run 0 "$grtrace" doctor --bug-report "$@"; }
ok "a bug report"			bug_report
ok "has versions"			says "^grtrace       [0-9]"
ok "has the kernel"			says "^kernel        $(uname -r | sed 's/[.+]/\\&/g') "
ok "has the doctor"			says '^source: module '
ok "has the kernel's log"		says "^## the kernel's log"
ok "has the module's files"		says '^adapter.drm_bridge=drm_run_job'
ok "has the key that is harmless"	says '^level=3$'
ok "not the one that names a process"	says '^filter_pid=\(set\)$'
ok "a filter by root is set"		says "^filter_uid=\\(set\\)$"
ok "an empty one is not"		says "^filter_cgroup=\\(not set\\)$"
ok "names no host and no user"		says '^\(host\): \(user\) wrote \(address\) and \(address\), not ffff, to \(host\)'
ok "nowhere a host"			[ "$(grep -cwF -e "$host" out)" -eq 0 ]
ok "nowhere a user"			says_nothing_of "$user"
ok "nowhere an address"			says_nothing_of 'ffff[0-9a-f]{12}'
ok "a file"				bug_report -o report.txt
ok "says what to do with it"		says "^wrote report.txt: read it before"
ok "which is the owner's"		[ "$(stat -c %a report.txt)" = 600 ]
ok "and is the report"			grep -q '^## versions' report.txt
ok "a folder that is not there"		complains 3 "no-folder" "" "$grtrace" doctor --bug-report -o no-folder/report.txt
ok "an unknown format"			complains 2 "no format 'xml'" "doctor -h" "$grtrace" doctor -f xml
ok "operands"				complains 2 "takes no operands" "doctor -h" "$grtrace" doctor now
ok "a file without a report"		complains 2 "is for --bug-report" "doctor -h" "$grtrace" doctor -o x
ok "a bug report in CSV"		complains 2 "is text" "doctor -h" "$grtrace" doctor --bug-report -f csv
end
