import { eventually } from '../eventually.js';
import { type WebhookReceiver } from '../webhook-receiver.js';
import { type Ledger } from './ledger.js';

/** Receives callbacks. Records each callback in the ledger and responds immediately, unless responses are withheld. */
export interface Sink {
  /** Withholds all responses until the returned function is called. */
  hold(): () => void;
  /** Waits until `many` callbacks wait for a response. Returns the ids of their events. */
  held(many: number): Promise<string[]>;
}

export function sinkOf(receiver: WebhookReceiver, ledger: Ledger): Sink {
  const waiting = new Set<string>();
  let isOpen: Promise<void> | undefined;
  receiver.on('*', async ({ body }) => {
    const eventId: string = body.id;
    // The payload of the catch hook is the whole request.
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
      let release = (): void => undefined;
      isOpen = new Promise((resolve) => (release = resolve));
      return () => {
        isOpen = undefined;
        release();
      };
    },
    held: (many) =>
      eventually(async () => {
        expect(waiting.size).toBeGreaterThanOrEqual(many);
        return [...waiting];
      }),
  };
}
