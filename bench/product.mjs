// Starts the product for a benchmark: all-in-one with its embedded database, with all data on disk. It has two organizations: one without limits,
// and one with all limits.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { adminOf, startDrawbridge } from '@drawbridge/testkit';

const UNLIMITED = {
  requestsPerMinute: null,
  workspaces: null,
  members: null,
  mcpServers: null,
  connections: null,
  actionsPerMonth: null,
  sandboxRunsPerMonth: null,
  minimumPollingMinutes: 1,
  tenantOAuthApps: true,
};

/** Sets every limit, at a value that no benchmark reaches. */
const LIMITED = {
  requestsPerMinute: 10_000_000,
  workspaces: 1_000,
  members: 1_000,
  mcpServers: 1_000,
  connections: 1_000,
  actionsPerMonth: 1_000_000_000,
  sandboxRunsPerMonth: 1_000,
  minimumPollingMinutes: 1,
  tenantOAuthApps: true,
};

/**
 * Starts the product with GitHub redirected to `provider`, and a workspace that can create issues. `limited` is a key and a workspace of the
 * organization with limits.
 */
export async function startProduct(provider, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-bench-'));
  const stops = [() => rmSync(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (let next = stops.pop(); next; next = stops.pop()) await next();
  };
  try {
    const plans = join(folder, 'plans.json');
    writeFileSync(plans, JSON.stringify({ enterprise: UNLIMITED, limited: LIMITED }));
    const ORIGIN_MAP = JSON.stringify({ 'https://api.github.com': provider });
    const product = await startDrawbridge({ embedded: true, env: { ORIGIN_MAP, PLANS_FILE: plans, ...env } });
    stops.push(product.stop);
    const { baseUrl, key, databaseUrl, databasePid } = product;
    const pid = product.processes()['drawbridge'];
    const admin = adminOf(databaseUrl, { PLANS_FILE: plans });
    const wanted = ['--name', 'Limited', '--owner-email', 'owner@example.com', '--plan', 'limited'];
    const { plainKey } = await admin('org', 'create', ...wanted);
    const limited = { key: plainKey, action: await configure({ baseUrl, key: plainKey }) };
    return { baseUrl, key, databaseUrl, action: await configure(product), limited, pid, databasePid, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns NODE_OPTIONS that load a module of this folder before the product. */
export const preload = (file) => `--import=${pathToFileURL(join(import.meta.dirname, file))}`;

/** Creates a workspace, a connection and an integration. Returns the body of an execution. */
export async function configure(product) {
  const { workspace } = await create(product, '/api/v1/workspaces', { name: 'Bench', slug: 'bench' });
  const { connection } = await create(product, '/api/v1/connections', {
    type: 'SECRET_TEXT',
    secretText: 'ghp_0123456789abcdefghijklmnopqrstuvwxyz',
    integrationName: 'github',
    externalId: 'bench',
    displayName: 'GitHub',
    scope: 'WORKSPACE',
    workspaceId: workspace.id,
  });
  const integration = { integrationName: 'github', alias: 'gh', connectionId: connection.id };
  await create(product, `/api/v1/workspaces/${workspace.id}/integrations`, integration);
  const names = { integrationName: 'github', actionName: 'create_issue', integrationAlias: 'gh' };
  return { ...names, workspaceId: workspace.id, input: { repo: 'acme/app', ...ISSUE } };
}

export const ISSUE = { title: 'The drawbridge is up', body: 'Since this morning the gate is closed. '.repeat(8) };

export async function create({ baseUrl, key }, path, body) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 201)
    throw new Error(`POST ${path} responded with ${response.status}: ${await response.text()}`);
  return response.json();
}
