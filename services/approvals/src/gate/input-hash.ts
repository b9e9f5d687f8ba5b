import { createHash } from 'node:crypto';
import { type GatedCall } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import canonicalize from 'canonicalize';

/** The organization and the workspace of the call. */
export interface Asker {
  orgId: string;
  workspaceId: string;
}

/**
 * Identifies what an approval covers: the whole call in canonical form (RFC 8785), with the input that would be sent, the configured
 * integration, and the connection with the generation of its credential and the account label that the approver sees. The source of the
 * call is not part of it.
 */
export function inputHash({ orgId, workspaceId }: Asker, call: GatedCall): string {
  const { integrationName, workspaceIntegrationId, integrationAlias, actionName } = call;
  const { connectionId, connectionGeneration, account, endUserId, stateOf, input = {} } = call;
  const canonical = canonicalize({
    orgId,
    workspaceId: workspaceId.toLowerCase(),
    integrationName,
    workspaceIntegrationId,
    integrationAlias,
    actionName,
    connectionId,
    connectionGeneration,
    account,
    endUserId,
    stateOf,
    input,
  });
  return createHash('sha256')
    .update(canonical ?? '')
    .digest('hex');
}
