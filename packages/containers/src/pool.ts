import { type Language, LANGUAGES } from './driver.js';
import type { Session } from './run.js';

/** Pre-started containers for one run each. A taken one is replaced in the background; an empty pool starts one at once. */
export class Pool {
  readonly #ready = new Map<Language, Promise<Session>[]>(LANGUAGES.map((language) => [language, []]));
  #isOpen = false;

  constructor(
    private readonly open: (language: Language) => Promise<Session>,
    private readonly sizes: Partial<Record<Language, number>>,
  ) {}

  /** Starts what is missing. A start that fails is left out, and the next run reports why. */
  fill(): void {
    this.#isOpen = true;
    for (const language of LANGUAGES) this.#fill(language);
  }

  async take(language: Language): Promise<Session> {
    const next = this.#of(language).shift();
    if (this.#isOpen) this.#fill(language);
    const session = await next?.catch(() => undefined);
    // The container may have ended while it waited, for example with the engine.
    if (session && !session.container.output.readableEnded && !session.container.input.destroyed) return session;
    await session?.container.remove().catch(() => undefined);
    return this.open(language);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    const sessions = [...this.#ready.values()].flatMap((waiting) => waiting.splice(0));
    await Promise.allSettled(sessions.map(async (session) => (await session).container.remove()));
  }

  #fill(language: Language): void {
    const waiting = this.#of(language);
    while (waiting.length < (this.sizes[language] ?? 1)) {
      const session = this.open(language);
      waiting.push(session);
      session.catch(() => {
        const index = waiting.indexOf(session);
        if (index >= 0) waiting.splice(index, 1);
      });
    }
  }

  #of(language: Language): Promise<Session>[] {
    return this.#ready.get(language) ?? [];
  }
}
