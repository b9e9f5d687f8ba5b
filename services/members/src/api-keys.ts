import { hashToken, masked, newApiKey, notFound } from '@drawbridge/contracts';
import { newestFirst, toWire } from '@drawbridge/database';
import { type Outbox } from '@drawbridge/events';
import {
  type ApiKey,
  ApiKeyChangesNullable,
  type ApiKeyServiceDefinition,
  Permissions,
} from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { caller, type Implementation } from '@drawbridge/rpc';
import { type Prisma, type PrismaClient as Db } from './gen/prisma/client.js';
import { type ApiKey as Row } from './gen/prisma/client.js';
import { requireExpiry } from './expiry.js';
import { requireGrantable } from './permissions.js';

/** A key made with only a name may do all but decide approvals: what runs actions must not approve its own. */
const DEFAULT_PERMISSIONS = { scope: 'org' };

export const apiKeys = (db: Db, outbox: Outbox): Implementation<ApiKeyServiceDefinition> => ({
  async listApiKeys(page) {
    const table = { rows: db.apiKey, totals: db.total, name: 'api_keys' };
    const { rows, total } = await newestFirst(table, { orgId: caller().orgId }, { ...page, includeSuspended: true });
    return { apiKeys: rows.map(toApiKey), total };
  },

  async createApiKey({ name, permissions = DEFAULT_PERMISSIONS, expiresAt: until }) {
    const { orgId, userId } = caller();
    const expiresAt = await requireExpiry(db, until);
    const wanted = { orgId, userId, name, expiresAt, permissions: await requireGrantable(db, permissions) };
    return db.$transaction(async (tx) => {
      const made = await createKey(tx, wanted);
      await outbox.record(tx, { id: made.apiKey.id, name });
      return made;
    });
  },

  async updateApiKey({ id, ...patch }) {
    const { name, permissions } = masked(patch, ApiKeyChangesNullable, 'VALIDATION_ERROR');
    const data = { name, permissions: permissions && toJson(await requireGrantable(db, permissions)) };
    return db.$transaction(async (tx) => {
      const [row] = await tx.apiKey.updateManyAndReturn({ where: { id, orgId: caller().orgId }, data });
      if (!row) throw notFound('API key', id);
      await outbox.record(tx, { id: row.id, name: row.name });
      return toApiKey(row);
    });
  },

  async revokeApiKey({ id }) {
    const where = { id, orgId: caller().orgId };
    await db.$transaction(async (tx) => {
      await tx.apiKey.updateMany({ where: { ...where, revokedAt: null }, data: { revokedAt: new Date() } });
      const row = await tx.apiKey.findFirst({ where });
      if (!row) throw notFound('API key', id);
      await outbox.record(tx, { id: row.id, name: row.name });
    });
    return { deleted: true, id };
  },
});

/** Makes a key that acts for a user. `plainKey` is given by the operator at the first start, else made here. */
export async function createKey(
  db: Pick<Db, 'apiKey'>,
  { permissions = DEFAULT_PERMISSIONS, plainKey = newApiKey(), ...owner }: NewKey,
): Promise<{ apiKey: ApiKey; plainKey: string }> {
  const data = {
    ...owner,
    permissions: toJson(permissions),
    keyHash: hashToken(plainKey),
    keyPrefix: plainKey.slice(0, 8),
  };
  return { apiKey: toApiKey(await db.apiKey.create({ data })), plainKey };
}

interface NewKey {
  orgId: string;
  userId: string;
  name: string;
  permissions?: Permissions;
  expiresAt?: Date | null;
  plainKey?: string;
}

/** As the column keeps it: without what is absent. */
function toJson(permissions: Permissions): Prisma.InputJsonObject {
  return Object.fromEntries(Object.entries(permissions).filter(([, value]) => value !== undefined));
}

/** Without the hash: the admin command prints a key without passing a codec. */
const toApiKey = ({ keyHash: _hidden, ...row }: Row): ApiKey => ({
  ...toWire(row),
  permissions: Permissions.fromPartial((row.permissions ?? {}) as Partial<Permissions>),
});
