import { type EventOf, insertEvents, newEvent } from '@drawbridge/events';
import { type Enqueue } from '@drawbridge/jobs';
import { type TriggerEvent } from '@drawbridge/piece-kit';
import { describeError, type Logger } from '@drawbridge/rpc';
import { type PoolClient } from 'pg';
import { recordEvents } from '../events/record-events.js';
import { eventsFor } from './events-for.js';
import { type Inbound, takeInbound } from './inbound.js';
import { type AskingSource, PAGE, sourcesOf } from './sources-of.js';

type Received = EventOf<'triggerReceived'>;

/** A batch has 10 s: what is left after this goes back to the end of the line. */
const BUDGET_MS = 3_000;

/**
 * Makes deliveries of what was received, for whoever asked for it, in the transaction that takes the event; what was sent is then forgotten.
 * An app may have any number of sources: they are told some at a time.
 */
export function matchReceived(parts: Parts) {
  return async (events: Received[], tx: PoolClient): Promise<void> => {
    const until = performance.now() + BUDGET_MS;
    for (const event of events) {
      if (performance.now() > until) await goOn(tx, event, event.payload.value.afterSourceId);
      else await match(tx, parts, event);
    }
  };
}

interface Parts {
  enqueue: Enqueue;
  log: Logger;
}

async function match(tx: PoolClient, { enqueue, log }: Parts, event: Received): Promise<void> {
  const { orgId, payload } = event;
  const inbound = await takeInbound(tx, orgId, payload.value.inboundId);
  if (!inbound) return;
  const sources = await sourcesOf(tx, inbound, payload.value.afterSourceId);
  for (const source of sources) await recordEvents(tx, enqueue, source, toldBy(inbound, source, log));
  if (sources.length === PAGE) await goOn(tx, event, sources.at(-1)!.id);
  else await tx.query({ ...FORGET, values: [orgId, inbound.id] });
}

/** What the code of a piece can not read is logged and passed over: tried again it would hold up all that others were sent, and fail. */
function toldBy({ id, request }: Inbound, source: AskingSource, log: Logger): TriggerEvent[] {
  try {
    return eventsFor(source, request);
  } catch (error) {
    const about = { orgId: source.orgId, sourceId: source.id, inboundId: id, error: describeError(error) };
    log.warn(about, 'what a third party sent can not be read; its source is told nothing of it');
    return [];
  }
}

const FORGET = {
  name: 'forget-inbound',
  text: 'DELETE FROM triggers.inbound WHERE org_id = $1 AND id = $2',
};

async function goOn(tx: PoolClient, { orgId, payload, traceparent }: Received, afterSourceId?: string): Promise<void> {
  const value = { inboundId: payload.value.inboundId, afterSourceId };
  await insertEvents(tx, 'triggers', [newEvent({ $case: 'triggerReceived', value }, { orgId, traceparent })]);
}
