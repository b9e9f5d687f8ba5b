import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type ServiceName } from '@drawbridge/contracts';
import { describeError } from '@drawbridge/rpc';
import kafkajs, { type Consumer, type EachBatchPayload, type KafkaMessage } from 'kafkajs';
import { type Bus, type Handler, inBatches, type Log, type Message, type Retry, RETRY, type Topic } from './bus.js';
import { deliver } from './deliver.js';
import { kafkaTopic, reconnectingClient, toBusError } from './kafka-client.js';

const PING_MS = 2_000;
const REJOIN_MS = 1_000;
const SESSION_MS = 10_000;
// A stopping consumer waits until its fetch completes. A short wait adds no latency, because the broker responds immediately when it has records.
const FETCH_MS = 1_000;

// With its default settings, kafkajs would retry a publish indefinitely while the relay keeps its transaction open. The relay retries anyway.
const TRIES = { initialRetryTime: 100, maxRetryTime: 2_000, retries: 5 };

type Options = {
  brokers: string[];
  /** Prefix of every topic and group. Installations that share brokers with different prefixes exchange no events. */
  prefix?: string;
  clientId: string;
  log: Log;
  retry?: Retry;
};

type Subscription = {
  topic: Topic;
  group: ServiceName;
  handler: Handler;
  consumer?: Consumer;
  joining?: Promise<void>;
  joined: boolean;
};

/** The bus on Apache Kafka. It connects on demand and reconnects after a lost connection, so that a service starts and runs without the brokers. */
export class KafkaBus implements Bus {
  readonly #prefix: string;
  readonly #log: Log;
  readonly #retry: Retry;
  readonly #kafka: kafkajs.Kafka;
  readonly #admin = reconnectingClient(() => this.#kafka.admin());
  readonly #producer = reconnectingClient(() =>
    this.#kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
    }),
  );
  readonly #stopping = new AbortController();
  readonly #subscriptions: Subscription[] = [];
  readonly #topics = new Set<string>();
  #sending = Promise.resolve();

  constructor({ brokers, prefix = '', clientId, log, retry = RETRY }: Options) {
    this.#prefix = prefix;
    this.#log = log;
    this.#retry = retry;
    // kafkajs logs every attempt, and there are many until the first connection. These entries get the level debug, because this class logs final
    // failures.
    const logCreator: kafkajs.logCreator =
      () =>
      ({ namespace, log: entry }) =>
        log.debug({}, `kafkajs ${namespace}: ${entry.message}`);
    this.#kafka = new kafkajs.Kafka({ brokers, clientId, connectionTimeout: 3_000, retry: TRIES, logCreator });
  }

  // Sends one batch of messages at a time: after a failed send kafkajs reuses its sequence numbers, and the broker would drop a concurrent send with
  // the same numbers as a duplicate. After a failure a new producer starts with a new producer id.
  publish(topic: Topic | `${Topic}.dead`, messages: Message[]): Promise<void> {
    const sent = this.#sending.then(async () => {
      this.#stopping.signal.throwIfAborted();
      await this.#ensureTopic(topic);
      await this.#producer.use((client) => client.send({ topic: this.#prefix + topic, acks: -1, messages }));
    });
    // The topic may have been lost with the broker's data. The next attempt creates it again.
    this.#sending = sent.catch(() => void this.#topics.delete(topic));
    return sent.catch((error: unknown) => Promise.reject(toBusError(error)));
  }

  subscribe(topic: Topic, group: ServiceName, handler: Handler): void {
    this.#subscriptions.push({ topic, group, handler, joined: false });
  }

  async start(): Promise<void> {
    for (const subscription of this.#subscriptions) subscription.joining = this.#join(subscription);
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('The event bus has stopped'));
    await Promise.allSettled(
      this.#subscriptions.map(async (subscription) => {
        await subscription.joining;
        await subscription.consumer?.disconnect();
      }),
    );
    await this.#sending;
    await Promise.all([this.#producer.close(), this.#admin.close()]);
  }

  async ping(): Promise<void> {
    const absent = this.#subscriptions.find(({ joined }) => !joined);
    if (absent) throw new ApiError('UNAVAILABLE', `The consumer has not joined the group of ${absent.topic} yet`);

    try {
      const answer = this.#admin.use((client) => client.describeCluster());
      await within(PING_MS, answer);
    } catch (cause) {
      throw new ApiError('UNAVAILABLE', 'Kafka does not respond', { cause });
    }
  }

  /** Joins the group. Retries until it succeeds or the bus stops, and joins again after a crash. */
  async #join(subscription: Subscription): Promise<void> {
    const { topic, group } = subscription;
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#ensureTopic(topic);
        return await this.#run(subscription);
      } catch (error) {
        this.#log.warn({ topic, group, error: describeError(error) }, 'could not start a subscription; retrying');
        await subscription.consumer?.disconnect().catch(() => undefined);
        await this.#pause();
      }
    }
  }

  async #run(subscription: Subscription): Promise<void> {
    const { topic, group } = subscription;
    // kafkajs requires all members of a group to have the same topics, so each topic has a separate group.
    const consumer = this.#kafka.consumer({
      groupId: `${this.#prefix}${group}.${topic}`,
      allowAutoTopicCreation: false,
      sessionTimeout: SESSION_MS,
      maxWaitTimeInMs: FETCH_MS,
      retry: { ...TRIES, restartOnFailure: async () => false },
    });
    subscription.consumer = consumer;
    consumer.on('consumer.group_join', () => {
      subscription.joined = true;
    });
    consumer.on('consumer.crash', ({ payload }) => {
      subscription.joined = false;
      this.#topics.delete(topic);
      const line = { topic, group, error: describeError(payload.error) };
      this.#log.warn(line, 'a subscription was interrupted; rejoining');
      subscription.joining = this.#pause().then(() => this.#join(subscription));
    });
    await consumer.connect();
    await consumer.subscribe({ topic: this.#prefix + topic, fromBeginning: true });
    const eachBatch = (payload: EachBatchPayload) => this.#deliver(subscription, payload);
    await consumer.run({ eachBatchAutoResolve: false, eachBatch });
  }

  /** When this function returns, kafkajs commits the offsets up to the last resolved offset, which is the offset of the last handled batch. */
  async #deliver({ topic, group, handler }: Subscription, payload: EachBatchPayload): Promise<void> {
    const { batch, heartbeat } = payload;
    const { signal } = this.#stopping;
    const deadLetter = (message: Message) => this.publish(`${topic}.dead`, [message]);
    const delivery = { topic, group, handler, deadLetter, retry: this.#retry, log: this.#log, signal, heartbeat };
    for (const records of inBatches(batch.messages)) {
      if (signal.aborted || payload.isStale()) return;
      try {
        await deliver(records.map(toMessage), { ...delivery, onOutage: 'wait' });
      } catch (error) {
        if (signal.aborted) return;
        throw error;
      }
      payload.resolveOffset(records.at(-1)!.offset);
    }
  }

  async #ensureTopic(topic: string): Promise<void> {
    if (this.#topics.has(topic)) return;
    const made = kafkaTopic(this.#prefix + topic);
    await this.#admin.use((client) => client.createTopics({ topics: [made] }));
    this.#topics.add(topic);
  }

  #pause(): Promise<unknown> {
    return sleep(REJOIN_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}

function toMessage({ key, value }: KafkaMessage): Message {
  return { key: key?.toString() ?? '', value: value ?? Buffer.alloc(0) };
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const late = sleep(ms, undefined, { signal: done.signal }).then(() => {
    throw new Error(`No response within ${ms} ms`);
  });
  await Promise.race([work, late]).finally(() => done.abort());
}
