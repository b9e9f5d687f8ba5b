import { refused } from '@drawbridge/contracts';
import { type Action, inputSchema, type Piece } from '@drawbridge/piece-kit';
import {
  type ExplainedInstance,
  type ExplainedPartial,
  type InvocationExplanation,
  type ResolveInvocationRequest,
} from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { caller } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import {
  configuredIn,
  type ConfiguredInstance,
  defaultInstance,
  type InstanceSelector,
  pickInstance,
} from './configured-instances.js';
import {
  type AppliedPartial,
  formSchema,
  isFor,
  mergeInput,
  type Operation,
  type PartialHead,
  within,
} from './partials/apply-partials.js';
import { type Parts } from './parts.js';
import { requireAction, requirePiece, resolveInvocation, toInvocation } from './resolve-invocation.js';

const SETTINGS = 'SELECT settings::text FROM catalog.workspace_integrations WHERE org_id = $1 AND id = $2';

/**
 * Explains what ResolveInvocation selects for a call, and why each alternative is not used. Throws the errors of ResolveInvocation for names that do
 * not exist, and returns its other errors in `refusal`.
 */
export async function explainInvocation(
  parts: Parts,
  request: ResolveInvocationRequest,
): Promise<InvocationExplanation> {
  const { pool, partials } = parts;
  const { actionName, input = {}, partialIds } = request;
  const { orgId } = caller();
  const call = await meant(parts, request);
  const { piece, action, candidates, picked } = call;
  const isAmbiguous = !picked && candidates.length > 0;
  const heads = picked?.partials ?? [];
  const applied = isAmbiguous ? [] : await partials({ orgId, heads, operation: { actionName }, partialIds });
  const said = applied.map((partial) => within(action.props, partial));
  const merged = mergeInput(said, input);
  return {
    refusal: await refused(() => resolveInvocation(parts, { ...request, isDraft: undefined })),
    invocation: toInvocation(piece, picked, merged),
    ...explainInstances(request, call),
    ...explainPartials(request, heads, applied),
    settingsJson: await settingsOf(pool, orgId, picked),
    inputSchema: { ...formSchema(inputSchema(action.props), said) },
  };
}

async function settingsOf(pool: Pool, orgId: string, picked: ConfiguredInstance | undefined): Promise<string> {
  if (!picked) return '{}';
  const { rows } = await pool.query<{ settings: string }>(SETTINGS, [orgId, picked.instance.id]);
  return rows[0]?.settings ?? '{}';
}

interface Meant {
  piece: Piece;
  action: Action;
  /** The configured integrations of the piece. */
  candidates: ConfiguredInstance[];
  picked?: ConfiguredInstance;
}

async function meant({ instances, requireWorkspace }: Parts, request: ResolveInvocationRequest): Promise<Meant> {
  const { workspaceId, integrationName, actionName } = request;
  const configured = await configuredIn(instances, workspaceId, requireWorkspace, { isFresh: true });
  const piece = requirePiece(integrationName);
  const action = requireAction(piece, actionName);
  const picked = isNaming(request) ? pickInstance(configured, request) : defaultInstance(configured, integrationName);
  return { piece, action, picked, candidates: configured.filter((one) => one.integrationName === integrationName) };
}

function explainInstances(
  request: ResolveInvocationRequest,
  { candidates, picked }: Meant,
): { instance?: ExplainedInstance; lostInstances: ExplainedInstance[] } {
  const lost = candidates.filter((one) => one !== picked);
  return {
    instance: picked && { ...picked.instance, reason: whyPicked(request, candidates.length) },
    lostInstances: lost.map(({ instance }) => ({ ...instance, reason: whyNotPicked(request, picked !== undefined) })),
  };
}

function explainPartials(
  { actionName, partialIds }: ResolveInvocationRequest,
  heads: readonly PartialHead[],
  applied: readonly AppliedPartial[],
): { partials: ExplainedPartial[]; lostPartials: ExplainedPartial[] } {
  const lost = heads.filter(({ id }) => !applied.some(({ head }) => head.id === id));
  const reason = partialIds ? 'named' : 'default';
  return {
    partials: applied.map(({ head: { id, name } }) => ({ id, name, reason })),
    lostPartials: lost.map((head) => ({
      id: head.id,
      name: head.name,
      reason: whyNotApplied(head, { actionName }, partialIds),
    })),
  };
}

function isNaming({ workspaceIntegrationId, integrationAlias }: InstanceSelector): boolean {
  return workspaceIntegrationId !== undefined || integrationAlias !== undefined;
}

/**
 * Returns why a configured integration is selected: the call requests it, it is the only one of the integration, or its alias is the name of the
 * integration.
 */
export function whyPicked(selector: InstanceSelector, candidates: number): string {
  if (isNaming(selector)) return 'named';
  return candidates === 1 ? 'only' : 'default';
}

/** Returns why a configured integration is not selected. `isPicked` is true if another configured integration is selected. */
export function whyNotPicked(selector: InstanceSelector, isPicked: boolean): string {
  if (!isPicked) return 'ambiguous';
  return isNaming(selector) ? 'not_named' : 'not_default';
}

/** Returns why a partial of the configured integration does not apply. */
export function whyNotApplied(head: PartialHead, operation: Operation, partialIds?: readonly string[]): string {
  if (!isFor(head, operation)) return 'other_operation';
  return partialIds ? 'not_named' : 'not_default';
}
