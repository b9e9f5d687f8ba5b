import { setTimeout as sleep } from 'node:timers/promises';
import { toStorable } from '@drawbridge/contracts';
import { describeError } from '@drawbridge/rpc';
import { type Pipeline } from '../pipeline/pipeline.js';
import { type TextRedactor } from '../redaction/redactor.js';
import { type Run } from '../run-log/record.js';
import { type Line, LineRedactor } from './line-redactor.js';

/** Time after which an active run appears in the run log. A shorter run appears only after its end, which saves a write. */
const FIRST_MS = 300;
const EVERY_MS = 500;
/** The interval at which an active run renews its database row. After twice this time without a renewal, readers assume that the process exited. */
const RENEW_MS = 5_000;
/** Maximum time that the outcome of a run waits for its last console lines. */
const END_MS = 2_000;
/** Limits of the stored console of one run. The sandbox limits the console too, but redaction can make strings longer. */
const MAX = { lines: 1_001, characters: 256 * 1024, text: 16_384 };

const START = {
  name: 'start-live-run',
  text: `
    INSERT INTO execution.running_executions (id, org_id, workspace_id, run, until)
    SELECT $1::uuid, $2::uuid, $3::uuid, $4::json, now() + interval '${2 * RENEW_MS} milliseconds'
    WHERE (SELECT execution.workspace_lives($3::uuid)) ON CONFLICT DO NOTHING`,
};
const RENEW = {
  name: 'renew-live-run',
  text: `
    UPDATE execution.running_executions SET until = now() + interval '${2 * RENEW_MS} milliseconds'
    WHERE id = $1::uuid AND org_id = $2::uuid`,
};
const WRITE = {
  name: 'write-console',
  text: `
    INSERT INTO execution.console_lines (id, org_id, workspace_id, line, level, text)
    SELECT $1::uuid, $2::uuid, $3::uuid, written.* FROM unnest($4::int[], $5::text[], $6::text[]) AS written
    WHERE EXISTS (SELECT FROM execution.running_executions WHERE id = $1::uuid AND org_id = $2::uuid)
    ON CONFLICT DO NOTHING`,
};

/** Displays an active run and its console in the run log. Never throws, because the outcome of the run must not depend on it. */
export class LiveRun {
  private readonly lines: LineRedactor;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private isStarted = false;
  private renewedAt = 0;
  /** The lines that the next write stores. A failed write keeps them. */
  private unwritten: (Line & { number: number })[] = [];
  private taken = { lines: 0, characters: 0 };

  constructor(
    private readonly dependencies: Pick<Pipeline, 'pool' | 'log'>,
    private readonly run: Run,
    redact: TextRedactor,
  ) {
    this.lines = new LineRedactor(redact, MAX.text);
    this.writeIn(FIRST_MS);
  }

  onConsole(line: Line): void {
    this.lines.push(line);
  }

  /**
   * Writes the remaining console lines, if the run already appears in the run log. Must be called before the outcome is recorded, so that readers of
   * an ended run find a complete console.
   */
  async end(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const rest = this.writing.then(() => (this.isStarted ? this.attempt(() => this.write(true)) : undefined));
    await Promise.race([rest, sleep(END_MS, undefined, { ref: false })]);
  }

  private writeIn(delayMs: number): void {
    this.timer = setTimeout(() => {
      this.writing = this.attempt(() => this.write(false)).then(() => {
        if (this.timer) this.writeIn(EVERY_MS);
      });
    }, delayMs).unref();
  }

  private async attempt(write: () => Promise<void>): Promise<void> {
    await write().catch((error: unknown) => {
      const line = { executionId: this.run.id, error: describeError(error) };
      this.dependencies.log.warn(line, 'the console of a run could not be stored');
    });
  }

  private async write(isEnd: boolean): Promise<void> {
    const { pool } = this.dependencies;
    const { id, orgId, workspaceId } = this.run;
    const key = [id, orgId];
    if (!this.isStarted) {
      await pool.query({ ...START, values: [...key, workspaceId, JSON.stringify(this.run)] });
      this.isStarted = true;
      this.renewedAt = performance.now();
    }
    for (const line of this.lines.take(isEnd)) this.take(line);
    const lines = this.unwritten;
    if (lines.length > 0) {
      const columns = [
        lines.map(({ number }) => number),
        lines.map(({ level }) => level),
        lines.map(({ text }) => text),
      ];
      await pool.query({ ...WRITE, values: [...key, workspaceId, ...columns] });
      this.unwritten = [];
    }
    const isDue = performance.now() - this.renewedAt >= RENEW_MS;
    if (!isEnd && !isDue) return;
    await pool.query({ ...RENEW, values: key });
    this.renewedAt = performance.now();
  }

  /** Adds a line to the unwritten lines, if the console of the run is not full. */
  private take({ level, text }: Line): void {
    const characters = this.taken.characters + text.length;
    if (this.taken.lines >= MAX.lines || characters > MAX.characters) return;
    this.taken = { lines: this.taken.lines + 1, characters };
    this.unwritten.push({ number: this.taken.lines, level, text: toStorable(text) });
  }
}
