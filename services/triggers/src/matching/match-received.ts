import { type EventOf, insertEvents, newEvent, type NewEvent } from '@drawbridge/events';
import { type Enqueue } from '@drawbridge/jobs';
import { type TriggerEvent } from '@drawbridge/piece-kit';
import { describeError, type Logger } from '@drawbridge/rpc';
import { type PoolClient } from 'pg';
import { recordEvents } from '../events/record-events.js';
import { eventsFor } from './events-for.js';
import { forgetInbound, type Inbound, takeInbound } from './inbound.js';
import { type AskingSource, PAGE, sourcesOf } from './sources-of.js';

type Received = EventOf<'triggerReceived'>;

/** A batch has 10 s: what is left after this goes back to the end of the line. */
const BUDGET_MS = 3_000;

/**
 * Makes deliveries of what was received, for whoever asked for it, in the transaction that takes the event; what was sent is then forgotten.
 * An app may have any number of sources: they are told some at a time.
 */
export function matchReceived({ enqueue, log }: { enqueue: Enqueue; log: Logger }) {
  return async (events: Received[], tx: PoolClient): Promise<void> => {
    const batch: Batch = { tx, log, deliveries: [], later: [] };
    const until = performance.now() + BUDGET_MS;
    for (const event of events) {
      if (performance.now() > until) goOn(batch, event, event.payload.value.afterSourceId);
      else await match(batch, event);
    }
    await enqueue(tx, batch.deliveries);
    if (batch.later.length > 0) await insertEvents(tx, 'triggers', batch.later);
  };
}

/** What is written of all of them in one statement each. */
interface Batch {
  tx: PoolClient;
  log: Logger;
  deliveries: Parameters<Enqueue>[1][number][];
  later: NewEvent[];
}

async function match(batch: Batch, event: Received): Promise<void> {
  const { tx, log, deliveries } = batch;
  const { inboundId, afterSourceId } = event.payload.value;
  const inbound = await takeInbound(tx, event.orgId, inboundId);
  if (!inbound) return;
  const sources = await sourcesOf(tx, inbound, afterSourceId);
  const collect: Enqueue = async (_tx, more) => void deliveries.push(...more);
  for (const source of sources) await recordEvents(tx, collect, source, toldBy(inbound, source, log));
  if (sources.length === PAGE) goOn(batch, event, sources.at(-1)!.id);
  else await forgetInbound(tx, inbound);
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

function goOn({ later }: Batch, { orgId, payload, traceparent }: Received, afterSourceId?: string): void {
  const value = { inboundId: payload.value.inboundId, afterSourceId };
  later.push(newEvent({ $case: 'triggerReceived', value }, { orgId, traceparent }));
}
