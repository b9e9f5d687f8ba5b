/** A text as it reads once one layer of escapes is off, with the way back. */
export interface DecodedView {
  bytes: Uint8Array;
  /** Where in the text below each byte comes from; one more for the end. */
  starts: Int32Array;
}

/** Stands between texts that do not touch; no byte of UTF-8. */
export const SEPARATOR = 0xff;

/** Writes a view whose size is known not to be exceeded. */
export class ViewWriter {
  length = 0;
  private readonly bytes: Uint8Array;
  private readonly starts: Int32Array;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.starts = new Int32Array(size + 1);
  }

  byte(value: number, start: number): void {
    this.bytes[this.length] = value;
    this.starts[this.length++] = start;
  }

  /** A character as UTF-8. */
  point(point: number, start: number): void {
    if (point < 0x80) return this.byte(point, start);
    if (point < 0x800) this.byte(0xc0 | (point >> 6), start);
    else {
      if (point < 0x10000) this.byte(0xe0 | (point >> 12), start);
      else {
        this.byte(0xf0 | (point >> 18), start);
        this.byte(0x80 | ((point >> 12) & 63), start);
      }
      this.byte(0x80 | ((point >> 6) & 63), start);
    }
    this.byte(0x80 | (point & 63), start);
  }

  end(at: number): DecodedView {
    this.starts[this.length] = at;
    return { bytes: this.bytes.subarray(0, this.length), starts: this.starts.subarray(0, this.length + 1) };
  }
}
