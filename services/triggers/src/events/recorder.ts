import { type Enqueue, type Queryable } from '@drawbridge/jobs';
import { recordEvents, type Telling } from './record-events.js';

/** Limits what one statement writes, and what is held in memory until then. */
const MOST = { events: 500, characters: 4 * 1_048_576 };

export interface Recorder {
  /** Records events, now or with a later batch. */
  tell(told: readonly Telling[]): Promise<void>;
  /** Records the rest and enqueues all deliveries. */
  end(): Promise<void>;
}

/** Records events of many sources in batches, and enqueues their deliveries together at the end. */
export function recorder(tx: Queryable, enqueue: Enqueue): Recorder {
  const deliveries: Parameters<Enqueue>[1][number][] = [];
  const collect: Enqueue = async (_tx, more) => void deliveries.push(...more);
  let waiting: Telling[] = [];
  let characters = 0;

  async function write(): Promise<void> {
    await recordEvents(tx, collect, waiting);
    [waiting, characters] = [[], 0];
  }

  return {
    async tell(told) {
      for (const one of told) {
        waiting.push(one);
        characters += one.payload.length;
        if (waiting.length >= MOST.events || characters >= MOST.characters) await write();
      }
    },
    async end() {
      await write();
      await enqueue(tx, deliveries);
    },
  };
}
