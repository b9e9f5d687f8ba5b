export { fillSummary, placeholdersOf } from './summary.js';
export {
  action,
  type Action,
  CATEGORIES,
  type Category,
  type Effect,
  programAction,
  sandboxAction,
  statefulAction,
} from './action.js';
export {
  type AccountAddress,
  type AccountField,
  type AccountFields,
  accountProblem,
  accountValues,
  addressFor,
  fillAddress,
} from './account.js';
export { expandPath, isUrl, type Query, type QueryValue } from './encode-request.js';
export {
  CodeFailedError,
  type CodeFailure,
  type CodeResult,
  type CodeRunner,
  type ConsoleLine,
  LANGUAGES,
  type Program,
  type ProgramResult,
  type ProgramRunner,
} from './code-runner.js';
export {
  authorizationHeader,
  type ConnectionType,
  type Credential,
  type OAuth2Provider,
  type TokenRevocation,
} from './credential.js';
export { delayed } from './retry-policy.js';
export { isRateLimit, type RateLimit, type Wait } from './provider-rate-limit.js';
export {
  describe,
  type CatalogAuth,
  type CatalogEntry,
  type CatalogOperation,
  type CatalogProperty,
  inputSchema,
} from './describe.js';
export {
  categoryOfCall,
  isEnabled,
  findOperation,
  findProperty,
  operationProblem,
  type OperationName,
  openPiece,
  originOf,
  type ConnectedAccount,
  type OpenOptions,
  piece,
  type AuthProp,
  type Piece,
  type PieceAuth,
  type Refusal,
} from './piece.js';
export { hideInUrls, hideSensitive, isSecretOf, REDACTED, isSensitiveKey } from './hide-sensitive.js';
export {
  routeKeys,
  trigger,
  type AppWebhookTrigger,
  type Polled,
  type PollingTrigger,
  type Registration,
  type Trigger,
  type TriggerContext,
  type TriggerKind,
  type WebhookTrigger,
  type HandshakeReply,
  type NotifiedTrigger,
  type Proof,
  type TriggerEvent,
  type WebhookRequest,
} from './trigger.js';
export { type Http, type HttpDefaults, type HttpRequest } from './http.js';
export {
  AccountError,
  InputError,
  isCredentialRefused,
  ProviderError,
  type FailureBody,
  type ProviderFailure,
  type StatedFailure,
} from './provider-error.js';
export { type FromSchema, type JsonObject, type JsonSchema, type JsonValue } from './json.js';
export { connectionPaging, graphqlFailure, graphqlRequest } from './graphql.js';
export { collect, listOptions } from './list-options.js';
export { fieldParts, filePart, multipart, type Part } from './multipart.js';
export { firstThatFit, newSince } from './new-since.js';
export { linkNext, numberPaging, offsetPaging, type Page, type Paging, tokenPaging, urlPaging } from './paging.js';
export { claimsOf, isSignedByKey, isStandardWebhook } from './signatures.js';
export {
  listAt,
  member,
  scalarAt,
  textAt,
  readBody,
  readJson,
  toFile,
  type Answer,
  type Send,
  type SendRequest,
} from './answer.js';
export { pieceProblems } from './piece-problems.js';
export {
  type DeclaredProperty,
  type PropertyDetails,
  type InputOf,
  type LoadProps,
  type Property,
  type PropertyOption,
  type Props,
  type PropertyType,
  type Refreshed,
  type LoadOptions,
  type Options,
  type PropertyContext,
  type SelectOption,
} from './property.js';
export {
  PropertyError,
  type PropertyFailure,
  type ResolveContext,
  MAX_OPTIONS,
  resolveOptions,
  type ResolvedOptions,
  selectProblem,
  dynamicProblem,
  MAX_DYNAMIC_PROPS,
  resolveProps,
} from './resolve-property.js';
export {
  deleteIfThere,
  oneSubscription,
  removeWebhooksAt,
  isRecent,
  isSameText,
  isSigned,
  type Signed,
} from './webhooks.js';
export { type Call, JsonText, runAction, type RunOptions, stringifyOutput } from './run-action.js';
export { runTrigger, type StepResult, type TriggerRun, type TriggerStep } from './run-trigger.js';
export { type Output, type RunContext, type SandboxContext, type StatefulContext } from './run-context.js';
export {
  dropdown,
  multiSelect,
  type SelectDetails,
  staticDropdown,
  staticMultiSelect,
  dateTime,
  longText,
  secretText,
  shortText,
  type TextDetails,
  checkbox,
  dynamic,
  type DynamicDetails,
  file,
  files,
  type FilesDetails,
  json,
  number,
  type FileValue,
  type JsonDetails,
  type NumberDetails,
} from './property-types.js';
export {
  type NewStateEntry,
  type State,
  type StateEntry,
  StateError,
  type StatePage,
  type StateQuery,
  type UpdateState,
} from './state.js';
export { MAX_LABEL, readAccount } from './read-account.js';
export { type CredentialTest, testCredential } from './test-credential.js';
