import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  accountProblem,
  addressFor,
  describe as describePiece,
  inputSchema,
  placeholdersOf,
  runAction,
  type Credential,
  type Piece,
} from '@drawbridge/piece-kit';
import { sampleInput } from '../testing/sample-input.js';
import { startThirdParty, type Reply } from '../testing/third-party.js';
import { findPiece, pieces } from './index.js';

const STRICT = { strict: true, strictTypes: true, strictRequired: true, strictTuples: true } as const;
const [DRAFT_07, DRAFT_2020] = [new Ajv(STRICT), new Ajv2020(STRICT)];
/** `npm test` checks only one schema of each piece by the older draft, because compiling a schema takes several milliseconds. */
const isFull = process.env['FULL'] !== '0';
const CANARY = 'canary-5d41402abc4b2a76';
const ANY_PROPS = { 'x-api-key': { displayName: 'API key', required: true, secret: true } };
const FORMS = [CANARY, Buffer.from(`user:${CANARY}`).toString('base64')];

/** The provider of all tests, because starting a server takes as long as an action. */
let provider: Awaited<ReturnType<typeof startThirdParty>>;
let reply: Reply;
beforeAll(async () => void (provider = await startThirdParty(() => reply)));
afterAll(() => provider.close());

describe.each(Object.entries(pieces))('%s', (folder, piece) => {
  const actions = Object.entries(piece.actions);

  it('is named after its folder and has labels, categories and a logo', () => {
    expect(piece.name).toBe(folder);
    expect(folder).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
    expect(piece.displayName).toMatch(/^\S.{0,49}$/);
    expect(piece.description).toMatch(/^[A-Z].*\.$/);
    expect(new Set(piece.categories).size).toBe(piece.categories.length);
    const logo = readFileSync(new URL(`./${folder}/logo.svg`, import.meta.url)).toString('base64');
    expect(piece.logoUrl).toBe(`data:image/svg+xml;base64,${logo}`);
  });

  it('describes itself in plain JSON, and has OAuth data if it accepts OAuth connections', () => {
    const entry = describePiece(piece);
    expect(JSON.parse(JSON.stringify(entry))).toEqual(entry);
    if (piece.auth && piece.origin) expect(piece.auth.types.includes('OAUTH2')).toBe('oauth2' in piece.auth);
  });

  it('has a catalog summary so short that 31 pieces fit into 100 kB', () => {
    const { actions: _actions, triggers: _triggers, ...summary } = describePiece(piece);
    expect(Buffer.byteLength(JSON.stringify(summary))).toBeLessThan(3_000);
  });

  it('has schemas that MCP clients accept: no lookaround, and a type beside each enum', () => {
    const found: unknown[] = [];
    JSON.stringify(
      actions.map(([, { props }]) => inputSchema(props)),
      (key, value) => {
        if (key === 'pattern' && /\(\?<?[=!]/.test(value)) found.push(value);
        if (Array.isArray(value?.enum) && value.type === undefined) found.push(value.enum);
        return value;
      },
    );
    expect(found).toEqual([]);
  });

  it('declares the properties of a CUSTOM_AUTH connection if it accepts one', () => {
    const { types = [], props, description = '' } = piece.auth ?? {};
    const takesProps = types.includes('CUSTOM_AUTH');
    expect(takesProps || !props).toBe(true);
    if (takesProps && !props) expect(description).toMatch(/\bprop\b.*\.$/);
    expect(Object.values(props ?? {}).filter(({ displayName }) => !/^[A-Z].{0,49}$/.test(displayName))).toEqual([]);
  });

  it('never marks a connection as refused if callers choose the host', () => {
    if (piece.auth && !piece.origin) expect(piece.auth.refusedWhen).toEqual([]);
  });

  it.each(actions)('labels %s and each of its properties', (name, { displayName, description, props }) => {
    expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
    expect(displayName).toMatch(/^[A-Z].{0,49}$/);
    expect(description).toMatch(/^[A-Z].*\.$/);
    expect(Object.keys(props).filter((key) => !/^[a-z][A-Za-z0-9_]*$/.test(key))).toEqual([]);
    expect(Object.values(props).filter((property) => !/^[A-Z]/.test(property.displayName))).toEqual([]);
    expect(Object.values(props).flatMap(({ refreshers }) => refreshers.filter((key) => !(key in props)))).toEqual([]);
  });

  it.each(actions)('gives %s a schema that strict validators accept', (name, { props }) => {
    const isChecked = isFull || name === actions[0]?.[0];
    for (const ajv of isChecked ? [DRAFT_07, DRAFT_2020] : [DRAFT_2020]) {
      expect(ajv.compile(inputSchema(props))({ '': 'unknown' })).toBe(false);
    }
  });

  it.each(actions)('names the recipient properties of %s if it sends', (_, { category, recipients = [] }) => {
    if (category === 'send') expect(recipients).not.toEqual([]);
  });

  it.each(actions)('takes the values in the summary of %s from its properties', (_, { summary = '', props }) => {
    expect(placeholdersOf(summary).filter((key) => !Object.hasOwn(props, key))).toEqual([]);
  });

  it.each(actions)('fills the path of %s with required properties', (_, { call, props }) => {
    const keys = [...(call?.path ?? '').matchAll(/\{\+?(\w+)\}/g)].map(([, key = '']) => key);
    expect(keys.filter((key) => !props[key]?.required)).toEqual([]);
  });

  const runs = actions.flatMap(([name, action]) =>
    (piece.auth?.types ?? []).map((type) => [name, type, action] as const),
  );
  if (runs.length === 0) return;

  it.each(runs)(
    '%s authenticates with %s outside the URL, and keeps it out of outputs and errors',
    async (name, type, action) => {
      const refusal: Reply = { status: 401, body: '{"message":"Bad credentials"}' };
      for (reply of [{}, refusal]) {
        const input = sampleInput(action);
        const options = { input, credential: credentialOf(type, piece), send: provider.send };
        const outcome = await runAction(piece, name, options).catch((error: Error) => [error.stack, { ...error }]);
        const received = provider.received.splice(0);

        if (received.length === 0) throw new Error(`Nothing was sent for ${JSON.stringify(input)}: ${outcome}`);
        const isInPath = addressFor(piece.origin ?? '', type)?.includes('{secretText}') ?? false;
        const [headers, urls] = [JSON.stringify(received[0]?.headers), received.map(({ url }) => url).join(' ')];
        const forms = [...FORMS, ...basicForms(received[0]?.headers.authorization)];
        expect(forms.some((form) => (isInPath ? urls : headers).includes(form))).toBe(true);
        expect(forms.filter((form) => (isInPath ? headers : urls).includes(form))).toEqual([]);
        expect(forms.filter((form) => JSON.stringify(outcome).includes(form))).toEqual([]);
      }
    },
  );
});

it('finds pieces only by own property names', () => {
  expect(findPiece('http')).toBe(pieces.http);
  expect(findPiece('constructor')).toBeUndefined();
});

/** Returns the Basic credentials in a header if they contain the canary. A piece may combine several values in them. */
function basicForms(authorization = ''): string[] {
  const [, basic] = /^Basic (.+)$/.exec(authorization) ?? [];
  return basic && Buffer.from(basic, 'base64').toString().includes(CANARY) ? [basic] : [];
}

/** Candidates for a value in the address of a provider, such as its region or domain. At least one matches the pattern of most pieces. */
const ACCOUNT = ['known', 'api', 'known.example.com', 'https://known.example.com'];

/** Returns the values that the address of the piece contains, in addition to the credential. */
function accountOf(type: Credential['type'], { origin = '', auth }: Piece): Record<string, string> {
  const template = addressFor(origin, type) ?? '';
  const names = [...template.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'secretText');
  return Object.fromEntries(
    names.map((name) => {
      const field = auth?.account?.[name];
      const fits = (value: string) => (field ? !accountProblem(field, value) : template !== `{${name}}`);
      return [name, ACCOUNT.find(fits) ?? ACCOUNT.at(-1)!];
    }),
  );
}

function credentialOf(type: Credential['type'], piece: Piece): Credential {
  const { props = ANY_PROPS } = piece.auth ?? {};
  const account = accountOf(type, piece);
  switch (type) {
    case 'SECRET_TEXT':
      return { type, secretText: CANARY };
    case 'BASIC_AUTH':
      return { type, username: 'user', password: CANARY };
    case 'CUSTOM_AUTH': {
      const values = Object.entries(props).map(([name, { secret }]) => [name, secret ? CANARY : 'known']);
      return { type, props: { ...Object.fromEntries(values), ...account } };
    }
    case 'OAUTH2':
    case 'PLATFORM_OAUTH2':
      return { type, accessToken: CANARY, tokenType: 'Bearer', data: account };
    default:
      return type satisfies never;
  }
}
