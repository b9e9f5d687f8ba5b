import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, invalid } from '@drawbridge/contracts';
import { type Workspace, WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { pino } from 'pino';
import { LostCall } from '../errors.js';
import { makeChange } from '../changes.js';
import { type CallContext, type Caller, caller, currentContext } from '../context.js';
import { timedOut } from '../client.js';
import { type Implementation } from '../wire-format.js';
import { expose } from '../dispatch.js';

export const log = pino({ level: 'silent' });
export const WHO: Caller = {
  orgId: 'org',
  userId: 'user',
  keyId: 'key',
  permissions: { scope: 'org' },
  source: 'rest',
};
export const WORKSPACE: Workspace = { id: 'w', orgId: 'org', name: 'n', slug: 's', createdAt: 'c', updatedAt: 'u' };

/** Longer than the client's keepalive interval. */
const PAST_KEEPALIVE_MS = 2_500;

/** The context of each getWorkspace call. */
export const seen: CallContext[] = [];

/** Ids for which the service behaves in a particular way instead of returning the workspace. */
const WISHES: Record<string, () => Promise<Workspace> | Workspace> = {
  wait: () => sleep(PAST_KEEPALIVE_MS, WORKSPACE),
  hang: () => new Promise(() => undefined),
  refuse: () => fail(invalid({ 'values[0].name': 'is wrong' })),
  break: () => fail(new Error('secret text')),
  lose: () => fail(timedOut('catalog', false)),
  loseChange: () => fail(new LostCall('UNAVAILABLE', 'catalog is unavailable; try again', { mayHaveChanged: true })),
  duplicate: () => fail(Object.assign(new Error('x'), { code: 'P2002', meta: { modelName: 'ApiKey' } })),
  halves: () => fail(new ApiError('ACTION_FAILED', 'a\ud83d', { details: { '\ud83d': '\udc00' } })),
  han: () => fail(new ApiError('ACTION_FAILED', '漢'.repeat(31_000), { details: { text: '漢'.repeat(31_000) } })),
  faces: () => fail(invalid({ [`a${'😀'.repeat(150)}`]: '😀'.repeat(9_000) })),
  circle: () => fail(new ApiError('ACTION_FAILED', 'round', { details: circle() })),
  huge: () => ({ ...WORKSPACE, name: 'x'.repeat(17 * 1024 * 1024) }),
  wrong: () => ({ ...WORKSPACE, name: Object.create(null) }),
};

const implementation: Implementation<typeof WorkspaceServiceDefinition> = {
  listWorkspaces: async () => ({ workspaces: [], total: 0 }),
  listWorkspaceStates: async () => ({ states: [] }),
  createWorkspace: async () => WORKSPACE,
  updateWorkspace: async () => WORKSPACE,
  suspendWorkspace: async () => WORKSPACE,
  resumeWorkspace: async () => WORKSPACE,
  lookUpWorkspace: async () => WORKSPACE,
  async deleteWorkspace({ id }) {
    if (id === 'hang') return new Promise(() => undefined);
    if (id === 'changed') await makeChange(Promise.resolve(), () => false);
    if (id === 'changed' || id === 'away') return fail(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    return { deleted: true, id };
  },
  async getWorkspace({ id }) {
    seen.push(currentContext()!);
    return WISHES[id]?.() ?? { ...WORKSPACE, name: caller().orgId };
  },
};

/** The members service of these tests. They call only getWorkspace. */
export const members = {
  name: 'members' as const,
  rpcs: [expose(WorkspaceServiceDefinition, implementation)],
  close: async () => undefined,
};

function fail(error: Error): never {
  throw error;
}

function circle(): Record<string, unknown> {
  const details: Record<string, unknown> = {};
  return Object.assign(details, { details });
}
