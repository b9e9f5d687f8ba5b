import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Credential, inputSchema, type Piece, type Trigger, type WebhookRequest } from '@drawbridge/piece-kit';
import { json, runTrigger } from '../testing/run-piece.js';
import { pieces } from './index.js';

const STRICT = { strict: true, strictTypes: true, strictRequired: true, strictTuples: true } as const;
const VALIDATORS = [new Ajv(STRICT), new Ajv2020(STRICT)];
const PROOF = {
  secret: 'canary-5d41402abc4b2a76',
  now: Date.UTC(2026, 0, 1),
  webhookUrl: 'https://drawbridge.example/x',
};

const triggers: [string, Trigger][] = Object.entries(pieces).flatMap(([folder, piece]) =>
  Object.entries(piece.triggers ?? {}).map(([name, trigger]): [string, Trigger] => [`${folder}.${name}`, trigger]),
);
const inbound = triggers.flatMap(([name, trigger]) => (trigger.kind === 'polling' ? [] : [[name, trigger] as const]));

it.each(triggers)('labels %s and each of its properties', (name, { displayName, description, props }) => {
  expect(name).toMatch(/\.[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
  expect(displayName).toMatch(/^[A-Z].{0,49}$/);
  expect(description).toMatch(/^[A-Z].*\.$/);
  expect(Object.keys(props).filter((key) => !/^[a-z][A-Za-z0-9_]*$/.test(key))).toEqual([]);
  expect(Object.values(props).filter((property) => !/^[A-Z]/.test(property.displayName))).toEqual([]);
  expect(Object.values(props).flatMap(({ refreshers }) => refreshers.filter((key) => !(key in props)))).toEqual([]);
});

it.each(triggers)('gives %s a schema that strict validators accept', (_, { props }) => {
  for (const ajv of VALIDATORS) {
    expect(ajv.compile(inputSchema(props))({ '': 'unknown' })).toBe(false);
  }
});

it.each(triggers)('gives %s a sample that is plain JSON, and not empty', (_, { sample }) => {
  expect(JSON.parse(JSON.stringify(sample))).toEqual(sample);
  expect(Object.keys(sample)).not.toEqual([]);
});

/** Requests that anyone who knows the URL can send. */
const forged: [string, Partial<WebhookRequest>][] = [
  ['nothing', {}],
  ['an empty object', { body: Buffer.from('{}') }],
  ['no JSON', { body: Buffer.from('{"') }],
  ['a list', { body: Buffer.from('[null]') }],
  ['bytes', { body: Uint8Array.of(0xff, 0) }],
  ['null', { body: Buffer.from('null') }],
];

describe.each(inbound)('%s', (_, trigger) => {
  it.each(forged)('refuses %s without a signature', (_what, sent) => {
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', url: 'https://drawbridge.example/x', headers, body: new Uint8Array(), ...sent };
    expect(trigger.verify(request, PROOF)).toBe(false);
    expect(trigger.verify(request, { ...PROOF, secret: '' })).toBe(false);
    expect(() => trigger.handshake?.(request, PROOF)).not.toThrow();
    if (trigger.kind === 'app-webhook') expect(() => trigger.route(request)).not.toThrow();
  });
});

/** The documentation tells the operator which secret to enter and which events to select. Slack has a section instead of a row in the table. */
it('describes the app of every app-webhook in docs/triggers.md', () => {
  const page = readFileSync(new URL('../../../docs/triggers.md', import.meta.url), 'utf8');
  const names = inbound.flatMap(([name, { kind }]) => (kind === 'app-webhook' ? [name.split('.')[0] ?? ''] : []));
  const isDescribed = (name: string) => page.includes(`\n| \`${name}\` `) || page.includes(`/webhooks/${name}/app\``);
  expect([...new Set(names)].filter((name) => !isDescribed(name))).toEqual([]);
});

/** Returns an account of another user for every name that a piece could read, because a caller can create a connection with any data. */
const typed = new Proxy<Record<string, string>>(
  { host: 'api' },
  {
    get: (values, name) => values[String(name)] ?? 'of-a-stranger',
    getOwnPropertyDescriptor: () => ({ value: 'of-a-stranger', configurable: true, enumerable: true }),
  },
);
const credential: Credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'Bearer', data: typed };

const ofApps = Object.entries(pieces).flatMap(([folder, piece]) =>
  Object.entries(piece.triggers ?? {}).flatMap(([name, trigger]): [string, Piece, Trigger][] =>
    trigger.kind === 'app-webhook' ? [[`${folder}.${name}`, piece, trigger]] : [],
  ),
);

it.each(ofApps)('subscribes %s only to an account that the provider confirms', async (_, piece, trigger) => {
  if (trigger.kind !== 'app-webhook') throw new Error('is not of an app');
  const setting = { piece, credential, reply: () => json({}, 401) };
  const refused = runTrigger(setting, {}, (context) => trigger.subscribe(context));
  await expect(refused).rejects.toMatchObject({ status: 401 });
});

it('covers at least one trigger', () => {
  expect(inbound).not.toEqual([]);
});
