import { type Request, type RequestHandler, type Response } from 'express';
import { type Clients } from '../clients.js';
import { bodyTooLarge } from '../http/read-body.js';
import { type Site } from '../http/site.js';
import { WITHOUT_FILES_BYTES } from '../rest/require-files.js';
import { type Agent } from './agents.js';
import { type Answer, beginAnswer, type JsonText } from './answer.js';
import { toolCaller } from './call-tool.js';
import { connectPaths } from './connect-link.js';
import { errorJson } from './mcp-error.js';
import { answerOf } from './methods.js';
import { optionLookUp } from './options.js';
import { isObject, type JsonObject, type RequestId, toMessage } from './protocol/message.js';
import { eraOf } from './protocol/revisions.js';
import { RpcError } from './protocol/rpc-error.js';
import { subscriptions } from './subscriptions.js';
import { surfaces } from './surface.js';
import { toolsCall } from './tools-call.js';

interface Needs {
  clients: Clients;
  site: Site;
  /** The version of the product. */
  version: string;
  /** Looks up the token of the request again; undefined if it is no longer valid. */
  again(request: McpRequest): Promise<Agent | undefined>;
  /** Aborted when this process takes no more requests. */
  draining: AbortSignal;
}

type McpRequest = Request<{ server: string }>;

/** Answers one message of an authenticated agent. Throws RpcError and the errors of the services until the response has begun. */
export function serveMessage({ clients, site, version, again, draining }: Needs): RequestHandler<{ server: string }> {
  const surfaceOf = surfaces(clients);
  const listen = subscriptions({ surfaceOf, draining });
  const callTool = toolCaller({ actions: clients.actions, connectPath: connectPaths(clients) });
  const tools = { surfaceOf, callTool, lookUpOptions: optionLookUp(clients) };
  return async (request, response) => {
    const message = toMessage(request.body);
    const era = eraOf(message, protocolHeaders(request));
    if (message.kind !== 'request') return void response.status(202).end();
    const agent: Agent = response.locals['agent'];
    const { params } = message;
    const address = (path: string): string => site.address(request, path);
    const isLarge = response.locals['bodyBytes'] > WITHOUT_FILES_BYTES;
    if (isLarge && message.method !== 'tools/call') throw bodyTooLarge(WITHOUT_FILES_BYTES);
    if (era.isModern && message.method === 'subscriptions/listen')
      return listen({ agent, message, again: () => again(request) }, response);
    const call = { agent, params, era, address, isLarge };
    const needs = { version, surfaceOf, callTool: () => toolsCall(tools, call) };
    const answer = beginAnswer(request, response, { progressToken: progressTokenOf(params) });
    await end(answer, response, { id: message.id, work: () => answerOf(needs, { agent, era, message }) });
  };
}

/** Sends an error in the stream if the stream has begun. */
async function end(
  answer: Answer,
  response: Response,
  { id, work }: { id: RequestId; work: () => Promise<JsonText> },
): Promise<void> {
  try {
    const result = await work();
    const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
    answer.end(typeof result === 'string' ? `${head}${result}}` : [head, ...result, '}']);
  } catch (error) {
    if (response.headersSent) answer.end(errorJson(error, id, response));
    else if (error instanceof RpcError) answer.end(errorJson(error, id, response), error.status);
    else throw error;
  }
}

function protocolHeaders(request: McpRequest) {
  return {
    version: request.get('mcp-protocol-version'),
    method: request.get('mcp-method'),
    name: request.get('mcp-name'),
  };
}

function progressTokenOf({ _meta: meta }: JsonObject): RequestId | undefined {
  const token = isObject(meta) ? meta['progressToken'] : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}
