import { type Answer } from './answer.js';
import { type Credential } from './credential.js';
import { piece, type PieceAuth } from './piece.js';
import { readAccount } from './read-account.js';

const credential: Credential = { type: 'OAUTH2', accessToken: 't', tokenType: 'Bearer', data: { kept: 1 } };
const about = { name: 'example', displayName: 'E', description: 'E', categories: ['CORE'] as const, actions: {} };

function read(afterConnect?: unknown) {
  const auth = { types: ['OAUTH2'] as const, required: true, afterConnect: afterConnect as PieceAuth['afterConnect'] };
  const send = async ({ url }: { url: string }): Promise<Answer> => {
    return { status: 200, headers: {}, body: new TextEncoder().encode('{"email":"ada@example.com"}'), url };
  };
  return readAccount(piece({ ...about, origin: 'https://api.example.com', auth }), { credential, send });
}

it('reads the facts of an account with the new credential', async () => {
  const account = await read(async (http: any, { data }: any) => {
    const { email } = await http.json({ method: 'GET', path: '/me' });
    return { data: { id: 'a', count: 7, isPaid: true, absent: undefined, kept: data.kept }, label: email };
  });
  expect(account).toEqual({ data: { id: 'a', count: 7, isPaid: true, kept: 1 }, label: 'ada@example.com' });
});

it.each([undefined, async () => undefined, async () => ({}), async () => ({ label: '' }), async () => ({ label: 7 })])(
  'accepts a piece that returns nothing: %s',
  async (afterConnect) => {
    expect(await read(afterConnect)).toEqual({ data: {}, label: undefined });
  },
);

it.each([
  'text',
  { data: 'text' },
  { data: [] },
  { data: { a: {} } },
  { data: { a: null } },
  { data: { a: NaN } },
  { data: { a: 'x'.repeat(2_001) } },
  { data: { '': 1 } },
  { data: { 'a.b': 1 } },
  { data: JSON.parse('{"__proto__": "x"}') },
  { data: { ['x'.repeat(101)]: 1 } },
  { data: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`n${index}`, index])) },
])('refuses what cannot be stored, without its value: %j', async (account) => {
  const refused = read(async () => account);
  await expect(refused).rejects.toMatchObject({ code: 'INVALID_ACCOUNT', retryable: false });
  await expect(refused).rejects.not.toThrow('xxx');
});

it('reads a large account in time linear in its size', async () => {
  const cost = async (size: number): Promise<number> => {
    const data = { a: 'x'.repeat(size) };
    const began = process.cpuUsage();
    for (let i = 0; i < 100; i++) await read(async () => ({ data })).catch(() => undefined);
    const { user, system } = process.cpuUsage(began);
    return user + system;
  };
  await cost(1_000);
  expect(await cost(4_000_000)).toBeLessThan(500_000);
});
