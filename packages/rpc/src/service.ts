import { setTimeout as sleep } from 'node:timers/promises';
import { type ServiceName } from '@drawbridge/contracts';
import { type Network } from './client.js';
import { type Exposed } from './dispatch.js';
import { type Logger } from './log.js';
import { type Metric } from './metrics.js';
import { type Config, type Variables } from './variables.js';

/** The dependencies of a service. They are the same in a separate process and in the all-in-one process. */
export interface ServiceContext<V extends Variables = Variables> {
  config: Config<V>;
  network: Network;
  log: Logger;
}

/** A background job that processes stored rows. Its failures appear in the metrics. */
export interface Job {
  /** The label in the metrics. It has few possible values, which are the same in every process. */
  name: string;
  /** Returns the number of rows that failed in their last attempt for a reason of their own, not because of an outage. */
  putAside(): number;
}

/** Work that a service does in addition to its calls, such as an HTTP listener, an event consumer or an outbox relay. */
export interface Background {
  jobs?: readonly Job[];
  start(): Promise<void> | void;
  /** Completes the current work. Work that is not complete at `deadline` (epoch milliseconds) is abandoned. */
  stop(deadline: number): Promise<void>;
}

export interface Service {
  name: ServiceName;
  rpcs: Exposed[];
  background?: Background[];
  metrics?: Metric[];
  /** Throws if the service cannot work, for example because its database is unavailable. */
  ready?(): Promise<void>;
  /** Returns descriptions of degraded functions while the service works, such as `events are 95 s late`. Empty if nothing is degraded. */
  degraded?(): Promise<string[]>;
  close(): Promise<void>;
}

/** Returns descriptions of the degraded functions of a service. Throws if the service cannot work. */
export async function readinessOf({ ready, degraded }: Pick<Service, 'ready' | 'degraded'>): Promise<string[]> {
  await ready?.();
  return (await degraded?.()) ?? [];
}

/** A service that is not yet started. */
export interface ServiceFactory<V extends Variables = Variables> {
  name: ServiceName;
  /** The environment variables that this service reads, in addition to those of every process. */
  variables: V;
  open(host: ServiceContext<V>): Promise<Service>;
}

/** Resolves when the work completes, or when `deadline` (epoch milliseconds) has passed. Background work uses it in `stop`. */
export async function untilDeadline(work: Promise<unknown>, deadline: number): Promise<void> {
  await Promise.race([work, sleep(Math.max(0, deadline - Date.now()), undefined, { ref: false })]);
}
