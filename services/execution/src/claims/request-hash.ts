import { createHash } from 'node:crypto';
import { type ExecuteActionRequest } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import canonicalize from 'canonicalize';

/** Of a tool of an MCP server, what its call has beside what every call has. */
export interface CalledTool {
  mcpServerId: string;
  /** What the server was given for it. */
  connectionId?: string;
  /** Its own alias, which policies can name. */
  toolAlias?: string;
}

/**
 * What an idempotency key stands for: the request without the key, in canonical form (RFC 8785). Requests that mean the same
 * hash alike: absent input is `{}`, and a UUID has no case. What one server's tool was answered is no answer for another's.
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
