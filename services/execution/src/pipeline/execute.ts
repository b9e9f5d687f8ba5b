import { ApiError, invalid } from '@drawbridge/contracts';
import { findPiece } from '@drawbridge/pieces';
import { type Invocation } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import {
  type ActionOutcome,
  type ActionServiceDefinition,
  type ExecuteActionRequest,
} from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { type Caller, caller, currentContext, type Implementation, withSpan } from '@drawbridge/rpc';
import { v7 as uuidv7 } from 'uuid';
import { findStored, type Key, takeClaim } from '../claims/claims.js';
import { toActionOutcome } from '../run-log/outcome.js';
import { type Pipeline } from './pipeline.js';
import { type Run } from '../run-log/record.js';
import { type Redactor, redactor } from '../redaction/redactor.js';
import { secretsOf } from '../redaction/secrets-of.js';
import { requestHash } from '../claims/request-hash.js';
import { type Ready, runAndRecord } from './run-and-record.js';
import { toLoggedInput } from '../run-log/run-log.js';

/** The one way in for every action, whatever the door. It reads as its steps. */
export const actions = (pipeline: Pipeline): Implementation<ActionServiceDefinition> => ({
  async executeAction(request) {
    await pipeline.requireWorkspace(request.workspaceId);
    requireNoPartials(request);
    return execute(pipeline, request);
  },
});

async function execute(pipeline: Pipeline, request: ExecuteActionRequest): Promise<ActionOutcome> {
  const who = caller();
  const key = toKey(request, who);
  const replayed = key && (await replay(pipeline, key));
  if (replayed) return replayed;

  const invocation = await withSpan('resolve', () => pipeline.invocations.resolveInvocation(request));
  const connectionId = await withSpan('select connection', () => select(pipeline, request, invocation));
  // Opened before the claim: whatever comes after the claim is an answer, stored and final.
  const { credential, version } = await withSpan('open connection', () => open(pipeline, connectionId));
  const redact = redactor(secretsOf(credential, findPiece(request.integrationName)?.auth?.props));
  const run = toRun(request, { who, invocation, connectionId, redact });
  requireStillThere();
  pipeline.unstored.requireRoom();

  const isTaken = key && !(await withSpan('claim', () => takeClaim(pipeline.pool, key, run)));
  if (isTaken) return execute(pipeline, request); // another took the key meanwhile: its answer is ours
  const lease = key && pipeline.leases.hold(key, run);
  return pipeline.track(runAndRecord(pipeline, { run, invocation, credential, version, redact, key, lease }));
}

function toKey(request: ExecuteActionRequest, { orgId }: Caller): Key | undefined {
  const { idempotencyKey: key } = request;
  return key === undefined ? undefined : { orgId, key, requestHash: requestHash(request) };
}

/** Input partials do not exist yet: an id names none. */
function requireNoPartials({ partialIds }: ExecuteActionRequest): void {
  if (partialIds && partialIds.length > 0) throw invalid({ 'partialIds[0]': 'no such partial' });
}

async function replay({ looks }: Pipeline, key: Key): Promise<ActionOutcome | undefined> {
  const signal = currentContext()?.signal ?? new AbortController().signal;
  const stored = await withSpan('replay', () => findStored(looks, key, signal));
  return stored && toActionOutcome(stored.executionId, stored.outcome, true);
}

async function select(
  { vault }: Pipeline,
  { integrationName, workspaceId, endUserId, connectionExternalId: externalId }: ExecuteActionRequest,
  { connectionTypes, connectionRequired: required, instance }: Invocation,
): Promise<string | undefined> {
  if (connectionTypes.length === 0 && externalId === undefined) return undefined;
  const { connectionStrategy, connectionId } = instance ?? {};
  const asked = { integrationName, workspaceId, endUserId, externalId, connectionStrategy, connectionId, required };
  return (await vault.selectConnection(asked)).connectionId;
}

async function open({ vault }: Pipeline, connectionId: string | undefined): Promise<Opened> {
  if (connectionId === undefined) return {};
  const { type, credentialJson, version } = await vault.openConnection({ connectionId });
  return { credential: { type, ...JSON.parse(credentialJson) }, version };
}

type Opened = Pick<Ready, 'credential' | 'version'>;

/** A caller that hung up cancels what precedes the claim, and nothing after it. */
function requireStillThere(): void {
  if (currentContext()?.signal.aborted) throw new ApiError('TIMEOUT', 'The caller left before the run started');
}

interface Known {
  who: Caller;
  invocation: Invocation;
  connectionId: string | undefined;
  redact: Redactor;
}

function toRun(
  { integrationName, actionName, workspaceId, endUserId }: ExecuteActionRequest,
  { who, invocation, connectionId, redact }: Known,
): Run {
  const props = findPiece(integrationName)?.actions[actionName]?.props ?? {};
  const secretKeys = Object.keys(props).filter((name) => props[name]?.type === 'SECRET_TEXT');
  const input = JSON.parse(toLoggedInput(invocation.input ?? {}, new Set(secretKeys), redact));
  return {
    id: uuidv7(),
    orgId: who.orgId,
    source: who.source,
    integrationName,
    integrationAlias: invocation.instance?.alias,
    actionName,
    workspaceId,
    endUserId,
    connectionId,
    input,
    createdAt: new Date().toISOString(),
  };
}
