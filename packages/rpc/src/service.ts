import { setTimeout as sleep } from 'node:timers/promises';
import { type ServiceName } from '@drawbridge/contracts';
import { type Network } from './client.js';
import { type Exposed } from './dispatch.js';
import { type Logger } from './log.js';
import { type Metric } from './metrics.js';
import { type Config, type Variables } from './variables.js';

/** The dependencies of a service: the same in a separate process and in all-in-one. */
export interface ServiceContext<V extends Variables = Variables> {
  config: Config<V>;
  network: Network;
  log: Logger;
}

/** A job that processes stored rows in the background, as the metrics show it. */
export interface Job {
  /** One of few names, the same in every process. */
  name: string;
  /** Returns how many rows failed on their own at their last attempt. */
  putAside(): number;
}

/** Work beside the calls: an HTTP listener, an event consumer, an outbox relay. */
export interface Background {
  jobs?: readonly Job[];
  start(): Promise<void> | void;
  /** Finishes current work; gives up on slow work at `deadline` (epoch milliseconds). */
  stop(deadline: number): Promise<void>;
}

export interface Service {
  name: ServiceName;
  rpcs: Exposed[];
  background?: Background[];
  metrics?: Metric[];
  /** Throws while the service cannot work, for example without its database. */
  ready?(): Promise<void>;
  /** Returns what is degraded while the service works: `events are 95 s late`. Empty when all is well. */
  degraded?(): Promise<string[]>;
  close(): Promise<void>;
}

/** Returns what is degraded in a service. Throws while it cannot work. */
export async function readinessOf({ ready, degraded }: Pick<Service, 'ready' | 'degraded'>): Promise<string[]> {
  await ready?.();
  return (await degraded?.()) ?? [];
}

/** A service that is not started yet. */
export interface ServiceFactory<V extends Variables = Variables> {
  name: ServiceName;
  /** The environment variables that it reads, beside those of every process. */
  variables: V;
  open(host: ServiceContext<V>): Promise<Service>;
}

/** Resolves when the work is done, or when `deadline` (epoch milliseconds) has passed. Background work uses it to stop. */
export async function untilDeadline(work: Promise<unknown>, deadline: number): Promise<void> {
  await Promise.race([work, sleep(Math.max(0, deadline - Date.now()), undefined, { ref: false })]);
}
