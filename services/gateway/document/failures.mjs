import { ERROR_STATUS, isReading } from '@drawbridge/contracts';
import { ACCESS } from '@drawbridge/proto/drawbridge/access';

/** Codes that operations fail with. A status precedes a code if it is not the one of the table in packages/contracts. */
const ALWAYS = ['VALIDATION_ERROR', '431 VALIDATION_ERROR', 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE', 'TIMEOUT'];
const WITH_KEY = ['UNAUTHENTICATED', 'FORBIDDEN'];
const WITH_BODY = ['413 VALIDATION_ERROR', '408 TIMEOUT'];
/** Codes of every operation, or of every operation that requires a key. */
export const EVERYWHERE = new Set([...ALWAYS, ...WITH_KEY]);

/** Meanings of the codes in the OpenAPI document and in docs/errors.md. */
export const MEANINGS = {
  VALIDATION_ERROR: 'what is wrong, by key, in `details.fields`',
  NO_UPDATES: 'nothing to change was given',
  NO_OAUTH_APP: 'nobody has an OAuth app for the integration: neither the operator nor the organization',
  MISSING_TOKEN: 'no token was sent',
  MISSING_ID: 'no id was sent',
  MISSING_FIELDS: 'a required field was not sent',
  ACTION_FAILED:
    'the action ran and failed: `details.provider`, `details.retryable`, or `details.reason`: `outcome_unknown`',
  CONNECTION_REQUIRED: 'there is no connection that can be used: `details.reason`',
  EXPIRED: 'its time is over',
  INVALID_MCP_SCOPES: 'the mode of the MCP server has no such scope',
  EMAIL_NOT_CONFIGURED: 'the operator has not set up mail',
  NOT_DROPDOWN: 'the property is no select',
  NO_OPTIONS_FN: 'the select takes any text: nothing says what its options are',
  OPTIONS_FAILED: 'the third party was asked for the options and failed: `details.provider`, `details.retryable`',
  NOT_DYNAMIC: 'the property is not dynamic',
  NO_PROPS_FN: 'the dynamic property takes any object: nothing says what its properties are',
  RESOLVE_FAILED: 'the third party was asked for the properties and failed: `details.provider`, `details.retryable`',
  CONNECTION_NOT_FOUND: 'no such connection',
  INTEGRATION_NOT_FOUND: 'no such integration',
  UNAUTHENTICATED: 'the key is missing, unknown, revoked or expired',
  INVALID_TOKEN: 'the token is unknown, or its time is over',
  FORBIDDEN: 'the key may not do this, or an approval policy blocks it (`details.policyId`, `details.reasons`)',
  SCOPE_DENIED: 'the key is limited to workspaces, and this is not in them',
  QUOTA_EXCEEDED: 'what the plan allows is used up: `details.limit`, `details.used`',
  CUSTOM_OAUTH_APP_PLAN_REQUIRED: "the plan allows no OAuth apps of the organization's own",
  POLLING_INTERVAL_TOO_SHORT: 'the plan lets nobody poll so often: `details.minimumMinutes`',
  NOT_FOUND: 'it, or what it belongs to, is not there',
  OAUTH_APP_NOT_FOUND: 'no such OAuth app for this integration and workspace',
  TRIGGER_NOT_FOUND: 'the integration has no such trigger',
  END_USER_NOT_FOUND: 'the workspace has no such end user',
  METHOD_NOT_ALLOWED: 'the path has no such method: `Allow` names those that it has',
  DUPLICATE:
    'it is taken, a run with this idempotency key is in progress (`details.reason`: `in_progress`), or it is decided (`details.approval`)',
  ALIAS_CONFLICT: 'the alias stands for another integration',
  MCP_BEARER_DISABLED: 'the MCP server takes no bearers',
  MCP_OAUTH_DISABLED: 'the MCP server takes no OAuth tokens',
  MCP_STATIC_BEARER_INCOMPATIBLE:
    'people of the workspace need connections of their own, and a static bearer names nobody',
  MCP_BEARER_BLOCKS_PER_USER:
    'an MCP server of the workspace has a static bearer, which names nobody who could have a connection',
  TENANT_OAUTH_APP_REQUIRED: "the integration needs an OAuth app of the organization's own",
  RATE_LIMITED: 'too many requests: `Retry-After` says when to try again',
  INTERNAL:
    'our fault; `details.requestId` is what to tell us. With `details.reason`: `outcome_unknown` a change may have been made: read before you repeat it',
  UNAVAILABLE: 'a dependency is away; nothing was done: try again',
  TIMEOUT: 'it took too long',
};

export const ERROR_SCHEMA = {
  type: 'object',
  required: ['error', 'code', 'details'],
  properties: {
    error: { type: 'string', description: 'For people.' },
    code: { type: 'string', description: 'For programs.' },
    details: { type: 'object', additionalProperties: true },
  },
};

/**
 * Returns the responses of an operation by status, each stored once in `responses`. An operation names its own codes:
 * `x-fails: ['NOT_FOUND', '400 CONNECTION_NOT_FOUND']`.
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

/** Throws if the response depends on the caller: responses from the cache are not authorized. */
export function requireSameForAll(operationId) {
  const { grant, workspace, row } = accessOf(operationId);
  if (workspace || row || !['none', 'any'].includes(grant))
    throw new Error(`${operationId} depends on the caller, so its response cannot be cached`);
}

function accessOf(operationId) {
  const rpcs = Object.values(ACCESS).flatMap((methods) => Object.entries(methods));
  const [, access] = rpcs.find(([name]) => name === uncapitalized(operationId)) ?? [];
  if (!access) throw new Error(`${operationId} is not the name of an RPC`);
  return access;
}

/** Adds SCOPE_DENIED where a key of single workspaces may be refused, by the access rules of the RPC of the same name. */
function scopedOf(operationId) {
  const { grant, workspace, row } = accessOf(operationId);
  return grant !== 'none' && (workspace || row || !isReading(grant)) ? ['SCOPE_DENIED'] : [];
}

function uncapitalized(name) {
  return name[0].toLowerCase() + name.slice(1);
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
