import { type Language, LANGUAGES } from './driver.js';
import type { Session } from './run.js';

/** A waiting container is replaced after this time. If a language had no run for this time, its waiting containers are removed. */
const KEPT_MS = 30 * 60_000;

interface Waiting {
  session: Promise<Session>;
  since: number;
}

/**
 * A pool of pre-started containers, each of which is used for one run. The first run of a language starts a separate container and fills the pool. A
 * container that is taken from the pool is replaced in the background.
 */
export class Pool {
  readonly #waiting: Record<Language, Waiting[]> = { javascript: [], python: [], shell: [] };
  readonly #takenAt = new Map<Language, number>();
  #isOpen = true;

  constructor(
    private readonly open: (language: Language) => Promise<Session>,
    private readonly sizes: Partial<Record<Language, number>>,
  ) {}

  async take(language: Language): Promise<Session> {
    this.#takenAt.set(language, performance.now());
    const next = this.#waiting[language].shift();
    this.#fill(language);
    const session = await next?.session.catch(() => undefined);
    // The container may have exited while it waited for a run, for example because the engine was stopped.
    if (session && !session.container.output.readableEnded && !session.container.input.destroyed) return session;
    void session?.container.remove();
    return this.open(language);
  }

  /** Removes containers that waited too long, and replaces those of languages in use. */
  renew(now = performance.now()): void {
    for (const language of LANGUAGES) {
      const waiting = this.#waiting[language];
      const old = waiting.filter(({ since }) => now - since >= KEPT_MS);
      for (const one of old) waiting.splice(waiting.indexOf(one), 1);
      void removeAll(old);
      if (now - (this.#takenAt.get(language) ?? -Infinity) < KEPT_MS) this.#fill(language);
    }
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await removeAll(Object.values(this.#waiting).flatMap((waiting) => waiting.splice(0)));
  }

  /** Starts containers until the pool of the language is full. Omits a container that fails to start: the next run reports the reason. */
  #fill(language: Language): void {
    const waiting = this.#waiting[language];
    while (this.#isOpen && waiting.length < (this.sizes[language] ?? 1)) {
      const one = { session: this.open(language), since: performance.now() };
      waiting.push(one);
      one.session.catch(() => {
        const index = waiting.indexOf(one);
        if (index >= 0) waiting.splice(index, 1);
      });
    }
  }
}

/** Removes containers. Ignores failures, because the periodic sweep repeats a failed removal. */
async function removeAll(all: Waiting[]): Promise<void> {
  await Promise.allSettled(all.map(async ({ session }) => (await session).container.remove()));
}
