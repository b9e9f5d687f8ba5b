import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parse } from 'yaml';
import { cli } from './testing/cli.js';

const ROOT = join(import.meta.dirname, '../../..');
const { start, remove } = cli();
afterAll(remove);

interface Rule {
  alert: string;
  expr: string;
  annotations: { runbook: string };
}

const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const rules: Rule[] = parse(readText('deploy/observability/alerts.yml')).groups.flatMap((group: any) => group.rules);
const dashboard = JSON.parse(readText('deploy/observability/dashboard.json'));
const expressions: string[] = [
  ...rules.map(({ expr }) => expr),
  ...dashboard.panels.flatMap(({ targets }: any) => targets.map(({ expr }: any) => expr)),
];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

describe('the metrics of a running product', () => {
  let text: string;

  beforeAll(async () => {
    const port = await freePort();
    const product = await start({ METRICS_PORT: String(port) });
    const headers = { authorization: `Bearer ${product.firstKey}` };
    await fetch(`${product.baseUrl}/api/v1/organization`, { headers });
    await fetch(`${product.baseUrl}/no/such/path/${'x'.repeat(40)}`, { headers });
    for (const path of ['token', 'Token', 'TOKEN/'])
      await fetch(`${product.baseUrl}/oauth/${path}`, { method: 'POST' });
    text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await product.stop();
  });

  const linesOf = (start: string): string[] => text.split('\n').filter((line) => line.startsWith(start));

  it('count requests by route, never by the path that the caller sent', () => {
    const counted = linesOf('drawbridge_http_request_duration_seconds_count');
    expect(counted).toContain(
      'drawbridge_http_request_duration_seconds_count{method="GET",route="/api/v1/organization",status="200"} 1',
    );
    expect(counted).toContain(
      'drawbridge_http_request_duration_seconds_count{method="GET",route="none",status="404"} 1',
    );
    expect(counted.filter((line) => line.includes('oauth'))).toEqual([
      expect.stringMatching(/\{method="POST",route="\/oauth\/token",status="4\d\d"\} 3$/),
    ]);
  });

  it('count RPCs by their result', () => {
    const rpc = 'drawbridge.members.v1.OrganizationService/getOrganization';
    expect(linesOf(`drawbridge_rpc_duration_seconds_count{rpc="${rpc}",code="OK"}`)).toHaveLength(1);
  });

  it('name each metric of the process and of the shared database pool once', () => {
    expect(linesOf('drawbridge_database_connections{')).toHaveLength(3);
    expect(linesOf('process_resident_memory_bytes ')).toHaveLength(1);
    const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const names = series.map((line) => line.replace(/ [^ ]*$/, ''));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('include every metric of the alert rules, the dashboard and the documentation', () => {
    const documented: string[] = readText('docs/operating.md').match(/`(drawbridge|nodejs|process)_\w+`/g) ?? [];
    const wanted = [...expressions, ...documented].flatMap(
      (one) => one.match(/(drawbridge|nodejs|process)_\w+/g) ?? [],
    );
    const helped = linesOf('# HELP').map((line) => line.split(' ')[2]);
    const onEvent = ['drawbridge_gateway_requests_refused_total', 'drawbridge_queue_attempts_total'];
    const missing = [...new Set(wanted)]
      .map((name) => name.replace(/_(count|bucket|sum)$/, ''))
      .filter((name) => !helped.includes(name) && !onEvent.includes(name));
    expect(missing).toEqual([]);
    expect(helped.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  });
});

it('has a runbook for each alert, and no runbook without one', () => {
  const headings = readText('docs/runbooks.md')
    .match(/^## .*$/gm)!
    .map((heading) => heading.slice(3));
  expect(rules.map(({ alert }) => alert).sort()).toEqual([...headings].sort());
  for (const { alert, annotations } of rules)
    expect(annotations.runbook).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
});
