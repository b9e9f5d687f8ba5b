import { randomUUID } from 'node:crypto';
import { type Database } from '@drawbridge/database';
import { unaskedEvent } from '@drawbridge/events';
import { openServiceDatabase } from '@drawbridge/testkit';
import { CREDENTIAL_VERSION, refuseConnection } from './change-credential.js';
import { type Db } from './database.js';
import { connections } from './index.js';

let close: () => Promise<void>;
let database: Database<Db>;

beforeAll(async () => void ({ database, close } = await openServiceDatabase(connections)));
afterAll(() => close());

it.each([
  ['Bad credentials', 'Bad credentials'],
  ['Bad \0 credentials', 'Bad \ufffd credentials'],
  ['half \ud800 of a pair', 'half \ufffd of a pair'],
])('records that the provider rejected a credential: %j', async (message, expected) => {
  const { db, pool } = database;
  const orgId = randomUUID();
  const bytes = Buffer.alloc(1);
  const names = { externalId: randomUUID(), displayName: 'X', integrationName: 'github', type: 'SECRET_TEXT' };
  const sealed = { sealed: bytes, wrappedKey: bytes, masterKeyId: 'k1' };
  const data = { ...names, ...sealed, orgId, scope: 'ORGANIZATION', scopeId: orgId, status: 'ACTIVE' };
  const { id } = await db.connection.create({ data });
  const { rows } = await pool.query<{ version: string }>(
    `SELECT ${CREDENTIAL_VERSION} AS version FROM connections.connections WHERE id = $1 AND org_id = $2`,
    [id, orgId],
  );
  const refused = { orgId, connectionId: id, version: rows[0]!.version, code: message, message };
  const entry = unaskedEvent('system', { orgId, action: 'connection.refuse', id, name: 'X' });
  expect(await refuseConnection(pool, refused, entry)).toBe(true);
  expect(await db.connection.findFirst({ where: { id, orgId } })).toMatchObject({
    status: 'ERROR',
    error: { code: expected, message: expected },
  });
});
