import type { Piece } from '@drawbridge/piece-kit';
import { pieces } from './gen/registry.js';

export { pieces };

/** The piece of that name, if there is one. Names come from callers: `constructor` is none. */
export function findPiece(name: string): Piece | undefined {
  return Object.hasOwn(pieces, name) ? pieces[name] : undefined;
}
