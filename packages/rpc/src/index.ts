export { Cancellation } from './cancellation.js';
export { auditedCall, makeChange, nothingToRecord } from './changes.js';
export {
  type Caller,
  caller,
  type CallContext,
  currentContext,
  runInContext,
  detached,
  runAs,
  ServedContext,
  requireInTime,
} from './context.js';
export { type Authority, isNoMore, isGranted, isWithin } from './authorize.js';
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
export { type CallOptions, type Client, type Implementation, encode } from './wire-format.js';
export { type DeniedCall, expose, type FindWorkspace, guarded } from './dispatch.js';
export { describeError, toApiError, isCutOff, isOutage, isTimeLimit, LostCall, startFailure } from './errors.js';
export {
  gatewayUrl,
  addressVariables,
  type Config,
  GATEWAY_VARIABLES,
  PROCESS_VARIABLES,
  type Variables,
} from './variables.js';
export { handleUncaughtErrors, endAll, onShutdownSignal, serve, startBackground, stopBackground } from './serve.js';
export { keepTrying } from './keep-trying.js';
export { liveWorkspaces, lookUpWorkspace } from './live-workspaces.js';
export { LocalNetwork } from './local.js';
export { createLogger, type LogFields, type Logger } from './log.js';
export { DurationHistogram, type Metric, slotMetric } from './metrics.js';
export { metricsEndpoint, metricsText } from './metrics-endpoint.js';
export { processMetrics } from './process-metrics.js';
export { requireInScope, requireNamed, workspacesInScope } from './scope.js';
export {
  type Background,
  type Job,
  type Service,
  type ServiceContext,
  type ServiceFactory,
  untilDeadline,
} from './service.js';
export { ReferenceClock, referenceClock } from './reference-clock.js';
export { formerNames, readConfig } from './read-config.js';
export {
  endSpanWith,
  inClientSpan,
  isTraced,
  openClientSpan,
  openSpan,
  traceIdOf,
  traceparent,
  withSpan,
} from './spans.js';
export { openTelemetry } from './telemetry.js';
export { atMost, memoize, type Memoized } from './memoize.js';
export { type RequiredValidatorSpec } from 'envalid';
