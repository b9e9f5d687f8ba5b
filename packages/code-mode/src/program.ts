import { type Node } from 'acorn';
import { type Bindings } from './bindings.js';
import { type Tree } from './syntax-tree.js';

/** The name of the object that contains the code API. */
export const ROOT = 'svc';

const MAX_SIGNALS = 20;

/** A program that is being analyzed. */
export interface Program {
  tree: Tree;
  bindings: Bindings;
  signals: Signals;
}

export type Signals = ReturnType<typeof signals>;

/** Collects the properties of a program that make its calls unpredictable. */
export function signals() {
  const found: { node: Node; sentence: string }[] = [];
  return {
    get isEmpty(): boolean {
      return found.length === 0;
    },
    add(node: Node, sentence: string): void {
      found.push({ node, sentence });
    },
    /** Returns the first 20 signals in the form `line 3: a computed name after svc`. */
    toList(lineOf: (node: Node) => number): string[] {
      found.sort((one, other) => one.node.start - other.node.start);
      const list = new Set<string>();
      for (const { node, sentence } of found) {
        if (list.size === MAX_SIGNALS) break;
        list.add(`line ${lineOf(node)}: ${sentence}`);
      }
      return [...list];
    },
  };
}
