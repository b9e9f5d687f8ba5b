import { setTimeout as sleep } from 'node:timers/promises';
import { type Response } from 'express';
import { slotsOf } from '../admission/request-slots.js';
import { bodyTooLarge } from '../http/read-body.js';
import { contextOf } from '../http/request-context.js';
import { type Agent } from './agents.js';
import { errorJson, STREAM_HEADERS, toEvent } from './answer.js';
import { isObject, type RequestId, RPC_CODES, RpcError, type RpcRequest } from './protocol/message.js';
import { type SurfaceOf } from './tool-list.js';

/** Clients are notified of a changed list within this time. */
const LOOK_MS = 5_000;
/** The stream ends after this time, and the client subscribes again. Must be shorter than the time limit of a request (REQUEST_MS). */
const LASTS_MS = 90_000;
const MAX_BODY_BYTES = 16_384;
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const CHANGED = 'notifications/tools/list_changed';

interface Needs {
  surfaceOf: SurfaceOf;
  /** Aborts when this process accepts no further requests. */
  draining: AbortSignal;
}

interface Listener {
  agent: Agent;
  message: RpcRequest;
  /** Looks up the token again. Returns undefined if it is no longer valid. Throws FORBIDDEN if it lacks the scope for the mode of the server. */
  again(): Promise<Agent | undefined>;
}

/**
 * Serves `subscriptions/listen`: a stream that notifies the client of changes to the list of tools, until the token is no longer valid or LASTS_MS
 * have passed. Polls the list of tools of each listener and compares it with the previous list. Throws RpcError, VALIDATION_ERROR (413), and
 * RATE_LIMITED for too many listeners.
 */
export function subscriptions({ surfaceOf, draining }: Needs) {
  return async ({ agent, message: { id, params }, again }: Listener, response: Response): Promise<void> => {
    const { notifications: wanted } = params;
    if (!isObject(wanted)) throw new RpcError(RPC_CODES.invalidParams, 'params.notifications must be an object');
    if (response.locals['bodyBytes'] > MAX_BODY_BYTES) throw bodyTooLarge(MAX_BODY_BYTES);
    const isListening = wanted['toolsListChanged'] === true;
    const slots = slotsOf(response);
    if (isListening) await slots.take('MCP listener', { organization: agent.door.orgId });
    let known = await tagOf(agent, surfaceOf);
    slots.free('MCP message'); // a stream is idle most of the time, and its listener slot limits the number of streams
    response.setHeaders(STREAM_HEADERS);
    const tell = (method: string, more: object = {}): void =>
      void response.write(toEvent(JSON.stringify({ jsonrpc: '2.0', method, params: { ...more, ...stamp(id) } })));
    tell('notifications/subscriptions/acknowledged', { notifications: isListening ? { toolsListChanged: true } : {} });
    const signal = AbortSignal.any([contextOf(response).signal, draining]);
    const endsAt = performance.now() + LASTS_MS;
    const isOver = (): boolean => signal.aborted || performance.now() > endsAt;
    try {
      while (isListening) {
        await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
        if (isOver()) break;
        const now = await again();
        if (!now) break;
        const tag = await tagOf(now, surfaceOf);
        if (tag === known) response.write(': nothing has changed\n\n');
        else tell(CHANGED);
        known = tag;
      }
      response.end(toEvent(JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...stamp(id) } })));
    } catch (error) {
      response.end(toEvent(errorJson(error, id, response)));
    }
  };
}

const stamp = (id: RequestId): object => ({ _meta: { [SUBSCRIPTION]: id } });

/** Returns a tag that changes with the list of tools. It may also change while the list stays the same, which only costs the client a request. */
async function tagOf(agent: Agent, surfaceOf: SurfaceOf): Promise<string> {
  return `${agent.offers.tag} ${(await surfaceOf(agent)).tag}`;
}
