import { ApiError, newId } from '@drawbridge/contracts';
import { currentContext, withSpan } from '@drawbridge/rpc';
import { takeClaim } from '../claims/claims.js';
import { type Lease } from '../claims/lease.js';
import { type Run } from '../run-log/record.js';
import { toLoggedInput } from '../run-log/run-log.js';
import { type Opened } from './open.js';
import { type Call, type Pipeline } from './pipeline.js';
import { type Resolved } from './resolve.js';

/** All that a run needs, decided before it starts. */
export type Order = Call & Resolved & Opened;

export interface Claimed extends Order {
  run: Run;
  /** Of the key; kept while the run lives. */
  lease?: Lease;
}

/**
 * Takes the idempotency key, in a commit of its own, so that the run happens at most once; undefined where another took it
 * meanwhile. Without a key there is nothing to take. The last step that may fail.
 */
export async function claim(pipeline: Pipeline, order: Order): Promise<Claimed | undefined> {
  const { key } = order;
  const run = toRun(order);
  requireStillThere();
  pipeline.unstored.requireRoom();
  if (!key) return { ...order, run };
  const isOurs = await withSpan('claim', () => takeClaim(pipeline.pool, key, run));
  return isOurs ? { ...order, run, lease: pipeline.leases.hold(key, run) } : undefined;
}

/** A caller that hung up cancels what precedes the claim, and nothing after it. */
function requireStillThere(): void {
  if (currentContext()?.signal.aborted) throw new ApiError('TIMEOUT', 'The caller left before the run started');
}

function toRun({ request, who, invocation, input, action, connectionId, redact }: Order): Run {
  const { integrationName, actionName, workspaceId, endUserId } = request;
  const isSecret = (name: string): boolean =>
    Object.hasOwn(action.props, name) && action.props[name]?.type === 'SECRET_TEXT';
  return {
    id: newId(),
    orgId: who.orgId,
    source: who.source,
    integrationName,
    integrationAlias: invocation.instance?.alias,
    actionName,
    workspaceId,
    endUserId,
    connectionId,
    inputJson: toLoggedInput(input, isSecret, redact),
    createdAt: new Date().toISOString(),
  };
}
