import type { Credential } from './credential.js';
import { openHttp } from './http.js';
import type { JsonObject } from './json.js';
import { toOutput } from './output.js';
import type { Piece } from './piece.js';
import type { Send } from './send.js';

export interface RunOptions {
  /** Validated against `inputSchema` of the action's properties. */
  input: JsonObject;
  credential?: Credential;
  send: Send;
  signal?: AbortSignal;
  /** Of one outgoing request, where neither the action nor its input says otherwise. */
  timeoutMs?: number;
}

/**
 * Runs one action and returns a JSON object. Throws ProviderError when the third party refuses, InputError when an input
 * passed the schema and yet makes no sense, whatever `send` throws, and Error for an action that the piece does not have.
 */
export async function runAction(piece: Piece, actionName: string, options: RunOptions): Promise<JsonObject> {
  const action = Object.hasOwn(piece.actions, actionName) ? piece.actions[actionName] : undefined;
  if (!action) throw new Error(`${piece.name} has no action ${actionName}`);

  const { input, credential, send, signal } = options;
  const timeoutMs = action.timeoutMs ?? options.timeoutMs;
  const http = openHttp({ ...piece.http, origin: piece.origin, credential, send, signal, timeoutMs });
  return toOutput(await action.run({ http, input, auth: credential, signal }));
}
