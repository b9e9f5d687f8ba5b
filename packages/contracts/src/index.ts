export { type BatchApp, type BatchCall, type BatchRun, toBatchRun } from './batch-run.js';
export { cutBytes, cutText, toStorable } from './cut-text.js';
export {
  ApiError,
  ERROR_STATUS,
  invalid,
  MAX_PATH_CHARACTERS,
  MAX_PROBLEMS,
  notFound,
  changeUnknown,
  outcomeUnknown,
  quotaExceeded,
  requireCount,
  suspended,
  type ErrorCode,
  refused,
  type Refusal,
} from './errors.js';
export {
  GRANTS,
  isReading,
  NEEDS,
  type Grant,
  type Need,
  CONNECTION_STRATEGIES,
  CONNECTION_TYPES,
  EXECUTION_SOURCES,
  INTEGRATION_CATEGORIES,
  ROLES,
  type ConnectionScope,
  type SuspensionReason,
  type ConnectionStrategy,
  type ConnectionType,
  type ExecutionSource,
  type IntegrationCategory,
  type InvitedRole,
  type Role,
} from './sets.js';
export { nestsDeeper, requireParsable, storageProblems } from './json-limits.js';
export { makeNameVisible, makeVisible } from './make-visible.js';
export { metadataProblem } from './metadata-problem.js';
export { ID_PATTERN, isId, newId, NIL_ID } from './new-id.js';
export { masked, toPatch, type Masked, type Patch } from './patch.js';
export { DEFAULT_CALLBACKS_PER_TRIGGER, DEFAULT_PLANS, type Limits, type Plans } from './plans.js';
export { POLICY_STALENESS_MS } from './policy-staleness.js';
export { SERVICE_TABLE, SERVICES, type ServiceName } from './services.js';
export {
  CONNECT_TOKEN,
  hasChecksum,
  hashToken,
  MCP_CODE,
  MCP_OAUTH_TOKEN,
  MCP_REFRESH_TOKEN,
  MCP_TOKEN,
  newApiKey,
  newToken,
  PORTAL_TOKEN,
} from './tokens.js';
export { withDefaults } from './with-defaults.js';
export { connectedHost, MAX_HOST_CHARACTERS, parseUrl, toHost, toUrlParts } from './url-host.js';
export { choices, suggestion } from './suggest.js';
