import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { invalid, newId, notFound } from '@drawbridge/contracts';
import { action, type JsonObject, piece } from '@drawbridge/piece-kit';
import { pieces } from '@drawbridge/pieces';
import { type CodeTool } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { type Caller, createLogger, runInContext } from '@drawbridge/rpc';
import { openSandbox } from '@drawbridge/sandbox';
import { LARGE_INPUTS, workerPool } from '@drawbridge/turns';
import { claimPoller } from '../claims/claims.js';
import { claimSettler, claimTaker } from '../claims/write-claims.js';
import { leases } from '../claims/idempotency-key.js';
import { type Analysis } from '@drawbridge/code-mode';
import { type CodeRuns } from '../code-runs/code-run.js';
import { codeRuns } from '../code-runs/code-runs.js';
import { redactors } from '../pipeline/connection.js';
import { policyGate } from '../pipeline/policy-gate.js';
import { type Pipeline } from '../pipeline/pipeline.js';
import { outputRedactor } from '../redaction/redact-off-thread.js';
import { previewer } from '../run-log/previewer.js';
import { RunsUnderWay } from '../run-log/store-answer.js';
import { codeRunners } from '../running/code-runner.js';
import { FakeGate } from './fake-gate.js';
import { database } from './spaces.js';

const ACTIONS = ['read', 'pay', 'send', 'hang'] as const;
const FAILED = 'the provider refused';

/** The state that all processes of a test share and that survives a crash: the approvals, the data keys, the provider and the quota. */
export class World {
  readonly gate = new FakeGate();
  readonly keys = new Map<string, { key: Buffer; workspaceId: string; expiresAt: string }>();
  /** The executed actions with their input. */
  readonly executed: string[] = [];
  onExecuted: () => void = () => undefined;
  /** Number of sandbox runs that were counted and not restored. */
  quota = 0;
  quotaLeft = Infinity;
  readonly orgId = newId();
  readonly workspaceId = newId();
  surfaceHash = 'surface';
  /** The result of the analysis of every program, which predicts its calls. */
  analysis: Partial<Analysis> = {};
  readonly tools: CodeTool[] = ACTIONS.map((actionName) => ({
    ...{ alias: 'bank', actionName, integrationName: 'bank', integrationDisplayName: 'Bank', displayName: actionName },
    ...{ category: actionName === 'read' ? 'read' : 'payment', inputDefaultsJson: '{"currency":"EUR"}' },
  }));

  constructor() {
    const act = (name: (typeof ACTIONS)[number]) =>
      action({
        ...{ displayName: name, description: 'Acts', category: 'read', props: {} },
        run: async ({ input }: { input: JsonObject }) => {
          this.executed.push(`${name} ${input.n}`);
          this.onExecuted();
          if (input.n === FAILED) throw new Error(FAILED);
          return { n: input.n ?? null };
        },
      });
    const bank = piece({
      ...{ name: 'bank', displayName: 'Bank', description: 'Acts', categories: ['UTILITIES'] },
      ...{ origin: 'https://x.example', actions: Object.fromEntries(ACTIONS.map((name) => [name, act(name)])) },
    } as never);
    Object.assign(pieces, { bank });
  }
}

/** The compiled worker, because a worker thread cannot run TypeScript sources. */
const PREVIEW_WORKER = pathToFileURL(join(import.meta.dirname, '../../dist/run-log/preview-worker.js'));
const log = createLogger('execution', 'silent');

/** One process of the execution service. All processes of a test share the database and the world. */
export class CodeProcess {
  readonly runners = codeRunners(() => openSandbox({ workers: 2 }));
  readonly needs: Omit<CodeRuns, 'waits' | 'decisions'>;
  private readonly rpcs;
  /** If true, calls of the action `hang` never return, and do not claim their idempotency key. */
  isHanging = false;

  constructor(private readonly world: World) {
    const pipeline = this.pipeline();
    const analyzer = {
      analyze: async () => ({ analysis: this.analysis() }),
      start: () => undefined,
      stop: async () => undefined,
    };
    this.needs = { pipeline, code: this.runners, dataKeys: this.dataKeys(), analyzer };
    this.rpcs = codeRuns(this.needs);
  }

  execute(code: string, own: Partial<Asked> = {}) {
    return this.as(own, () => this.rpcs.executeCode({ surface: this.surface(own), code }));
  }

  continue(approvalId: string, { waitSeconds = 0, returnsReady = false, ...own }: Partial<Continued> = {}) {
    const request = { surface: this.surface(own), approvalId, waitSeconds, returnsReady };
    return this.as(own, () => this.rpcs.continueCode(request));
  }

  /** Stops the programs of the process without storing anything, like a crash. Also expires the lease, which takes 15 s after a crash. */
  async crash(): Promise<void> {
    await this.runners.stop(0);
    await database.pool.query(
      `UPDATE execution.code_runs SET lease_until = now() - interval '1 minute' WHERE org_id = $1`,
      [this.world.orgId],
    );
  }

  stop = (): Promise<void> => this.runners.stop(0) as Promise<void>;

  private as<T>(
    { orgId = this.world.orgId, signal = new AbortController().signal }: Partial<Asked>,
    work: () => Promise<T>,
  ) {
    const caller = { orgId, userId: newId(), source: 'mcp_code', permissions: { scope: 'org' } } as Caller;
    const context = { requestId: newId(), from: 'gateway', caller, deadline: Date.now() + 320_000, signal, log };
    return runInContext(context as never, work);
  }

  private surface(own: Partial<Asked>) {
    const { workspaceId = this.world.workspaceId, mcpServerId = 'srv', endUserId = 'u', endUserRecordId = 'r' } = own;
    const owner = { workspaceId, mcpServerId, endUserId, endUserRecordId };
    return { ...owner, hash: this.world.surfaceHash, tools: this.world.tools };
  }

  private analysis(): Analysis {
    const rest = { unknownTools: [], dynamicSignals: [], externalDomains: [], storageIndicators: [] };
    return { predictedTools: [], analysisConfidence: 'exact', ...rest, ...this.world.analysis };
  }

  private dataKeys(): CodeRuns['dataKeys'] {
    const { keys } = this.world;
    return {
      createDataKey: async ({ workspaceId, expiresAt }) => {
        const [id, key] = [newId(), randomBytes(32)];
        keys.set(id, { workspaceId, expiresAt, key: Buffer.from(key) });
        return { id, key };
      },
      openDataKey: async ({ id, workspaceId }) => {
        const stored = keys.get(id);
        if (stored?.workspaceId !== workspaceId) throw notFound('Data key', id);
        return { id, key: Buffer.from(stored.key) };
      },
    };
  }

  private pipeline(): Pipeline {
    const { world } = this;
    const { pool } = database;
    const held = leases(pool);
    const sandboxQuota = {
      take: async () => {
        if (world.quota >= world.quotaLeft) throw invalid({ quota: 'used up' });
        world.quota += 1;
        return newId();
      },
      restore: () => void (world.quota -= 1),
    };
    return {
      ...{ pool, leases: held, claimPoller: claimPoller(pool, held), log, sandboxQuota },
      ...{ takeClaim: claimTaker(pool), settleClaim: claimSettler(pool) },
      ...{
        redactorFor: redactors(),
        previewer: previewer(workerPool(PREVIEW_WORKER, LARGE_INPUTS)),
        outputs: outputRedactor(),
        runs: new RunsUnderWay(),
      },
      actionQuota: { take: async () => undefined, restore: () => undefined },
      senderFor: () => ({ send: () => Promise.reject(new Error('No request is expected')), release: () => undefined }),
      policies: policyGate(world.gate.client),
      invocations: { resolveInvocation: (request: Request) => this.resolve(request) },
      requireWorkspace: async () => undefined,
      onRecorded: () => undefined,
    } as unknown as Pipeline;
  }

  private async resolve({ actionName, input = {} }: Request) {
    if (actionName === 'hang' && this.isHanging) await new Promise(() => undefined);
    if ('wrong' in input) throw invalid({ wrong: 'is unknown; known keys: n, currency' });
    return { input, connectionTypes: [], connectionRequired: false };
  }
}

interface Request {
  actionName: string;
  input?: JsonObject;
}

interface Asked {
  orgId: string;
  workspaceId: string;
  mcpServerId: string;
  endUserId: string;
  endUserRecordId: string;
  signal: AbortSignal;
}

interface Continued extends Asked {
  waitSeconds: number;
  returnsReady: boolean;
}
