// Shapes: local
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type Answer, type Api } from './support/api.js';
import { drawbridge, type Drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, UNKNOWN_ID } from './support/expect.js';
import { expectBearable, watchNeighbour } from './support/watch-neighbour.js';
import { sendRaw } from './support/wire.js';

const PATH = '/api/v1/workspaces';
const EXECUTE = '/api/v1/actions/execute';
const MIB = 1024 * 1024;
/** Maximum latency of other callers in milliseconds. A body that blocks the process delays them for tens of seconds. */
const HELD_UP_MS = 2_000;
const CALM_TIMES = 10;

let product: Drawbridge;
let api: Api;
let neighbour: { baseUrl: string; key: string };
/** The latency limit for other tenants in milliseconds. It depends on this machine's latency under normal load. */
let heldUp: number;

beforeAll(async () => {
  product = await drawbridge();
  api = product.api;
  neighbour = { baseUrl: product.baseUrl, key: product.otherKey };
  const calm = () => Promise.all(Array.from({ length: 50 }, () => api.get(PATH)));
  heldUp = HELD_UP_MS + CALM_TIMES * (await watchNeighbour(neighbour, calm)).worst;
});

async function sendBytes(path: string, bytes: Uint8Array, headers: Record<string, string>): Promise<Answer> {
  const all = { 'content-type': 'application/json', authorization: `Bearer ${product.key}`, ...headers };
  const response = await fetch(product.baseUrl + path, { method: 'POST', headers: all, body: new Uint8Array(bytes) });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

describe('a compressed body', () => {
  const workspace = (slug: string): string => JSON.stringify({ name: 'Packed', slug });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is decompressed: %s', async (encoding, compress) => {
    const headers = { 'content-encoding': encoding };
    expect((await sendBytes(PATH, compress(workspace(`packed-${encoding}`)), headers)).status).toBe(201);
  });

  it.each([
    ['declares gzip and is plain', workspace('x'), 'gzip'],
    ['declares gzip and is deflated', deflateSync(workspace('x')), 'gzip'],
    ['is truncated', gzipSync(workspace('x')).subarray(0, 20), 'gzip'],
    ['declares an unknown encoding', workspace('x'), 'klingon'],
    ['is compressed twice', gzipSync(gzipSync(workspace('x'))), 'gzip, gzip'],
    ['declares the name of an object property', workspace('x'), 'constructor'],
  ])('is refused with 400 when it %s', async (_what, bytes, encoding) => {
    expectInvalid(await sendBytes(PATH, Buffer.from(bytes), { 'content-encoding': encoding }), 'Content-Encoding');
  });

  it('is limited by its decompressed size', async () => {
    const packed = (bytes: number): Buffer => gzipSync(JSON.stringify({ name: '' }).padStart(bytes, ' '));
    expectInvalid(await sendBytes(PATH, packed(MIB), { 'content-encoding': 'gzip' }), 'name', 'slug');
    expectError(await sendBytes(PATH, packed(MIB + 1), { 'content-encoding': 'gzip' }), 413, 'VALIDATION_ERROR');
    expectError(await sendBytes(PATH, packed(300 * MIB), { 'content-encoding': 'gzip' }), 413, 'VALIDATION_ERROR');
  });
});

describe('the body of an action', () => {
  const MAX = 10 * MIB;
  const base64 = (bytes: number): string => 'A'.repeat(4 * Math.floor(bytes / 4));

  async function execute(actionName: string, { bytes, input }: { bytes: number; input: object }): Promise<Answer> {
    const workspaceId = (await api.get(PATH)).body.workspaces[0].id;
    const integrationName = actionName === 'send_request' ? 'http' : 'hash-encode';
    const text = JSON.stringify({ integrationName, actionName, workspaceId, input });
    return api.send('POST', EXECUTE, {
      text: text.padStart(bytes, ' '),
      headers: { 'content-type': 'application/json' },
    });
  }

  beforeAll(() => api.post(PATH, { name: 'Files', slug: 'files' }));

  it('with files is accepted up to 10 MiB and refused with 413 above', async () => {
    const file = { filename: 'a', mimeType: 'application/octet-stream', base64: base64(MAX - 1_000) };
    const input = { method: 'POST', url: 'https://api.example.com/file', file };
    const answers: Answer[] = [];
    const send = async (): Promise<void> => void answers.push(await execute('send_request', { bytes: MAX, input }));
    await expectBearable(neighbour, send, heldUp);
    expect(answers[0]?.status).not.toBe(413);
    expect(answers[0]?.body.code).not.toBe('VALIDATION_ERROR');
    expectError(await execute('send_request', { bytes: MAX + 1, input }), 413, 'VALIDATION_ERROR');
  });

  it('without files is accepted up to 1 MiB and refused with 413 above', async () => {
    const input = { text: 'a', algorithm: 'sha256' };
    expect((await execute('hash', { bytes: MIB, input })).status).toBe(200);
    expectError(await execute('hash', { bytes: MIB + 1, input }), 413, 'VALIDATION_ERROR');
    expectError(await execute('unheard_of', { bytes: MIB + 1, input }), 413, 'VALIDATION_ERROR');
  });
});

describe('a body of an operation without a body', () => {
  it('is ignored, even if it is malformed', async () => {
    const { body } = await api.post(PATH, { name: 'Doomed', slug: 'doomed' });
    const sent = { text: '{', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } };
    expect((await api.send('DELETE', `${PATH}/${body.workspace.id}`, sent)).status).toBe(200);
  });
});

describe('an error response', () => {
  it('names at most 100 problems, each with a path of at most 200 characters', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`k${index}`, 1]));
    const many = await api.post(PATH, { name: 'x', slug: 'y', ...unknown });
    expectError(many, 400, 'VALIDATION_ERROR');
    expect(Object.keys(many.body.details.fields)).toHaveLength(100);
    const long = await api.post(PATH, { name: 'x', slug: 'y', [`a${'😀'.repeat(300)}`]: 1 });
    expectInvalid(long, `a${'😀'.repeat(199)}`);
  });

  it('counts code points as characters', async () => {
    const { status } = await api.post(PATH, { name: '😀'.repeat(100), slug: 'faces' });
    expect(status).toBe(201);
    expectInvalid(await api.post(PATH, { name: '😀'.repeat(101), slug: 'faces-2' }), 'name');
  });
});

describe('an expensive body', () => {
  const execute = (input: unknown): string =>
    JSON.stringify({ integrationName: 'http', actionName: 'send_request', workspaceId: UNKNOWN_ID, input });
  const numbers = (bytes: number): string => execute({ a: 0 }).replace('0', `[${'1,'.repeat(bytes / 2)}1]`);
  const longKey = 'k'.repeat(17_000);

  it.each<[string, string, number]>([
    ['a million values', numbers(MIB - 1_000), 400],
    ['five million values', numbers(10 * MIB - 1_000), 400],
    ['hundreds of thousands of objects', execute({ a: 0 }).replace('0', `[${'{},'.repeat(300_000)}{}]`), 400],
    ['a million brackets', '['.repeat(1_000_000), 400],
    ['one value above the limit', execute(Array(50_000).fill(1)), 400],
    ['a key of 17,000 characters', execute({ [longKey]: 1 }), 400],
    ['a hundred thousand keys', execute(Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => [`k${i}`, i]))), 400],
    ['problems under one long key', execute({ [longKey.slice(0, 3_900)]: Array(40_000).fill('\0') }), 400],
    ['a problem in every value of a list', `{"partialIds":[${'1,'.repeat(40_000)}1]}`, 400],
    ['nineteen thousand unknown keys', `{${Array.from({ length: 19_000 }, (_, i) => `"k${i}":1`).join(',')}}`, 400],
    ['an encoding of 15 kB', execute({}), 400],
  ])('does not delay other organizations: %s', async (what, text, status) => {
    const type = what.includes('encoding') ? `application/json; charset=${';'.repeat(15_000)}` : 'application/json';
    const attack = async (): Promise<void> => {
      const answer = await api.send('POST', EXECUTE, { text, headers: { 'content-type': type } });
      expect(answer.status).toBe(status);
    };
    await expectBearable(neighbour, () => Promise.all([attack(), attack(), attack()]), heldUp);
  });

  it('does not delay other organizations on a public operation: problems under one long key, compressed', async () => {
    const values = `[${'"\\u0000",'.repeat(90_000)}1]`;
    const bytes = gzipSync(`{"${'k'.repeat(16_384)}":${values}}`);
    const head = ['GET /api/v1/integrations?summary=true HTTP/1.1', 'Host: x', 'Connection: close'];
    const type = ['Content-Type: application/json', 'Content-Encoding: gzip', `Content-Length: ${bytes.length}`];
    const attack = async (): Promise<void> => {
      const answer = await sendRaw(product.baseUrl, [...head, ...type, '', ''].join('\r\n'), bytes);
      expect(answer.status).toBe(200);
    };
    expect(bytes.length).toBeLessThan(5_000);
    await expectBearable(neighbour, attack, heldUp);
  });
});
