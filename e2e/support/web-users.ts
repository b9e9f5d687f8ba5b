import { randomBytes, scryptSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { rowsOf } from './database.js';
import { newOrganization } from './organizations.js';
import { type Shown, type Web, webOf } from './web.js';

/** A user with a password. */
export interface Person {
  id: string;
  email: string;
  password: string;
  orgId: string;
}

let made = 0;

/** Creates a user: the owner of a new organization, or with `joins` a member of an existing organization. */
export async function newPerson(databaseUrl: string, joins?: { orgId: string; role: string }): Promise<Person> {
  const email = `person-${process.pid}-${++made}-${Date.now()}@example.com`;
  const password = `correct horse ${made}`;
  const id = await storeUser(databaseUrl, email, password);
  const orgId = joins?.orgId ?? (await newOrganization(databaseUrl)).organization.id;
  const sql = 'INSERT INTO members.members (id, org_id, user_id, role) VALUES (gen_random_uuid(), $1, $2, $3)';
  await rowsOf(databaseUrl, sql, [orgId, id, joins?.role ?? 'owner']);
  return { id, email, password, orgId };
}

/**
 * Stores a verified user as `admin user create` does, but with a hash of a low cost. The cost that the product uses takes 0.2 s of processor time, here
 * and at each sign-in. The product reads the cost from the stored hash.
 */
async function storeUser(databaseUrl: string, email: string, password: string): Promise<string> {
  const sql = `
    WITH stored AS (
      INSERT INTO members.users (id, email, email_verified, name, updated_at)
      VALUES (gen_random_uuid(), $1, true, split_part($1, '@', 1), now()) RETURNING id
    )
    INSERT INTO members.accounts (id, user_id, provider_id, account_id, password, updated_at)
    SELECT gen_random_uuid(), id, 'credential', id, $2, now() FROM stored RETURNING user_id AS id`;
  const [row] = await rowsOf<{ id: string }>(databaseUrl, sql, [email, cheapHash(password)]);
  return row!.id;
}

function cheapHash(password: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N: 1024, r: 8, p: 1 });
  return `scrypt$N=1024,r=8,p=1$${salt.toString('base64')}$${hash.toString('base64')}`;
}

/** Signs in with a new browser or with `web`. */
export async function signIn(baseUrl: string, { email, password }: Person, web = webOf(baseUrl)): Promise<Web> {
  const { status } = await whenServed(() => web.post('/sign-in', { email, password }));
  if (status !== 303) throw new Error(`${email} is not signed in: ${status}`);
  return web;
}

/** Repeats a request that checks a password while the response is 429. On a slow machine, a password can wait too long for a hashing slot. */
export async function whenServed(send: () => Promise<Shown>, giveUpAt = Date.now() + 60_000): Promise<Shown> {
  const shown = await send();
  if (shown.status !== 429 || Date.now() > giveUpAt) return shown;
  await sleep(500);
  return whenServed(send, giveUpAt);
}
