export type { CodeError, ErrorCode } from './code-error.js';
export { type HostCall, HostError, type HostFunction, PAUSE, RawJson } from './host-calls.js';
export { JsonLimitError, type JsonValue } from './json.js';
export { DEFAULT_LIMITS, type Limits } from './limits.js';
export type { ConsoleLine } from './messages.js';
export type { Outcome, ResumeRequest, RunReport, RunRequest } from './run-request.js';
export { openSandbox, type Sandbox, type SandboxLimits, type Slot, type SlotRequest } from './sandbox.js';
export { stripBody, type Stripped } from './strip-types.js';
export { type PendingCall, SnapshotError } from './snapshot.js';
