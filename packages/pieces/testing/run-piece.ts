import {
  openPiece,
  resolveOptions,
  resolveProps,
  runAction,
  type Credential,
  type JsonObject,
  type Piece,
  type Send,
  type TriggerContext,
  type WebhookRequest,
} from '@drawbridge/piece-kit';
import { startThirdParty, type Recorded, type Reply } from './third-party.js';

/** A piece, and the third party that it reaches while a test runs. */
export interface Setting {
  piece: Piece;
  credential?: Credential;
  reply?: (request: Recorded) => Reply;
}

export const runPiece = (setting: Setting, action: string, input: JsonObject) =>
  reach(setting, (send) =>
    runAction(setting.piece, action, { input, credential: setting.credential, send, runId: 'run' }),
  );

export const optionsOf = (setting: Setting, [operation, property]: Property, input: JsonObject = {}, search?: string) =>
  reach(setting, (send) => {
    const context = { input, search, credential: setting.credential, send };
    return resolveOptions(setting.piece, { actionName: operation }, property, context);
  });

export const propsOf = (setting: Setting, [operation, property]: Property, input: JsonObject = {}) =>
  reach(setting, (send) => {
    const context = { input, credential: setting.credential, send };
    return resolveProps(setting.piece, { actionName: operation }, property, context);
  });

/** What a trigger asks for: `work` calls one of its functions. */
export const runTrigger = <Input, Result>(
  setting: Setting,
  input: Input,
  work: (context: TriggerContext<Input>) => Promise<Result>,
) =>
  reach(setting, (send) => {
    const { piece, credential } = setting;
    return work({ http: openPiece(piece, { credential, send }), input, auth: credential, signal: undefined });
  });

/** What somebody sends to a trigger. */
export const inbound = (body: unknown, headers: Record<string, string> = {}): WebhookRequest => ({
  method: 'POST',
  url: '/api/v1/webhooks/x/1',
  headers: { 'content-type': 'application/json', ...headers },
  body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
});

/** Of an action. */
type Property = readonly [action: string, property: string];

/** What the work makes of a real server, and all that the server received: `received`, as lines in `asked`, whole addresses in `urls`. */
async function reach<Result>({ reply = () => ({}) }: Setting, work: (send: Send) => Promise<Result>) {
  const { received, send, close } = await startThirdParty(reply);
  const urls: string[] = [];
  try {
    const output = await work((request) => {
      urls.push(request.url);
      return send(request);
    });
    return { output, received, urls, asked: received.map(toLine) };
  } finally {
    await close();
  }
}

/** As in `POST /v1/customers email=a@b.example`, a body as it was sent but for what a form encodes. */
export function toLine({ method, url, headers, body }: Recorded): string {
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  return [method, url, isForm ? decodeURIComponent(body.replaceAll('+', ' ')) : body].filter(Boolean).join(' ');
}

/** Any value as a JSON answer. */
export const json = (value: unknown, status = 200, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
});
