# SPDX-License-Identifier: GPL-2.0
# Events as lines that can be compared: "TYPE ts cpu flags gseq cseq field=value ...", with the fields in
# the order of their names and without those that are not known.  Input: grtrace dump -f csv -d, with a first
# line of columns, or what babeltrace2 --clock-cycles --no-delta prints.  Jobs, of grtrace report --jobs -f csv:
# "JOB_DONE field=value ...".

function add(name, value)
{
	if (value == "" || value == "-" || value == "unknown" && name == "status" || type == "JOB_DONE" && value == -1)
		return
	for (at = ++nr; at > 1 && pairs[at - 1] > name "=" value; at--)
		pairs[at] = pairs[at - 1]
	pairs[at] = name "=" value
}

function show(head,	i)
{
	for (i = 1; i <= nr; i++)
		head = head " " pairs[i]
	print head
	nr = 0
}

function decimal(hex,	i, n)	# of 16 bits
{
	for (i = 3; i <= length(hex); i++)
		n = n * 16 + index("0123456789abcdef", tolower(substr(hex, i, 1))) - 1
	return n + 0
}

# The cells of a line of CSV, as c[1] and so on.
function split_csv(line,	n, cell)
{
	while (line != "") {
		if (substr(line, 1, 1) == "\"") {
			match(line, /^"([^"]|"")*"/)
			cell = substr(line, 2, RLENGTH - 2)
			gsub(/""/, "\"", cell)
		} else {
			match(line, /^[^,]*/)
			cell = substr(line, 1, RLENGTH)
		}
		line = substr(line, RLENGTH + 2)
		c[++n] = cell
	}
	return n
}

# The names of flags as a number: as the types use them, a name has one bit.
function flags(names,	n, i, list, sum)
{
	n = split(names, list, "|")
	for (i = 1; i <= n; i++)
		sum += list[i] in bit ? bit[list[i]] : 2 ^ substr(list[i], 4)
	return sum + 0
}

BEGIN {
	n = split("SYNTHETIC 0 KERNEL_JOB 1 INFERRED 2 UPPER_BOUND 3 KEY_INFERRED 4 NO_STATUS 5 NO_HW 8 " \
		  "CPU_WAIT 8 GPU_WAIT 9 PREEMPTED 8 DECLARED 8 POPPED 9 BLOCKED 10 PIPELINED 11 SELF 12 " \
		  "SIGNALED 13 FOREIGN 14 RULE1 8 RULE2 9 RULE3 10 RULE4 11 RULE5 12 RULE6 13 RULE7 14 " \
		  "RULE8 15 PREV_FOLLOWED 8 NEXT_FOLLOWED 9 KERNEL_UNKNOWN 8 USER_UNKNOWN 9", f, " ")
	for (i = 1; i < n; i += 2)
		bit[f[i]] = 2 ^ f[i + 1]
	n = split("a 07 b 08 t 09 v 0b f 0c r 0d e 1b", f, " ")
	for (i = 1; i < n; i += 2)
		control[f[i]] = f[i + 1]
}

/^(type|device),/ {
	columns = split($0, column, ",")
	is_jobs = $0 ~ /^device,/
	next
}

is_jobs {	# CSV of grtrace report --jobs
	count = split_csv($0)
	for (i = 1; i <= columns; i++)
		add(column[i], i <= count ? c[i] : "")
	show("JOB_DONE")
	delete c
	next
}

columns {	# CSV
	count = split_csv($0)
	for (i = 7; i <= columns - 2; i++)
		add(column[i], i <= count ? c[i] : "")
	# A definition belongs to no CPU.
	if (c[1] ~ /^(STREAM_INFO|METADATA|RING|PROCESS|CLOCK|STATS|STACK_TEXT|MACHINE|CGROUP|PEER)$/)
		show(c[1] " " c[4])
	else
		show(c[1] " " c[4] " " c[2] " " flags(c[3]) " " c[5] " " c[6])
	delete c
	next
}

{	# babeltrace2
	match($0, /^\[0*/)
	ts = substr($0, RLENGTH + 1)
	sub(/\].*/, "", ts)
	ts = ts == "" ? 0 : ts
	# The name of the host may be before that of the event.
	match($0, /(grtrace|sched):[A-Za-z_]+: \{/)
	type = substr($0, RSTART, RLENGTH - 3)
	$0 = substr($0, RSTART + RLENGTH)
	sub(/^grtrace:/, "", type)
	is_kernel = sub(/^sched:sched_switch$/, "CPU_SWITCH", type) + sub(/^sched:sched_wakeup$/, "CPU_WAKE", type)
	cpu = ""
	while (match($0, /[a-z_0-9]+ = ("([^"\\]|\\.)*"|\( (<unknown>|"[^=]*") : container = -?[0-9]+ \)|[^,} ]+)/)) {
		text = substr($0, RSTART, RLENGTH)
		$0 = substr($0, RSTART + RLENGTH)
		name = value = text
		sub(/ = .*/, "", name)
		sub(/^[^=]*= /, "", value)
		if (value ~ /^\(/ && (value ~ /<unknown>/ || name ~ /^(ring|hw_ring|status)$/) && value !~ /"unknown" : container = -/)
			sub(/ \)$/, "", value) sub(/.* /, "", value)
		else if (value ~ /^\(/) {
			sub(/^\( "/, "", value)
			sub(/" : .*/, "", value)
		} else if (value ~ /^"/) {
			value = substr(value, 2, length(value) - 2)
			gsub(/\\"/, "\"", value)
			gsub(/\\'/, "'", value)
			gsub(/\\[?]/, "?", value)
			# A byte that is no UTF-8: the trace has \xff, and babeltrace2 escapes the backslash.
			gsub(/\\\\x/, "\\x", value)
			for (letter in control)
				gsub("\\\\" letter, "\\x" control[letter], value)
		} else if (value ~ /^0x/)
			value = tolower(value)
		if (is_kernel && name ~ /comm$/)
			continue
		if (is_kernel)
			sub(/pid$/, "tid", name)
		if (name == "cpu_id" && cpu == "")
			cpu = value
		else if (name == "flags" && cpu != "" && !(3 in head))
			head[3] = decimal(value)
		else if (name == "gseq" || name == "cseq")
			head[name] = value
		else if (name == "ts")
			own_ts = value
		else {
			add(name, value)
			# A loss ends when its CPU was read, also where time ran back.
			if (type == "LOSS" && name == "to_ns")
				ts = value
		}
	}
	if (type == "CLAMPED")
		clamped[cpu] = own_ts
	else if (type == "JOB_DONE")
		show(type)
	else if (cpu == "")
		show(type " " (own_ts == "" ? ts : own_ts))
	else {
		show(type " " (cpu in clamped ? clamped[cpu] : ts) " " cpu " " head[3] " " head["gseq"] " " head["cseq"])
		delete clamped[cpu]
	}
	nr = 0
	own_ts = ""
	delete head
}
