import { currentContext } from '@drawbridge/rpc';
import { LRUCache } from 'lru-cache';

const MAX_KNOWN = 50_000;
const MAX_MISSES = 10_000;

/** Looks up API keys, sessions and MCP tokens by hash; `Known` is the data cached for a valid one. */
export class TokenLookUps<Known extends object> {
  private readonly known = new LRUCache<string, Known>({ max: MAX_KNOWN });
  // Separate, so that a flood of wrong tokens does not cause a new look-up of every right one.
  private readonly misses: LRUCache<string, true>;
  private readonly underWay = new Set<string>();

  /** `isMiss` recognizes the error of an invalid token, which is looked up again after `missMs`. */
  constructor(
    missMs: number,
    private readonly isMiss: (error: unknown) => boolean,
  ) {
    this.misses = new LRUCache({ max: MAX_MISSES, ttl: missMs, ttlResolution: 0 });
  }

  /** Remembers a valid token, so that its look-ups are no longer counted. */
  remember(hash: string, known: Known): void {
    this.known.set(hash, known);
  }

  /** Returns what the last look-up of the token found. Use it for display, not for authorization. */
  lastKnown(hash: string): Known | undefined {
    return this.known.get(hash);
  }

  opensNothing(hash: string): boolean {
    return this.misses.has(hash);
  }

  /**
   * Returns undefined for an invalid token. Calls `countUnknown` before it looks up a token that was not valid lately; if that throws, there is no
   * look-up. Calls the function that `countUnknown` returned unless the token is invalid. Throws what `lookUp` throws.
   */
  async find<T>(hash: string, countUnknown: () => () => void, lookUp: () => Promise<T>): Promise<T | undefined> {
    if (this.misses.has(hash)) return undefined;
    const uncount = this.known.has(hash) || this.underWay.has(hash) ? undefined : countUnknown();
    this.underWay.add(hash);
    try {
      const found = await lookUp();
      uncount?.();
      return found;
    } catch (error) {
      if (!this.isMiss(error)) {
        // A caller that hung up still caused a look-up, so it stays counted.
        if (!currentContext()?.signal.aborted) uncount?.();
        throw error;
      }
      this.known.delete(hash);
      this.misses.set(hash, true);
      return undefined;
    } finally {
      this.underWay.delete(hash);
    }
  }
}
