export {
  type ActionCall,
  type ActionMethod,
  type ActionResult,
  type TypedCall,
  type WorkspaceActions,
} from './actions.js';
export { ApiError, ConnectionError, type DetailsOf, RequestTimeoutError } from './api-error.js';
export { ApprovalDeclinedError, type ApprovalOptions, type WaitOptions } from './approvals.js';
export { type CodeOptions, CodeRunError, type CodeValue } from './code-mode.js';
export { ConnectWindowError, type ConnectWindowOptions, openConnect } from './connect-window.js';
export { Drawbridge } from './client.js';
export * from './gen/errors.js';
export type * from './gen/models.js';
export { type Resources } from './gen/resources.js';
export { type List } from './list.js';
export { mcpConfig, type McpProgram, type McpSnippet, type McpTarget } from './mcp-config.js';
export { type ClientOptions, type RequestOptions } from './request.js';
export { type Event } from './streams.js';
export { expressWebhook, webhookHandler, type WebhookHandlerOptions } from './webhook-handlers.js';
export {
  type ApprovalEvent,
  type ReceivedWebhook,
  type TriggerEvent,
  verifyWebhook,
  type VerifyOptions,
  type WebhookEvent,
  WebhookVerificationError,
} from './webhooks.js';
