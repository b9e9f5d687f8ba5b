import { randomUUID } from 'node:crypto';
import { type Database } from '@drawbridge/database';
import { openServiceDatabase } from '@drawbridge/testkit';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { members } from '../index.js';
import { type Auth } from './auth.js';
import { startSession } from './start-session.js';

/** The maximum number of concurrent sessions of one user. */
const MAX_SESSIONS = 100;

let database: Database<Db>;
let close: () => Promise<void>;

beforeAll(async () => void ({ database, close } = await openServiceDatabase(members)));
afterAll(() => close());

/** Creates sessions without better-auth, which Jest cannot load. */
const within: Auth['within'] = (tx) => ({
  findAccounts: () => Promise.reject(new Error('No look-up of accounts is expected')),
  createSession: async (userId, _dontRememberMe, override) => {
    const { expiresAt, createdAt, updatedAt } = override as { expiresAt: Date; createdAt: Date; updatedAt: Date };
    return tx.session.create({ data: { userId, token: randomUUID(), expiresAt, createdAt, updatedAt } });
  },
});

it('does not end the new session if others started while it waited for the lock of the user', async () => {
  const { pool, unscoped } = database;
  const { id: userId } = await unscoped.user.create({ data: { email: 'ann@acme.example', name: 'Ann' } });
  // The transactions of these sessions start after that of the new session, which waits for the lock of the user.
  await pool.query(
    `INSERT INTO members.sessions (id, user_id, token, expires_at, created_at, updated_at)
      SELECT gen_random_uuid(), $1, gen_random_uuid()::text, now() + interval '7 days', now() + n * interval '1 minute', now()
      FROM generate_series(1, $2::int) n`,
    [userId, MAX_SESSIONS],
  );
  await unscoped.$transaction((tx) => startSession(tx, { within } as Auth, { userId }));
  const { rows } = await pool.query<{ isNew: boolean }>(
    'SELECT created_at <= now() AS "isNew" FROM members.sessions WHERE user_id = $1 ORDER BY created_at',
    [userId],
  );
  expect(rows.map(({ isNew }) => isNew)).toEqual([true, ...Array.from({ length: MAX_SESSIONS - 1 }, () => false)]);
});
