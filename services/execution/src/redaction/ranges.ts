export type Range = [start: number, end: number];

/** Stretches of a text that are to go. They come in the order of their ends, and grow together where they overlap. */
export class RangeList {
  private readonly flat: number[] = [];

  add(start: number, end: number): void {
    let begin = start;
    while (this.flat.length > 0 && this.flat.at(-1)! > begin) {
      this.flat.pop();
      begin = Math.min(begin, this.flat.pop()!);
    }
    this.flat.push(begin, end);
  }

  list(): Range[] {
    return Array.from({ length: this.flat.length / 2 }, (_, index) => [
      this.flat[2 * index]!,
      this.flat[2 * index + 1]!,
    ]);
  }
}

/** Any number of them, in any order, as few that do not overlap, in the order of the text. */
export function mergeRanges(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && start < last[1]) last[1] = Math.max(last[1], end);
    else if (end > start) result.push([start, end]);
  }
  return result;
}
