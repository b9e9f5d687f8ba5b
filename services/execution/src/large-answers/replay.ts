import { EgressError } from '@drawbridge/egress';
import { type Answer, type Credential, type JsonObject, type SendRequest } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import { attempt, type AttemptResult } from '../running/attempt.js';
import { type Exchange } from '../running/exchange.js';
import { type Work } from '../running/work.js';
import { redactor } from '../redaction/redactor.js';

/** A run as another thread can go through it again: what it asked so far, and what it was answered. */
export interface Replay {
  pieceName: string;
  work: Work;
  input: JsonObject;
  credential?: Credential;
  secrets: readonly string[];
  exchanges: Exchange[];
}

/** How the run ended, or what it asks next, which is for the caller to send. */
export type ReplayResult = { ended: AttemptResult; request?: undefined } | { request: SendRequest; ended?: undefined };

/**
 * Goes through a run once more, with what it was answered. Nothing is sent: an action asks the same when it is answered the
 * same, and one that does not has failed.
 */
export async function replay({
  pieceName,
  work,
  input,
  credential,
  secrets,
  exchanges,
}: Replay): Promise<ReplayResult> {
  const piece = findPiece(pieceName);
  if (!piece) throw new Error(`No piece ${pieceName} in this process`);
  let requests = 0;
  return new Promise((resolve) => {
    const send = async ({ signal: _, ...request }: SendRequest): Promise<Answer> => {
      const known = exchanges[requests++];
      if (known) return answerOf(known, request);
      resolve({ request });
      return new Promise(() => undefined); // goes on in the next replay
    };
    // What was waited for is over, and what is to wait next waits where it is sent.
    const waiting = { send, sendsDelayed: true };
    const run = { piece, work, input, credential, redact: redactor(secrets), exchanges, ...waiting };
    void attempt(run).then((ended) => resolve({ ended }));
  });
}

function answerOf({ request, answer, refusal }: Exchange, { method, url }: SendRequest): Answer {
  if (request.method !== method || request.url !== url)
    throw new Error('An action asked otherwise when it was run again');
  if (refusal) throw new EgressError(refusal.code, refusal.reason, refusal.host, refusal.sent);
  if (!answer) throw new Error('A request has no answer yet');
  return answer;
}
