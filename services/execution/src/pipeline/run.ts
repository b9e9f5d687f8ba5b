import { type Egress } from '@drawbridge/egress';
import { type Send } from '@drawbridge/piece-kit';
import { currentContext, describeError, withSpan } from '@drawbridge/rpc';
import { type Release, TenantLimiter } from '@drawbridge/turns';
import { type Outcome, OUTCOME_UNKNOWN } from '../run-log/outcome.js';
import { type ClaimedRun } from './claim.js';
import { type Pipeline } from './pipeline.js';
import { runOpened } from './run-opened.js';

/** Of one organization: the runs that read them have a thread each. */
const LARGE_ANSWERS = { atOnce: 4, waiting: 1_000 };

/** Runs the action. Never rejects: a failure is an outcome. */
export async function run(pipeline: Pipeline, claimed: ClaimedRun): Promise<Outcome> {
  return withSpan('run', () => runOnce(pipeline, claimed)).catch((error: unknown) => {
    pipeline.log.error({ error: describeError(error) }, 'how a run ended could not be told');
    return OUTCOME_UNKNOWN;
  });
}

async function runOnce(pipeline: Pipeline, claimed: ClaimedRun): Promise<Outcome> {
  const startedAt = performance.now();
  const work = { kind: 'action', actionName: claimed.request.actionName, runId: claimed.run.id } as const;
  const state = claimed.space && pipeline.openState(claimed.space);
  const leaving = leavingOf(claimed);
  const ended = await runOpened(pipeline, { ...claimed, orgId: claimed.who.orgId, work, state, leaving });
  return { ...ended, duration: Math.round(performance.now() - startedAt) };
}

/** An agent that cancels takes back what it asked to read. What changes something goes on, and how it ended is known. */
function leavingOf({ tool, action }: ClaimedRun): AbortSignal | undefined {
  return tool && action.effect === 'read' ? currentContext()?.signal : undefined;
}

/** How one run sends. Its large answers take room until it has ended. */
export interface Sender {
  send: Send;
  release(): void;
}

/**
 * Bounds what an organization sends (egress does) and how many large answers a process holds of what it hears: the rest
 * stays with its provider until there is room, within the time of the request.
 */
export function senders(egress: Egress): Pipeline['senderFor'] {
  const turns = new TenantLimiter(LARGE_ANSWERS);
  return (orgId, requireRedirect) => {
    const send = egress.sendFor(orgId);
    let room: Promise<Release> | undefined;
    const makeRoom = async (signal: AbortSignal): Promise<void> => {
      await (room ??= turns.acquire(orgId, signal));
    };
    return {
      send: (request) => send({ ...request, makeRoom, requireRedirect }),
      release: () => void room?.then((end) => end()).catch(() => undefined),
    };
  };
}
