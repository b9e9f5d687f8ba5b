import { type Node } from 'acorn';

const MAX_SIGNALS = 20;

/** Properties of a program that make its calls unpredictable. */
export interface Signals {
  readonly isEmpty: boolean;
  add(node: Node, sentence: string): void;
  /** Returns the first 20 signals in the form `line 3: a computed name after svc`. */
  toList(lineOf: (node: Node) => number): string[];
}

export function signals(): Signals {
  const found: { node: Node; sentence: string }[] = [];
  return {
    get isEmpty() {
      return found.length === 0;
    },
    add: (node, sentence) => void found.push({ node, sentence }),
    toList: (lineOf) => {
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
