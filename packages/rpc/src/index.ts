export { auditedCall, nothingToRecord } from './audit.js';
export { type Authority, isNoMore } from './authority.js';
export { isGranted, isWithin } from './authorize.js';
export { callerTokens, type CallerTokens } from './caller-token.js';
export { type Network } from './client.js';
export {
  baseUrl,
  brokers,
  databaseUrl,
  host,
  kafkaPrefix,
  limit,
  port,
  redisUrl,
  text,
  wholeNumber,
} from './config-values.js';
export { type Caller, caller, type CallContext, currentContext, runInContext } from './context.js';
export { type CallOptions, type Client, type Implementation } from './definition.js';
export { detached } from './detached.js';
export { type DeniedCall, expose, type FindWorkspace, guarded } from './dispatch.js';
export { describeError, toApiError } from './errors.js';
export { gatewayUrl } from './gateway-url.js';
export { GrpcNetwork } from './grpc-client.js';
export { isCutOff, isOutage, isTimeLimit } from './is-outage.js';
export { handleUncaughtErrors } from './handle-uncaught-errors.js';
export { keepTrying } from './keep-trying.js';
export { liveWorkspaces, lookUpWorkspace } from './live-workspaces.js';
export { LocalNetwork } from './local.js';
export { LostCall } from './lost-call.js';
export { makeChange } from './make-change.js';
export { createLogger, type Logger } from './log.js';
export { type Metric, metricsDoor, type Sample } from './metrics.js';
export { runAs } from './run-as.js';
export { requireInScope, requireNamed, workspacesInScope } from './scope.js';
export { endAll, onShutdownSignal, serve, startBackground, stopBackground } from './serve.js';
export { type Background, type Job, type Service, type ServiceContext, type ServiceFactory } from './service.js';
export { type ClockReading, ReferenceClock, referenceClock } from './reference-clock.js';
export { requireInTime } from './require-in-time.js';
export { formerNames, readConfig } from './read-config.js';
export { startFailure } from './start-failure.js';
export { openTelemetry, type Telemetry } from './telemetry.js';
export { memoize, type Memoized } from './memoize.js';
export { openSpan, traceparent, withSpan } from './trace.js';
export { untilDeadline } from './until-deadline.js';
export type { RequiredValidatorSpec } from 'envalid';
export { encode } from './wire-format.js';
export {
  addressVariables,
  type Config,
  GATEWAY_VARIABLES,
  PROCESS_VARIABLES,
  type Variable,
  type Variables,
} from './variables.js';
