#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: a driver that calls grtrace writes events of every kind with all their fields; objects have numbers that are not their addresses
# requires: grtrace
# vm: own --gpu none
# kernels: 6.1
session_start
modprobe grtrace_kinds || fail "modprobe"
session_stop
dump_session
# row TYPE NUMBER FIELD...: those fields of the type's event of that number, from 1
row()
{
	awk -F, -v type="$1" -v number="$2" -v list="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(list, name, " "); next }
		$at["type"] == type && ++seen == number {
			for (i = 1; i <= n; i++) line = line (i > 1 ? " " : "") $at[name[i]]
			print line
		}' "$CASE_TMP/dump.csv"
}
expect_eq "IRQ" "$(row IRQ 1 "ctx seqno ring_name irq gpu_stamp pci_address ih irq_client irq_source irq_ring vmid pasid data0 data1 data2 data3 flags")" \
	"70 7 kinds0 11 1099511627776 0x10204 1 20 181 3 4 32769 0x1 0x2 0x3 0x4 HANDLER"
at=1
for op in CREATE DESTROY MOVE BIND UNBIND FAULT EVICT SHRINK PWRITE PREAD; do
	expect_eq "MEMORY $op" "$(row MEMORY $at "op bytes offset_bytes from_domain to_domain preferred_domains allowed_domains pci_address flags")" \
		"$op 8192 4096 2 4 0x6 0x7 0x10204 MAPPABLE"
	at=$((at + 1))
done
expect_eq "objects of MEMORY" "$(for at in 1 2 3; do row MEMORY $at "object_id vm_id"; done | sort -u | wc -l)" 1
# shellcheck disable=SC2046	# two words
set -- $(row MEMORY 1 "object_id vm_id")
if [ "$1" -eq 0 ] || [ "$2" -eq 0 ] || [ "$1" = "$2" ]; then
	fail "objects are '$1' and '$2'"
fi
[ "$1" -lt 4503599627370496 ] || fail "object $1 has over 52 bits"
expect_eq "a client" "$(row VBLANK 1 client_id)" "$1"
expect_eq "VBLANK queued" "$(row VBLANK 1 "vblank_ns crtc frame pci_address flags")" "123456789 2 99 0x10204 QUEUED"
[ "$(row VBLANK 1 tgid)" -gt 0 ] || fail "nobody asked for the blank"
expect_eq "VBLANK" "$(row VBLANK 2 "tgid flags")" "0 HIGH_PRECISION"
expect_eq "VBLANK delivered" "$(row VBLANK 3 "tgid flags")" "0 DELIVERED"
expect_eq "clock" "$(row FREQUENCY 1 "gauge freq_hz power_uw temperature_mc ring_name pci_address")" "CORE 1500000000 0 0 kinds0 0x10204"
expect_eq "clock of memory" "$(row FREQUENCY 2 "gauge freq_hz")" "MEMORY 900000000"
expect_eq "power" "$(row FREQUENCY 3 "gauge freq_hz power_uw")" "POWER 0 15250000"
expect_eq "temperature" "$(row FREQUENCY 4 "gauge temperature_mc")" "TEMPERATURE -1500"
expect_eq "CTX_SWITCH" "$(row CTX_SWITCH 1 "from_ctx ctx seqno vmid flags")" "60 70 7 4 PREEMPTED"
expect_eq "SYNC_WAIT" "$(row SYNC_WAIT_ENTER 1 "ctx seqno flags") $(row SYNC_WAIT_EXIT 1 "status flags")" "70 7 GPU_WAIT -62 GPU_WAIT"
expect_eq "ERROR" "$(row ERROR 1 "ctx code status driver_code")" "70 FENCE -5 0x1203"
expect_stat seen 22
expect_stat written 22
