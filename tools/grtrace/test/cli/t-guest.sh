#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a virtual machine beside its host: clocks, and what the host did for each job
# Tests call these functions through ok(). $2 and the like are variables of awk, not of the shell.
# shellcheck disable=SC2317,SC2016,SC2094
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

says() { grep -qE -e "$1" out; }
row() { grep -qx -e "$1" pairs; }
merge_pair() { run 0 "$grtrace" merge --guest "$1" --host "$2" --pairs pairs -o both.grt; }

# --- kmscube in a guest of Linux 6.1, with the log of QEMU 10.0: two real recordings ---
real=$golden/guest
ok "a real guest and QEMU's log"	merge_pair "$real/guest.grt" "$real/qemu.txt"
ok "each job of it has its fence"	says '^34 of 41 fences of the host are of jobs of the guest, which has 34 with a fence$'
ok "its clock was half a second off"	says 'guest.grt: 512 events .* by CLOCK_REALTIME and the order of its fences, within 125 us$'
ok "no effect before its cause"		awk -F, 'NR > 1 { for (i = 7; i < 11; i++) if ($i < $(i - 1)) exit 1 } END { exit NR != 35 }' pairs
ok "the result is a good trace"		run 0 "$grtrace" verify both.grt

# The same from the two files by hand. A fenced command has a COMPLETE that nobody inferred.
by_hand()
{
	"$grtrace" dump "$real/guest.grt" | tr '=' ' ' | awk '
		{ ns = $1; sub(/\./, "", ns) }
		$3 == "COMMIT" { queued[$5 "." $7] = ns + 0 }
		$3 == "END" { seen[$5 "." $7] = ns + 0 }
		$3 == "COMPLETE" && !/INFERRED/ { k = $5 "." $7; printf "%d %.0f\n", $7, seen[k] - queued[k] }' | sort > of-guest
	awk -F'[@: ]' '
		{ us = $2; sub(/\./, "", us) }
		$3 ~ /^virtio_gpu_cmd/ { begun = us }
		$3 == "virtio_gpu_fence_ctrl" { sub(/,/, "", $5); handed[$5] = us; first[$5] = begun; n[++k] = $5 }
		$3 == "virtio_gpu_fence_resp" { done[$5] = us }
		END { for (i = 1; i <= k; i++) print n[i], first[n[i]], handed[n[i]], done[n[i]] }' "$real/qemu.txt" |
		while read -r fence times; do echo "$((fence)) $times"; done | sort > of-host
	# Fence, the three times of the host, and how long the guest waited, which no shift changes.
	join of-guest of-host | sort -n | awk '{ printf "%d,%s000,%s000,%s000,%s\n", $1, $3, $4, $5, $2 }' > want
	# awk computes with 15 digits: without the first ones, which are the same
	awk -F, 'NR > 1 { a = substr($6, 8); b = substr($10, 8); printf "%d,%s,%s,%s,%.0f\n", $4, $7, $8, $9, b - a }' pairs > got
	[ "$(wc -l < want)" -eq 34 ] && diff want got > err
}
ok "as computed by hand"		by_hand
run 0 "$grtrace" import -o log.grt "$real/qemu.txt"
ok "the log imported before"		merge_pair "$real/guest.grt" log.grt
ok "gives the same"			says '^34 of 41 fences'
run 0 "$grtrace" merge --guest "$real/guest.grt" --host "$real/qemu.txt" --offset 2:100ms -o both.grt
ok "the user's offset counts"		says ' by CLOCK_REALTIME and --offset$'
ok "what cannot be is told"		says '^34 pairs are not counted above: an effect comes before its cause$'
ok "and what would mend it"		says '^all would fit if the guest.s times were later by \+386\.[0-9] ms to \+387\.[0-9] ms$'

# --- clocks that were compared: the guest is 5 ms behind its host ---
for name in guest host; do "$gen" scene $name > $name || exit 1; done
LC_ALL=C sed 's/kernel=6.1.0-test/kernel=7.3.0-test/' guest > guest-7
ok "a scene"				merge_pair guest host
ok "by the peer's clock"		says '^2  guest: .* times \+5\.0 ms by the clock of a peer, within 30 us; the clocks drifted apart by 410 us$'
ok "three pairs"			says '^3 of 4 fences of the host are of jobs of the guest, which has 3 with a fence$'

# The host's times in this trace begin where the guest's do plus 5 ms.
relative() { awk -F, -v OFS=, 'NR > 1 { for (i = 6; i <= 10; i++) $i = substr($i, length($i) - 7) / 1000; $1 = $3 = ""; print }' pairs > rows; }
relative
cat > cells <<END
11,11,number,5110,5200,5250,5350,5400,1,75000
12,12,number,5415,5500,5520,5700,5800,1,
13,13,number,5825,5840,5850,5900,5950,0,0
END
ok "times, and the host's work; when one job began is not known" sh -c 'cut -d, -f2,4- rows | diff - cells > err'
# Times of a merged trace are no longer those of the second boot itself: its PEER counts, which was shifted with them.
"$grtrace" slice --since 700us -o late guest > out 2> err && "$grtrace" merge -o both.grt host guest > out 2> err
ok "a merged trace, and the guest"	run 0 "$grtrace" merge -o three.grt both.grt late
ok "is compared by its host"		says '^2  late: .* times \+5\.0 ms by the clock of a peer, within 60 us'

# --- Linux 6.2 and later: jobs have numbers of their own ---
ok "numbers of commands"	merge_pair guest-7 host
ok "are paired by order"	says ': inferred from their order$'
ok "the same pairs"		sh -c '[ "$(grep -c ",order," pairs)" -eq 3 ] && grep -q "^[0-9]*,12,[0-9]*,12,order" pairs'

# --- wrong use ---
ok "a guest alone"		complains 2 "go together" "" "$grtrace" merge --guest guest -o x.grt
ok "pairs of nothing"		complains 2 "go together" "" "$grtrace" merge --pairs p guest host -o x.grt
ok "to standard output"		complains 2 "cannot be standard output" "" "$grtrace" merge --guest guest --host host -o -
ok "pairs that cannot be written" complains 3 "cannot write 'no/pairs'" "" "$grtrace" merge --guest guest --host host --pairs no/pairs -o x.grt
# Behind sudo: the rows are made with the rights of the user, who may not write here.
if [ "$(id -u)" = 0 ]; then
	behind_sudo() { SUDO_UID=65534 SUDO_GID=65534 "$grtrace" "$@"; }
	chmod 711 . && chmod 644 guest host && mkdir home && chown 65534:65534 home
	echo victim > victim && chmod 600 victim && ln -s ../victim home/link && ln -s .. home/up
	for pairs in victim home/up/new; do
		ok "behind sudo, pairs in $pairs"	complains 3 "cannot write\|Permission denied" "" \
			behind_sudo merge --guest guest --host host --pairs $pairs -o home/both.grt
	done
	ok "behind sudo, a link"	sh -c "! SUDO_UID=65534 SUDO_GID=65534 '$grtrace' merge --guest guest --host host --pairs home/link -o home/both.grt 2> err || [ ! -L home/link ]"
	ok "what was there is there"	[ "$(cat victim)" = victim ]
	ok "nothing else came"		[ ! -e new ]
	ok "pairs of that user"		run 0 behind_sudo merge --guest guest --host host --pairs home/pairs -o home/both.grt
	ok "are that user's"		[ "$(stat -c %u:%g:%a home/pairs)" = 65534:65534:600 ]
fi
ok "not on the input"		complains 3 "is what is read" "-o" "$grtrace" merge --guest guest --host host -o guest
end
