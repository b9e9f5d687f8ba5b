import { type Http, type HttpSetup, openHttp } from './http.js';
import type { Piece } from './piece.js';

/** The credential and the transport of a piece's requests. */
export type OpenOptions = Pick<
  HttpSetup,
  'credential' | 'send' | 'sendsDelayed' | 'signal' | 'timeoutMs' | 'limitMs' | 'isIdempotent' | 'runId'
>;

/** Returns the HTTP client of a piece's code. */
export function openPiece({ http, origin, origins }: Piece, options: OpenOptions): Http {
  return openHttp({ ...http, ...options, origin, origins });
}
