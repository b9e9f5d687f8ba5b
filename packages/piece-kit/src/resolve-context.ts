import type { JsonObject } from './json.js';
import { openPiece, type OpenOptions } from './open-piece.js';
import type { Piece } from './piece.js';
import type { PropertyContext } from './property-context.js';

/** What a property is resolved with, as who runs it knows it. */
export interface ResolveContext extends Omit<OpenOptions, 'isIdempotent'> {
  /** The form's values so far. */
  input: JsonObject;
  search?: string;
}

/** The same, as the code of a property knows it. Whatever it asks changes nothing: a busy third party may be asked again. */
export function toPropertyContext(piece: Piece, context: ResolveContext): PropertyContext {
  const { input, search, credential: auth, signal } = context;
  return {
    http: openPiece(piece, { ...context, isIdempotent: true }),
    input,
    search: search || undefined,
    auth,
    signal,
  };
}
