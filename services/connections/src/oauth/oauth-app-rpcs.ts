import { invalid, masked, newId, notFound, requireCount } from '@drawbridge/contracts';
import { lock, newestFirst, toWire } from '@drawbridge/database';
import { findPiece, pieces } from '@drawbridge/pieces';
import {
  type CreateOAuthAppRequest,
  type OAuthApp as Message,
  OAuthAppChangesNullable,
  type OAuthAppServiceDefinition,
  type OAuthStatus,
  type UpdateOAuthAppRequest,
} from '@drawbridge/proto/drawbridge/connections/v1/oauth_apps';
import { caller, type Implementation, requireInScope, workspacesInScope } from '@drawbridge/rpc';
import { type Db, type OAuthAppRow, type Transaction } from '../database.js';
import { Prisma } from '../gen/prisma/client.js';
import { type FindPlan } from '../workspaces.js';
import { planRequired } from './choose-oauth-app.js';
import { type PlatformApps } from './platform-apps.js';
import { type Parts } from '../parts.js';

const MAX_SCOPES = 100;

export const oauthAppRpcs = (needs: Parts): Implementation<OAuthAppServiceDefinition> => ({
  async listOAuthApps(page) {
    const { db } = needs;
    const own = workspacesInScope();
    const table = { rows: db.oAuthApp, totals: db.total, name: 'oauth_apps' };
    const scope = { orgId: caller().orgId, only: own && { workspaceId: { in: own } } };
    // Does not filter suspended rows, because OAuth apps cannot be suspended.
    const { rows, total } = await newestFirst(table, scope, { ...page, includeSuspended: true });
    return { oauthApps: rows.map(toOAuthApp), total };
  },

  createOAuthApp: async (request) => toOAuthApp(await create(needs, request)),

  updateOAuthApp: async (request) => toOAuthApp(await update(needs, request)),

  async deleteOAuthApp({ id }) {
    const { db, outbox } = needs;
    await db.$transaction(async (tx) => {
      const row = await findInScope(tx, id);
      await tx.oAuthApp.deleteMany({ where: { id, orgId: row.orgId } });
      await outbox.record(tx, changeOf(row));
    });
    return { deleted: true, id };
  },

  getOAuthStatus: () => oauthStatus(needs.db, needs.platform),
});

async function create(
  { db, outbox, envelope, workspaces, findPlan }: Parts,
  { integrationName, clientId, clientSecret, scopes, workspaceId, isDefault }: CreateOAuthAppRequest,
): Promise<OAuthAppRow> {
  requireShape({ integrationName, scopes });
  const { orgId } = caller();
  await Promise.all([requirePlan(findPlan), workspaceId && workspaces.require(workspaceId)]);
  const id = newId();
  const sealed = envelope.seal(JSON.stringify({ clientSecret }), { orgId, kind: 'oauth app', id });
  const place = { orgId, placeId: workspaceId ?? orgId, integrationName };
  return db.$transaction(async (tx) => {
    if (workspaceId) await workspaces.requireNotDeleted(tx, workspaceId);
    await lockApps(tx, orgId);
    const known = await tx.total.findUnique({ where: { orgId_of: { orgId, of: 'oauth_apps' } } });
    const used = 1 + (known?.rows ?? 0);
    requireCount({ field: 'integrationName', owner: 'an organization', what: 'OAuth apps', used, most: MAX_APPS });
    const isFirst = (await tx.oAuthApp.count({ where: { ...place, isDefault: true } })) === 0;
    const becomesDefault = isDefault ?? isFirst;
    if (becomesDefault) await tx.oAuthApp.updateMany({ where: place, data: { isDefault: false } });
    const facts = { ...place, id, workspaceId, clientId, scopes: scopes ?? Prisma.DbNull, isDefault: becomesDefault };
    const row = await tx.oAuthApp.create({ data: { ...facts, ...sealed } });
    await outbox.record(tx, changeOf(row));
    return row;
  });
}

async function update(
  { db, outbox, envelope, findPlan }: Parts,
  { id, ...patch }: UpdateOAuthAppRequest,
): Promise<OAuthAppRow> {
  const { clientSecret, scopes, ...plain } = masked(patch, OAuthAppChangesNullable, 'VALIDATION_ERROR');
  if (scopes) requireShape({ scopes });
  const { orgId } = caller();
  await requirePlan(findPlan);
  const data = {
    ...plain,
    ...(scopes !== undefined && { scopes: scopes ?? Prisma.DbNull }),
    ...(clientSecret && envelope.seal(JSON.stringify({ clientSecret }), { orgId, kind: 'oauth app', id })),
  };
  return db.$transaction(async (tx) => {
    await lockApps(tx, orgId);
    const { placeId, integrationName } = await findInScope(tx, id);
    if (plain.isDefault) {
      await tx.oAuthApp.updateMany({ where: { orgId, placeId, integrationName }, data: { isDefault: false } });
    }
    const [row] = await tx.oAuthApp.updateManyAndReturn({ where: { id, orgId }, data });
    if (!row) throw notFound('OAuth app', id);
    await outbox.record(tx, changeOf(row));
    return row;
  });
}

/**
 * Serializes changes of an organization's apps, so that concurrent requests cannot create two default apps for one scope, or exceed the maximum
 * number.
 */
const lockApps = (tx: Transaction, orgId: string): Promise<void> => lock(tx, `oauth apps ${orgId}`);

async function requirePlan(findPlan: FindPlan): Promise<void> {
  const { limits } = await findPlan(caller().orgId);
  if (!limits?.tenantOAuthApps) throw planRequired();
}

function requireShape({ integrationName, scopes }: { integrationName?: string; scopes?: unknown[] | null }): void {
  const problems: Record<string, string> = {};
  const piece = integrationName === undefined ? undefined : findPiece(integrationName);
  if (integrationName !== undefined && !piece)
    problems['integrationName'] = `the integration ${integrationName} does not exist`;
  if (piece && !piece.auth?.oauth2) problems['integrationName'] = `${integrationName} does not use OAuth`;
  if (scopes && scopes.length > MAX_SCOPES) problems['scopes'] = `must contain at most ${MAX_SCOPES} scopes`;
  for (const [index, scope] of (scopes ?? []).slice(0, MAX_SCOPES).entries()) {
    if (!/^[\x21-\x7e]{1,255}$/.test(String(scope)))
      problems[`scopes[${index}]`] = 'must be 1 to 255 visible characters';
  }
  if (Object.keys(problems).length > 0) throw invalid(problems);
}

async function findInScope(tx: Transaction, id: string): Promise<OAuthAppRow> {
  const row = await tx.oAuthApp.findFirst({ where: { id, orgId: caller().orgId } });
  if (!row) throw notFound('OAuth app', id);
  requireInScope(row.workspaceId);
  return row;
}

function changeOf({ id, integrationName, workspaceId }: OAuthAppRow) {
  return { id, name: integrationName, workspaceId };
}

function toOAuthApp(row: OAuthAppRow): Message {
  return { ...toWire(row), scopes: Array.isArray(row.scopes) ? row.scopes.map(String) : undefined };
}

/** Maximum number of apps of one organization, because all are read to list their integrations. */
const MAX_APPS = 200;

/** Returns the integrations for which the operator has an app, or the organization has an app that the caller can use. */
async function oauthStatus(db: Db, platform: PlatformApps): Promise<OAuthStatus> {
  const own = workspacesInScope();
  const places = own && { OR: [{ workspaceId: null }, { workspaceId: { in: own } }] };
  const where = { orgId: caller().orgId, ...places };
  const newest = { orderBy: { createdAt: 'desc' }, take: MAX_APPS } as const;
  const rows = await db.oAuthApp.findMany({ where, ...newest, select: { integrationName: true } });
  const names = [...platform.keys(), ...rows.map(({ integrationName }) => integrationName)];
  return { configured: [...new Set(names)].filter((name) => Object.hasOwn(pieces, name)).sort() };
}
