#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: names of virtio-gpu's commands: beside their jobs, in every output that lists jobs, and not in CSV
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

"$grtrace" import -o v.grt "$golden/import/virtio.txt" > /dev/null 2>&1 || exit 1
has() { grep -q -e "$1" out; }

# show NAME PATTERN COMMAND...: what the command prints has a line like that
show()
{
	name=$1 pattern=$2
	shift 2
	"$grtrace" "$@" > out 2> err < /dev/null
	ok "$name"		has "$pattern"
}

show "dump"		'SUBMIT .* command=0x207(SUBMIT_3D)'			dump v.grt
show "jobs"		'^1:31 .* ok  *SUBMIT_3D$'				report --jobs v.grt
show "jobs, with flags"	'^1:32 .* CTX_DETACH_RESOURCE inferred_complete error$'	report --jobs v.grt
show "worst jobs"	'^ 1:31 .* SUBMIT_3D$'					report v.grt
show "why"		'^1:31  painter\[4102\]  control  SUBMIT_3D  601 us'	report --why 1:31 v.grt
"$grtrace" export --to html -o v.html v.grt > out 2> err
sed -n 's|.*id="meta0">\(.*\)</script>|\1|p' v.html |
	perl -MMIME::Base64 -MIO::Uncompress::RawInflate=rawinflate -0777 -e \
		'$in = decode_base64(<STDIN>); rawinflate(\$in => \$out); print $out' > out
ok "HTML"		has '"commands": *\["SUBMIT_3D", *"CTX_DETACH_RESOURCE"\]'

"$grtrace" export --to perfetto -o v.pf v.grt > /dev/null 2>&1
strings v.pf > out 2> /dev/null || tr -c '[:print:]' '\n' < v.pf > out
ok "Perfetto"		has SUBMIT_3D

"$grtrace" report --jobs --format csv v.grt > out
ok "CSV stays as it is"	[ "$(grep -c SUBMIT_3D out)" -eq 0 ]

# The number of a command means nothing without its driver.
sed 's/virtio_gpu_cmd_queue: vdev=3 vq=0 name=control type=0x207/virtio_gpu_cmd_queue: vdev=3 vq=0 name=control type=0x999/' \
	"$golden/import/virtio.txt" > other.txt
"$grtrace" import -o other.grt other.txt > /dev/null 2>&1
"$grtrace" report --jobs other.grt > out
ok "a number without a name is not shown"	[ "$(grep -c '^1:31 .* ok$' out)" -eq 1 ]

# Before Linux 6.2 commands without a fence are answered in order, as far as a trace shows.
"$grtrace" import -o old.grt "$golden/import/virtio-unnumbered.txt" > /dev/null 2>&1
show "END by order"	'^END of 1 job inferred from the order of answers · COMPLETE of 2 jobs'	report old.grt
end
