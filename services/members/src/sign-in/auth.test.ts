import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashPassword, isPassword } from '../hash-password.js';
import { type Auth, requireUser } from './auth.js';

const RIGHT = 'correct horse';
const WHO = { isKnown: false, network: '' };
/** The tests share this hash, because computing one takes 0.2 s. */
const PASSWORD = { providerId: 'credential', password: await hashPassword(RIGHT) };

/** Returns a user store with one user, which records each password comparison. */
async function store(account?: { providerId: string; password: string | null }) {
  const compared: string[] = [];
  const found = account && { user: { id: 'u' }, accounts: [account] };
  const auth = {
    internalAdapter: { findUserByEmail: async () => found ?? null },
    password: {
      hash: hashPassword,
      verify: async ({ hash, password }: { hash: string; password: string }) => {
        compared.push(hash.split('$').slice(0, 2).join('$'));
        return isPassword(password, hash);
      },
    },
  } as unknown as Auth;
  return { auth, compared };
}

/** The costs of the comparisons at the sign-in of a user with a password. */
let expected: string[];
beforeAll(async () => {
  const { auth, compared } = await store(PASSWORD);
  await requireUser(auth, { email: 'a@example.com', password: RIGHT }, WHO);
  expected = compared;
  expect(expected).toHaveLength(1);
});

it.each([
  ['an unknown email', undefined],
  ['a user without a password', { providerId: 'google', password: null }],
  ['a user without a password any longer', { providerId: 'credential', password: null }],
])('compares a password of the same cost for %s', async (_, account) => {
  const { auth, compared } = await store(account);
  await expect(requireUser(auth, { email: 'a@example.com', password: RIGHT }, WHO)).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  });
  expect(compared).toEqual(expected);
});

it('refuses a wrong password in the same way as an unknown user', async () => {
  const unknown = await store();
  const { auth } = await store(PASSWORD);
  const refusal = async (its: Auth) =>
    requireUser(its, { email: 'a@example.com', password: 'wrong' }, WHO).catch((error: unknown) => error);
  expect(await refusal(auth)).toEqual(await refusal(unknown.auth));
});

it('is loaded only at a sign-in: other files import only its types', () => {
  const folder = join(import.meta.dirname, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  // Also matches imports of the form `import { type X }`, because they load the module at run time.
  const eager = files.filter((name) =>
    /^import (?!type )[^;]*from '(@?better-auth)/m.test(readFileSync(join(folder, name), 'utf8')),
  );
  expect(eager).toEqual([]);
});
