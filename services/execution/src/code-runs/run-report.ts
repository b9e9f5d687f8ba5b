import { type CodeRunResult } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { type ConsoleLine } from '@drawbridge/sandbox';

interface Call {
  id: string;
  path: string;
  status: 'success' | 'failed' | 'pending';
  executionId?: string;
  /** True if the call failed without a result, and its action may have run. */
  isUnknown?: boolean;
}

export interface StoredReport {
  console: ConsoleLine[];
  calls: Call[];
  /** True if a process exited after this report was stored. The process may have executed actions since. */
  hasCrashed?: boolean;
}

/** The console lines and the calls of a run, across all its pauses. The sandbox limits the size of the console and the number of calls. */
export class CodeReport {
  readonly console: ConsoleLine[];
  private readonly calls: Map<string, Call>;
  private readonly hasCrashed: boolean;

  constructor({ console, calls, hasCrashed = false }: StoredReport = { console: [], calls: [] }) {
    this.hasCrashed = hasCrashed;
    this.console = [...console];
    this.calls = new Map(calls.map((call) => [call.id, call]));
  }

  /** Records that a call begins. If the call is repeated after a pause, its position in the list does not change. */
  begin(id: string, path: string): void {
    this.calls.set(id, { id, path, status: 'pending' });
  }

  end(id: string, status: 'success' | 'failed', executionId?: string): void {
    const call = this.calls.get(id);
    if (call) this.calls.set(id, { ...call, status, executionId });
  }

  /** Records a call that failed without a result, although its action may have run. */
  endUnknown(id: string): void {
    const call = this.calls.get(id);
    if (call) this.calls.set(id, { ...call, status: 'failed', isUnknown: true });
  }

  toStored(): StoredReport {
    return { console: this.console, calls: [...this.calls.values()] };
  }

  toResult(): Pick<CodeRunResult, 'console' | 'calls'> {
    const calls = [...this.calls.values()].map(({ path, status, executionId }) => ({ path, status, executionId }));
    return { console: this.console, calls };
  }

  /** Lists the executed calls in a sentence, for the error message of a run that ended early. */
  describeExecuted(): string {
    const later = 'Later actions of the run are in the run log.';
    const executed = this.executed();
    if (executed.length === 0) return this.hasCrashed ? later : 'No action was executed.';
    const named = executed.slice(0, MAX_NAMED).map((call) => `${call.path} (${outcomeOf(call)})`);
    const others = executed.length - named.length;
    const listed = `Executed actions: ${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}.`;
    return this.hasCrashed ? `${listed} ${later}` : listed;
  }

  /** Says how to start again. The same program would execute its actions a second time. */
  describeRestart(): string {
    const isUnchanged = this.executed().length === 0 && !this.hasCrashed;
    return isUnchanged ? 'Start the program again.' : 'Start a program that does not repeat them.';
  }

  private executed(): Call[] {
    return [...this.calls.values()].filter(({ executionId, isUnknown }) => executionId !== undefined || isUnknown);
  }
}

const MAX_NAMED = 20;

const outcomeOf = ({ isUnknown, status }: Call): string => (isUnknown ? 'outcome unknown' : status);
