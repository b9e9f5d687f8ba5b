import { type Egress } from '@drawbridge/egress';
import { type Send } from '@drawbridge/piece-kit';
import { type EndTurn, Turns } from '@drawbridge/turns';

/** Of one organization: each is held several times while it is read, by this process and by the thread that reads it. */
const LARGE_ANSWERS = { atOnce: 4, waiting: 1_000 };

/** How one run sends. Its large answers take room until it has ended. */
export interface Sender {
  send: Send;
  free(): void;
}

/**
 * Bounds what an organization sends (egress does) and how many large answers a process holds of what it hears: the rest
 * stays with its provider until there is room, within the time of the request.
 */
export function senders(egress: Egress): (orgId: string) => Sender {
  const turns = new Turns(LARGE_ANSWERS);
  return (orgId) => {
    const send = egress.sendFor(orgId);
    let room: Promise<EndTurn> | undefined;
    const makeRoom = async (signal: AbortSignal): Promise<void> => {
      await (room ??= turns.take(orgId, signal));
    };
    return {
      send: (request) => send({ ...request, makeRoom }),
      free: () => void room?.then((end) => end()).catch(() => undefined),
    };
  };
}
