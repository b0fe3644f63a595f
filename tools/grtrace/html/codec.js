// SPDX-License-Identifier: GPL-2.0
// Unpacks what lib/export/packed.c wrote: base64 of compressed bytes, in which small numbers are short.

function fromBase64(text)
{
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(text);
	const binary = atob(text), bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; i++)
		bytes[i] = binary.charCodeAt(i);
	return bytes;
}

// The bytes of the element @id; null if there is none.  The element is dropped if @once.
async function unpack(id, once)
{
	const element = document.getElementById(id);
	if (!element)
		return null;
	const packed = fromBase64(element.textContent);
	if (once)
		element.remove();
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

class Reader {
	constructor(bytes, at = 0, end = bytes.length)
	{
		this.bytes = bytes;
		this.at = at;
		this.end = end;
	}

	get isOver() { return this.at >= this.end; }

	byte() { return this.bytes[this.at++]; }

	// A number; above 2^53 it is rounded, which only times of broken traces are.
	u()
	{
		let value = 0, factor = 1, byte;
		do {
			byte = this.bytes[this.at++];
			value += (byte & 127) * factor;
			factor *= 128;
		} while (byte > 127);
		return value;
	}

	s()
	{
		const value = this.u();
		return value % 2 ? -(value + 1) / 2 : value / 2;
	}

	// Exact: a BigInt if a number cannot hold it.
	exact()
	{
		const from = this.at;
		const value = this.u();
		if (value <= Number.MAX_SAFE_INTEGER)
			return value;
		let big = 0n;
		for (let i = this.at - 1; i >= from; i--)
			big = big << 7n | BigInt(this.bytes[i] & 127);
		return BigInt.asUintN(64, big);
	}

	exactSigned()
	{
		const value = this.exact();
		if (typeof value === "number")
			return value % 2 ? -(value + 1) / 2 : value / 2;
		return value & 1n ? -((value + 1n) >> 1n) : value >> 1n;
	}

	text()
	{
		const bytes = this.u(), from = this.at;
		this.at += bytes;
		return new TextDecoder().decode(this.bytes.subarray(from, this.at));
	}

	// The next column: see grt_pack_column().
	column()
	{
		const bytes = this.u(), from = this.at;
		this.at += bytes;
		return new Reader(this.bytes, from, this.at);
	}
}

// @key + @delta, modulo 2^64: a number, or a BigInt if it must be.
function addExact(key, delta)
{
	if (typeof key === "number" && typeof delta === "number") {
		const sum = key + delta;
		if (sum >= 0 && sum <= Number.MAX_SAFE_INTEGER)
			return sum;
	}
	const sum = BigInt.asUintN(64, BigInt(key) + BigInt(delta));
	return sum <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(sum) : sum;
}
