import { currentContext } from '@drawbridge/rpc';
import { LRUCache } from 'lru-cache';

const MAX_KNOWN = 50_000;
const MAX_MISSES = 10_000;

/** Look-ups of API keys, sessions and MCP tokens, each by its hash; `Known` is what is remembered of a valid one. */
export class TokenLookUps<Known extends object> {
  private readonly known = new LRUCache<string, Known>({ max: MAX_KNOWN });
  // Separate, so that a flood of wrong tokens does not cause a new look-up of every right one.
  private readonly misses: LRUCache<string, true>;
  private readonly underWay = new Set<string>();

  /** A token that opens nothing, as `isMiss` says of the error, is looked up again after `missMs`. */
  constructor(
    missMs: number,
    private readonly isMiss: (error: unknown) => boolean,
  ) {
    this.misses = new LRUCache({ max: MAX_MISSES, ttl: missMs, ttlResolution: 0 });
  }

  /** Remembers a valid token: its look-ups are not counted any more. */
  remember(hash: string, known: Known): void {
    this.known.set(hash, known);
  }

  /** What the token stood for when it was last looked up. Use it for what is shown, not for what is allowed. */
  lastKnown(hash: string): Known | undefined {
    return this.known.get(hash);
  }

  opensNothing(hash: string): boolean {
    return this.misses.has(hash);
  }

  /**
   * Returns undefined for a token that opens nothing. `countUnknown` is called before the look-up of a token that was not valid lately, and
   * throws to prevent it; what it returns is called unless the token opens nothing. Throws what `lookUp` throws.
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
        // A caller who hung up caused a look-up nonetheless.
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
