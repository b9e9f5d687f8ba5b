import { type KeyObject } from 'node:crypto';
import { newId } from '@drawbridge/contracts';
import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { type CodeRunResult } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { type CodeRun, type CodeRuns } from './code-run.js';
import {
  addApproval,
  createRow,
  endRow,
  LEASE_SECONDS,
  pauseRow,
  releaseRow,
  renewRow,
  type Sealed,
} from './code-run-rows.js';
import { type CodeReport } from './run-report.js';
import { type RunSource, sealRun, toDataKey } from './seal-run.js';

const RENEW_MS = 5_000;
/** How long after the expiry of its last approval a run can be continued and its result can be read. */
const KEPT_MS = 24 * 60 * 60_000;

/** Thrown if another process took the run, because this process could not renew its lease. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

export interface RunKey {
  id: string;
  key: KeyObject;
  expiresAt: Date;
}

export type Needs = Pick<CodeRuns, 'dataKeys'> & { pipeline: Pick<CodeRuns['pipeline'], 'pool' | 'log'> };

/** Stores a program that has not started because it waits for approvals. */
export async function storeWaiting(
  needs: Needs,
  run: CodeRun,
  { code, approvals, report }: { code: string; approvals: readonly Approval[]; report: CodeReport },
): Promise<void> {
  const sealed = await seal(needs, run, { source: { code }, expiresAt: expiryOf(approvals) });
  const approvalIds = approvals.map(({ id }) => id);
  await createRow(needs.pipeline.pool, { run, report: report.toStored(), approvalIds, ...sealed.row });
}

interface Facts {
  run: CodeRun;
  report: CodeReport;
  /** The program. Absent if the database row of the run already contains its state. */
  code?: string;
  /** Set if this process has already taken the lease. */
  holder?: string;
}

/**
 * The database row and the lease of an active run. A run that has not needed an approval has no row, because a run can only be continued with the id
 * of an approval.
 */
export class StoredRun {
  readonly holder: string;
  /** The key that encrypts the stored state. */
  key: RunKey | undefined;
  private readonly lost = new AbortController();
  private readonly approvals = new Map<string, Approval>();
  private timer: NodeJS.Timeout | undefined;
  private endsAt = 0;
  private creating: Promise<void> | undefined;
  private hasRow = false;
  private isStopped = false;

  constructor(
    private readonly needs: Needs,
    private readonly facts: Facts,
  ) {
    this.holder = facts.holder ?? newId();
  }

  /** Aborts with LeaseLostError when another process may have taken the lease. */
  get signal(): AbortSignal {
    return this.lost.signal;
  }

  /** The approvals that calls of the run in this process wait for. */
  get pending(): Approval[] {
    return [...this.approvals.values()];
  }

  /** Renews a lease that was just taken, until it is released. */
  hold(): void {
    this.creating ??= Promise.resolve();
    this.hasRow = true;
    this.endsAt = performance.now() + LEASE_SECONDS * 1_000;
    if (!this.isStopped) this.timer = setInterval(() => void this.renew(), RENEW_MS).unref();
  }

  /** Stores an approval, which later identifies the run to continue. The first approval also stores the state from which the run can be repeated. */
  async remember(approval: Approval): Promise<void> {
    const isFirst = this.creating === undefined;
    this.approvals.set(approval.id, approval);
    await (this.creating ??= this.create(approval));
    if (isFirst) return;
    const { holder } = this;
    const expiresAt = expiryOf([approval]);
    await addApproval(this.needs.pipeline.pool, this.facts.run, { holder, approvalId: approval.id, expiresAt });
  }

  /** Stores the snapshot and releases the lease. Throws LeaseLostError. */
  async pause(snapshot: Uint8Array): Promise<void> {
    const { key } = this;
    const { run, report } = this.facts;
    const expiresAt = new Date(Math.max(expiryOf(this.pending).getTime(), key?.expiresAt.getTime() ?? 0));
    const { row } = await seal(this.needs, run, { source: { snapshot }, expiresAt, key });
    const stored = { ...row, holder: this.holder, report: report.toStored() };
    if (!(await pauseRow(this.needs.pipeline.pool, run, stored))) throw new LeaseLostError();
  }

  /** Stores the result if the run has a database row. Throws LeaseLostError. */
  async end(result: CodeRunResult): Promise<void> {
    await this.creating?.catch(() => undefined);
    if (this.hasRow && !(await endRow(this.needs.pipeline.pool, this.facts.run, result, this.holder)))
      throw new LeaseLostError();
  }

  /** Releases the lease, so that another process can continue the run from its stored state. */
  async release(): Promise<void> {
    this.stop();
    await releaseRow(this.needs.pipeline.pool, this.facts.run, this.holder);
  }

  /** Stops renewing the lease. */
  stop(): void {
    this.isStopped = true;
    clearInterval(this.timer);
  }

  private async create(approval: Approval): Promise<void> {
    const { holder } = this;
    const { run, code = '' } = this.facts;
    const { row, key } = await seal(this.needs, run, { source: { code }, expiresAt: expiryOf([approval]) });
    this.key = key;
    // A repeated program starts from its code and writes its console lines again, so the stored console is empty.
    const report = { ...this.facts.report.toStored(), console: [] };
    const facts = { run, report, approvalIds: [approval.id], holder };
    await createRow(this.needs.pipeline.pool, { ...facts, ...row });
    this.hold();
  }

  private async renew(): Promise<void> {
    const askedAt = performance.now();
    // Checked before the query, because the query does not return while the database does not respond.
    if (askedAt > this.endsAt) this.lost.abort(new LeaseLostError());
    const isOurs = await renewRow(this.needs.pipeline.pool, this.facts.run, this.holder).catch(() => undefined);
    if (isOurs) this.endsAt = askedAt + LEASE_SECONDS * 1_000;
    if (isOurs === false || performance.now() > this.endsAt) this.lost.abort(new LeaseLostError());
  }
}

/** Encrypts the state with the given key. Creates a new key if the given key would expire before the state. */
async function seal(
  { dataKeys }: Needs,
  run: CodeRun,
  { source, expiresAt, key }: { source: RunSource; expiresAt: Date; key?: RunKey },
): Promise<{ row: Sealed; key: RunKey }> {
  const isUsable = key !== undefined && key.expiresAt >= expiresAt;
  const used = isUsable ? key : await newKey({ dataKeys }, run, expiresAt);
  return { row: { dataKeyId: used.id, sealed: sealRun(source, used.key, run), expiresAt }, key: used };
}

async function newKey(
  { dataKeys }: Pick<Needs, 'dataKeys'>,
  { workspaceId }: CodeRun,
  expiresAt: Date,
): Promise<RunKey> {
  const { id, key } = await dataKeys.createDataKey({ workspaceId, expiresAt: expiresAt.toISOString() });
  return { id, key: toDataKey(key), expiresAt };
}

function expiryOf(approvals: readonly Approval[]): Date {
  return new Date(Math.max(...approvals.map(({ expiresAt }) => Date.parse(expiresAt))) + KEPT_MS);
}
