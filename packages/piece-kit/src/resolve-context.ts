import type { Credential } from './credential.js';
import type { JsonObject } from './json.js';
import { openPiece } from './open-piece.js';
import type { Piece } from './piece.js';
import type { PropertyContext } from './property-context.js';
import type { Send } from './send.js';

/** What a property is resolved with, as who runs it knows it. */
export interface ResolveContext {
  /** The form's values so far. */
  input: JsonObject;
  search?: string;
  credential?: Credential;
  send: Send;
  signal?: AbortSignal;
  /** Of one outgoing request. */
  timeoutMs?: number;
}

/** The same, as the code of a property knows it. */
export function toPropertyContext(
  piece: Piece,
  { input, search, credential, send, signal, timeoutMs }: ResolveContext,
): PropertyContext {
  const http = openPiece(piece, { credential, send, signal, timeoutMs });
  return { http, input, search: search || undefined, auth: credential, signal };
}
