import { type Http, type HttpSetup, openHttp } from './http.js';
import type { Piece } from './piece.js';

/** Who asks a piece's third party, and through what. */
export type OpenOptions = Pick<
  HttpSetup,
  'credential' | 'send' | 'sendsDelayed' | 'signal' | 'timeoutMs' | 'limitMs' | 'isIdempotent' | 'runId'
>;

/** The network as the code of a piece sees it. */
export function openPiece({ http, origin, origins }: Piece, options: OpenOptions): Http {
  return openHttp({ ...http, ...options, origin, origins });
}
