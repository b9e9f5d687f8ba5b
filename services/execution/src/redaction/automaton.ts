import { type Pattern } from './patterns.js';

const PLUS = 0x2b;
const SPACE = 0x20;

/**
 * Aho-Corasick over bytes: all patterns at once, in time linear in the text whatever the patterns are. Ours, because it is
 * fed byte by byte from several decoders at a time; what npm has takes whole strings. A space and a plus are the same: forms
 * write the one as the other.
 */
export class Automaton {
  /** Bytes of the longest pattern. */
  readonly longest: number;
  /** The state after one byte, by that byte. */
  readonly fromRoot = new Int32Array(256);
  private readonly fail: Int32Array;
  private readonly found: Int32Array;
  private readonly back: Int32Array;
  private readonly onward: Int32Array;
  /** Edges as a hash table: `node * 256 + byte`, beside it the node that it leads to. */
  private readonly edges: Int32Array;
  private readonly targets: Int32Array;
  private readonly mask: number;
  private nodes = 1;

  constructor(patterns: readonly Pattern[]) {
    const size = patterns.reduce((sum, { bytes }) => sum + bytes.length, 1);
    const slots = 2 ** Math.ceil(Math.log2(2 * size));
    this.longest = Math.max(0, ...patterns.map(({ bytes }) => bytes.length));
    this.mask = slots - 1;
    this.edges = new Int32Array(slots);
    this.targets = new Int32Array(slots);
    this.fail = new Int32Array(size);
    this.found = new Int32Array(size);
    this.back = new Int32Array(size);
    this.onward = new Int32Array(size);
    this.link(patterns);
    this.fromRoot[PLUS] = this.fromRoot[SPACE]!;
  }

  /** The state after one more byte; 0 is the first state, and the one in which nothing has begun. */
  step(state: number, given: number): number {
    const byte = given === PLUS ? SPACE : given;
    for (let node = state; node !== 0; node = this.fail[node]!) {
      const target = this.targets[this.slotOf(node, byte)]!;
      if (target !== 0) return target;
    }
    return this.fromRoot[byte]!;
  }

  /** How many bytes the longest pattern has that ends in this state; 0 when none does. */
  endingAt(state: number): number {
    return this.found[state]!;
  }

  /** How many bytes back what ends in this state may have begun, of which a pattern may be the end. */
  lengthUpTo(state: number): number {
    return this.back[state]!;
  }

  /** How many more bytes belong to it, where a pattern is the beginning. */
  lengthAfter(state: number): number {
    return this.onward[state]!;
  }

  /** Level by level, for a node's link leads to one that is nearer to the root. */
  private link(patterns: readonly Pattern[]): void {
    const places = patterns
      .map((pattern) => ({ pattern, node: 0 }))
      .sort((a, b) => b.pattern.bytes.length - a.pattern.bytes.length);
    for (let depth = 0; depth < this.longest; depth++) {
      while (places.at(-1)!.pattern.bytes.length <= depth) places.pop();
      for (const place of places) {
        place.node = this.child(place.node, place.pattern.bytes[depth]!);
        if (place.pattern.bytes.length === depth + 1) this.end(place.node, place.pattern);
      }
    }
  }

  private end(node: number, { bytes, before, after }: Pattern): void {
    this.found[node] = bytes.length;
    this.back[node] = Math.max(this.back[node]!, before + bytes.length);
    this.onward[node] = Math.max(this.onward[node]!, after);
  }

  private child(parent: number, given: number): number {
    const byte = given === PLUS ? SPACE : given;
    const slot = parent === 0 ? -1 : this.slotOf(parent, byte);
    const known = parent === 0 ? this.fromRoot[byte]! : this.targets[slot]!;
    if (known !== 0) return known;
    const node = this.nodes++;
    const fail = parent === 0 ? 0 : this.step(this.fail[parent]!, byte);
    if (parent === 0) this.fromRoot[byte] = node;
    else {
      this.edges[slot] = parent * 256 + byte;
      this.targets[slot] = node;
    }
    this.fail[node] = fail;
    this.found[node] = this.found[fail]!;
    this.back[node] = this.back[fail]!;
    this.onward[node] = this.onward[fail]!;
    return node;
  }

  private slotOf(node: number, byte: number): number {
    const edge = node * 256 + byte;
    let slot = (Math.imul(edge, 0x9e3779b1) >>> 7) & this.mask;
    while (this.targets[slot] !== 0 && this.edges[slot] !== edge) slot = (slot + 1) & this.mask;
    return slot;
  }
}
