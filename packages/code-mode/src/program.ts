import { type Bindings } from './bindings.js';
import { type Signals } from './signals.js';
import { type Tree } from './syntax-tree.js';

/** The name of the object that contains the code API. */
export const ROOT = 'svc';

/** A program that is being analyzed. */
export interface Program {
  tree: Tree;
  bindings: Bindings;
  signals: Signals;
}
