import { createHash } from 'node:crypto';
import { type GatedCall } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import canonicalize from 'canonicalize';

/** Whose call it is, and where. */
export interface Asker {
  orgId: string;
  workspaceId: string;
}

/**
 * What a person says yes to: the whole call in canonical form (RFC 8785), with the input that would be sent. Which door it comes through
 * does not matter, nor what its action is called in policies.
 */
export function inputHash({ orgId, workspaceId }: Asker, call: GatedCall): string {
  const { integrationName, workspaceIntegrationId, integrationAlias, actionName } = call;
  const { connectionId, endUserId, stateOf, input = {} } = call;
  const canonical = canonicalize({
    orgId,
    workspaceId: workspaceId.toLowerCase(),
    integrationName,
    workspaceIntegrationId,
    integrationAlias,
    actionName,
    connectionId,
    endUserId,
    stateOf,
    input,
  });
  return createHash('sha256')
    .update(canonical ?? '')
    .digest('hex');
}
