# SPDX-License-Identifier: GPL-2.0
#
# Copies the rows of one trace COPIES times, each as a trace of its own of machine HOST: other contexts, a pod and
# a day of its own, and durations between half and one and a half of the first ones.  The ledgers are right.  Also
# writes the jobs as 'grtrace report --jobs -f csv --na \N' has them, into the file CSV.
BEGIN { FS = OFS = ",\""; CONVFMT = "%.0f"; srand(seed) }
{ line[NR] = $0 }
NR == 1 {
	for (i = 1; i <= NF; i++) {
		name = $i
		sub(/":.*/, "", name)
		column[name] = i
		if (name ~ /^t_.*_ns$/) durations[++nr_durations] = i
	}
	nr_columns = NF
}

function value(name) { return substr($(column[name]), length(name) + 3) }
function set(name, text) { $(column[name]) = name "\":" text }
function put(name, text) { sub("\"" name "\":[^,}]*", "\"" name "\":" text) }

# The sums of stages no longer hold after this, and nobody here adds them up.
function jitter(    i, at, ns)
{
	for (i = 1; i <= nr_durations; i++) {
		at = index($(durations[i]), ":")
		ns = substr($(durations[i]), at + 1)
		if (ns != "null")
			$(durations[i]) = substr($(durations[i]), 1, at) int(ns * (0.5 + rand()))
	}
	set("total_ns", int(value("total_ns") * (0.5 + rand())))
}

function job(copy,    i, text, at)
{
	set("segment", segment)
	set("day", day)
	set("realtime_ns", 1763769600000000000 + copy * 1000000000)
	set("owner", "\"ml/train-" copy % 200 "\"")
	set("ctx", value("ctx") + int(copy / 50) * 1000)
	set("seqno", value("seqno") + copy % 50 * 1000000)
	set("host", "\"" host "\"")
	set("boot_id", "\"11111111-2222-4333-8444-555555555555\"")
	set("namespace", "\"ml\"")
	set("pod", "\"train-" copy % 200 "\"")
	jitter()
	exec_ns += value("t_exec_ns")
	total_ns += value("total_ns")
	print
	text = ""
	for (i = column["device"]; i <= nr_columns; i++) {
		at = index($i, ":")
		name = substr($i, at + 1)
		if (i == nr_columns)
			sub(/}$/, "", name)
		text = text (i == column["device"] ? "" : ",") (name == "null" ? "\\N" : name)
	}
	print text > csv
}

END {
	for (copy = 0; copy < copies; copy++) {
		segment = sprintf("%.0f", 1000000000 + copy * 60000000000)
		day = sprintf("\"2026-01-%02d\"", 1 + int(copy * 3 / copies))
		exec_ns = total_ns = 0
		for (nr = 1; nr <= NR; nr++) {
			$0 = line[nr]
			if (/^{"row":"job"/) {
				job(copy)
				continue
			}
			put("segment", segment)
			put("host", "\"" host "\"")
			put("boot_id", "\"11111111-2222-4333-8444-555555555555\"")
			put("day", day)
			if (/^{"row":"ledger"/) {
				put("exec_ns", sprintf("%.0f", exec_ns))
				put("total_ns", sprintf("%.0f", total_ns))
			}
			print
		}
	}
}
