const FIRST_SIZE = 4_096;

/**
 * Copies incoming chunks into one buffer. Keeping the chunks would also keep their network buffers and an object of a hundred bytes each, and the
 * server chooses how many chunks there are.
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

  /** Grows the buffer to a known size once, to avoid further copies. */
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
