import { createHash } from 'node:crypto';
import { type ExecuteActionRequest } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import canonicalize from 'canonicalize';

/** The fields that only a call of an MCP server's tool has. */
export interface CalledTool {
  mcpServerId: string;
  /** The connection that is assigned to the tool on its server. */
  connectionId?: string;
  /** The alias of the tool, which policies can match. */
  toolAlias?: string;
}

/**
 * Returns the hash that an idempotency key is bound to: the request without the key, in canonical form (RFC 8785). Equivalent requests
 * have the same hash: absent input is `{}`, and UUIDs are case-insensitive. Tools of different MCP servers never share an answer.
 */
export function requestHash({ idempotencyKey: _key, ...request }: ExecuteActionRequest, tool?: CalledTool): string {
  const canonical = {
    ...request,
    tool: tool && { mcpServerId: tool.mcpServerId, connectionId: tool.connectionId },
    input: request.input ?? {},
    workspaceId: request.workspaceId.toLowerCase(),
    workspaceIntegrationId: request.workspaceIntegrationId?.toLowerCase(),
    partialIds: request.partialIds?.map((id) => id.toLowerCase()),
  };
  return createHash('sha256')
    .update(canonicalize(canonical) ?? '')
    .digest('hex');
}

/** An idempotency key, unique within its organization, and the hash of the request that used it. */
export interface IdempotencyKey {
  orgId: string;
  key: string;
  requestHash: string;
}
