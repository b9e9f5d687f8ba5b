import { NIL_ID } from '@drawbridge/contracts';
import { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { describeError } from '@drawbridge/rpc';
import { type PoolClient } from 'pg';
import { arrayParameter } from './array-parameters.js';
import { type Bus, type Log, type Message, MessageTooLarge, type Topic } from './bus.js';
import { inSavepoint } from './in-transaction.js';
import { type OutboxStatements, SHARES, type Waiting, type WaitingRow } from './outbox-statements.js';
import { isAway, type PutAside } from './skip-failing-rows.js';
import { inSpan } from './spans.js';

/**
 * After this many consecutive failures the bus is considered unavailable. The round stops trying single organizations, and the next round tries
 * others.
 */
const MOST_FAILURES = 3;
/** Time limit for publishing the events of each organization separately. */
const ONE_BY_ONE_MS = 10_000;
/** A read of a full batch takes a few milliseconds with the right plan. */
const SLOW_READ_MS = 500;

export interface RoundParts {
  sql: OutboxStatements;
  topic: Topic;
  bus: Bus;
  log: Log;
  /** The failed organizations, by id. */
  aside: PutAside;
  /** Called after a slow read, whether it succeeded or not. */
  onSlowRead(): void;
}

export interface Round {
  handled: number;
  /** The first organization of the next round, or `NIL_ID` after all organizations were served. */
  from: string;
  isMore: boolean;
  /** Set if another process was publishing this outbox. It may have read the outbox before the last rows were committed. */
  isTaken?: boolean;
}

/** Publishes and marks some unpublished rows of the organizations from `from` on. Throws if nothing can be published. */
export async function publishRound(tx: PoolClient, parts: RoundParts, from: string): Promise<Round> {
  const { sql, aside } = parts;
  const nothing = { handled: 0, from: NIL_ID, isMore: false };
  const lock = await tx.query<{ held: boolean }>(sql.lock);
  if (!lock.rows[0]?.held) return { ...nothing, isTaken: true };
  const rows = await read(tx, parts, from);
  const [first] = rows;
  if (!first) return { ...nothing, isMore: from !== NIL_ID };

  const decoded = rows.map((row) => ({ ...row, event: decode(row) }));
  await publishFairly(tx, parts, decoded.filter(isSendable));
  // Dead letters are written last, because the previous step throws if the bus is unavailable, and then the round is rolled back.
  for (const row of decoded.filter((one) => !isSendable(one)))
    await aside.attempt(row.orgId, () => toDeadLetter(tx, parts, row));
  const isCut = first.seen > rows.length;
  const last = isCut ? rows.at(-1)!.orgId : first.nextAfter;
  const next = last === null ? NIL_ID : idAfter(last);
  return { handled: rows.length, from: next, isMore: next !== NIL_ID || isShareFull(rows) };
}

async function read(tx: PoolClient, { sql, aside, onSlowRead }: RoundParts, from: string): Promise<Waiting[]> {
  const startedAt = performance.now();
  try {
    return (await tx.query<Waiting>({ ...sql.read, values: [from, aside.keys()] })).rows;
  } finally {
    if (performance.now() - startedAt > SLOW_READ_MS) onSlowRead();
  }
}

type Sendable = WaitingRow & { event: Envelope };

const isSendable = <Row extends { event?: Envelope }>(row: Row): row is Row & { event: Envelope } => !!row.event;

function decode({ envelope }: WaitingRow): Envelope | undefined {
  try {
    return envelope ? Envelope.decode(envelope) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Publishes all rows together. If that fails, publishes the rows of each organization separately, so that one organization does not block the others.
 */
async function publishFairly(tx: PoolClient, parts: RoundParts, rows: Sendable[]): Promise<void> {
  if (rows.length === 0) return;
  try {
    await inSavepoint(tx, () => publish(tx, parts, rows));
    parts.aside.succeeded(rows.map(({ orgId }) => orgId));
  } catch (error) {
    if (isAway(error)) throw error;
    parts.log.warn(
      { topic: parts.topic, count: rows.length, error: describeError(error) },
      'could not publish a batch of events; retrying each organization separately',
    );
    await publishEach(tx, parts, { rows, error });
  }
}

async function publishEach(
  tx: PoolClient,
  parts: RoundParts,
  { rows, error }: { rows: Sendable[]; error: unknown },
): Promise<void> {
  const giveUpAt = performance.now() + ONE_BY_ONE_MS;
  let failures = 0;
  let successes = 0;
  for (const orgId of new Set(rows.map((row) => row.orgId))) {
    if (performance.now() > giveUpAt) return;
    const its = rows.filter((row) => row.orgId === orgId);
    if (await parts.aside.attempt(orgId, () => publishHalves(tx, parts, its))) successes += 1;
    else failures += 1;
    if (successes === 0 && failures === MOST_FAILURES) throw error;
  }
}

/** Publishes the rows in order. An event that is too large even alone becomes a dead letter. */
async function publishHalves(tx: PoolClient, parts: RoundParts, rows: Sendable[]): Promise<void> {
  try {
    await inSavepoint(tx, () => publish(tx, parts, rows));
  } catch (error) {
    const [first] = rows;
    if (!(error instanceof MessageTooLarge) || !first) throw error;
    if (rows.length === 1) return toDeadLetter(tx, parts, first);
    const middle = Math.ceil(rows.length / 2);
    await publishHalves(tx, parts, rows.slice(0, middle));
    await publishHalves(tx, parts, rows.slice(middle));
  }
}

async function publish(tx: PoolClient, { sql, topic, bus }: RoundParts, rows: Sendable[]): Promise<void> {
  const messages = rows.map(({ orgId, envelope, event }): Message => ({ key: orgId, value: envelope!, event }));
  await inSpan(
    'publish',
    topic,
    rows.map(({ event }) => event),
    () => bus.publish(topic, messages),
  );
  const ids = arrayParameter(
    'uuid',
    rows.map(({ id }) => id),
  );
  await tx.query(sql.mark, [ids]);
}

/** Stores the event as a dead letter in the database, because every bus rejects it. */
async function toDeadLetter(tx: PoolClient, { sql, topic, log }: RoundParts, row: WaitingRow): Promise<void> {
  const { id, orgId, bytes, envelope } = row;
  const reason = envelope && !decode(row) ? 'the envelope cannot be read' : `too large for the bus: ${bytes} bytes`;
  await inSavepoint(tx, () => tx.query(sql.toDeadLetters, [id, reason]));
  log.error({ topic, orgId, eventId: id, error: reason }, 'an event was moved to the dead letters');
}

/**
 * Returns the UUID that follows in sort order. After the maximum it returns `NIL_ID`, the id of events without an organization, so a round begins
 * again at the start.
 */
function idAfter(id: string): string {
  const next = BigInt(`0x${id.replaceAll('-', '')}`) + 1n;
  const hex = next.toString(16).padStart(32, '0').slice(-32);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function isShareFull(rows: Waiting[]): boolean {
  const counts = new Map<string, number>();
  for (const { orgId } of rows) counts.set(orgId, (counts.get(orgId) ?? 0) + 1);
  return Math.max(...counts.values()) === SHARES.rows;
}
