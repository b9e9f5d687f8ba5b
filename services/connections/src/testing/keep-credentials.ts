import { createSecretKey, randomUUID } from 'node:crypto';
import { type Database } from '@drawbridge/database';
import { type Db } from '../database.js';
import { type CredentialOwner, envelope } from '../envelope-encryption.js';
import { type MasterKeys, readMasterKeys } from '../master-keys.js';

/** Stores connections, each in a separate organization. The credential of a connection is its id, so that tests can verify it. */
export async function keepCredentials(
  { db }: Pick<Database<Db>, 'db'>,
  masters: MasterKeys,
  count = 1,
): Promise<CredentialOwner[]> {
  const { seal } = envelope(masters);
  const owners = Array.from(
    { length: count },
    () => ({ orgId: randomUUID(), kind: 'connection', id: randomUUID() }) as const,
  );
  const names = { externalId: 'x', displayName: 'X', integrationName: 'github' };
  const rest = { ...names, type: 'SECRET_TEXT', scope: 'ORGANIZATION' };
  await db.connection.createMany({
    data: owners.map((owner) => {
      const { orgId, id } = owner;
      return { ...rest, id, orgId, scopeId: orgId, ...seal(id, owner) };
    }),
  });
  return owners;
}

/** Returns master keys from a string that contains only plain keys. */
export function plainKeys(text: string): MasterKeys {
  const entries = readMasterKeys(text);
  const byId = new Map(entries.map(({ id, given }) => [id, createSecretKey(given, 'base64')]));
  return { current: entries[0]!.id, byId };
}
