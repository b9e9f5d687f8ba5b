import {
  type AppWebhookTrigger,
  openPiece,
  resolveOptions,
  resolveProps,
  runAction,
  type Credential,
  type JsonObject,
  type Piece,
  type PollingTrigger,
  type Proof,
  type Send,
  type TriggerContext,
  type WebhookRequest,
  type WebhookTrigger,
} from '@drawbridge/piece-kit';
import { readMultipart, type RecordedPart } from './read-multipart.js';
import { startThirdParty, type Recorded, type Reply } from './third-party.js';

/** A piece, and a fake provider that responds to its requests during a test. */
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

/** Calls a function of a trigger through `work`, and records its requests. */
export const runTrigger = <Input, Result>(
  setting: Setting,
  input: Input,
  work: (context: TriggerContext<Input>) => Promise<Result>,
) =>
  reach(setting, (send) => {
    const { piece, credential } = setting;
    return work({ http: openPiece(piece, { credential, send }), input, auth: credential, signal: undefined });
  });

/** Returns a webhook trigger of a piece with requests that contain the events. */
export function webhookOf({ triggers }: Piece, name: string): WebhookTrigger {
  const trigger = triggers?.[name];
  if (trigger?.kind !== 'webhook' || !trigger.events) throw new Error(`${name} is no webhook with events`);
  return trigger;
}

/** Returns a trigger of a piece for requests to the URL of an app that contain the events. */
export function appWebhookOf({ triggers }: Piece, name: string): AppWebhookTrigger {
  const trigger = triggers?.[name];
  if (trigger?.kind !== 'app-webhook' || !trigger.events) throw new Error(`${name} is no app-webhook with events`);
  return trigger;
}

/** Returns a polling trigger of a piece. */
export function pollingOf({ triggers }: Piece, name: string): PollingTrigger {
  const trigger = triggers?.[name];
  if (trigger?.kind !== 'polling') throw new Error(`${name} is not polled`);
  return trigger;
}

/** Returns a request to a trigger's URL. */
export const inbound = (body: unknown, headers: Record<string, string> = {}): WebhookRequest => ({
  method: 'POST',
  url: '/api/v1/webhooks/x/1',
  headers: { 'content-type': 'application/json', ...headers },
  body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
});

/** Returns the proof with which a trigger verifies requests of `inbound`. */
export const proofOf = (secret: string, now: number): Proof => ({
  ...{ secret, now, webhookUrl: 'https://drawbridge.example/api/v1/webhooks/x/1' },
});

type Property = readonly [action: string, property: string];

/** Runs the work against a real server. Also returns its requests: `received`, as lines in `asked`, and full URLs in `urls`. */
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

/**
 * Returns a request in the form `POST /v1/customers email=a@b.example`. Forms are decoded, with files as `file=@a.txt;text/plain;hi`. Other bodies
 * are unchanged.
 */
export function toLine({ method, url, headers, body }: Recorded): string {
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  const parts = readMultipart({ headers, body });
  const text = parts?.map(toField).join('&') ?? (isForm ? decodeURIComponent(body.replaceAll('+', ' ')) : body);
  return [method, url, text].filter(Boolean).join(' ');
}

function toField({ name, filename, type, content }: RecordedPart): string {
  const file = filename === undefined ? '' : `@${filename};`;
  return `${name}=${file}${type === undefined ? '' : `${type};`}${content}`;
}

export const json = (value: unknown, status = 200, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
});
