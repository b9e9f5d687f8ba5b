import { ApiError, hashToken, invalid, masked, newApiKey, notFound } from '@drawbridge/contracts';
import { newestFirst, toWire } from '@drawbridge/database';
import { type Outbox, shortened } from '@drawbridge/events';
import {
  type ApiKey,
  ApiKeyChangesNullable,
  type ApiKeyServiceDefinition,
  Permissions,
  type UpdateApiKeyRequest,
} from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { type Authority, caller, type Implementation, isNoMore, isWithin } from '@drawbridge/rpc';
import { ownAuthority, roleOf } from './authority.js';
import { type PrismaClient as Db, type Prisma, type ApiKey as Row } from './gen/prisma/client.js';
import { lockOrganization, withdrawInvitations } from './membership.js';
import { requirePermissions } from './permissions.js';
import { type Parts } from './parts.js';

/**
 * The permissions of a key that is created without permissions: everything except deciding approvals, because a key that runs actions must not
 * approve its own calls.
 */
const DEFAULT_PERMISSIONS = { scope: 'org' };

export const apiKeys = ({ db, outbox }: Parts): Implementation<ApiKeyServiceDefinition> => ({
  async listApiKeys(page) {
    const table = { rows: db.apiKey, totals: db.total, name: 'api_keys' };
    const { rows, total } = await newestFirst(table, { orgId: caller().orgId }, { ...page, includeSuspended: true });
    return { apiKeys: rows.map(toApiKey), total };
  },

  async createApiKey({ name, permissions = DEFAULT_PERMISSIONS, expiresAt: until }) {
    const { orgId, userId } = caller();
    const expiresAt = toExpiry(until);
    const wanted = { orgId, userId, name, expiresAt, permissions: await requirePermissions(db, permissions) };
    return db.$transaction(async (tx) => {
      await lockOrganization(tx, orgId); // Otherwise a key could remain for a member who is being removed.
      const own = await ownAuthority(tx);
      requireNoMore({ ...own, permissions: wanted.permissions, until: expiresAt }, own);
      const { row, plainKey } = await createKey(tx, wanted);
      await outbox.record(tx, { id: row.id, name, reason: permissionsOfNew(row) });
      return { apiKey: toApiKey(row), plainKey };
    });
  },

  updateApiKey: (wanted) => updateKey(db, outbox, wanted),

  async revokeApiKey({ id }) {
    const where = { id, orgId: caller().orgId };
    await db.$transaction(async (tx) => {
      await lockOrganization(tx, where.orgId); // Waits for accepted invitations of this key. After the response, none can be accepted.
      await tx.apiKey.updateMany({ where: { ...where, revokedAt: null }, data: { revokedAt: new Date() } });
      const row = await tx.apiKey.findFirst({ where });
      if (!row) throw notFound('API key', id);
      await withdrawInvitations(tx, { ...row, keyId: id });
      await outbox.record(tx, { id: row.id, name: row.name });
    });
    return { deleted: true, id };
  },
});

async function updateKey(db: Db, outbox: Outbox, { id, ...patch }: UpdateApiKeyRequest): Promise<ApiKey> {
  const { name, permissions: given } = masked(patch, ApiKeyChangesNullable, 'VALIDATION_ERROR');
  const permissions = given && (await requirePermissions(db, given));
  return db.$transaction(async (tx) => {
    await lockOrganization(tx, caller().orgId); // Accepting an invitation of this key reads its permissions.
    const before = await findStaying(tx, id);
    if (permissions) await requireChangeable(tx, before, permissions);
    const data = { name, permissions: permissions && toJson(permissions) };
    const row = await tx.apiKey.update({ where: { id, orgId: caller().orgId }, data });
    await outbox.record(tx, { id: row.id, name: row.name, reason: changesOfKey(before, row) });
    return toApiKey(row);
  });
}

/**
 * Throws FORBIDDEN unless the caller may grant the new permissions. Extending the permissions of a key also requires a role and expiry that the
 * caller could grant, because the key acts for its own user until it expires.
 */
async function requireChangeable(
  tx: Prisma.TransactionClient,
  { orgId, userId, expiresAt, ...before }: Row,
  permissions: Permissions,
): Promise<void> {
  const own = await ownAuthority(tx);
  const isWider = !isWithin(permissions, toPermissions(before));
  const reached = isWider ? { role: await roleOf(tx, { orgId, userId }), until: expiresAt } : {};
  requireNoMore({ ...own, permissions, ...reached }, own);
}

function requireNoMore(handed: Authority, own: Authority): void {
  if (isNoMore(handed, own)) return;
  throw new ApiError(
    'FORBIDDEN',
    'You cannot create a key with more permissions, a higher role or a later expiry than your own',
  );
}

/** Creates a key that acts for a user. `plainKey` is generated, unless the operator configured the key of the first start. */
export async function createKey(
  db: Pick<Db, 'apiKey'>,
  { permissions = DEFAULT_PERMISSIONS, plainKey = newApiKey(), ...owner }: NewKey,
): Promise<{ row: Row; plainKey: string }> {
  const data = {
    ...owner,
    permissions: toJson(permissions),
    keyHash: hashToken(plainKey),
    keyPrefix: plainKey.slice(0, 8),
  };
  return { row: await db.apiKey.create({ data }), plainKey };
}

interface NewKey {
  orgId: string;
  userId: string;
  name: string;
  permissions?: Permissions;
  expiresAt?: Date | null;
  plainKey?: string;
}

/** Locks a key until the transaction ends. Throws NOT_FOUND. */
async function findStaying(tx: Prisma.TransactionClient, id: string): Promise<Row> {
  const where = { id, orgId: caller().orgId };
  await tx.$queryRaw`SELECT FROM members.api_keys WHERE id = ${id}::uuid AND org_id = ${where.orgId}::uuid FOR NO KEY UPDATE`;
  const row = await tx.apiKey.findFirst({ where });
  if (!row) throw notFound('API key', id);
  return row;
}

/** Returns permissions as the column stores them: without absent fields. */
function toJson(permissions: Permissions): Prisma.InputJsonObject {
  return Object.fromEntries(Object.entries(permissions).filter(([, value]) => value !== undefined));
}

/** Converts a row. Omits the hash explicitly, because the admin command prints a key without the protobuf codec that would drop it. */
export const toApiKey = ({ keyHash: _hidden, ...row }: Row): ApiKey => ({
  ...toWire(row),
  permissions: toPermissions(row),
});

const toPermissions = ({ permissions }: Pick<Row, 'permissions'>): Permissions =>
  Permissions.fromPartial((permissions ?? {}) as Partial<Permissions>);

/** Returns when a new key expires, or null for a key that does not expire. Throws VALIDATION_ERROR for an invalid or past time. */
function toExpiry(text: string | undefined): Date | null {
  const expiresAt = text === undefined ? null : new Date(text);
  if (expiresAt && !(expiresAt.getTime() > Date.now())) throw invalid({ expiresAt: 'must be in the future' });
  return expiresAt;
}

/**
 * Maximum length of the permissions of a key in an audit log entry. An entry contains them before and after the change, and its reason has at most
 * 4,000 characters.
 */
const MOST_CHARACTERS = 1_800;

/** Returns the permissions of a new key for the audit log. */
export function permissionsOfNew(row: Row): string {
  const until = row.expiresAt ? `, until ${row.expiresAt.toISOString()}` : '';
  return `permissions ${shown(row)}${until}`;
}

/** Returns the changes of a key for the audit log. */
function changesOfKey(before: Row, after: Row): string {
  const name = before.name === after.name ? [] : [`name from "${before.name}" to "${after.name}"`];
  const [had, has] = [inOrder(before), inOrder(after)];
  const permissions = had === has ? [] : [`permissions from ${shown(before)} to ${shown(after)}`];
  return [...name, ...permissions].join(', ') || 'as before';
}

/**
 * Returns the permissions as JSON, with the fields in the order of the proto. The database may return them in another order, which would look like a
 * change.
 */
const inOrder = (row: Row): string => JSON.stringify(toPermissions(row));

const shown = (row: Row): string => shortened(inOrder(row), MOST_CHARACTERS);
