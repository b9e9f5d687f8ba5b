import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type ToolCall } from './call-tool.js';

/** Maximum staleness: a policy that blocks the action, or a deleted connection, takes effect on stored parts after this time. */
const KEPT_MS = 60_000;
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/**
 * Stores long results of calls that only read, so that the provider answers once for all parts. Execution stores the results of other calls by
 * idempotency key. A result that is evicted, or stored by another gateway, is read again.
 */
export interface LongResults {
  find(call: ToolCall): string | undefined;
  keep(call: ToolCall, outputJson: string): void;
}

export function longResults(): LongResults {
  const kept = new LRUCache<string, string>({
    ttl: KEPT_MS,
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: (outputJson) => 2 * outputJson.length,
  });
  return {
    find: (call) => kept.get(keyOf(call)),
    keep: (call, outputJson) => void kept.set(keyOf(call), outputJson),
  };
}

/** Returns the same key for the same end user, tool and arguments at one server, until the server's offer of the tool changes. */
function keyOf({ agent, tool, arguments: given }: ToolCall): string {
  const { door, bearer } = agent;
  const parts = [door.serverId, bearer.endUserId ?? null, tool.name, tool.offer, given];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
