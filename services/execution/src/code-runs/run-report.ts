import { type CodeRunResult } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { type ConsoleLine } from '@drawbridge/sandbox';

interface Call {
  id: string;
  path: string;
  status: 'success' | 'failed' | 'pending';
  executionId?: string;
}

export interface StoredReport {
  console: ConsoleLine[];
  calls: Call[];
}

/** The console lines and the calls of a run, across all its pauses. The sandbox limits the size of the console and the number of calls. */
export class CodeReport {
  readonly console: ConsoleLine[];
  private readonly calls: Map<string, Call>;

  constructor({ console, calls }: StoredReport = { console: [], calls: [] }) {
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

  has(id: string): boolean {
    return this.calls.has(id);
  }

  toStored(): StoredReport {
    return { console: this.console, calls: [...this.calls.values()] };
  }

  toResult(): Pick<CodeRunResult, 'console' | 'calls'> {
    const calls = [...this.calls.values()].map(({ path, status, executionId }) => ({ path, status, executionId }));
    return { console: this.console, calls };
  }

  /** Returns a sentence that lists the executed calls, for the error message of a run that ended early. */
  describeExecuted(): string {
    const executed = this.executed();
    if (executed.length === 0) return 'No action was executed.';
    const named = executed.slice(0, MAX_NAMED).map(({ path, status }) => `${path} (${status})`);
    const others = executed.length - named.length;
    return `Executed actions: ${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}.`;
  }

  /** Says how to start again. The same program would execute its actions a second time. */
  describeRestart(): string {
    return this.executed().length === 0 ? 'Start the program again.' : 'Start a program that does not repeat them.';
  }

  private executed(): Call[] {
    return [...this.calls.values()].filter(({ executionId }) => executionId !== undefined);
  }
}

const MAX_NAMED = 20;
