import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError, cutText, makeNameVisible, withDefaults } from '@drawbridge/contracts';
import { type JsonObject } from '@drawbridge/piece-kit';
import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { type ActionOutcome } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { type CodeFailed, type CodeSurface, type CodeTool } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { caller, currentContext, describeError, isOutage, runAs } from '@drawbridge/rpc';
import { type HostCall, HostError, type HostFunction, type JsonValue, PAUSE, RawJson } from '@drawbridge/sandbox';
import { TenantLimiter } from '@drawbridge/turns';
import { execute, toCall } from '../pipeline/execute.js';
import { type ActionCall, type Pipeline } from '../pipeline/pipeline.js';
import { toInput } from './call-input.js';
import { type CodeRun, toGatedRun } from './code-run.js';
import { Tools } from './find-tool.js';
import { keyOf, type ReplayedCalls } from './replayed-calls.js';
import { type CodeReport } from './run-report.js';

const NAMESPACE = 'svc.';
const MAX_PATH = 100;
/** Maximum number of unknown names per run for which similar names are suggested, because each suggestion compares a name with many others. */
const MAX_SUGGESTIONS = 20;
const MAX_ERRORS = 1_000;
/** Maximum number of calls of a program. */
export const MAX_CALLS = 1_000;
/** Maximum number of calls of a program that execute at the same time. Further calls wait. */
const AT_ONCE = 50;
/** Maximum number of calls that wait for an approval at the same time. The program makes further calls after the run continues. */
const MAX_PAUSED = 50;

interface Session {
  pipeline: Pipeline;
  surface: CodeSurface;
  run: CodeRun;
  report: CodeReport;
  /** The calls that were already made, if the run is repeated because its process exited. */
  replayed?: ReplayedCalls;
  /** Stores an approval that a call waits for. */
  onPending(approval: Approval): Promise<void>;
  /**
   * Called if a repeated program makes other calls than before its process exited. It must not make any further call, because actions could be
   * executed twice.
   */
  onDiverged(): void;
}

/** Executes the calls `svc.<alias>.<action>(input)` of a program. */
export class ToolCalls {
  private readonly tools: Tools;
  /**
   * Code and details of the errors that were thrown into the program, by message. If the program does not catch an error, the sandbox returns its
   * message but not its details.
   */
  private readonly errors = new Map<string, Pick<CodeFailed, 'code' | 'details'>>();
  private suggestions = 0;
  private paused = 0;
  private executing = 0;
  private readonly slots = new TenantLimiter({ atOnce: AT_ONCE, waiting: MAX_CALLS });
  private hasDiverged = false;
  /** Restores the context of the request that started the program, because calls of the program arrive outside of it. */
  private readonly inRequest = AsyncLocalStorage.snapshot();

  constructor(private readonly session: Session) {
    this.tools = new Tools(session.surface.tools);
  }

  get functions(): Record<string, HostFunction> {
    return { 'svc.*': (call) => this.inRequest(() => this.answer(call)) };
  }

  /** Returns the code and details of an error that the program did not catch. */
  errorOf(message: string): Pick<CodeFailed, 'code' | 'details'> | undefined {
    return this.errors.get(message);
  }

  private async answer(call: HostCall): Promise<RawJson | typeof PAUSE> {
    try {
      return await this.make(call);
    } catch (error) {
      const shown = this.toHostError(error);
      if (shown.code !== undefined && this.errors.size < MAX_ERRORS)
        this.errors.set(shown.message.slice(0, 1_000), { code: shown.code, details: toDetails(shown.details) });
      throw shown;
    }
  }

  private async make({ id, name, args, signal }: HostCall): Promise<RawJson | typeof PAUSE> {
    const { report } = this.session;
    const path = name.slice(NAMESPACE.length);
    const call = this.toCall(id, this.requireTool(path), toInput(path, args));
    this.requireSame(call);
    const release = await this.slots.acquire(call.who.orgId, signal);
    if (this.paused > 0 && this.paused + this.executing >= MAX_PAUSED) {
      release();
      return PAUSE;
    }
    this.executing += 1;
    try {
      report.begin(id, path);
      const answer = await this.execute(id, call, signal);
      if (answer === PAUSE) this.paused += 1;
      return answer;
    } finally {
      this.executing -= 1;
      release();
    }
  }

  private async execute(id: string, call: ActionCall, signal: AbortSignal): Promise<RawJson | typeof PAUSE> {
    const { pipeline, report } = this.session;
    // The signal cancels a call when the run ends, unless the call has already claimed its idempotency key.
    const own = { caller: caller(), signal, deadline: currentContext()!.deadline };
    const executing = runAs(own, async () => {
      await pipeline.requireWorkspace(call.request.workspaceId);
      return execute(pipeline, call);
    });
    const outcome = await executing.catch((error: unknown) => {
      if (error instanceof ApiError && error.details['reason'] === 'outcome_unknown') report.endUnknown(id);
      else report.end(id, 'failed');
      throw error;
    });
    return this.toAnswer(id, outcome);
  }

  private async toAnswer(id: string, { outcome, executionId }: ActionOutcome): Promise<RawJson | typeof PAUSE> {
    switch (outcome?.$case) {
      case 'outputJson':
        this.session.report.end(id, 'success', executionId);
        return new RawJson(outcome.value);
      case 'failure': {
        this.session.report.end(id, 'failed', executionId);
        const { code, message, details } = outcome.value;
        throw new HostError(message, { code, details });
      }
      case 'pending':
        await this.session.onPending(outcome.value);
        return PAUSE;
      case undefined:
        throw new Error('The pipeline returned no outcome');
    }
  }

  /** Throws HostError for an unknown path. */
  private requireTool(path: string): CodeTool {
    const tool = this.tools.byPath.get(path);
    if (tool) return tool;
    const closest = this.suggestions++ < MAX_SUGGESTIONS ? this.tools.closest(path) : [];
    const advice = closest.length > 0 ? `Did you mean ${closest.map((one) => `svc.${one}`).join(' or ')}? ` : '';
    const shown = makeNameVisible(cutText(path, MAX_PATH));
    const message = `svc.${shown} does not exist. ${advice}Find the actions of this server with svc_search.`;
    throw new HostError(message, { code: 'UNKNOWN_TOOL', details: { closest } });
  }

  private toCall(id: string, tool: CodeTool, given: JsonObject): ActionCall {
    const { run, surface } = this.session;
    const { integrationName, actionName, workspaceIntegrationId, partialIds, connectionId, alias } = tool;
    const defaults: JsonObject = tool.inputDefaultsJson === undefined ? {} : JSON.parse(tool.inputDefaultsJson);
    const { workspaceId, endUserId, mcpServerId } = surface;
    const which = { integrationName, actionName, workspaceIntegrationId, partialIds, workspaceId, endUserId };
    const request = { ...which, input: withDefaults(defaults, given), idempotencyKey: keyOf(run, id) };
    const call = toCall(request, { mcpServerId, connectionId, toolAlias: alias });
    return { ...call, codeRun: toGatedRun(run) };
  }

  /**
   * Throws HostError if a repeated run makes another call than before its process exited. Must not await, so that calls are compared in the order in
   * which the program makes them.
   */
  private requireSame({ key }: ActionCall): void {
    const { replayed, onDiverged } = this.session;
    if (!this.hasDiverged && (replayed?.isSame(key!.key, key!.requestHash) ?? true)) return;
    this.hasDiverged = true;
    onDiverged();
    throw new HostError('The run ends, because the program makes other calls than before its process was lost');
  }

  private toHostError(error: unknown): HostError {
    if (error instanceof HostError) return error;
    if (error instanceof ApiError) {
      const details = toJson(error.details);
      return new HostError(error.message, { code: error.code, details, cause: error });
    }
    if (isOutage(error))
      return new HostError('A dependency is unavailable. Try again.', { code: 'UNAVAILABLE', cause: error });
    this.session.pipeline.log.error(
      { codeRunId: this.session.run.id, error: describeError(error) },
      'a call of a program failed unexpectedly',
    );
    return new HostError('Something went wrong on our side', { code: 'INTERNAL', cause: error });
  }
}

const toJson = (value: unknown): JsonValue | undefined =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as JsonValue);

const toDetails = (details: JsonValue | undefined): CodeFailed['details'] =>
  typeof details === 'object' && details !== null && !Array.isArray(details) ? details : undefined;
