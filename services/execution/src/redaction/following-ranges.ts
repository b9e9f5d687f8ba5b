import { type Range } from './ranges.js';

/** What follows the beginnings of long secrets and is to go with them, as far as the text goes on. */
export class FollowingRanges {
  readonly ranges: Range[] = [];
  private from = 0;
  private until = 0;

  /** So much after the beginning whose last byte is at `from`. They come in the order in which they end. */
  add(from: number, length: number): void {
    if (length === 0) return;
    if (from > this.until) this.end(from);
    if (this.until === 0) this.from = from;
    this.until = Math.max(this.until, from + 1 + length);
  }

  /** Nothing goes beyond `limit`. */
  end(limit: number): void {
    const end = Math.min(this.until, limit);
    if (end > this.from) this.ranges.push([this.from, end]);
    this.until = 0;
  }
}
