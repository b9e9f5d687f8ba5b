import { newId } from '@drawbridge/contracts';
import { createLogger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { redactor } from '../redaction/redactor.js';
import { type Run } from '../run-log/record.js';
import { database, query } from '../testing/spaces.js';
import { LiveRun } from './live-run.js';

const log = createLogger('execution', 'silent');

it('stores the lines of a failed write with the next write', async () => {
  let failures = 0;
  const failsOnce = {
    query: async (statement: { name: string; text: string; values: unknown[] }) => {
      if (statement.name === 'write-console' && ++failures === 1) throw new Error('the connection was lost');
      return database.pool.query(statement);
    },
  };
  const run = { id: newId(), orgId: newId(), workspaceId: newId(), inputJson: '{}' } as Run;
  const live = new LiveRun({ pool: failsOnce as unknown as Pool, log }, run, redactor([]).text);
  live.onConsole({ level: 'log', text: 'first' });
  while (failures === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  live.onConsole({ level: 'warn', text: 'second\0' });
  await live.end();
  const { rows } = await query('SELECT line, level, text FROM execution.console_lines WHERE id = $1 ORDER BY line', [
    run.id,
  ]);
  expect(rows).toEqual([
    { line: 1, level: 'log', text: 'first' },
    { line: 2, level: 'warn', text: 'second\ufffd' },
  ]);
});
