import type { Bus, Log } from './bus.js';
import { InProcessBus } from './in-process-bus.js';
import { KafkaBus } from './kafka-bus.js';

interface BusConfig {
  /** A comma-separated list. If it is empty, events stay in this process. */
  KAFKA_BROKERS: string;
  KAFKA_PREFIX: string;
}

export function openBus({ KAFKA_BROKERS, KAFKA_PREFIX }: BusConfig, log: Log): Bus {
  if (!KAFKA_BROKERS) return new InProcessBus({ log });
  const brokers = KAFKA_BROKERS.split(',').map((broker) => broker.trim());
  return new KafkaBus({ brokers, prefix: KAFKA_PREFIX, clientId: 'drawbridge', log });
}
