const FIRST_SIZE = 4_096;

/**
 * Bytes that arrive in pieces, copied together at once: a piece that is kept as it came holds its whole network read and an
 * object of a hundred bytes, and whoever sends chooses how many pieces there are.
 */
export class GrowingBuffer {
  private bytes = Buffer.alloc(0);
  private used = 0;

  get size(): number {
    return this.used;
  }

  append(piece: Buffer): void {
    const size = this.used + piece.length;
    if (size > this.bytes.length) this.grow(Math.max(size, 2 * this.bytes.length, FIRST_SIZE));
    this.bytes.set(piece, this.used);
    this.used = size;
  }

  /** For what is known to come: nothing is copied again on the way there. */
  reserve(size: number): void {
    if (size > this.bytes.length) this.grow(size);
  }

  contents(): Buffer {
    return this.bytes.subarray(0, this.used);
  }

  private grow(size: number): void {
    const larger = Buffer.allocUnsafe(size);
    larger.set(this.contents());
    this.bytes = larger;
  }
}
