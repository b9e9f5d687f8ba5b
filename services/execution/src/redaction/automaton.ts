const [PLUS, BLANK] = [0x2b, 0x20];

/** A part of a secret to find, and the number of bytes of the secret before and after that part. */
export interface Pattern {
  bytes: Uint8Array;
  before: number;
  after: number;
}

/** The number of bytes of the secret up to the end of the matched part, and after it. */
export interface Match {
  upTo: number;
  after: number;
}

/**
 * Aho-Corasick automaton: finds all patterns in one pass, in time linear in the length of the input. A regular expression of the same patterns takes
 * minutes for 8 MiB of one repeated character. Libraries accept only whole strings, but base64 must be searched at several bit offsets at the same
 * time. The automaton treats a space and a plus as equal, because forms encode a space as a plus.
 */
export class Automaton {
  /** The state after one byte from the initial state, which is 0. */
  readonly root = new Int32Array(256);
  /** Matches by state. Undefined for a state in which no pattern ends. */
  readonly matches: (Match | undefined)[] = [undefined];
  /** The next state, by `state * 256 + byte`. */
  private readonly edges = new Map<number, number>();
  /** By state: the state of the longest proper suffix that is also a prefix of a pattern. The search continues there if no edge matches. */
  private readonly fallback = [0];

  /** Adds the patterns one byte of each at a time, because the fallback of a state is closer to the root and must exist first. */
  constructor(patterns: readonly Pattern[]) {
    let growing = patterns.map((pattern) => ({ pattern, state: 0 }));
    for (let depth = 0; growing.length > 0; depth++) {
      for (const one of growing) {
        one.state = this.child(one.state, one.pattern.bytes[depth]!);
        if (one.pattern.bytes.length === depth + 1) this.end(one.state, one.pattern);
      }
      growing = growing.filter(({ pattern }) => pattern.bytes.length > depth + 1);
    }
    this.root[PLUS] = this.root[BLANK]!;
  }

  step(from: number, given: number): number {
    const byte = given === PLUS ? BLANK : given;
    for (let state = from; state !== 0; state = this.fallback[state]!) {
      const next = this.edges.get(state * 256 + byte);
      if (next !== undefined) return next;
    }
    return this.root[byte]!;
  }

  private child(parent: number, given: number): number {
    const byte = given === PLUS ? BLANK : given;
    const known = parent === 0 ? this.root[byte]! : this.edges.get(parent * 256 + byte);
    if (known) return known;
    const fallback = parent === 0 ? 0 : this.step(this.fallback[parent]!, byte);
    const state = this.fallback.push(fallback) - 1;
    this.matches.push(this.matches[fallback]);
    if (parent === 0) this.root[byte] = state;
    else this.edges.set(parent * 256 + byte, state);
    return state;
  }

  private end(state: number, { bytes, before, after }: Pattern): void {
    const shorter = this.matches[state];
    const upTo = Math.max(before + bytes.length, shorter?.upTo ?? 0);
    this.matches[state] = { upTo, after: Math.max(after, shorter?.after ?? 0) };
  }
}
