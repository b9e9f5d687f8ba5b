import { repeat } from '@drawbridge/events';
import { type Background, describeError, isOutage, keepTrying, type Logger, untilDeadline } from '@drawbridge/rpc';
import type { Pool } from 'pg';
import { CircuitBreaker } from './circuit-breaker.js';
import { Claimer } from './claimer.js';
import { Listener } from './listen.js';
import { adoptJobs, createQueue } from './queue-table.js';
import { type ClaimedJob, type JobContext, type Outcome, runAttempt } from './attempt-and-retry.js';
import { type Limits, NONE } from './organization-slots.js';
import { LEASE_SECONDS, query, type Statements } from './statements.js';

/** Concurrency limits of a queue. A slow receiver occupies a slot for up to 15 s, and ten organizations can use their limits at the same time. */
export const LIMITS: Limits = { process: 50, of: () => ({ organization: 5, target: 2 }) };

/** Maximum delay of a timer, and of a job after a lost notification. */
const TICK_MS = 1_000;
const RENEW_MS = 5_000;
const SWEEP_MS = 30_000;
/** Maximum number of due jobs that one statement makes ready, and of dead jobs that one statement purges. */
const [PROMOTED, PURGED] = [1_000, 1_000];
/** Work stops this long before the lease expires, because the clocks of two processes run at different speeds. */
const MARGIN_MS = 2_000;
/** During an outage, writing the outcome of a job is retried every AGAIN_MS, for at most END_MS. */
const [END_MS, AGAIN_MS] = [10_000, 250];

interface Parts {
  service: string;
  schema: string;
  pool: Pool;
  sql: Statements;
  /** The names of the tasks. */
  tasks: string[];
  log: Logger;
  run(job: ClaimedJob, context: JobContext): Promise<unknown>;
}

interface Running {
  job: ClaimedJob;
  lost: AbortController;
  ended: Promise<void>;
}

/** Runs the jobs of a queue until it is stopped: claims ready jobs, renews their leases, and writes their outcomes. */
export class Worker implements Background {
  readonly breaker = new CircuitBreaker();
  readonly outcomes = new Map<Outcome['fate'], number>();
  readonly running = new Map<string, Running>();
  private readonly claimers: Map<string, Claimer<ClaimedJob>>;
  private readonly listener: Listener;
  private readonly repeated: Background[];

  constructor(private readonly parts: Parts) {
    const { tasks, pool, schema, log } = parts;
    this.claimers = new Map(tasks.map((task) => [task, this.newClaimer(task)]));
    this.listener = new Listener(pool, schema, (task) => this.look(task));
    const every = (everyMs: number, name: string, work: (stopping: AbortSignal) => Promise<void>): Background =>
      repeat({ name: `${name} of ${schema}`, everyMs, log }, work);
    // These are separate loops, so that a backlog of due jobs does not delay the renewal of leases.
    this.repeated = [
      every(TICK_MS, 'due jobs', (stopping) => this.promote(stopping)),
      every(RENEW_MS, 'leases', () => this.renew()),
      every(TICK_MS, 'lost leases', async () => this.stopLost()),
      every(SWEEP_MS, 'old jobs', () => this.sweep()),
    ];
  }

  async start(): Promise<void> {
    await createQueue(this.parts.pool, this.parts.schema);
    // A failure is ignored here, because one of the loops repeats the sweep, and logs a failure.
    await this.sweep().catch(() => undefined);
    for (const one of this.repeated) await one.start();
    this.listener.open();
  }

  async stop(deadline: number): Promise<void> {
    const claimers = [...this.claimers.values()].map((claimer) => claimer.stop());
    await untilDeadline(Promise.all(claimers), deadline);
    await untilDeadline(Promise.all([...this.running.values()].map(({ ended }) => ended)), deadline);
    const later = Math.max(deadline, Date.now() + TICK_MS);
    await Promise.all(this.repeated.map((one) => one.stop(later)));
    await untilDeadline(this.giveBack(), later);
    this.listener.close();
  }

  private newClaimer(task: string): Claimer<ClaimedJob> {
    const { pool, sql, log } = this.parts;
    return new Claimer<ClaimedJob>({
      ...{ name: task, first: '', limits: LIMITS, breaker: this.breaker, log },
      find: (search) => query(pool, sql.find, ...search, task),
      async claim(wishes) {
        const leasedAt = performance.now();
        const rows = await query<Omit<ClaimedJob, 'task' | 'leasedAt'>>(pool, sql.claim, ...wishes, task);
        return { jobs: rows.map((row) => ({ ...row, task, leasedAt })), isCut: false };
      },
      begin: (job) => this.begin(job),
    });
  }

  private look(task?: string): void {
    if (task) this.claimers.get(task)?.look();
    else for (const claimer of this.claimers.values()) claimer.look();
  }

  /** Resolves when the attempt has completed, which frees its slot. The outcome is written afterwards. */
  private begin(job: ClaimedJob): Promise<unknown> {
    const lost = new AbortController();
    const attempt = this.attempt(job, lost.signal);
    const ended = attempt.then((outcome) => this.end(job, outcome)).finally(() => this.running.delete(job.lease));
    this.running.set(job.lease, { job, lost, ended });
    return attempt;
  }

  private async attempt(job: ClaimedJob, signal: AbortSignal): Promise<Outcome> {
    const { log, run } = this.parts;
    const { task, attempts: attempt } = job;
    const noteTarget: JobContext['noteTarget'] = (call) => void (job.target !== NONE && this.breaker.note(job, call));
    const outcome = await runAttempt({ task, attempt, log }, () => run(job, { attempt, signal, noteTarget }));
    this.outcomes.set(outcome.fate, (this.outcomes.get(outcome.fate) ?? 0) + 1);
    return outcome;
  }

  /** Writes the outcome of a job. If this fails, the job runs again when its lease expires. */
  private async end({ id, task, lease }: ClaimedJob, { fate, delayMs, isSpent, error }: Outcome): Promise<void> {
    const { pool, sql, log } = this.parts;
    const write = (): Promise<unknown> =>
      fate === 'done'
        ? query(pool, sql.done, id, lease)
        : query(pool, sql.failed, id, lease, fate === 'dead', isSpent, delayMs, error);
    const until = performance.now() + END_MS;
    await keepTrying({ until, pauseMs: AGAIN_MS, mayPass: isOutage }, write).catch((failure: unknown) => {
      log.warn({ call: task, error: describeError(failure) }, 'the end of a job was not written; it runs again');
    });
  }

  /**
   * Makes due jobs ready until none is left, and claims ready jobs, also those of lost notifications. Jobs become ready in the order of their due
   * times, and only ready jobs are claimed round-robin. If a backlog of one organization waited for the next tick, jobs of other organizations would
   * wait behind it.
   */
  private async promote(stopping: AbortSignal): Promise<void> {
    const { pool, sql, tasks } = this.parts;
    for (let many = PROMOTED; many === PROMOTED && !stopping.aborted;) {
      const [found] = await query<{ many: number; tasks: string[] }>(pool, sql.promote, PROMOTED, tasks);
      for (const task of found!.tasks) this.look(task);
      many = found!.many;
    }
  }

  /** Stops the work of jobs with a lease that was not renewed in time, for example because the database was unavailable. */
  private stopLost(): void {
    for (const { job, lost } of this.running.values()) {
      if (job.leasedAt + LEASE_SECONDS * 1_000 - MARGIN_MS <= performance.now()) lost.abort();
    }
  }

  private async renew(): Promise<void> {
    const now = performance.now();
    const live = [...this.running.values()].filter(({ lost }) => !lost.signal.aborted).map(({ job }) => job);
    if (live.length === 0) return;
    const rows = await this.listener.query<{ lease: string }>(this.parts.sql.renew, ...leasesOf(live));
    // Compares leases, not ids: a job that was replaced while it ran and the job that replaced it may both run in this process.
    const renewed = new Set(rows.map(({ lease }) => lease));
    for (const job of live) if (renewed.has(job.lease)) job.leasedAt = now;
  }

  /** Gives up the leases of jobs that this process can no longer complete, so that other processes need not wait until these leases expire. */
  private async giveBack(): Promise<void> {
    const left = [...this.running.values()];
    if (left.length === 0) return;
    for (const { lost } of left) lost.abort();
    const columns = leasesOf(left.map(({ job }) => job));
    await this.listener.query(this.parts.sql.giveBack, ...columns).catch(() => undefined);
  }

  private async sweep(): Promise<void> {
    const { pool, sql, service, schema } = this.parts;
    await adoptJobs(pool, { old: `${service}_jobs`, schema });
    while ((await query(pool, sql.purge, PURGED)).length === PURGED);
  }
}

function leasesOf(jobs: readonly ClaimedJob[]): unknown[] {
  return [jobs.map(({ id }) => id), jobs.map(({ lease }) => lease)];
}
