// SPDX-License-Identifier: GPL-2.0
// The jobs, in blocks as lib/export/html_jobs.c wrote them.  A block is unpacked when it is needed.

const STAMPS = 5;
const AT = { submit: 0, commit: 1, start: 2, end: 3, complete: 4 };
const STAGE = {};		// t_order and so on: the bit of each stage
const OWN_STAGES = ["t_order", "t_dep", "t_ring", "t_sched", "t_gpu_wait", "t_sched_cpu", "t_wake", "t_ioctl"];
// Stages between two stamps.
const SPANS = {
	t_submit_host: [AT.submit, AT.commit], t_queue: [AT.commit, AT.start], t_exec: [AT.start, AT.end],
	t_hw: [AT.commit, AT.end], t_complete: [AT.end, AT.complete], total: [AT.submit, AT.complete],
};
const FLAG = {};		// cut and so on: the value of each flag
const REASON = {}, ROOT = {};
const TAG = { FOREIGN: 8, HUNG: 16, KEY: 32, JOB: 64, SPANS: 128 };

class Block {
	constructor(bytes, first, count)
	{
		const reader = new Reader(bytes);
		const column = () => reader.column();

		this.first = first;
		this.count = count;
		this.ctx = this.#keys(column());
		this.seqno = this.#keys(column());
		this.ring = this.#rows(column());
		this.process = this.#rows(column());
		this.client = this.#rows(column());
		this.tid = Float64Array.from({ length: count }, this.#each(column()));
		this.#stamps(column(), column(), column());
		this.#stages(column(), column());
		this.flags = Float64Array.from({ length: count }, this.#each(column()));
		this.#status(column());
		this.labels = Float64Array.from({ length: count }, this.#each(column()));
		this.command = Float64Array.from({ length: count }, this.#each(column()));
		const slots = column();
		this.waitingSlot = new Uint8Array(count);
		this.ringSlot = new Uint8Array(count);
		for (let i = 0; i < count; i++) {
			this.waitingSlot[i] = slots.byte();
			this.ringSlot[i] = slots.byte();
		}
		this.charges = column();
		this.chargesAt = null;
	}

	#each(reader) { return () => reader.u(); }

	// Numbers; those that are too large for one are in @this.big as texts.
	#keys(reader)
	{
		const keys = new Float64Array(this.count);
		const big = new Map();
		let key = 0;

		for (let i = 0; i < this.count; i++) {
			key = addExact(key, reader.exactSigned());
			keys[i] = Number(key);
			if (typeof key !== "number")
				big.set(i, String(key));
		}
		keys.big = big;
		return keys;
	}

	#rows(reader)
	{
		const rows = new Int32Array(this.count);
		for (let i = 0; i < this.count; i++)
			rows[i] = reader.u() - 1;
		return rows;
	}

	#stamps(firsts, stamps, laters)
	{
		let first = 0;

		this.at = new Float64Array(this.count * STAMPS).fill(NaN);
		this.from = new Float64Array(this.count).fill(NaN);
		this.to = new Float64Array(this.count).fill(NaN);
		for (let i = 0; i < this.count; i++) {
			const bits = stamps.byte();
			let before = NaN;

			for (let k = 0; k < STAMPS; k++) {
				if (!(bits >> k & 1))
					continue;
				if (Number.isNaN(before)) {
					first += firsts.s();
					before = first;
				} else {
					before += laters.s();
				}
				this.at[i * STAMPS + k] = before;
				if (!(before >= this.from[i]))
					this.from[i] = before;
				if (!(before <= this.to[i]))
					this.to[i] = before;
			}
		}
	}

	#stages(bits, values)
	{
		this.stages = new Uint32Array(this.count);
		this.own = new Float64Array(this.count * OWN_STAGES.length).fill(NaN);
		for (let i = 0; i < this.count; i++) {
			this.stages[i] = bits.u();
			for (let k = 0; k < OWN_STAGES.length; k++)
				if (this.stages[i] >> STAGE[OWN_STAGES[k]] & 1)
					this.own[i * OWN_STAGES.length + k] = values.u();
		}
	}

	#status(reader)
	{
		this.status = new Float64Array(this.count).fill(NaN);
		for (let i = 0; i < this.count; i++) {
			const value = reader.u();
			if (value)
				this.status[i] = (value - 1) % 2 ? -value / 2 : (value - 1) / 2;
		}
	}

	// NaN: not known.
	stage(i, name)
	{
		if (!(this.stages[i] >> STAGE[name] & 1))
			return NaN;
		if (SPANS[name])
			return this.at[i * STAMPS + SPANS[name][1]] - this.at[i * STAMPS + SPANS[name][0]];
		return this.own[i * OWN_STAGES.length + OWN_STAGES.indexOf(name)];
	}

	// The stage took that long at most, as grt_bound_stages() says.
	isBound(i, name)
	{
		const has = flag => Math.floor(this.flags[i] / FLAG[flag]) % 2 === 1;

		return has("upper_bound") && (["t_complete", "total"].includes(name) ||
					      (["t_exec", "t_hw"].includes(name) && has("inferred_end")));
	}

	// As the report prints it.
	stageWords(i, name)
	{
		const ns = this.stage(i, name);

		return Number.isNaN(ns) ? "-" : formatTime(ns, this.isBound(i, name));
	}

	key(i)
	{
		return `${this.ctx.big.get(i) ?? this.ctx[i]}:${this.seqno.big.get(i) ?? this.seqno[i]}`;
	}

	#readCharge(reader, job, from)
	{
		const tag = reader.byte();
		const charge = {
			reason: tag & 7, isForeign: !!(tag & TAG.FOREIGN), isHung: !!(tag & TAG.HUNG),
			stage: reader.byte(), from, ns: reader.u(), client: reader.u() - 1,
			job: -1, key: null, spans: null,
		};

		if (tag & TAG.JOB)
			charge.job = job - reader.u();
		else if (tag & TAG.KEY)
			charge.key = `${reader.exact()}:${reader.exact()}`;
		if (tag & TAG.SPANS) {
			let at = from;

			charge.spans = [];
			for (let count = reader.u(); count; count--) {
				const root = this.#readRoot(reader);
				charge.spans.push({ ...root, from: at, to: at + root.ns });
				at += root.ns;
			}
		}
		return charge;
	}

	// The rows of a sum that were written, and how many others there are.
	#readSums(reader, read)
	{
		const rows = [];

		for (let count = reader.u(); count; count--)
			rows.push(read());
		return { rows, others: reader.u(), othersNs: reader.u() };
	}

	#readRoot(reader)
	{
		const kind = reader.byte(), ns = reader.u(), client = reader.u() - 1;
		return { kind, ns, client, key: `${reader.exact()}:${reader.exact()}` };
	}

	// What job @job waited for: { charges }, or { charges, roots }, both added up.
	#readWait(reader, job, from)
	{
		const charges = [];
		let count = reader.u();

		if (count % 2) {
			return { charges: this.#readSums(reader, () => this.#readCharge(reader, job, NaN)),
				 roots: this.#readSums(reader, () => this.#readRoot(reader)) };
		}
		for (; count; count -= 2) {
			const charge = this.#readCharge(reader, job, from);
			from += charge.ns;
			charges.push(charge);
		}
		return { charges, roots: null };
	}

	// Finds where the charges of each job begin.
	#index()
	{
		const reader = new Reader(this.charges.bytes, this.charges.at, this.charges.end);

		this.chargesAt = new Uint32Array(this.count);
		for (let i = 0; i < this.count; i++) {
			this.chargesAt[i] = reader.at;
			this.#readWait(reader, 0, 0);
		}
	}

	#waitOf(i)
	{
		if (!this.chargesAt)
			this.#index();
		return this.#readWait(new Reader(this.charges.bytes, this.chargesAt[i]), this.first + i,
				      this.at[i * STAMPS + AT.submit]);
	}

	// What job @i waited for, in order of time; empty if that is only known as sums.
	chargesOf(i)
	{
		const wait = this.#waitOf(i);
		return wait.roots ? [] : wait.charges;
	}

	// The same and its roots as sums, the greatest first, each { rows, others, othersNs }; null: it is not
	// summed.
	sumsOf(i)
	{
		const wait = this.#waitOf(i);
		return wait.roots ? wait : null;
	}
}

const jobs = {
	blocks: [],		// { first, count, from, to, block, promise }
	count: 0,
	hangs: [],
	loaded: 0,

	begin(meta)
	{
		meta.words.stages.forEach(([name], bit) => { STAGE[name] = bit; });
		meta.words.flags.forEach(([name], bit) => { FLAG[name] = 2 ** bit; });
		meta.words.reasons.forEach(([name], i) => { REASON[name] = i; });
		meta.words.roots.forEach(([name], i) => { ROOT[name] = i; });
		this.hangs = meta.hangs;
		for (const [from, to, count] of meta.blocks) {
			this.blocks.push({ first: this.count, count, from, to, block: null, promise: null });
			this.count += count;
		}
	},

	// Unpacks a block.
	load(b)
	{
		if (!b.promise) {
			b.promise = unpack(`jobs${this.blocks.indexOf(b)}`, true).then(bytes => {
				b.block = new Block(bytes, b.first, b.count);
				this.loaded += b.count;
				return b.block;
			});
		}
		return b.promise;
	},

	// The block of job @number.
	blockOf(number)
	{
		let low = 0, high = this.blocks.length - 1;

		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if (this.blocks[middle].first <= number)
				low = middle;
			else
				high = middle - 1;
		}
		return this.blocks[low];
	},

	// { block, i } of job @number.
	async get(number)
	{
		const b = this.blockOf(number);
		return { block: b.block ?? await this.load(b), i: number - b.first, number };
	},

	// Whether a job may touch the time from @from to @to.
	touching(from, to) { return this.blocks.filter(b => b.from <= to && b.to >= from); },

	// The number of the first job with this key; -1: none.
	async find(key)
	{
		for (const b of this.blocks) {
			const block = b.block ?? await this.load(b);
			const [ctx, seqno] = key.split(":").map(Number);
			for (let i = 0; i < block.count; i++)
				if (block.ctx[i] === ctx && block.seqno[i] === seqno && block.key(i) === key)
					return b.first + i;
		}
		return -1;
	},
};
