// SPDX-License-Identifier: GPL-2.0
// Why a job took so long: as report --why works it out, see lib/analysis/roots.c and why_short.c.

const HOPS = 10, SHORT_ROWS = 8, HANGS = 64, MANY = 64;

// The root of a charge that leads to no other job.
function rootOf(charge)
{
	switch (charge.reason) {
	case REASON.fence:
		return charge.isForeign ? ROOT.foreign : ROOT.unknown;
	case REASON.ring:
		return charge.isHung ? ROOT.hang : charge.stage === STAGE.t_queue ? ROOT.run : ROOT.full;
	case REASON.recovery:
		return ROOT.hang;
	case REASON.scheduler:
		return ROOT.scheduler;
	default:
		return ROOT.unknown;
	}
}

const isHung = ref => Math.floor(ref.block.flags[ref.i] / FLAG.hung) % 2 === 1;
const stampOf = (ref, at) => ref.block.at[ref.i * STAMPS + at];
const knows = (ref, stage) => !!(ref.block.stages[ref.i] >> STAGE[stage] & 1);

// The parts of the span in which another job of the ring hung, and the rest.
async function onRingSpans(ref, span)
{
	const known = jobs.hangs.filter(n => n < ref.number).slice(-HANGS), spans = [];
	let from = span.from;

	for (const n of known) {
		const hung = await jobs.get(n);
		if (hung.block.ring[hung.i] !== ref.block.ring[ref.i] || !knows(hung, "t_exec"))
			continue;
		const begin = Math.max(stampOf(hung, AT.start), from);
		const end = Math.min(stampOf(hung, AT.end), span.to);
		if (begin >= end)
			continue;
		spans.push({ ...span, from, to: begin },
			   { ...span, from: begin, to: end, kind: ROOT.hang, client: hung.block.client[hung.i],
			     key: hung.block.key(hung.i) });
		from = end;
	}
	spans.push({ ...span, from });
	return spans.filter(s => s.from < s.to);
}

// What the job did after its wait.
async function lifeSpans(ref)
{
	const own = { client: ref.block.client[ref.i], key: ref.block.key(ref.i) };
	const spans = [];

	if (knows(ref, "t_exec")) {
		spans.push({ ...own, from: stampOf(ref, AT.start), to: stampOf(ref, AT.end),
			     kind: isHung(ref) ? ROOT.hang : ROOT.run });
	} else if (knows(ref, "t_hw")) {
		spans.push(...await onRingSpans(ref, {
			...own, from: stampOf(ref, AT.commit), to: stampOf(ref, AT.end),
			kind: isHung(ref) ? ROOT.hang : ROOT.on_ring,
		}));
	}
	if (knows(ref, "t_complete"))
		spans.push({ ...own, from: stampOf(ref, AT.end), to: stampOf(ref, AT.complete), kind: ROOT.signal });
	return spans;
}

const clip = (span, from, to) => ({ ...span, from: Math.max(span.from, from), to: Math.min(span.to, to) });

// What became of the time from @from to @to of a job's life: parts that are roots, and parts in which
// it waited for another job ({ job, from, to }).
async function partsOf(ref, from, to)
{
	const submit = stampOf(ref, AT.submit), parts = [];
	let at = from;

	if (submit > at) {
		parts.push({ from: at, to: Math.min(submit, to), kind: ROOT.not_submitted,
			     client: ref.block.client[ref.i], key: ref.block.key(ref.i) });
		at = parts[0].to;
	}
	for (const span of [...waitParts(ref), ...await lifeSpans(ref)]) {
		const part = clip(span, at, to);
		if (part.from >= part.to)
			continue;
		if (part.from > at)
			parts.push({ from: at, to: part.from, kind: ROOT.unknown, client: -1, key: "0:0" });
		parts.push(part);
		at = part.to;
	}
	if (at < to)
		parts.push({ from: at, to, kind: ROOT.unknown, client: -1, key: "0:0" });
	return parts;
}

// The wait of a job: a part per charge.
function waitParts(ref)
{
	return ref.block.chargesOf(ref.i).flatMap(c => {
		const span = { from: c.from, to: c.from + c.ns, kind: rootOf(c), client: c.client, key: c.key ?? "0:0" };

		if (c.spans)
			return c.spans;
		if (c.reason === REASON.fence && !c.isForeign && c.job >= 0)
			return [{ ...span, job: c.job }];
		if (span.kind === ROOT.unknown)
			return [{ ...span, client: -1, key: "0:0" }];
		return [{ ...span, number: c.job }];
	});
}

// Follows the wait of a job down to what really happened.  A stack, as chains may be long.
async function rootSpans(ref)
{
	const stack = waitParts(ref).reverse(), spans = [];

	while (stack.length) {
		const part = stack.pop();
		if (part.job === undefined) {
			spans.push(part);
			continue;
		}
		stack.push(...(await partsOf(await jobs.get(part.job), part.from, part.to)).reverse());
	}
	for (const span of spans)
		if (span.number >= 0 && (span.kind === ROOT.hang || span.kind === ROOT.foreign)) {
			const by = await jobs.get(span.number);
			span.key = by.block.key(by.i);
		}
	return spans;
}

// The roots of all of its time, the greatest first: [{ isOwn, kind, client, key, ns }].
async function rootRows(ref)
{
	const rows = new Map();
	const add = (span, isOwn) => {
		const hasKey = span.kind === ROOT.hang || span.kind === ROOT.foreign;
		const id = `${isOwn} ${span.kind} ${span.client} ${hasKey ? span.key : ""}`;
		const row = rows.get(id) ?? { isOwn, kind: span.kind, client: span.client, key: span.key, ns: 0 };

		row.ns += span.to - span.from;
		rows.set(id, row);
	};

	const sums = ref.block.sumsOf(ref.i);

	for (const root of sums?.roots.rows ?? [])
		add({ ...root, from: 0, to: root.ns }, false);
	for (const span of await rootSpans(ref))
		add(span, false);
	for (const span of await lifeSpans(ref))
		add(span, true);
	return [...rows.values()].filter(r => r.ns > 0)
		.sort((a, b) => b.ns - a.ns || a.isOwn - b.isOwn || a.kind - b.kind);
}

function ownWords(ref, row)
{
	if (row.kind === ROOT.run)
		return "it ran";
	if (row.kind === ROOT.signal)
		return "it was done, until waiters could see it";
	if (row.kind !== ROOT.hang)
		return `it was on the ring; ${names.flags(ref.block.flags[ref.i]).includes("no_hw") ?
			"it did not run" : "when it began to run is not known"}`;
	return row.key === ref.block.key(ref.i) ? "it ran, and HUNG" :
		`it was on the ring behind ${row.key}, which HUNG`;
}

function schedulerWords(ref)
{
	const ns = ref.block.stage(ref.i, "t_sched_cpu");
	const words = "it was ready, but the scheduler did not hand it over";

	return ns ? `${words}: for ${formatNs(ns)} its thread waited for a CPU` : words;
}

function waitWords(ref, row)
{
	const isOwn = row.client >= 0 && row.client === ref.block.client[ref.i];
	const { on, of } = names.client(row.client);

	switch (row.kind) {
	case ROOT.hang:
		return row.key === "0:0" ? "its ring was being reset" :
			`${on} was blocked by ${row.key} of ${of}, which HUNG`;
	case ROOT.run:
		return isOwn ? `${on} ran other jobs of its own process, ${of}` : `${on} ran jobs of ${of}`;
	case ROOT.full:
		return isOwn ? `${on} was full, and ran other jobs of its own process, ${of}` :
			`${on} was full, and ran jobs of ${of}`;
	case ROOT.on_ring:
		return `jobs of ${of} were on ${on}; whether they ran is not known`;
	case ROOT.signal:
		return `jobs of ${of} on ${on} were done, until their fences were signalled`;
	case ROOT.not_submitted:
		return `${of} had not submitted a job for ${on} yet that this one needs`;
	case ROOT.foreign:
		return row.key === "0:0" ? "fences that belong to no job were not signalled" :
			`the fence ${row.key}, which belongs to no job, was not signalled`;
	case ROOT.scheduler:
		return schedulerWords(ref);
	default:
		return names.flags(ref.block.flags[ref.i]).includes("lossy") ?
			"not known: events are missing there" :
			"not known: the trace does not show what it waited for";
	}
}

// The rest of a total that no row explains.
function restWords(ref)
{
	const flags = names.flags(ref.block.flags[ref.i]);

	return flags.includes("killed") ? "until it was killed with its process, before it ran" :
		flags.includes("lossy") ? "not known: events are missing there" :
		"not known: the trace does not show these stages";
}

// IN SHORT: [{ ns, isBound, words }], which sum to the total; and a sentence if that is not known.
async function inShort(ref)
{
	const rows = await rootRows(ref), total = ref.block.stage(ref.i, "total");
	const sums = ref.block.sumsOf(ref.i), others = sums?.roots.others ?? 0, othersNs = sums?.roots.othersNs ?? 0;
	const lines = rows.slice(0, SHORT_ROWS).map(row => ({
		ns: row.ns, isBound: row.isOwn && ref.block.isBound(ref.i, row.kind === ROOT.signal ? "t_complete" : "t_exec"),
		words: row.isOwn ? ownWords(ref, row) : waitWords(ref, row),
	}));
	const told = rows.reduce((sum, row) => sum + row.ns, othersNs), more = rows.slice(SHORT_ROWS);
	const nrMore = more.length + others;

	if (nrMore)
		lines.push({ ns: more.reduce((sum, row) => sum + row.ns, othersNs),
			     words: `${nrMore} smaller ${plural(nrMore, "cause", "causes")}` });
	if (told < total)
		lines.push({ ns: total - told, isBound: ref.block.isBound(ref.i, "total"), words: restWords(ref) });
	const notes = [];

	if (Number.isNaN(total))
		notes.push(`The trace does not show its ${Number.isNaN(stampOf(ref, AT.submit)) ? "SUBMIT" : "COMPLETE"}, ` +
			   "so the rest is not known.");
	if (sums)
		notes.push(`It waited for more than ${MANY} jobs and fences, one after the other: this page only has ` +
			   `their sums. grtrace report --why ${ref.block.key(ref.i)} tells each.`);
	return { lines, total, note: notes.join(" ") };
}

// When its wait is over, which has charges.
const waitEnd = ref => stampOf(ref, knows(ref, "t_queue") ? AT.start : AT.commit);

// What a job waited for longest between @from and @to: charges for one fence, or one client, are one.
function greatestCharge(ref, from, to)
{
	const sums = new Map(), all = ref.block.sumsOf(ref.i);
	let greatest = null;

	// Sums do not tell when it waited for what: of a part of its wait, only @most is known.
	if (all && from === -Infinity)
		return { ...all.charges.rows[0], most: all.charges.rows[0].ns, isSum: true };
	if (all)
		return { ns: NaN, most: Math.max(Math.min(to, waitEnd(ref)) - Math.max(from, stampOf(ref, AT.submit)), 0),
			 isSum: true };

	for (const c of ref.block.chargesOf(ref.i)) {
		const part = { from: Math.max(c.from, from), to: Math.min(c.from + c.ns, to) };
		if (part.from >= part.to)
			continue;
		const id = c.reason === REASON.fence ? `fence ${c.job >= 0 ? c.job : c.key}` : `${c.client} ${c.reason}`;
		const sum = sums.get(id) ?? { ...c, from: part.from, ns: 0 };
		sum.ns += part.to - part.from;
		sum.until = part.to;
		sums.set(id, sum);
		if (!greatest || sum.ns > greatest.ns)
			greatest = { ...sum };
	}
	return greatest ?? { ns: 0 };
}

function ranNs(ref, from, to)
{
	const hasExec = knows(ref, "t_exec");

	if (!hasExec && !knows(ref, "t_hw"))
		return 0;
	const begin = Math.max(from, stampOf(ref, hasExec ? AT.start : AT.commit));
	const end = Math.min(to, stampOf(ref, AT.end));
	return begin < end ? end - begin : 0;
}

// The chain down to the greatest wait: [{ ref, isRun, ranNs, wait }]; hasMore: it goes on.
async function chainOf(ref)
{
	const hops = [];
	let from = -Infinity, to = Infinity, job = ref;

	while (job && hops.length < HOPS) {
		const wait = greatestCharge(job, from, to), ran = ranNs(job, from, to);
		const hop = { ref: job, wait, ranNs: ran, isRun: ran >= (wait.most ?? wait.ns),
			      isBound: stampOf(job, AT.end) <= to && job.block.isBound(job.i, "t_exec") };

		if (!ran && !wait.ns && !wait.most)
			return { hops, hasMore: false };
		hops.push(hop);
		if (hop.isRun || wait.isSum || !leadsOn(wait))
			return { hops, hasMore: false };
		from = wait.from;
		to = wait.until;
		job = wait.job >= 0 ? await jobs.get(wait.job) : null;
	}
	return { hops, hasMore: !!job };
}

function leadsOn(charge)
{
	return charge.reason === REASON.fence && charge.client >= 0 && (charge.job >= 0 || charge.key !== null);
}

// The job or fence of a charge, "0:0": none.
async function chargeKey(charge)
{
	if (charge.job < 0)
		return charge.key;
	const by = await jobs.get(charge.job);
	return by.block.key(by.i);
}

// Who a charge blames, as grt_word_culprit().
async function culpritWords(charge)
{
	const key = await chargeKey(charge);

	if (charge.reason === REASON.scheduler)
		return "the scheduler";
	if (charge.reason === REASON.unknown)
		return "what is not known";
	if (charge.reason === REASON.recovery && !key)
		return "a reset of the ring";
	if (charge.client < 0)
		return key ? `the fence ${key} of no job` : "a fence of no job";
	const [ring, process] = names.meta.clients[charge.client];
	return `${key ?? "a job"} (${names.process(process ?? -1)}, ${names.ring(ring ?? -1)})`;
}

// Who a sum of charges blames.
function culpritsWords(sum)
{
	const { on, of } = names.client(sum.client);

	if (sum.reason === REASON.scheduler)
		return "for the scheduler";
	if (sum.reason === REASON.unknown)
		return "for what is not known";
	if (sum.reason === REASON.recovery)
		return "for resets of the ring";
	if (sum.client < 0)
		return "for fences of no job";
	return `${sum.reason === REASON.ring ? "behind" : "for"} jobs of ${of} on ${on}`;
}

// A step of the chain, as report --why prints it.
async function hopWords(hop)
{
	const { ref, wait } = hop;

	if (hop.isRun)
		return `${jobWords(ref)} ${knows(ref, "t_exec") ? "ran" : "was on its ring for"} ` +
			`${formatTime(hop.ranNs, hop.isBound)}${isHung(ref) ? ", and HUNG" : ""}`;
	if (wait.isSum)
		return Number.isNaN(wait.ns) ? `${jobWords(ref)} waited for more than ${MANY} jobs and fences` :
			`${jobWords(ref)} waited ${formatNs(wait.ns)} in all ${culpritsWords(wait)}`;
	return `${jobWords(ref)} waited ${formatNs(wait.ns)} ` +
		`${wait.stage === STAGE.t_order ? "behind its own context, which waited " : ""}` +
		`${wait.reason === REASON.ring ? "behind" : "for"} ${await culpritWords(wait)}` +
		`${wait.isHung ? ", which HUNG" : ""}`;
}

const jobWords = ref => `${ref.block.key(ref.i)} (${names.process(ref.block.process[ref.i])}, ` +
	`${names.ring(ref.block.ring[ref.i])})`;
