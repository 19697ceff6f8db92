// Reads the sections of a packed program.

export class Reader {
  constructor(
    readonly b: Uint8Array,
    public at: number,
    readonly end: number,
  ) {}

  byte(): number {
    if (this.at >= this.end) throw new Error("the program is damaged: a section is too short");
    return this.b[this.at++]!;
  }

  // number reads an unsigned LEB128 number of at most 32 bits.
  number(): number {
    let v = 0;
    for (let shift = 0; ; shift += 7) {
      const c = this.byte();
      v |= (c & 127) << shift;
      if (c < 128) return v >>> 0;
    }
  }

  bytes(n: number): Uint8Array {
    if (n > this.end - this.at) throw new Error("the program is damaged: a section is too short");
    this.at += n;
    return this.b.subarray(this.at - n, this.at);
  }
}
