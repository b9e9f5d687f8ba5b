import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Carrier, type NewCarrier } from './carriers.js';
import { type Replay, type ReplayResult } from './replay.js';

/** Until it has loaded what it runs: a machine that has much to do starts one slowly. */
const START_MS = 30_000;
/** A carrier that has nothing to do gives its memory back. */
const IDLE_MS = 10_000;

/** Its carrier did not outlive a job: that took too long, or more memory than there may be. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
}

/** It was not begun: the same may be done later. */
export class NotBegunError extends Error {
  override readonly name = 'NotBegunError';
}

/** Replays one run at a time, in a carrier that is started when it is needed. */
export class Replayer {
  private carrier: Carrier | undefined;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly newCarrier: NewCarrier,
    private readonly extraPieces: string,
  ) {}

  /** Throws LimitError, NotBegunError where no carrier could be started, and Error for a job that can't be given to one. */
  async replay(job: Replay): Promise<ReplayResult> {
    clearTimeout(this.idle);
    try {
      const carrier = this.carrier ?? (await this.begin());
      const answered = messageOf(carrier, carrier.limitMs).catch((cause: unknown) => {
        throw new LimitError('A carrier ended with its job', { cause });
      });
      answered.catch(() => undefined); // nobody waits for it where this throws
      carrier.post(job);
      const replayed = await answered;
      if (carrier.isSpent()) await this.end();
      return replayed;
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      this.idle = setTimeout(() => void this.end(), IDLE_MS).unref();
    }
  }

  private async begin(): Promise<Carrier> {
    const carrier = this.newCarrier(this.extraPieces);
    carrier.events.on('error', () => undefined); // whoever waits hears of it
    carrier.events.once('exit', () => {
      if (this.carrier === carrier) this.carrier = undefined;
    });
    this.carrier = carrier;
    await messageOf(carrier, START_MS).catch((cause: unknown) => {
      throw new NotBegunError('No carrier could be started', { cause });
    });
    return carrier;
  }

  async end(): Promise<void> {
    clearTimeout(this.idle);
    const { carrier } = this;
    this.carrier = undefined;
    await carrier?.end();
  }
}

/** The next that it says. Throws when it died, or says nothing in that time. */
async function messageOf({ events }: Carrier, withinMs: number): Promise<ReplayResult> {
  const waiting = new AbortController();
  const { signal } = waiting;
  try {
    // The first of these also fails with what the carrier failed with.
    return await Promise.race([
      once(events, 'message', { signal }).then(([said]) => said),
      once(events, 'exit', { signal }).then(() => fail('It ended')),
      sleep(withinMs, undefined, { signal }).then(() => fail('Took too long')),
    ]);
  } finally {
    waiting.abort();
  }
}

function fail(message: string): never {
  throw new Error(message);
}
