import type { ServiceName } from '@drawbridge/contracts';
import { type Bus, type Handler, inBatches, type Log, type Message, type Retry, RETRY, type Topic } from './bus.js';
import { deliver } from './deliver.js';

type Member = { topic: Topic; group: ServiceName; handler: Handler; tail: Promise<void> };

/**
 * Connects the services of one process. It stores nothing: `publish` resolves when every group has handled the messages. Until then their outbox rows
 * stay unpublished, so that they survive a crash.
 */
export class InProcessBus implements Bus {
  readonly #log: Log;
  readonly #retry: Retry;
  readonly #members: Member[] = [];
  readonly #stopping = new AbortController();
  #open = () => {};
  readonly #opened = new Promise<void>((resolve) => {
    this.#open = resolve;
  });

  constructor({ log, retry = RETRY }: { log: Log; retry?: Retry }) {
    this.#log = log;
    this.#retry = retry;
  }

  async publish(topic: Topic | `${Topic}.dead`, messages: Message[]): Promise<void> {
    await this.#opened;
    this.#stopping.signal.throwIfAborted();
    const members = this.#members.filter((member) => member.topic === topic);
    const outcomes = await Promise.allSettled(
      [...assignToMembers(messages, members)].map(([member, its]) => this.#enqueue(member, its)),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  subscribe(topic: Topic, group: ServiceName, handler: Handler): void {
    this.#members.push({ topic, group, handler, tail: Promise.resolve() });
  }

  async start(): Promise<void> {
    this.#open();
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('The event bus has stopped'));
    this.#open();
    await Promise.all(this.#members.map((member) => member.tail));
  }

  async ping(): Promise<void> {}

  /** Delivers the messages after earlier messages of the member, so that its events stay in order. */
  #enqueue(member: Member, messages: Message[]): Promise<void> {
    const { topic, group, handler } = member;
    const deadLetter = (message: Message) => this.publish(`${topic}.dead`, [message]);
    const { signal } = this.#stopping;
    const delivery = { topic, group, handler, deadLetter, retry: this.#retry, log: this.#log, signal };
    const done = member.tail.then(async () => {
      for (const batch of inBatches(messages)) await deliver(batch, { ...delivery, onOutage: 'reject' });
    });
    member.tail = done.catch(() => undefined);
    return done;
  }
}

/** Selects the receivers of each message: in each group, the member that corresponds to the hash of the key. */
function assignToMembers(messages: Message[], members: Member[]): Map<Member, Message[]> {
  const shares = new Map<Member, Message[]>();
  for (const group of new Set(members.map((member) => member.group))) {
    const its = members.filter((member) => member.group === group);
    for (const message of messages) {
      const member = its[hash(message.key) % its.length]!;
      shares.set(member, shares.get(member) ?? []);
      shares.get(member)!.push(message);
    }
  }
  return shares;
}

function hash(key: string): number {
  let sum = 0;
  for (const letter of key) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0;
  return sum;
}
