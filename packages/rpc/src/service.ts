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

/** Work beside the calls: an HTTP door, an event consumer, an outbox relay. */
export interface Background {
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
  /** Where callers from outside reach it, once its background has started. */
  port?(): number;
  /** Throws while the service can't do its work (its database is away). */
  ready?(): Promise<void>;
  close(): Promise<void>;
}

/** A service before it is opened. */
export interface ServiceFactory<V extends Variables = Variables> {
  name: ServiceName;
  /** What it reads of the environment, beside what every process does. */
  variables: V;
  open(host: ServiceContext<V>): Promise<Service>;
}
