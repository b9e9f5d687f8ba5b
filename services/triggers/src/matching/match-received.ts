import { NIL_ID } from '@drawbridge/contracts';
import { type EventOf, insertEvents, newEvent, type NewEvent } from '@drawbridge/events';
import { type Enqueue } from '@drawbridge/jobs';
import { type JsonObject } from '@drawbridge/piece-kit';
import { describeError, type Logger } from '@drawbridge/rpc';
import { type PoolClient } from 'pg';
import { recorder, type Recorder, type Telling, tellings, type Told } from '../events/record-events.js';
import { type Source } from '../gen/prisma/client.js';
import { forgetInbound, type Inbound, readOfApp, takeInbound } from '../intake/inbound-requests.js';
import { type BacklogLimit } from '../backlog/backlog-limit.js';
import { appTriggers, MAX_ROUTES, notifiedTriggers, routesOf } from '../sources/find-trigger.js';
import { notifySources } from './notify-sources.js';
import { eventsFor, unreadableTelling } from './read-event.js';

type Received = EventOf<'triggerReceived'>;

/**
 * Time budget of a batch, in milliseconds. The remaining events return to the end of the queue, so that events of other organizations that arrived in
 * the meantime are processed first.
 */
const BUDGET_MS = 1_000;

/**
 * Returns an event handler that creates deliveries for received requests and deletes the requests, in the transaction that consumes the events.
 * Requests to sources are processed together. An app can have any number of sources, which are processed in pages.
 */
export function matchReceived({ enqueue, ...parts }: Parts & { enqueue: Enqueue }) {
  return async (events: Received[], tx: PoolClient): Promise<void> => {
    const until = performance.now() + BUDGET_MS;
    const batch: Batch = { ...parts, tx, ...recorder(tx, enqueue), notified: new Map(), later: [], until };
    await matchHooks(
      batch,
      events.filter(({ orgId }) => orgId !== NIL_ID),
    );
    for (const event of events.filter(({ orgId }) => orgId === NIL_ID)) {
      if (isOver(batch)) goOn(batch, event, event.payload.value.afterSourceId);
      else await matchApp(batch, event);
    }
    await batch.end();
    await notifySources(tx, batch.notified);
    if (batch.later.length > 0) await insertEvents(tx, 'triggers', batch.later);
  };
}

interface Parts {
  backlog: Pick<BacklogLimit, 'take'>;
  log: Logger;
}

interface Batch extends Parts, Recorder {
  tx: PoolClient;
  /** The organizations of the sources to poll, by source id. */
  notified: Map<string, string>;
  later: NewEvent[];
  until: number;
}

async function matchHooks(batch: Batch, events: Received[]): Promise<void> {
  const waiting = new Map(events.map((event) => [event.payload.value.inboundId, event]));
  while (waiting.size > 0 && !isOver(batch)) {
    const orgIds = [...new Set([...waiting.values()].map(({ orgId }) => orgId))];
    const sent = await takeInbound(batch.tx, { orgIds, ids: [...waiting.keys()] });
    if (sent.length === 0) return;
    for (const { id } of sent) waiting.delete(id);
    const sources = await sourcesOfHooks(batch.tx, sent);
    for (const inbound of sent) {
      const source = sources.get(inbound.sourceId!);
      if (source) await receive(batch, inbound, source);
    }
  }
  for (const event of waiting.values()) goOn(batch, event);
}

async function matchApp(batch: Batch, event: Received): Promise<void> {
  const { tx, log, backlog } = batch;
  const { inboundId, afterSourceId } = event.payload.value;
  const inbound = await readOfApp(tx, inboundId);
  if (!inbound) return;
  const { keys, isShared } = routesFor(inbound, log);
  const notified = notifiedTriggers(inbound.integrationName);
  const sources = await sourcesOfApp(batch, inbound, { keys, notified, after: afterSourceId });
  for (const source of sources) {
    // Checks the backlog limit only for apps. Requests to a source were counted when they arrived. Events of an app that exceed the limit are
    // dropped, because the app cannot resend them to one source. A poll checks the limit itself.
    const isNotified = notified.includes(source.triggerName);
    const hasRoom = isNotified || (await backlog.take(source, { rows: 1, bytes: inbound.request.body.length }));
    if (hasRoom) await receive(batch, inbound, source, isShared);
  }
  if (sources.length === PAGE) goOn(batch, event, sources.at(-1)!.id);
  else await forgetInbound(tx, inbound);
}

/**
 * Records the events of a request for a source, or makes the source due for a poll. A request that the piece cannot read becomes a dead letter,
 * because a retry would fail again and delay the events of other sources. If such a request may concern several accounts, it is dropped, because a
 * dead letter would reveal the data of the other accounts.
 */
async function receive(batch: Batch, inbound: Inbound, source: AskingSource, isShared = false): Promise<void> {
  const { id, orgId } = source;
  let told: Telling[];
  try {
    const read = eventsFor(source, inbound.request);
    if (read === 'poll') return void batch.notified.set(id, orgId);
    told = tellings(source, read, true);
  } catch (error) {
    const about = { orgId, sourceId: id, inboundId: inbound.id, error: describeError(error) };
    batch.log.warn(about, `an event cannot be read; it is ${isShared ? 'dropped' : 'kept as a dead letter'}`);
    told = isShared ? [] : [unreadableTelling(source, inbound.request, error)];
  }
  await batch.tell(told);
}

/**
 * Returns the route keys (account ids) of a request, and whether it concerns or may concern several accounts. A request that no trigger of the app
 * can read was stored by another version of the piece, because intake rejects such requests.
 */
function routesFor({ id, integrationName, request }: Inbound, log: Logger): { keys: string[]; isShared: boolean } {
  try {
    const { keys, isWhole } = routesOf(appTriggers(integrationName), request);
    return { keys: keys.filter(isKey).slice(0, MAX_ROUTES), isShared: keys.length > 1 || !isWhole };
  } catch (error) {
    const about = { integrationName, inboundId: id, error: describeError(error) };
    log.warn(about, 'the installation of an app that an event concerns cannot be determined; the event is dropped');
    return { keys: [], isShared: true };
  }
}

/** Returns false for strings with NUL, which PostgreSQL cannot store. */
function isKey(key: unknown): key is string {
  return typeof key === 'string' && !key.includes('\0');
}

function isOver({ until }: Batch): boolean {
  return performance.now() > until;
}

function goOn({ later }: Batch, { orgId, payload, traceparent }: Received, afterSourceId?: string): void {
  const value = { inboundId: payload.value.inboundId, afterSourceId };
  later.push(newEvent({ $case: 'triggerReceived', value }, { orgId, traceparent }));
}

/** Number of sources of an app that one query reads. */
const PAGE = 100;

/** The columns of a source that are needed to create its events. */
export type AskingSource = Told & Pick<Source, 'integrationName' | 'triggerName' | 'routeKey'> & { input: JsonObject };

const COLUMNS = `id, org_id AS "orgId", workspace_id AS "workspaceId", integration_name AS "integrationName",
  trigger_name AS "triggerName", route_key AS "routeKey", input, simulate`;

const OF_HOOKS = {
  name: 'sources-of-hooks',
  text: `SELECT ${COLUMNS} FROM triggers.sources
    WHERE org_id = ANY($1::uuid[]) AND id = ANY($2::uuid[])`,
};
/**
 * Finds the sources of an app by route key. Not limited to an organization, because the app belongs to the operator, and the provider determines with
 * the route key which sources receive the request.
 */
const OF_ROUTE = {
  name: 'sources-of-route',
  text: `SELECT ${COLUMNS} FROM triggers.sources
    WHERE integration_name = $1 AND route_key = ANY($2::text[]) AND status <> 'disabling' AND ($3::uuid IS NULL OR id > $3)
      AND NOT (trigger_name = ANY($4::text[]) AND (notified_at IS NOT NULL OR id = ANY($5::uuid[])))
    ORDER BY id LIMIT ${PAGE}`,
};

/** Returns the sources to which requests were sent, by id. Includes sources that were disabled in the meantime. Their events become dead letters. */
async function sourcesOfHooks(tx: PoolClient, sent: readonly Inbound[]): Promise<Map<string, AskingSource>> {
  const [orgIds, ids] = [new Set(sent.map(({ orgId }) => orgId)), new Set(sent.map(({ sourceId }) => sourceId))];
  const { rows } = await tx.query<AskingSource>({ ...OF_HOOKS, values: [[...orgIds], [...ids]] });
  return new Map(rows.map((source) => [source.id, source]));
}

/**
 * Returns at most `PAGE` sources of an app with these route keys and with ids after `after`. Omits sources that already wait for a poll because of an
 * earlier notification. Otherwise many notifications about an account with many triggers would delay the events of other accounts.
 */
async function sourcesOfApp(
  { tx, notified: starting }: Batch,
  { integrationName }: Inbound,
  { keys, notified, after }: { keys: readonly string[]; notified: readonly string[]; after: string | undefined },
): Promise<AskingSource[]> {
  const values = [integrationName, keys, after ?? null, notified, [...starting.keys()]];
  return (await tx.query<AskingSource>({ ...OF_ROUTE, values })).rows;
}
