import { type Client } from 'pg';
import { type Asked } from './frontend-messages.js';

/** Twice the size of a list page. Only deletions read more rows than that. */
const PAGE = 200;
const BATCH = 1_000;

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Node[];
}

/** Executes a statement, rolls it back, and returns the parts of its plan with a cost that grows with the table. */
export async function costsOf(client: Client, { sql, values }: Asked): Promise<string[]> {
  return nodesOf(await planOf(client, sql, values)).flatMap(problemsOf);
}

async function planOf(client: Client, sql: string, values: Asked['values']): Promise<Node> {
  const explain = async (how: string): Promise<Node> => {
    await client.query('BEGIN');
    try {
      const { rows } = await client.query(`EXPLAIN (${how}FORMAT JSON) ${sql}`, values);
      return rows[0]['QUERY PLAN'][0].Plan as Node;
    } finally {
      await client.query('ROLLBACK');
    }
  };
  // An INSERT that runs again violates a unique constraint and cannot be analyzed. Its plan is then read without execution.
  return explain('ANALYZE, TIMING OFF, ').catch((error: { code?: string }) => {
    if (error.code?.startsWith('23')) return explain('');
    throw error;
  });
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function problemsOf(node: Node): string[] {
  const loops = node['Actual Loops'] ?? 1;
  const removed = ['Rows Removed by Filter', 'Rows Removed by Index Recheck', 'Rows Removed by Join Filter'] as const;
  const dropped = removed.reduce((sum, key) => sum + (node[key] ?? 0), 0) * loops;
  const name = `${node['Node Type']} ${node['Relation Name'] ?? ''}`.trim();
  const given = (node['Actual Rows'] ?? Infinity) * loops;
  // A sequential scan is acceptable if a LIMIT ends it after a few rows.
  const isScan = node['Node Type'] === 'Seq Scan' && given + dropped > PAGE;
  // A subquery with a LIMIT reads at most BATCH rows, so its scan may drop that many rows.
  const mayDrop = node['Node Type'] === 'Subquery Scan' ? BATCH : PAGE;
  return [
    ...(isScan ? [`${name}: reads the whole table`] : []),
    ...(dropped > mayDrop ? [`${name}: drops ${dropped} rows`] : []),
    ...(given > BATCH && given !== Infinity ? [`${name}: gives ${given} rows`] : []),
  ];
}
