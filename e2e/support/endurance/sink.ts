import { eventually } from '../eventually.js';
import { type WebhookReceiver } from '../webhook-receiver.js';
import { type Ledger } from './ledger.js';

/** Where callbacks come to: it notes each in the ledger, and answers at once unless it is held. */
export interface Sink {
  /** From now on nothing is answered, until the answer to this is called. */
  hold(): () => void;
  /** Ids of the events of callbacks that wait for an answer, once there are so many. */
  held(many: number): Promise<string[]>;
}

export function sinkOf(receiver: WebhookReceiver, ledger: Ledger): Sink {
  const waiting = new Set<string>();
  let isOpen: Promise<void> | undefined;
  receiver.on('*', async ({ body }) => {
    const eventId: string = body.id;
    // What the catch hook tells of is the whole request.
    const number: number = body.payload.id ?? body.payload.body.id;
    const arrival = { eventId, at: Date.now(), answeredAt: Infinity };
    ledger.get(number)!.arrivals.push(arrival);
    waiting.add(eventId);
    await isOpen;
    waiting.delete(eventId);
    arrival.answeredAt = Date.now();
    return {};
  });
  return {
    hold() {
      let letGo = (): void => undefined;
      isOpen = new Promise((resolve) => (letGo = resolve));
      return () => {
        isOpen = undefined;
        letGo();
      };
    },
    held: (many) =>
      eventually(async () => {
        expect(waiting.size).toBeGreaterThanOrEqual(many);
        return [...waiting];
      }),
  };
}
