import { type Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { type Message, MessageTooLarge } from './bus.js';
import { deliver, type Delivery } from './deliver.js';
import { idOf, messages, quietLog } from './fixtures/messages.js';

const retry = { attempts: 2, firstDelayMs: 1, timeLimitAttempts: 3 };
const timeLimit = () => Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });

let dead: string[];
let handled: string[];
let tries: Map<string, number>;
let log: ReturnType<typeof quietLog>;

beforeEach(() => {
  [dead, handled, tries, log] = [[], [], new Map(), quietLog()];
});

/** Delivers messages. Handling the `poison` message fails with the error. */
function deliverWith(
  sent: Message[],
  { poison, error, ...changes }: Partial<Delivery> & { poison: string; error: () => Error },
): Promise<void> {
  const handler = async (events: Envelope[]): Promise<void> => {
    const key = events.length === 1 ? events[0]!.id : 'batch';
    tries.set(key, (tries.get(key) ?? 0) + 1);
    if (events.some(({ id }) => id === poison)) throw error();
    handled.push(...events.map(({ id }) => id));
  };
  const deadLetter = async (message: Message): Promise<void> => void dead.push(idOf(message));
  const { signal } = new AbortController();
  const parts = { topic: 't', group: 'g', handler, deadLetter, retry, log, signal };
  return deliver(sent, { ...parts, onOutage: 'wait', ...changes });
}

describe('deliver', () => {
  it('gives up an event that always times out, after the others of its batch', async () => {
    const sent = messages(4);
    const poison = idOf(sent[1]!);
    await deliverWith(sent, { poison, error: timeLimit });
    expect(dead).toEqual([poison]);
    expect(handled).toEqual(sent.map(idOf).filter((id) => id !== poison));
    expect(tries.get(poison)).toBe(retry.attempts + retry.timeLimitAttempts);
  });

  it('gives up a single event that always times out', async () => {
    const sent = messages(1);
    await deliverWith(sent, { poison: idOf(sent[0]!), error: timeLimit });
    expect(dead).toEqual(sent.map(idOf));
  });

  it('passes a timeout on to a publisher that retries', async () => {
    const sent = messages(3);
    const delivering = deliverWith(sent, { poison: idOf(sent[1]!), error: timeLimit, onOutage: 'reject' });
    await expect(delivering).rejects.toThrow('statement timeout');
    expect(dead).toEqual([]);
  });

  it('continues if an event is too large for the dead letters', async () => {
    const sent = messages(2);
    const deadLetter = (): Promise<void> => Promise.reject(new MessageTooLarge('refused'));
    await deliverWith(sent, { poison: idOf(sent[0]!), error: () => new Error('on purpose'), deadLetter });
    expect(handled).toEqual([idOf(sent[1]!)]);
    expect(log.errors).toHaveLength(1);
  });
});
