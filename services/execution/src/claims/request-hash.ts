import { createHash } from 'node:crypto';
import { type ExecuteActionRequest } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import canonicalize from 'canonicalize';

/**
 * What an idempotency key stands for: the request without the key, in canonical form (RFC 8785). Requests that mean the same
 * hash alike: absent input is `{}`, and a UUID has no case.
 */
export function requestHash({ idempotencyKey: _key, ...request }: ExecuteActionRequest): string {
  const canonical = {
    ...request,
    input: request.input ?? {},
    workspaceId: request.workspaceId.toLowerCase(),
    workspaceIntegrationId: request.workspaceIntegrationId?.toLowerCase(),
    partialIds: request.partialIds?.map((id) => id.toLowerCase()),
  };
  return createHash('sha256')
    .update(canonicalize(canonical) ?? '')
    .digest('hex');
}
