import { REDACTED } from '@drawbridge/piece-kit';
import { type TextRedactor } from '../redaction/redactor.js';

export interface Line {
  level: string;
  text: string;
}

/**
 * Redacts console lines that are displayed while the run still writes. The end of a line or of a chunk can split a secret, so the newest lines are
 * withheld until as many characters follow as a secret can have.
 */
export class LineRedactor {
  private held: Line[] = [];

  constructor(
    private readonly redact: TextRedactor,
    /** A string of this length may have been truncated, possibly within a secret. */
    private readonly maxText: number,
  ) {}

  push(line: Line): void {
    this.held.push(line);
  }

  /** Removes and returns the lines that can be displayed. Returns all lines if `isEnd` is true. */
  take(isEnd: boolean): Line[] {
    const count = isEnd ? this.held.length : this.countOfSafe();
    const head = this.held.slice(0, count);
    if (!isEnd && !this.isBoundary(head, this.held.slice(count))) return [];
    this.held.splice(0, count);
    return this.redacted(head);
  }

  /** Returns the number of lines that are followed by as many characters as a secret can have. */
  private countOfSafe(): number {
    let count = this.held.length;
    for (let after = 0; count > 0 && after < this.redact.reach; count--) after += this.held[count - 1]!.text.length;
    return count;
  }

  private redacted(lines: Line[]): Line[] {
    const whole = lines.map(({ level, text }) => ({ level, text: this.redactCut(text) }));
    const isSafe = SEPARATORS.every(
      (separator) =>
        this.redact(lines.map(({ text }) => text).join(separator)) ===
        lines.map(({ text }) => this.redact(text)).join(separator),
    );
    // If a secret spans several lines, no part of it may be displayed, so one redacted line replaces all lines.
    return isSafe || lines.length === 0 ? whole : [{ level: lines[0]!.level, text: REDACTED }];
  }

  private redactCut(text: string): string {
    if (text.length < this.maxText || this.redact.reach === 0) return this.redact(text);
    return this.redact(text).slice(0, -this.redact.reach) || REDACTED;
  }

  private isBoundary(head: Line[], tail: Line[]): boolean {
    return SEPARATORS.every((separator) => {
      const [first, second] = [head, tail].map((lines) => lines.map(({ text }) => text).join(separator));
      return this.redact(first + separator + second) === this.redact(first!) + separator + this.redact(second!);
    });
  }
}

/** The characters that can separate the parts of a split secret: a line break, or nothing. */
const SEPARATORS = ['\n', ''];
