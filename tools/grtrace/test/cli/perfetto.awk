# SPDX-License-Identifier: GPL-2.0
# Checks a trace of Perfetto as protoc prints it (--decode), in the order of the file: what is used is
# defined, arrows have two ends.  Prints what is wrong, each line with "wrong:", and facts for others
# to check, with tabs between:
#	work GPU RING STAGE FROM TO EVENT	slice TRACK TYPE TIME	name KIND TEXT
# Numbers of tracks and arrows have 64 bits, so they stay texts.

BEGIN {
	nr_new = nr_notes = nr_categories = nr_texts = 0
	types[1] = types["TYPE_SLICE_BEGIN"] = "B"
	types[2] = types["TYPE_SLICE_END"] = "E"
	types[3] = types["TYPE_INSTANT"] = "I"
	types[4] = types["TYPE_COUNTER"] = "C"
}

function wrong(text) { print "wrong: " text " in packet " packets }
function value(text) { sub(/^[^:]*: /, "", text); gsub(/^"|"$/, "", text); return text "" }

function path_of(  i, p) {
	p = ""
	for (i = 1; i <= depth; i++)
		p = p "/" names[i]
	return p
}

function need(set, key, what) {
	if (!((set, key) in defined))
		wrong(what " " key " is not defined")
}

function end_packet(  i, key) {
	packets++
	if (flags % 2 == 1)
		for (key in defined)
			if (key !~ /^track/)
				delete defined[key]
	for (i = 0; i < nr_new; i++)
		defined[new_set[i], new_iid[i]] = new_name[i]
	if (seq == "")
		wrong("no sequence")
	if (kind == "track_descriptor") {
		if (parent != "")
			need("track", parent, "parent")
		defined["track", uuid] = 1
		name_of[uuid] = track_name
		parent_of[uuid] = parent
		print "track\t" uuid "\t" parent "\t" track_name
	} else if (kind == "gpu_render_stage_event") {
		need("gpu_specifications", queue, "queue")
		need("gpu_specifications", stage, "stage")
		need("event_names", name_iid, "name")
		if (context != "")
			need("graphics_contexts", context, "context")
		if (event_id in events)
			wrong("event " event_id " comes twice")
		events[event_id] = 1
		printf "work\t%s\t%s\t%s\t%.0f\t%.0f\n", gpu, defined["gpu_specifications", queue],
			defined["gpu_specifications", stage], ts, ts + duration
	} else if (kind == "track_event") {
		need("track", track, "track")
		if (name_iid != "")
			need("event_names", name_iid, "name")
		for (i = 0; i < nr_notes; i++)
			need("debug_annotation_names", notes[i], "note")
		for (i = 0; i < nr_categories; i++)
			need("event_categories", categories[i], "category")
		for (i = 0; i < nr_texts; i++)
			need("debug_annotation_string_values", texts[i], "text")
		if (counter ~ /^-/ && name_of[track] != "temperature")
			wrong("counter below 0")
		type = types[type]
		if (name == "")
			name = name_iid == "" ? "-" : defined["event_names", name_iid]
		printf("%s\t%s\t%.0f\t%d\t%s\t%s\n", type, track, ts, packets, name, counter)
	}
	seq = flags = kind = ts = parent = uuid = track_name = track = name_iid = name = counter = context = ""
	nr_new = nr_notes = nr_categories = nr_texts = 0
}

{ sub(/^ */, "") }

/\{$/ {
	sub(/ *\{$/, "")
	sub(/^\[perfetto.protos.GpuTrackEvent.gpu_correlation\]$/, "gpu_correlation")
	names[++depth] = $0
	if (depth == 2)
		kind = $0 == "trace_packet_defaults" ? kind : $0
	next
}

/^\}$/ {
	if (depth == 3 && names[2] == "interned_data") {
		new_set[nr_new] = names[3]
		new_iid[nr_new] = iid
		new_name[nr_new++] = text
		text = ""
	}
	if (depth-- == 1)
		end_packet()
	next
}

{
	key = $1
	sub(/:$/, "", key)
	at = path_of()
	v = value($0)
}

at == "/packet" && key == "timestamp" { ts = v + 0 }
at == "/packet" && key == "trusted_packet_sequence_id" { seq = v }
at == "/packet" && key == "sequence_flags" { flags = v + 0 }
at ~ "^/packet/interned_data/" && key == "iid" { iid = v }
at ~ "^/packet/interned_data/" && (key == "name" || key == "str") { text = v }
at == "/packet/track_descriptor" && key == "uuid" { uuid = v }
at == "/packet/track_descriptor" && key == "parent_uuid" { parent = v }
at == "/packet/track_descriptor" && key == "name" { track_name = v }
at == "/packet/gpu_render_stage_event" {
	if (key == "event_id") event_id = v
	else if (key == "duration") duration = v + 0
	else if (key == "gpu_id") gpu = v
	else if (key == "hw_queue_iid") queue = v
	else if (key == "stage_iid") stage = v
	else if (key == "name_iid") name_iid = v
	else if (key == "context") context = v
	else if (key == "event_wait_ids") waits[v] = packets
}
at == "/packet/track_event" {
	if (key == "type") type = v
	else if (key == "track_uuid") track = v
	else if (key == "name_iid") name_iid = v
	else if (key == "name") name = v
	else if (key == "counter_value") counter = v
	else if (key == "category_iids") categories[nr_categories++] = v
	else if (key == "flow_ids") { begins[v]++; begin_ts[v] = ts }
	else if (key == "terminating_flow_ids") { ends[v]++; end_ts[v] = ts }
}
at == "/packet/track_event/debug_annotations" && key == "name_iid" { notes[nr_notes++] = v }
at == "/packet/track_event/debug_annotations" && key == "string_value_iid" { texts[nr_texts++] = v }
at == "/packet/track_event/gpu_correlation" { waits[v] = packets; correlated++ }

END {
	for (id in waits)
		if (!(id in events))
			wrong("event " id " is waited for and does not exist")
	for (id in begins) {
		if (begins[id] != 1 || ends[id] != 1)
			wrong("arrow " id " begins " begins[id] + 0 " times and ends " ends[id] + 0 " times")
		else if (begin_ts[id] > end_ts[id])
			wrong("arrow " id " points back")
		arrows++
	}
	for (id in ends)
		if (!(id in begins))
			wrong("arrow " id " has no begin")
	print "sum\tarrows\t" arrows + 0
	print "sum\tsubmits\t" correlated + 0
	n = 0
	for (id in waits)
		n++
	print "sum\twaits\t" n
}
