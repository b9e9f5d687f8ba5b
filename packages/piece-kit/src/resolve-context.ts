import type { JsonObject } from './json.js';
import { openPiece, type OpenOptions } from './open-piece.js';
import type { Piece } from './piece.js';
import type { PropertyContext } from './property-context.js';

/** The context of a resolution as its caller provides it. */
export interface ResolveContext extends Omit<OpenOptions, 'isIdempotent'> {
  /** The form's values so far. */
  input: JsonObject;
  search?: string;
}

/** Converts the context for a property's code. Lookups change nothing, so requests to a busy provider are retried. */
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
