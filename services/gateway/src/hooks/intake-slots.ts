import { type Release, TenantLimiter } from '@drawbridge/turns';
import { LRUCache } from 'lru-cache';
import { waitForTurn } from '../http/concurrency-limit.js';

/** From one network, for one hook: one that many networks wait for holds only these of a network's slots. */
const PAIR = { atOnce: 6, waiting: 10_000 };
/** From one network: requests for unknown hooks, each time another, only delay their own network. */
const NETWORK = { atOnce: 24, waiting: 20_000 };
/** For one hook, fewer than there are database connections. Networks take turns. */
const HOOK = { atOnce: 6, waiting: 10_000 };
/** The same, for networks of which no event was accepted lately: their requests cannot take the slots of a provider. */
const HOOK_OF_STRANGERS = { atOnce: 2, waiting: 10_000 };
/** Hooks and networks whose events were accepted. Those that were idle longest are forgotten. */
const MAX_ACCEPTED = 50_000;

export interface Sender {
  hook: string;
  network: string;
}

/** Says which requests with events are worked on, and which wait. */
export interface IntakeSlots {
  /** Resolves when the request may go on. Hands each slot to `hold` as it is taken. Throws as `waitForTurn`. */
  take(sender: Sender, signal: AbortSignal, hold: (release: Release) => void): Promise<void>;
  /** Notes that an event was accepted: this network is no stranger to this hook any more. */
  accepted(sender: Sender): void;
}

export function intakeSlots(): IntakeSlots {
  const [pairs, networks] = [new TenantLimiter(PAIR), new TenantLimiter(NETWORK)];
  const [hooks, hooksOfStrangers] = [new TenantLimiter(HOOK), new TenantLimiter(HOOK_OF_STRANGERS)];
  const known = new LRUCache<string, true>({ max: MAX_ACCEPTED });
  return {
    async take({ hook, network }, signal, hold) {
      const pair = `${hook} ${network}`;
      // The slots of a hook are taken last: a network that waits for its own slots must not hold those that other networks need.
      hold(await waitForTurn(pairs, pair, signal));
      hold(await waitForTurn(networks, network, signal, hook));
      hold(await waitForTurn(known.has(pair) ? hooks : hooksOfStrangers, hook, signal, network));
    },
    accepted: ({ hook, network }) => void known.set(`${hook} ${network}`, true),
  };
}
