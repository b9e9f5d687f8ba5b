import { type CodeError, timeout, tooMuchParked } from './code-error.js';
import { HostCalls } from './host-calls.js';
import type { JsonValue } from './json.js';
import { type Answer, type ConsoleLine, NOT_USED, type Order, type Report, type Used } from './messages.js';
import type { Outcome, RunOptions, RunReport, Source } from './run-request.js';
import { RunThread } from './run-thread.js';
import { packSnapshot } from './snapshot.js';
import type { Thread, ThreadUser } from './thread.js';
import type { VmImage } from './vm.js';

/** The interface of the thread pool that a run uses. */
export interface Scheduler {
  /** Called when the run can compute and waits for a thread. */
  enqueue(run: Run): void;
  /** Called when the run has ended. */
  remove(run: Run): void;
  /** Returns whether there is memory for the VM of this parked run, which has no thread. */
  canKeep(run: Run): boolean;
  /** Called when a thread is free or can be freed. */
  schedule(): void;
}

/** One run. Knows whether its VM is on a thread or parked, the calls for which its code waits, and its remaining time. */
export class Run implements ThreadUser {
  readonly outcome: Promise<Outcome>;
  readonly thread: RunThread;
  private settle!: (outcome: Outcome) => void;
  private refuse!: (reason: unknown) => void;
  private readonly calls: HostCalls;
  private readonly console: ConsoleLine[] = [];
  private readonly startedAt = performance.now();
  private readonly wallTimer: NodeJS.Timeout;
  /** The VM of a parked run, which waits without a thread. */
  private image: VmImage | undefined;
  private used: Used = NOT_USED;
  private isEnded = false;
  /** Results of host calls that arrived while the run had no thread. The code receives them when the run continues. */
  private inbox: Answer[] = [];

  constructor(
    private readonly source: Source,
    readonly options: RunOptions,
    private readonly scheduler: Scheduler,
  ) {
    const { functions, limits } = options;
    this.outcome = new Promise((resolve, reject) => Object.assign(this, { settle: resolve, refuse: reject }));
    const listener = { onAnswer: (answer: Answer) => this.onAnswer(answer), onPause: () => this.pauseIfAll() };
    this.calls = new HostCalls(functions, limits, listener);
    this.thread = new RunThread(() => this.fail(timeout(limits.cpuMs)));
    const late: CodeError = { code: 'TIMEOUT', message: `The run took longer than ${limits.wallMs} ms` };
    this.wallTimer = setTimeout(() => this.fail(late), limits.wallMs);
  }

  /** The memory of the VM of a parked run in bytes; 0 if the run is not parked. */
  get parkedBytes(): number {
    return this.image?.memory.byteLength ?? 0;
  }

  begin(): void {
    if ('code' in this.source) return this.scheduler.enqueue(this);
    this.image = this.source.image;
    this.used = this.source.used;
    for (const call of this.source.pending) this.calls.make(call);
  }

  /** Continues the run on a thread. */
  attach(thread: Thread): void {
    this.thread.attach(thread, this);
    const { limits, functions, now } = this.options;
    if (this.image) {
      this.thread.send({ type: 'resume', image: this.image, pending: this.awaited(), used: this.used, limits });
      this.image = undefined;
    } else if ('code' in this.source) {
      this.compute({ type: 'start', ...this.source, functions: Object.keys(functions), limits, now: now() });
    }
    for (const answer of this.inbox.splice(0)) this.compute({ type: 'answer', answer, now: now() });
  }

  onReport(report: Exclude<Report, { type: 'ready' }>): void {
    switch (report.type) {
      case 'call':
        return this.calls.make({ id: report.id, name: report.name, args: report.args });
      case 'log':
        this.console.push(report.line);
        return this.options.onConsole?.(report.line);
      case 'waiting':
        this.used = report.used;
        this.thread.onWaiting();
        this.pauseIfAll();
        return this.scheduler.schedule();
      case 'ended':
        return this.onEnded(report);
      case 'parked':
        return this.onParked(report.image);
      default:
        return report satisfies never;
    }
  }

  onLost(isOutOfMemory: boolean): void {
    this.thread.onLost();
    const error: CodeError = isOutOfMemory
      ? { code: 'MEMORY_LIMIT', message: 'The code used more memory than its thread has' }
      : { code: 'RUNTIME_ERROR', message: 'The code stopped the engine' };
    this.fail(error);
  }

  /** Ends the run: its promise rejects with the reason. */
  abort(reason: unknown): void {
    this.end(() => this.refuse(reason));
  }

  /** Returns the calls for which the code waits, with the size of their arguments, or 0 for a call with a result in the inbox. */
  private awaited(): Map<string, number> {
    const answered = this.inbox.map(({ id }) => [id, 0] as const);
    return new Map([
      ...answered,
      ...[...this.calls.pending.values()].map(({ id, args }) => [id, args.length] as const),
    ]);
  }

  private compute(order: Order): void {
    this.thread.compute(order, this.options.limits.cpuMs - this.used.cpuMs);
  }

  private onAnswer(answer: Answer): void {
    if (this.thread.isUsable) return this.compute({ type: 'answer', answer, now: this.options.now() });
    this.inbox.push(answer);
    if (this.image) this.scheduler.enqueue(this);
  }

  /** Ends the run with a snapshot if all calls for which it waits have returned PAUSE. */
  private pauseIfAll(): void {
    if (!this.calls.arePaused || this.inbox.length > 0 || this.isEnded) return;
    if (this.image) this.pause(this.image);
    else if (this.thread.isWaiting) this.thread.park();
  }

  private onParked(image: VmImage): void {
    this.thread.leave();
    this.image = image;
    if (!this.scheduler.canKeep(this)) return this.fail(tooMuchParked());
    if (this.inbox.length > 0) this.scheduler.enqueue(this);
    else this.pauseIfAll();
  }

  private pause(image: VmImage): void {
    const pending = [...this.calls.pending.values()];
    const { used } = this;
    this.end(() => {
      const report = this.report();
      packSnapshot({ engine: this.options.engine, image, used, pending }).then(
        (snapshot) => this.settle({ status: 'paused', snapshot, pending, ...report }),
        this.refuse,
      );
    });
  }

  private onEnded({ result, error, used, isDamaged }: Extract<Report, { type: 'ended' }>): void {
    this.used = used;
    this.thread.onEnded(isDamaged);
    if (error) return this.fail(error);
    this.end(() => this.settle(completed(result, this.report())));
  }

  private fail(error: CodeError): void {
    this.end(() => this.settle({ status: 'failed', error, ...this.report() }));
  }

  private end(settle: () => void): void {
    if (this.isEnded) return;
    this.isEnded = true;
    clearTimeout(this.wallTimer);
    this.thread.end();
    this.image = undefined;
    this.calls.end();
    this.scheduler.remove(this);
    settle();
    this.scheduler.schedule();
  }

  private report(): RunReport {
    const { cpuMs, calls } = this.used;
    const durationMs = Math.round(performance.now() - this.startedAt);
    return { console: this.console, durationMs, cpuMs: Math.round(cpuMs), calls };
  }
}

function completed(json: string | undefined, report: RunReport): Outcome {
  return {
    status: 'completed',
    ...report,
    json,
    get value() {
      return json === undefined ? undefined : (JSON.parse(json) as JsonValue);
    },
  };
}
