import { type ServiceName } from '@drawbridge/contracts';
import { type Network } from './client.js';
import { type Exposed } from './dispatch.js';
import { type Logger } from './log.js';
import { type Metric } from './metrics.js';
import { type Config, type Variables } from './variables.js';

/** What a service is given: the same in a process of its own and in all-in-one. */
export interface ServiceContext<V extends Variables = Variables> {
  config: Config<V>;
  network: Network;
  log: Logger;
}

/** A job that works on stored rows by itself, for the metrics. */
export interface Job {
  /** One of few words, the same in every process. */
  name: string;
  /** How many rows failed by themselves when they were last tried. */
  putAside(): number;
}

/** Work beside the calls: an HTTP door, an event consumer, an outbox relay. */
export interface Background {
  /** The jobs that it does. */
  jobs?: readonly Job[];
  start(): Promise<void> | void;
  /** Finishes what is under way; what may take long gives up at `deadline` (epoch milliseconds). */
  stop(deadline: number): Promise<void>;
}

export interface Service {
  name: ServiceName;
  rpcs: Exposed[];
  background?: Background[];
  /** What an operator watches of it. */
  metrics?: Metric[];
  /** Throws while the service can't do its work (its database is away). */
  ready?(): Promise<void>;
  /** What does not work as it should while the service does its work: `events are 95 s late`. Empty when all is well. */
  degraded?(): Promise<string[]>;
  close(): Promise<void>;
}

/** What is degraded of a service. Throws while it cannot do its work. */
export async function readinessOf({ ready, degraded }: Pick<Service, 'ready' | 'degraded'>): Promise<string[]> {
  await ready?.();
  return (await degraded?.()) ?? [];
}

/** A service before it is opened. */
export interface ServiceFactory<V extends Variables = Variables> {
  name: ServiceName;
  /** What it reads of the environment, beside what every process does. */
  variables: V;
  open(host: ServiceContext<V>): Promise<Service>;
}
