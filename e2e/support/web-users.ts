import { setTimeout as sleep } from 'node:timers/promises';
import { rowsOf } from './database.js';
import { operatorOf } from './operator.js';
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
  const { user } = await operatorOf(databaseUrl).createUser({ email, password });
  const orgId = joins?.orgId ?? (await newOrganization(databaseUrl)).organization.id;
  const sql = 'INSERT INTO members.members (id, org_id, user_id, role) VALUES (gen_random_uuid(), $1, $2, $3)';
  await rowsOf(databaseUrl, sql, [orgId, user.id, joins?.role ?? 'owner']);
  return { id: user.id, email, password, orgId };
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
