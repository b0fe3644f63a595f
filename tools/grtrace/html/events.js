// SPDX-License-Identifier: GPL-2.0
// What lib/export/html_events.c wrote: rows of each kind, in the order of their records.

const EVENT_ROWS = {
	frame: r => ({ from: r.s(), ns: r.u(), number: r.u(), pid: r.u(), source: r.u(), verdict: r.u(),
		       key: `${r.exact()}:${r.exact()}`, causeNs: r.u(), isBound: r.u() === 1, cause: clean(r.text()) }),
	frequency: r => {
		const f = { at: r.s(), ring: r.u() - 1, gpu: r.u(), gauge: r.u() }, flags = r.u();
		return { ...f, isKnown: flags % 2 === 1, isSample: flags >= 2, value: r.s() };
	},
	vblank: r => ({ at: r.s(), crtc: r.u(), gpu: r.u(), frame: r.u(), kind: r.u(), client: r.exact() }),
	mark: r => ({ at: r.s(), pid: r.u(), tid: r.u(), text: clean(r.text()) }),
	error: r => ({ at: r.s(), ring: r.u() - 1, code: r.u(), key: `${r.exact()}:${r.exact()}` }),
	loss: r => ({ from: r.s(), to: r.s(), cpu: r.u(), reason: r.u(), count: r.u() }),
	ioctl: r => ({ at: r.s(), pid: r.u(), tid: r.u(), cmd: r.u() }),
	cpu: r => ({ from: r.s(), ns: r.u(), tid: r.u(), cpu: r.u() }),
	wake: r => ({ at: r.s(), tid: r.u() }),
};

const events = {
	async begin(meta)
	{
		for (const [kind, row] of Object.entries(EVENT_ROWS)) {
			const rows = [];

			for (let i = 0; i < meta.events[kind].blocks; i++) {
				const reader = new Reader(await unpack(`${kind}${i}`, true));
				while (!reader.isOver)
					rows.push(row(reader));
			}
			this[kind] = rows;
		}
	},

	// The first row whose @at is not before @time, in rows in order of @at.
	firstAt(rows, time, at = r => r.at)
	{
		let low = 0, high = rows.length;

		while (low < high) {
			const middle = (low + high) >> 1;
			if (at(rows[middle]) < time)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	},
};
