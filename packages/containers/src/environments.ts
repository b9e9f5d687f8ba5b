import type { ContainerSpec } from './driver.js';
import { requireNotCancelled, type RunRequest, type RunResult, type Session } from './run.js';

/** Runs the code of a request in a session, and returns a result that contains at least its outcome. */
type Work<R> = (session: Session) => Promise<R>;

/** Idle time after which an environment is removed. */
const IDLE_MS = 600_000;
/**
 * Maximum age of an environment. It is shorter than the two hours after which processes on other machines remove a container, and than the lifetime
 * of a Kubernetes Job, which is one hour.
 */
const MAX_AGE_MS = 45 * 60_000;
/**
 * Each environment can use the memory of a container. Beyond these numbers, the environment that has been idle longest is removed. The limit of the
 * tenant applies first, so that no tenant causes the removal of the environments of others.
 */
const MAX_IDLE = 16;
const MAX_IDLE_OF_TENANT = 4;

interface Environment {
  tenant: string;
  session: Promise<Session>;
  /** Resolves when the last queued run has ended. */
  last: Promise<unknown>;
  queued: number;
  createdAt: number;
  timer?: NodeJS.Timeout;
}

/**
 * Containers that are reused by runs with the same key, one run at a time. Between two runs /tmp remains, and in a Kubernetes pod also /dev/shm and
 * System V shared memory. All processes are ended. An environment is removed if it is idle for too long, if too many are idle, or after a run if it is
 * too old or the run did not exit normally. The next run then gets a new environment.
 */
export class Environments {
  readonly #all = new Map<string, Environment>();

  constructor(private readonly open: (spec: ContainerSpec) => Promise<Session>) {}

  async run<R extends Pick<RunResult, 'outcome'>>(request: RunRequest, work: Work<R>): Promise<R> {
    const name = nameOf(request);
    const environment = this.#all.get(name) ?? this.#create(name, request);
    clearTimeout(environment.timer);
    environment.queued++;
    const result = environment.last.then(() => this.#runNext(name, environment, { request, work }));
    environment.last = result.catch(() => undefined);
    return result.finally(() => {
      environment.queued--;
      if (environment.queued === 0) this.#removeLater(name, environment);
    });
  }

  async close(): Promise<void> {
    const all = [...this.#all];
    this.#all.clear();
    await Promise.all(all.map(([name, environment]) => this.#remove(name, environment)));
  }

  #create(name: string, { language, network, persistence }: RunRequest): Environment {
    const environment = {
      tenant: persistence === 'ephemeral' ? '' : persistence.tenant,
      session: this.open({ language, network }),
      last: Promise.resolve(),
      queued: 0,
      createdAt: performance.now(),
    };
    this.#all.set(name, environment);
    return environment;
  }

  /** If the previous run removed the environment, a queued run gets a new environment. */
  async #runNext<R extends Pick<RunResult, 'outcome'>>(
    name: string,
    environment: Environment,
    { request, work }: { request: RunRequest; work: Work<R> },
  ): Promise<R> {
    requireNotCancelled(request.signal);
    if (this.#all.get(name) !== environment) return this.run(request, work);
    let isReusable = false;
    try {
      const result = await work(await environment.session);
      isReusable = result.outcome === 'exited' && performance.now() - environment.createdAt < MAX_AGE_MS;
      return result;
    } finally {
      if (!isReusable) void this.#remove(name, environment);
    }
  }

  #removeLater(name: string, environment: Environment): void {
    environment.timer = setTimeout(() => void this.#remove(name, environment), IDLE_MS);
    environment.timer.unref();
    // The environment is deleted and added again, so that it is last in the map. The first idle environment of the map has therefore been idle
    // longest.
    if (this.#all.get(name) !== environment) return;
    this.#all.delete(name);
    this.#all.set(name, environment);
    const idle = [...this.#all].filter(([, { queued }]) => queued === 0);
    const own = idle.filter(([, { tenant }]) => tenant === environment.tenant);
    const surplus = own.length > MAX_IDLE_OF_TENANT ? own[0] : idle.length > MAX_IDLE ? idle[0] : undefined;
    if (surplus) void this.#remove(...surplus);
  }

  async #remove(name: string, environment: Environment): Promise<void> {
    clearTimeout(environment.timer);
    if (this.#all.get(name) === environment) this.#all.delete(name);
    const session = await environment.session.catch(() => undefined);
    await session?.container.remove();
  }
}

/** The mount is a part of the key, because files of one mount must not reach another mount through /tmp. */
function nameOf({ persistence, mount, network }: RunRequest): string {
  return JSON.stringify([persistence, mount === 'none' ? mount : mount.key, network]);
}
