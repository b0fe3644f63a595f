# SPDX-License-Identifier: GPL-2.0
#
# Turns the rows of event-cost and the measurements ("STATE EVENT TICKS LOOPS") into the table. Exit
# status: 1 a budget is exceeded, 2 measurements are missing.

function trim(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }

# Instructions of one event, without the loop around it; "" = not measured.
function cost(state, event)
{
	if (!((state, event) in count))
		return ""
	return sum[state, event] / count[state, event] - empty
}

function number(value) { return value == "" ? "-" : sprintf("%.1f", value) }
function ratio(value, ours) { return value == "" || ours <= 0 ? "" : sprintf("%.1fx", value / ours) }

function incomplete(what)
{
	print "event-cost: no measurement of " what > "/dev/stderr"
	failed = 2
	exit
}

NR == FNR {
	split($0, part, "|")
	nr_rows++
	id[nr_rows] = trim(part[1])
	title[nr_rows] = trim(part[2])
	budget[nr_rows] = trim(part[3])
	per_job[nr_rows] = trim(part[4])
	next
}

{
	if ($1 ~ /^stage-/ && !(($1, $2) in count))
		stage[++nr_stages] = $1
	per_event = $3 / $4
	if (!(($1, $2) in count) || per_event < least[$1, $2])
		least[$1, $2] = per_event
	if (!(($1, $2) in count) || per_event > most[$1, $2])
		most[$1, $2] = per_event
	sum[$1, $2] += per_event
	count[$1, $2]++
}

# The state in our column of this row, and the event that the other columns measure.
function ours_of(row)
{
	if (row == "filtered")
		return cost("filtered", "complete")
	if (row == "off")
		return cost("off", "complete")
	if (row == "foreign-drivers")
		return cost("with-drivers", "foreign")
	if (row == "foreign-init")
		return cost("with-drivers", row)
	return cost("grtrace", row)
}

function theirs_of(state, row)
{
	if (row == "filtered")
		return state == "ftrace" ? cost("ftrace-filtered", "complete") : ""
	return row == "off" ? "" : cost(state, row)
}

function print_row(i,    ours, verdict, ftrace, probe, bpf)
{
	ours = ours_of(id[i])
	# Some kernels have no tracepoint for it, or no xe, and older modules have no filter.
	if (ours == "" && id[i] != "dependency" && id[i] != "filtered" && (id[i] !~ /^xe-/ || kernel !~ /^6\.1\./))
		incomplete(title[i])
	if (ours == "") {
		printf "%-22s %10s\n", title[i], "not there"
		return
	}
	if (budget[i] != "") {
		verdict = ours + 0 <= budget[i] + 0 ? "within" : "OVER"
		if (verdict == "OVER")
			failed = 1
	}
	ftrace = theirs_of("ftrace", id[i])
	probe = theirs_of("event-probe", id[i])
	bpf = theirs_of("bpf", id[i])
	printf "%-22s %10s %6s %-6s %9s %6s %9s %6s %9s %6s\n", title[i], number(ours),
		budget[i], verdict, number(ftrace), ratio(ftrace, ours), number(probe),
		ratio(probe, ours), number(bpf), ratio(bpf, ours)
	per_job_sum += ours * per_job[i]
	if (per_job[i] + 0)
		fired = fired (fired ? ", " : "") (per_job[i] + 0 > 1 ? per_job[i] " x " : "") title[i]
}

# What the sources without the module cost.
function print_sources(i, value, verdict)
{
	if (!(("source-bpf", "submit") in count))
		return
	printf "\n%-28s %10s %10s\n", "without the module", "bpf", "budget"
	for (i = 1; i <= nr_rows; i++) {
		value = cost("source-bpf", id[i])
		if (value == "")
			continue
		verdict = id[i] == "foreign" ? "" : value + 0 <= bpf_budget + 0 ? "within" : "OVER"
		printf "%-28s %10.1f %10s %s\n", title[i], value, verdict ? bpf_budget : "", verdict
		if (verdict == "OVER")
			failed = 1
	}
}

# What a policy stage or an extension adds to a job's SUBMIT, COMMIT, END, COMPLETE.
function print_stages_of(event, prefix, head, i, job, without)
{
	without = cost(prefix "none", event)
	if (without == "")
		return
	printf "\n%-28s %10s %10s\n", head, "grtrace", "added"
	for (i = 1; i <= nr_stages; i++) {
		job = cost(stage[i], event)
		if (job != "")
			printf "%-28s %10.1f %10.1f\n", substr(stage[i], length(prefix) + 1), job, job - without
	}
}

function print_stages()
{
	print_stages_of("life", "stage-", "a job of four events, with")
	print_stages_of("whole", "stage-whole-", "all that a job fires, with")
}

END {
	if (failed)
		exit failed
	if (!count["off", "empty"] || !count["off", "nops"])
		incomplete("the empty loop")
	empty = sum["off", "empty"] / count["off", "empty"]
	nops = cost("off", "nops")
	if (nops < 99.99 || nops > 100.01) {
		print "event-cost: 100 instructions took " nops " ticks: the clock does not count them" > "/dev/stderr"
		exit 2
	}
	for (key in count)
		if (key !~ /^stage-/ && most[key] - least[key] > spread)
			spread = most[key] - least[key]

	printf "Linux %s: instructions per event, through the tracepoint\n\n", kernel
	printf "%-22s %10s %6s %-6s %9s %6s %9s %6s %9s %6s\n", "", "grtrace", "budget", "",
		"ftrace", "", "ev.probe", "", "BPF", ""
	for (i = 1; i <= nr_rows; i++)
		print_row(i)
	if (failed == 2)
		exit 2
	printf "\n%d times %d events each; equal but for %.2f instructions; 100 nops = %.2f\n",
		count["grtrace", "submit"], events, spread, nops
	printf "a job (%s): %.0f instructions\n", fired, per_job_sum
	printf "%d jobs/s: %.2f %% of one CPU (one instruction per cycle at %.0f GHz, a guess)\n",
		jobs_hz, 100 * per_job_sum * jobs_hz / clock_hz, clock_hz / 1e9
	print_sources()
	print_stages()
	exit failed
}
