export { action, type Action, CATEGORIES, type Category, type Effect, statefulAction } from './action.js';
export { expandPath, isUrl, type Query, type QueryValue } from './address.js';
export { authorizationHeader, type ConnectionType, type Credential } from './credential.js';
export { delayed } from './delayed.js';
export {
  describe,
  type CatalogAuth,
  type CatalogEntry,
  type CatalogOperation,
  type CatalogProperty,
} from './describe.js';
export { findOperation, findProperty, operationProblem, type OperationName } from './find-property.js';
export { hideInUrls, hideSensitive, isSecretOf, REDACTED } from './hide-sensitive.js';
export { firstThatFit } from './first-that-fit.js';
export type { Http, HttpDefaults, HttpRequest } from './http.js';
export { InputError } from './input-error.js';
export { inputSchema } from './input-schema.js';
export { isCredentialRefused } from './is-credential-refused.js';
export type { FromSchema, JsonObject, JsonSchema, JsonValue } from './json.js';
export { linkNext } from './link-next.js';
export { listAt, member, textAt } from './member.js';
export type { OAuth2Provider, TokenRevocation } from './oauth2-provider.js';
export { openPiece, type OpenOptions } from './open-piece.js';
export type { Page, Paging } from './paging.js';
export { piece, type AuthProp, type Piece, type PieceAuth, type Refusal } from './piece.js';
export { pieceProblems } from './piece-problems.js';
export type {
  DeclaredProperty,
  PropertyDetails,
  InputOf,
  LoadProps,
  Property,
  PropertyOption,
  Props,
  PropertyType,
  Refreshed,
} from './property.js';
export type { LoadOptions, Options, PropertyContext, SelectOption } from './property-context.js';
export { PropertyError, type PropertyFailure } from './property-error.js';
export { isSensitiveKey } from './sensitive-names.js';
export { ProviderError, type ProviderFailure } from './provider-error.js';
export { readBody, readJson, toFile } from './read-body.js';
export { removeWebhooksAt } from './remove-webhooks.js';
export type { ResolveContext } from './resolve-context.js';
export { MAX_OPTIONS, resolveOptions, type ResolvedOptions, selectProblem } from './resolve-options.js';
export { dynamicProblem, MAX_DYNAMIC_PROPS, resolveProps } from './resolve-props.js';
export { type Call, runAction, type RunOptions } from './run-action.js';
export { runTrigger, type StepResult, type TriggerRun, type TriggerStep } from './run-trigger.js';
export type { Output, RunContext, StatefulContext } from './run-context.js';
export { dropdown, multiSelect, type SelectDetails, staticDropdown, staticMultiSelect } from './select-properties.js';
export type { Answer, Send, SendRequest } from './send.js';
export { isRecent, isSameText, isSigned, type Signed } from './signatures.js';
export {
  type NewStateEntry,
  type State,
  type StateEntry,
  StateError,
  type StatePage,
  type StateQuery,
  type UpdateState,
} from './state.js';
export { dateTime, longText, secretText, shortText, type TextDetails } from './text-properties.js';
export { type CredentialTest, testCredential } from './test-credential.js';
export { isRateLimit, type StatedFailure } from './to-provider-error.js';
export {
  trigger,
  type AppWebhookTrigger,
  type Polled,
  type PollingTrigger,
  type Registration,
  type Trigger,
  type TriggerContext,
  type TriggerKind,
  type WebhookTrigger,
} from './trigger.js';
export {
  checkbox,
  dynamic,
  type DynamicDetails,
  file,
  json,
  number,
  type FileValue,
  type JsonDetails,
  type NumberDetails,
} from './value-properties.js';
export type { HandshakeReply, Proof, TriggerEvent, WebhookRequest } from './webhook-request.js';
