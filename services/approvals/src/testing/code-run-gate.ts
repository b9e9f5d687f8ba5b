import { newId } from '@drawbridge/contracts';
import { type Database } from '@drawbridge/database';
import { outbox, workspaceGuard } from '@drawbridge/events';
import {
  type Admission,
  type CodeRun,
  type CodeRunApprovals,
  type GatedCall,
} from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type CallContext, runInContext } from '@drawbridge/rpc';
import { openServiceDatabase } from '@drawbridge/testkit';
import { type ApprovalPolicy, type PrismaClient as Db } from '../gen/prisma/client.js';
import { evaluator } from '../policies/evaluator.js';
import { knownPolicies, withDefaults } from '../policies/stored-policies.js';
import { linkKeeper } from '../requests/approval-links.js';
import { gate } from '../gate/gate.js';
import { approvals } from '../index.js';

const log = { info() {}, warn() {}, error() {} } as unknown as CallContext['log'];

/** An organization with a workspace, one run of a program, and a gate in a separate process. */
export interface Organization {
  orgId: string;
  workspaceId: string;
  run: CodeRun;
  newPolicy(fields?: Parameters<typeof withDefaults>[0] & { workspaceId?: string }): Promise<ApprovalPolicy>;
  /** Calls AdmitCodeRun for tools such as `gh.list_issues`. Reads the policies again, as the cache does after the maximum staleness. */
  admitRun(paths: readonly string[], changes?: Changes): Promise<CodeRunApprovals>;
  /** Calls Admit for a call of the run with an input. */
  admit(path: string, changes?: Changes): Promise<Admission['admission']>;
  approvalsOfRun(changes?: Changes): Promise<CodeRunApprovals>;
  /** Decides an approval request, or moves its times into the past. */
  set(approvalId: string, sql: string): Promise<void>;
}

interface Changes {
  orgId?: string;
  workspaceId?: string;
  run?: Partial<CodeRun>;
  call?: Partial<GatedCall>;
  preview?: object;
  key?: string;
}

export const APPROVE = `status = 'approved', decided_at = now(), receipt_expires_at = now() + interval '1 hour'`;
export const EXPIRE = `expires_at = now() - interval '1 second'`;
/** The rules of a policy that depend on the input of a call. */
export const HOSTS = { riskMode: 'rules', rules: { domainDenylist: ['evil.example'] } };

export let database: Database<Db>;
/** An organization that no other test uses. */
export let org: Organization;

let close: () => Promise<void>;

beforeAll(async () => void ({ database, close } = await openServiceDatabase(approvals)));
afterAll(() => close());
beforeEach(() => (org = organizationOf(database)));

/** Opens a batch request for one tool and returns its id. */
export async function openBatch(path = 'gh.create_issue', fields = {}): Promise<string> {
  await org.newPolicy(fields);
  const [batch] = (await org.admitRun([path])).approvals;
  return batch!.id;
}

/** Returns the number of approval requests of the organization. */
export const countOf = async (): Promise<number> => database.db.approvalRequest.count({ where: { orgId: org.orgId } });

export function organizationOf({ db, pool }: Database<Db>): Organization {
  const [orgId, workspaceId] = [newId(), newId()];
  const run = { id: newId(), codeHash: 'code', toolSurfaceHash: 'surface' };
  const as = <T>(work: () => Promise<T>, { orgId: other = orgId }: Changes = {}): Promise<T> =>
    runInContext(contextOf(other), work);
  /** Creates a gate without cached policies, like a process that has just started. */
  const process = () => {
    const guard = workspaceGuard({ pool, schema: 'approvals', log, empty: async () => 0 });
    const parts = { db, pool, guard, outbox: outbox('approvals', { wake: () => undefined }) };
    const askModel = async () => ({ isRisky: true, reason: 'the model said so' });
    return gate({
      ...parts,
      links: linkKeeper('k'.repeat(32)),
      known: knownPolicies(db),
      evaluator: evaluator(),
      askModel,
    });
  };
  const previewOf = ({ preview = {} }: Changes) => ({
    ...{ input: preview as never, redactedPaths: [], truncatedFields: [], omittedFields: 0 },
  });
  return {
    ...{ orgId, workspaceId, run },
    newPolicy: ({ workspaceId: place, ...fields } = {}) => {
      const named = { id: newId(), name: 'Policy', description: null, orgId, workspaceId: place ?? null };
      return db.approvalPolicy.create({ data: { ...withDefaults({ riskMode: 'always', ...fields }), ...named } });
    },
    admitRun: (paths, changes = {}) =>
      as(async () => {
        const place = { workspaceId: changes.workspaceId ?? workspaceId, run: { ...run, ...changes.run } };
        const calls = paths.map((path) => ({ path, call: callOf(path, changes) }));
        return process().admitCodeRun({ ...place, calls, preview: previewOf(changes) }) as Promise<CodeRunApprovals>;
      }, changes),
    admit: (path, changes = {}) =>
      as(async () => {
        const { key: idempotencyKey = newId() } = changes;
        const place = { workspaceId: changes.workspaceId ?? workspaceId, codeRun: { ...run, ...changes.run } };
        const asked = { call: callOf(path, changes), idempotencyKey, preview: previewOf(changes), requestHash: 'r' };
        return ((await process().admit({ ...place, ...asked })) as Admission).admission;
      }, changes),
    approvalsOfRun: (changes = {}) =>
      as(async () => {
        const asked = { workspaceId, codeRunId: run.id };
        return (await process().getCodeRunApprovals(asked)) as CodeRunApprovals;
      }, changes),
    set: async (approvalId, sql) => {
      await pool.query(`UPDATE approvals.approval_requests SET ${sql} WHERE id = $1`, [approvalId.slice(4)]);
    },
  };
}

const CATEGORIES: Record<string, string> = { list: 'read', create: 'write', delete: 'delete', send: 'send' };

function callOf(path: string, { call }: Changes): GatedCall {
  const [calledAlias = '', actionName = ''] = path.split('.');
  const category = CATEGORIES[actionName.split('_')[0]!] ?? 'read';
  const named = { integrationName: 'github', integrationAlias: 'own', calledAlias, actionName, category };
  return { ...named, endUserId: 'ann', recipients: [], ...call };
}

function contextOf(orgId: string): CallContext {
  const permissions = { scope: 'org', workspaceIds: [], grants: [] };
  return {
    ...{ requestId: 'r-1', from: 'execution', deadline: Date.now() + 60_000, log },
    signal: new AbortController().signal,
    caller: { orgId, userId: newId(), permissions, source: 'mcp_code' },
  };
}
