import { type InvocationServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type VaultServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { type CodeRun } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type ExecuteActionRequest } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { type Caller, type Client, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type ClaimPoller } from '../claims/claims.js';
import { type CalledTool, type IdempotencyKey, type Leases } from '../claims/idempotency-key.js';
import { type SettleClaim, type TakeClaim } from '../claims/write-claims.js';
import { type ActionQuota } from '../quota/action-quota.js';
import { type RequireRedirect } from './gate.js';
import { type RedactorFor } from './connection.js';
import { type PolicyGate } from './policy-gate.js';
import { type JobPool } from '../workers/job-pool.js';
import { type Sender } from './run-opened.js';
import { type OutputRedactor } from '../redaction/redact-off-thread.js';
import { type Previewer } from '../run-log/previewer.js';
import { type RecordRun } from '../run-log/record.js';
import { type CodeRunners } from '../running/code-runner.js';
import { type ContainerRunners } from '../running/container-runner.js';
import { type OpenState } from '../state/open-state.js';
import { type RunsUnderWay } from '../run-log/store-answer.js';

/** The request for an action, and its caller. */
export interface ActionCall {
  request: ExecuteActionRequest;
  who: Caller;
  /** Absent if the request has no idempotency key. A repeated request then runs again. */
  key?: IdempotencyKey;
  /** The MCP tool that was called. */
  tool?: CalledTool;
  /** The Code Mode run that makes the call. Absent for a call outside of Code Mode. */
  codeRun?: CodeRun;
}

/** The services and resources that the steps of an execution use. */
export interface Pipeline {
  pool: Pool;
  leases: Leases;
  claimPoller: ClaimPoller;
  takeClaim: TakeClaim;
  settleClaim: SettleClaim;
  /** The quotas of the plans of organizations. */
  actionQuota: Pick<ActionQuota, 'take' | 'restore'>;
  sandboxQuota: Pick<ActionQuota, 'take' | 'restore'>;
  /** Returns an HTTP client that applies the limits of the organization. */
  senderFor(orgId: string, requireRedirect?: RequireRedirect): Sender;
  /** Returns the redactor of a credential. Redactors are cached for a second. */
  redactorFor: RedactorFor;
  /** Builds the previews of inputs for approvers, without secrets. */
  previewer: Previewer;
  /** Redacts the outputs of runs that execute on the main thread. */
  outputs: OutputRedactor;
  /** Threads for runs with large responses. */
  threads: JobPool;
  /** Processes for isolated actions, which evaluate expressions of their callers. */
  processes: JobPool;
  /** Opens the storage of actions with state. */
  openState: OpenState;
  /** Runs code of callers in the sandbox. */
  code: Pick<CodeRunners, 'acquire'>;
  /** Runs programs of callers in containers. */
  containers: Pick<ContainerRunners, 'acquire'>;
  runs: RunsUnderWay;
  log: Logger;
  invocations: Client<InvocationServiceDefinition>;
  vault: Client<VaultServiceDefinition>;
  policies: PolicyGate;
  /** Throws NOT_FOUND if the workspace does not belong to the caller's organization, and FORBIDDEN if it is suspended. */
  requireWorkspace(workspaceId: string): Promise<unknown>;
  /** Records a run in the run log. `onRecorded` must be called afterwards, so that the outbox publishes the event without delay. */
  recordRun: RecordRun;
  onRecorded(): void;
}
