import type { Bus, Log } from './bus.js';
import { InProcessBus } from './in-process-bus.js';
import { KafkaBus } from './kafka-bus.js';

/** The bus that the operator chose: Kafka at `brokers` (KAFKA_BROKERS, a comma list), in this process without it. */
export function openBus({ brokers, clientId, log }: { brokers?: string; clientId: string; log: Log }): Bus {
  if (!brokers) return new InProcessBus({ log });
  return new KafkaBus({ brokers: brokers.split(',').map((broker) => broker.trim()), clientId, log });
}
