import { ApiError, ConnectionError, RequestTimeoutError } from '../api-error.js';
import { pause } from '../retry.js';
import { type Output } from './output.js';

/** An item of a list with the newest item first. */
interface Listed {
  id: string;
  createdAt: string;
}

/** Each poll (`look`) of the list reads at most this many items, so that it ends although new items arrive. */
const MAX_ITEMS = 5_000;
/** Each poll reads the newest items of this time again, because an item can appear in the list after a newer item did. */
const OVERLAP_MS = 10_000;
/** One poll in this many is deep: it reads the items of `deepMs` again, which finds items that appear very late. */
const DEEP_EVERY = 15;
/** The longest pause between two polls, and the factor by which pauses grow while polls find nothing. */
const IDLE_PAUSE_MS = 5_000;
const IDLE_GROWTH = 1.25;

/** Finds the items of a list that were not there before, each once. */
export class NewItems<Item extends Listed> {
  private readonly seen = new Map<string, number>();
  private newest = -Infinity;
  private looks = 0;

  /** `deepMs` is the longest time after which an item can appear behind newer ones. `note` receives messages for the person. */
  constructor(
    private readonly list: () => AsyncIterable<Item>,
    private readonly deepMs: number,
    private readonly note: (text: string) => void,
  ) {}

  /** Marks the items that the list contains now as known. Without this call, the first poll returns them. */
  async start(): Promise<void> {
    for await (const { createdAt } of this.list()) {
      this.newest = Date.parse(createdAt);
      break;
    }
    if (this.newest !== -Infinity) await this.look(this.deepMs);
  }

  /** Marks items as known, so that no poll returns them. */
  skip(items: readonly Item[]): void {
    for (const { id, createdAt } of items) this.seen.set(id, Date.parse(createdAt));
  }

  /** Returns the new items, the oldest first. */
  next(): Promise<Item[]> {
    this.looks++;
    return this.look(this.looks % DEEP_EVERY === 0 ? this.deepMs : OVERLAP_MS);
  }

  private async look(overlapMs: number): Promise<Item[]> {
    const horizon = this.newest - overlapMs;
    const found: Item[] = [];
    let { newest } = this;
    let looked = 0;
    for await (const item of this.list()) {
      const at = Date.parse(item.createdAt);
      if (at < horizon) break;
      if (++looked > MAX_ITEMS) {
        if (at > this.newest) this.note(`Too many items are new: only the newest ${MAX_ITEMS} were read.`);
        break;
      }
      if (!this.seen.has(item.id)) found.push(item);
      newest = Math.max(newest, at);
    }
    // Stored only after the whole list was read, so that the next poll reads all items again if this one fails.
    this.newest = newest;
    this.skip(found);
    for (const [id, at] of this.seen) if (at < this.newest - this.deepMs) this.seen.delete(id);
    return found.reverse();
  }
}

interface Following {
  signal: AbortSignal;
  output: Output;
  /** The pause, in milliseconds, after a poll that found something. */
  pauseMs: number;
  /** Waits between two polls. Tests replace it. */
  wait?: typeof pause;
}

/**
 * Repeats `look` until the signal is aborted, with longer pauses while it returns false because it found nothing. Continues after a temporary
 * failure, and rejects with any other error.
 */
export async function follow(
  look: () => Promise<boolean>,
  { signal, output, pauseMs, wait = pause }: Following,
): Promise<never> {
  for (let delay = pauseMs; ;) {
    signal.throwIfAborted();
    let isFound = false;
    try {
      isFound = await look();
    } catch (error) {
      notePassing(error, { signal, output });
    }
    // The pauses grow, because all requests of an organization share one rate limit.
    delay = isFound ? pauseMs : Math.min(delay * IDLE_GROWTH, IDLE_PAUSE_MS);
    await wait(delay, signal);
  }
}

/** Prints a temporary failure, such as a dropped connection. Throws any other error, and throws every error after the signal was aborted. */
export function notePassing(error: unknown, { signal, output }: Pick<Following, 'signal' | 'output'>): void {
  if (signal.aborted || !isPassing(error)) throw error;
  output.note(`${(error as Error).message}. Trying again.`);
}

function isPassing(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429;
  return error instanceof ConnectionError || error instanceof RequestTimeoutError;
}
