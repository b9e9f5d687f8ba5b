import { NIL_ID } from '@drawbridge/contracts';
import { type Task } from '@drawbridge/jobs';
import { type Background, untilDeadline } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { claim, claimOne } from './claim.js';
import { scheduleNext } from './next-due.js';
import { type Placed } from './places.js';
import { sender, type Sender, type SenderParts } from './sender.js';
import { newTurn, type Turn } from './turn.js';

/** An organization with deliveries that are due. */
export interface Lane {
  orgId: string;
}

/** A delivery that a user redelivers. */
export interface Asked extends Lane {
  id: string;
}

export interface Callbacks {
  task: Task<Lane>;
  /** Redelivers one delivery immediately, without a slot and even while the circuit breaker of its receiver is open. */
  redelivery: Task<Asked>;
  background: Background;
}

/**
 * Delivers what is due for an organization, in time slices. Each organization has one job, however large its backlog is. Attempts that begin at the
 * same moment are claimed in one statement, and those that end at the same moment are recorded in one. An attempt may outlast its time slice. If its
 * process dies, another repeats the attempt when its lease expires.
 */
export function callbacks(parts: SenderParts): Callbacks {
  const turns = new Map<string, { turn: Turn; ended: Promise<void> }>();
  const sending = sender(parts, (orgId) => turns.get(orgId)?.turn);
  const beginSome = beginner(parts, sending);
  const { places } = sending;
  let isStopping = false;

  async function take(orgId: string, turn: Turn): Promise<void> {
    const isUnderWay = (): boolean => places.busy(orgId).size > 0;
    try {
      while (!isStopping && (await turn.goesOn(isUnderWay))) await beginSome(orgId, turn);
    } finally {
      turns.delete(orgId);
    }
    const waitsFor = turn.waitsFor();
    if (waitsFor === 'attempt') places.holdBack(orgId);
    await scheduleNext(parts.pool, parts.enqueue, { orgId, isHeld: waitsFor !== undefined });
  }

  return {
    async task({ orgId }) {
      const known = turns.get(orgId);
      known?.turn.onNews();
      if (known) return known.ended;
      const turn = newTurn();
      const ended = take(orgId, turn);
      turns.set(orgId, { turn, ended });
      return ended;
    },
    redelivery: async (asked) => void (isStopping || (await redeliver(parts.pool, sending, asked))),
    background: {
      start: () => undefined,
      async stop(deadline) {
        isStopping = true;
        await untilDeadline(sending.ended(), deadline);
      },
    },
  };
}

async function redeliver(pool: Pool, { places, begin }: Sender, { id, orgId }: Asked): Promise<void> {
  const open = await claimOne(pool, { id, orgId });
  if (!open) return;
  const begun = begin(open);
  places.take(orgId, 0, [begun]);
  await begun.ended;
}

/** Begins as many due deliveries of an organization as its slots allow. */
function beginner(
  { pool, findMost }: Pick<SenderParts, 'pool' | 'findMost'>,
  { places, hangs, begin }: Sender,
): (orgId: string, turn: Turn) => Promise<void> {
  /** The source after which the next claim continues, for organizations with more due deliveries than slots. */
  const cursors = new Map<string, string>();

  return async (orgId, turn) => {
    const most = await findMost(orgId);
    const { many, ofSource, hasReserve } = places.reserve(orgId, most);
    if (many === 0) return turn.onLook(true);
    const after = cursors.get(orgId) ?? NIL_ID;
    const { limits, isResting } = hangs.limitsOf(orgId);
    const busy = places.busy(orgId);
    let [begun, isCut]: [Placed[], boolean] = [[], false];
    try {
      const claimed = await claim(pool, { orgId, many, after, busy, ofSource, limits });
      [begun, isCut] = [claimed.begun.map(begin), claimed.isCut];
    } finally {
      places.take(orgId, many, begun);
    }
    const [last] = begun
      .map(({ sourceId }) => sourceId)
      .sort()
      .reverse();
    const isAll = begun.length < many && !isCut;
    if (isAll) cursors.delete(orgId);
    else cursors.set(orgId, last!);
    // Claim again if the size limit cut this batch, if sources before the cursor were skipped, or if slots remain for sources with no callback in
    // flight.
    if (isCut || (isAll && after !== NIL_ID) || (!isAll && hasReserve)) turn.onNews();
    const isFull = [...places.busy(orgId)].some(([sourceId, its]) => its >= (limits.get(sourceId) ?? ofSource));
    turn.onLook(begun.length >= many || isFull, isResting);
  };
}
