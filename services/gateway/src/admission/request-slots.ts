import { type CallContext, type Caller, type Metric } from '@drawbridge/rpc';
import { type Release, slotRefused, TenantLimiter } from '@drawbridge/turns';
import { type Request, type RequestHandler, type Response } from 'express';
import { clientNetwork, type Kind, type Limit, LIMITS, PAGE_KINDS, type Subject } from './concurrency-limits.js';
import { type SecretCookie } from '../auth/secret-cookies.js';
import { contextOf } from '../http/request-context.js';
import { operationOf } from '../http/route-table.js';

/** If the caller of an execution disconnects, its slots are freed after this time at the latest, even if the execution has not completed. */
const OUTLASTS_MS = 60_000;
const OVER = new Error('The response has ended');

type Work = readonly [Kind, Subject];

/** Runs the next handler when the request has its slots. If `workOf` returns undefined, the request needs no slots. */
export function takeSlots(workOf: (request: Request, response: Response) => Work | undefined): RequestHandler {
  return async (request, response, next) => {
    const work = workOf(request, response);
    if (work) await slotsOf(response).take(...work);
    if (!response.closed) next();
  };
}

/** Returns the work of an operation and its caller. A request without a caller takes no slots: its operation is public and causes little load. */
export function ofOperation(_request: Request, response: Response): Work | undefined {
  const { caller } = contextOf(response);
  return caller && [operationOf(response).kind, toSubject(caller)];
}

function toSubject({ orgId, userId, keyId, sessionId }: Caller): Subject {
  return { organization: orgId || userId, credential: keyId ?? sessionId };
}

/** Returns the work of a page or OAuth request. In the fair queue, all requests without a browser cookie count as a single browser. */
export function ofPage(browser: Pick<SecretCookie, 'read'>): (request: Request, response: Response) => Work {
  return (request, response) => {
    const { caller, address } = contextOf(response);
    const asked = `${request.method} ${request.baseUrl}${request.path}`;
    const [, kind] = PAGE_KINDS.find(([pattern]) => pattern.test(asked))!;
    return [kind, { visitor: caller?.userId ?? clientNetwork(address), browser: browser.read(request) }];
  };
}

/** The slots of a gateway process. */
export class Slots {
  private readonly limiters = new Map<Limit, TenantLimiter>();

  constructor(private readonly refusals = new Refusals()) {}

  /**
   * Waits for a slot of each limit of this kind of work. The returned function frees them. `signalOf` is called only if the request must wait. Throws
   * RATE_LIMITED if too many requests wait, and TIMEOUT if the signal aborts first.
   */
  async take(kind: Kind, subject: Subject, signalOf: () => AbortSignal): Promise<Release> {
    const held: Release[] = [];
    const release = (): void => held.splice(0).forEach((end) => end());
    const limits: readonly Limit[] = LIMITS[kind];
    for (const limit of limits) {
      const values = limit.per.map((dimension) => subject[dimension]);
      if (values.includes(undefined)) continue;
      const by = limit.fairBy && subject[limit.fairBy];
      const [limiter, key] = [this.limiterOf(limit), values.join(' ')];
      try {
        held.push(limiter.tryAcquire(key) ?? (await limiter.acquire(key, signalOf(), by)));
      } catch (error) {
        release();
        throw this.refused(kind, limit, error);
      }
    }
    return release;
  }

  private limiterOf(limit: Limit): TenantLimiter {
    const known = this.limiters.get(limit);
    if (known) return known;
    const made = new TenantLimiter({ atOnce: limit.slots, waiting: limit.waiting });
    this.limiters.set(limit, made);
    return made;
  }

  private refused(kind: Kind, { what, slots, waiting }: Limit, cause: unknown): Error {
    const full = `Limit reached: ${kind}, ${what}: ${slots} at once, ${waiting} waiting. Try again in 1 s`;
    const error = slotRefused(cause, full);
    this.refusals.count({ kind, limit: what, code: error.code });
    return error;
  }
}

interface Held {
  kind: Kind;
  subject: Subject;
  release: Release;
}

/**
 * The slots of one request. They are freed when its response is closed. If its caller disconnects while a service of this process still works on the
 * request, they are freed when that work completes. The gateway cannot observe work in other processes, so it does not wait for such work.
 */
export class RequestSlots {
  private held: Held[] = [];
  private abandoned = 0;

  constructor(
    private readonly slots: Slots,
    private readonly response: Pick<Response, 'closed' | 'once'>,
    private readonly context: Pick<CallContext, 'signal' | 'abandoned'>,
  ) {
    response.once('close', () => this.end());
    context.abandoned = this;
  }

  /** Takes slots like `Slots.take`, and frees them when the request is over. */
  async take(kind: Kind, subject: Subject): Promise<void> {
    const release = await this.slots.take(kind, subject, () => this.untilOver());
    if (this.response.closed) release();
    else this.held.push({ kind, subject, release });
  }

  /** Frees the slots of this kind, or all slots, before the response is over. Returns the freed slots. */
  free(kind?: Kind): Held[] {
    const freed = kind === undefined ? this.held : this.held.filter((one) => one.kind === kind);
    this.held = kind === undefined ? [] : this.held.filter((one) => one.kind !== kind);
    for (const { release } of freed) release();
    return freed;
  }

  /** Frees the slots while `work` waits for a slow client or another server, then takes them again. */
  async outside<T>(work: () => Promise<T>): Promise<T> {
    const before = this.free();
    try {
      return await work();
    } finally {
      for (const { kind, subject } of before) await this.take(kind, subject);
    }
  }

  /** Retains the slots until `work` is complete, for which the caller no longer waits, but at most for a minute. */
  add(work: Promise<unknown>): void {
    this.abandoned += 1;
    const isOver = new Promise((resolve) => {
      const timer = setTimeout(resolve, OUTLASTS_MS).unref();
      const end = (): void => (clearTimeout(timer), resolve(undefined));
      work.then(end, end);
    });
    void isOver.then(() => {
      this.abandoned -= 1;
      this.end();
    });
  }

  /** Returns a signal that aborts when the response is closed or the request is aborted, for example because its deadline has passed. */
  private untilOver(): AbortSignal {
    const over = new AbortController();
    const leave = (): void => over.abort(OVER);
    if (this.response.closed) leave();
    this.response.once('close', leave);
    return AbortSignal.any([this.context.signal, over.signal]);
  }

  private end(): void {
    if (this.response.closed && this.abandoned === 0) this.free();
  }
}

/** Returns the slots of the request that belongs to this response. */
export function slotsOf(response: Response): RequestSlots {
  const { app, locals } = response;
  return (locals['slots'] ??= new RequestSlots(app.locals['slots'], response, contextOf(response)));
}

interface Refusal extends Record<string, string> {
  kind: string;
  limit: string;
  code: string;
}

/** Counts the requests that limits rejected in this process. */
export class Refusals {
  private readonly counts = new Map<string, { labels: Refusal; value: number }>();

  readonly metric: Metric = {
    name: 'drawbridge_gateway_requests_refused_total',
    help: 'Requests that this gateway refused by a limit, or that left while they waited for a slot.',
    type: 'counter',
    read: () => [...this.counts.values()],
  };

  count(labels: Refusal): void {
    const key = Object.values(labels).join();
    this.counts.set(key, { labels, value: 1 + (this.counts.get(key)?.value ?? 0) });
  }
}
