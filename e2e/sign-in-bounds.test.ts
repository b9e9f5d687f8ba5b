// Shapes: none; in full: local
import { hashToken } from '@drawbridge/contracts';
import { type Product } from '@drawbridge/testkit';
import { rowsOf } from './support/database.js';
import { operatorOf } from './support/operator.js';
import { ownProduct } from './support/own-product.js';
import { newPerson, type Person } from './support/web-users.js';
import { type Shown, webOf } from './support/web.js';

const PUBLIC_LIMIT = 1_000;

let product: Product;
let person: Person;

beforeAll(async () => {
  product = await ownProduct({ env: { TRUST_PROXY: '1', PUBLIC_RATE_LIMIT: String(PUBLIC_LIMIT) } });
});
afterAll(() => product?.stop());
beforeEach(async () => {
  person = await newPerson(product.databaseUrl);
});

/** Signs in from an address that the proxy reports. */
const enter = (from: string, fields: { email: string; password: string }): Promise<Shown> =>
  webOf(product.baseUrl).post('/sign-in', fields, { 'x-forwarded-for': from });

describe('the sign-in limits', () => {
  it('of one address do not lock the account for other addresses', async () => {
    const { email, password } = person;
    const statuses: number[] = [];
    for (let turn = 0; turn < 111; turn++) statuses.push((await enter('203.0.113.1', { email, password: 'x' })).status);
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(101).fill(429)]);
    expect((await enter('203.0.113.2', { email, password })).status).toBe(303);
  });

  it('never lock out a browser or a network that signed in before', async () => {
    const { email, password } = person;
    const at = (from: string) => ({ 'x-forwarded-for': from });
    const wrong = { email, password: 'x' };
    const web = webOf(product.baseUrl);
    expect((await web.post('/sign-in', { email, password }, at('203.0.113.20'))).status).toBe(303);
    await web.post('/sign-out', {}, at('203.0.113.20'));
    const full = `INSERT INTO members.attempts (key, points, expire)
      SELECT key, 1000, (extract(epoch FROM now() + interval '1 hour') * 1000)::bigint FROM unnest($1::text[]) AS used (key)
      ON CONFLICT (key) DO UPDATE SET points = 1000, expire = excluded.expire`;
    const used = [`strangers:${email}`, 'network:203.0.113.20', 'network:203.0.113.21', `pair:${email} 203.0.113.21`];
    await rowsOf(product.databaseUrl, full, [used]);
    for (const from of ['203.0.113.21', '203.0.113.22']) expect((await enter(from, wrong)).status).toBe(429);
    expect((await enter('203.0.113.20', { email, password })).status).toBe(303);
    const statuses: number[] = [];
    for (let turn = 0; turn < 11; turn++)
      statuses.push((await web.post('/sign-in', wrong, at(`203.0.113.${30 + turn}`))).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]); // The limit for this browser and account applies to requests from any network.
    await rowsOf(product.databaseUrl, "DELETE FROM members.attempts WHERE key LIKE 'pair:' || $1 || '%'", [email]);
    expect((await web.post('/sign-in', { email, password }, at('203.0.113.21'))).status).toBe(303);
  });

  it('also count successful sign-ins', async () => {
    const { email, password } = person;
    expect((await enter('203.0.113.3', { email, password })).status).toBe(303);
    const sql = 'UPDATE members.attempts SET points = 100 WHERE key = $1 RETURNING key';
    expect(await rowsOf(product.databaseUrl, sql, [`entered:${email}`])).toHaveLength(1);
    const refused = await enter('203.0.113.3', { email, password });
    expect(refused).toMatchObject({ status: 429, text: expect.stringContaining('Too many attempts') });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    expect((await enter('203.0.113.3', await newPerson(product.databaseUrl))).status).toBe(303);
  });

  it('are separate from the rate limit of the address, which applies to users without an organization', async () => {
    const from = { 'x-forwarded-for': '203.0.113.4' };
    const nowhere = { email: 'nowhere@example.com', password: 'correct horse battery' };
    await operatorOf(product.databaseUrl).createUser(nowhere);
    const web = webOf(product.baseUrl);
    expect((await web.post('/sign-in', nowhere, from)).status).toBe(303);
    for (const path of ['/api/v1/members', '/api/v1/openapi.json']) {
      const { headers } = await web.get(path, from);
      expect([path, headers.get('x-ratelimit-limit')]).toEqual([path, String(PUBLIC_LIMIT)]);
    }
  });

  it('refuse an email that is too long', async () => {
    const random = Array.from({ length: 500 }, (_, turn) => hashToken(`${turn}`).slice(0, 12)).join('.');
    for (const email of [`${'a'.repeat(250)}@b.example`, `a@${random}`]) {
      const { status, text } = await enter('203.0.113.4', { email, password: 'x' });
      expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining('Enter an email address') });
    }
  });
});
