import { ERROR_STATUS, isReading } from '@drawbridge/contracts';
import { ACCESS } from '@drawbridge/proto/drawbridge/access';

/** Error codes with which every operation can fail. A status before a code replaces the default status of the code in packages/contracts. */
const ALWAYS = ['VALIDATION_ERROR', '431 VALIDATION_ERROR', 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE', 'TIMEOUT'];
const WITH_KEY = ['UNAUTHENTICATED', 'FORBIDDEN'];
const WITH_BODY = ['413 VALIDATION_ERROR', '408 TIMEOUT'];

/** Meanings of the codes in the OpenAPI document and in docs/errors.md. */
export const MEANINGS = {
  VALIDATION_ERROR: 'the request is not valid: `details.fields` has a message for each wrong field',
  NO_UPDATES: 'the request has no field to update',
  NO_OAUTH_APP: 'the integration has no OAuth app: neither the operator nor the organization configured one',
  MISSING_TOKEN: 'the request has no token',
  MISSING_ID: 'the request has no id',
  MISSING_FIELDS: 'the request lacks a required field',
  ACTION_FAILED:
    'the action failed: `details.provider` has the cause. If `details.reason` is `outcome_unknown`, it may have succeeded',
  CONNECTION_REQUIRED: 'no connection can be used: `details.reason` has the cause',
  EXPIRED: 'the invitation has expired',
  INVALID_MCP_SCOPES: 'the mode of the MCP server does not support the scope',
  INVALID_CODE_EXECUTE_REQUEST:
    'the request has both of `code` and `approvalId` or neither, `waitForApprovalSeconds` is not an integer from 0 to 60, or the mode of the MCP server is not CODE',
  EMAIL_NOT_CONFIGURED: 'the operator has not configured mail',
  NOT_DROPDOWN: 'the property is not a select',
  NO_OPTIONS_FN: 'the select accepts any text and has no options',
  OPTIONS_FAILED: 'the provider did not return the options: see `details.provider` and `details.retryable`',
  NOT_DYNAMIC: 'the property is not dynamic',
  NO_PROPS_FN: 'the dynamic property accepts any object and has no properties',
  RESOLVE_FAILED: 'the provider did not return the properties: see `details.provider` and `details.retryable`',
  CONNECTION_NOT_FOUND: 'the connection does not exist',
  INTEGRATION_NOT_FOUND: 'the integration does not exist',
  UNAUTHENTICATED: 'the key is missing, unknown, revoked or expired',
  INVALID_TOKEN: 'the token is unknown or expired',
  FORBIDDEN:
    'the caller may not do this: the key lacks a permission, an approval policy blocks the call (`details.policyId`, `details.reasons`), the approval of the call has ended (`details.approvalId`, `details.reason`), the resource is suspended (`details.reason`: `suspended`), or an invitation is for another address',
  SCOPE_DENIED: 'the key is limited to other workspaces',
  QUOTA_EXCEEDED: 'a limit is reached, of actions a month or of resources: see `details.limit` and `details.used`',
  CUSTOM_OAUTH_APP_PLAN_REQUIRED: 'the plan does not include custom OAuth apps',
  POLLING_INTERVAL_TOO_SHORT: "pollingIntervalMinutes is below the plan's minimum: see `details.minimumMinutes`",
  NOT_FOUND: 'the resource or its parent does not exist',
  OAUTH_APP_NOT_FOUND: 'the OAuth app does not exist for this integration and workspace',
  TRIGGER_NOT_FOUND: 'the integration has no such trigger',
  END_USER_NOT_FOUND: 'the workspace has no such end user',
  METHOD_NOT_ALLOWED: 'the path does not support the method: `Allow` lists the supported methods',
  DUPLICATE:
    'the value is already in use, a run with this idempotency key is in progress (`details.reason`: `in_progress`), the approval is already decided (`details.approval`), or the webhook is already delivered (`details.status`)',
  ALIAS_CONFLICT: 'the alias is already used for another integration',
  MCP_BEARER_DISABLED: 'the MCP server accepts no bearer tokens',
  MCP_OAUTH_DISABLED: 'the MCP server accepts no OAuth tokens',
  MCP_STATIC_BEARER_INCOMPATIBLE:
    'integrations of the workspace need a connection per user, and a static bearer token has no user',
  MCP_BEARER_BLOCKS_PER_USER:
    'the integration needs a connection per user, but an MCP server of the workspace has a static bearer token without a user',
  TENANT_OAUTH_APP_REQUIRED: 'the integration needs an OAuth app of the organization',
  RATE_LIMITED: 'too many requests: retry after the seconds in `Retry-After`',
  INTERNAL:
    'an internal error; report `details.requestId`. With `details.reason`: `outcome_unknown` the change may have been made: read the resource before you repeat the request',
  UNAVAILABLE: 'a dependency is unavailable; nothing was changed: retry the request',
  TIMEOUT: 'the request took too long',
};

export const ERROR_SCHEMA = {
  type: 'object',
  required: ['error', 'code', 'details'],
  properties: {
    error: { type: 'string', description: 'The message for people.' },
    code: { type: 'string', description: 'The error code for programs.' },
    details: { type: 'object', additionalProperties: true },
  },
};

/**
 * Returns references to the error responses of an operation, by status. Adds each response to `responses` once, because many operations share it. An
 * operation lists the codes that only it has: `x-fails: ['NOT_FOUND', '400 CONNECTION_NOT_FOUND']`.
 */
export function failuresOf({ 'x-fails': own = [], 'x-public': isPublic, requestBody, operationId }, responses) {
  const byStatus = new Map();
  for (const name of [
    ...ALWAYS,
    ...(isPublic ? [] : WITH_KEY),
    ...scopedOf(operationId),
    ...(requestBody ? WITH_BODY : []),
    ...own,
  ]) {
    const [code, status = ERROR_STATUS[code]] = name.split(' ').reverse();
    if (!(code in ERROR_STATUS))
      throw new Error(`${operationId} fails with ${code}, but packages/contracts has no such code`);
    byStatus.set(Number(status), [...(byStatus.get(Number(status)) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const name = [status, ...codes].join('.');
      responses[name] = toResponse(codes);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/** Throws if the access rules of the operation depend on the caller: a cached response is sent to every caller without evaluating these rules. */
export function requireSameForAll(operationId) {
  const { grant, workspace, row } = accessOf(operationId);
  if (workspace || row || !['none', 'any'].includes(grant))
    throw new Error(`${operationId} depends on the caller, so its response cannot be cached`);
}

function accessOf(operationId) {
  const rpc = operationId[0].toLowerCase() + operationId.slice(1);
  const access = Object.values(ACCESS).find((methods) => rpc in methods)?.[rpc];
  if (!access) throw new Error(`${operationId} is not the name of an RPC`);
  return access;
}

/** Adds SCOPE_DENIED if an API key that is restricted to single workspaces may be denied. The access rules are those of the operation's RPC. */
function scopedOf(operationId) {
  const { grant, workspace, row } = accessOf(operationId);
  return grant !== 'none' && (workspace || row || !isReading(grant)) ? ['SCOPE_DENIED'] : [];
}

function toResponse(codes) {
  const error = { $ref: '#/components/schemas/Error' };
  const schema = { allOf: [error, { type: 'object', properties: { code: { enum: codes } } }] };
  const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }]));
  return {
    description: codes.map((code) => `\`${code}\`: ${MEANINGS[code]}`).join('\n\n'),
    content: { 'application/json': { schema, examples } },
  };
}

function exampleOf(code) {
  const [error] = MEANINGS[code].split(/[:;]/);
  const details = code === 'VALIDATION_ERROR' ? { fields: { slug: { message: 'is required' } } } : {};
  return { error, code, details };
}
