// These lines are programs of callers. The build fails if a change of the API, or of the SDK, breaks one of them.
import {
  type ApiError,
  Drawbridge,
  type List,
  NotFoundError,
  type QuotaExceededError,
  type Resources,
} from './index.js';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Accepts a value of exactly this type. */
const exactly =
  <Expected>() =>
  <Given>(given: Equal<Given, Expected> extends true ? Given : never): Given =>
    given;
const holds = <_T extends true>(): void => undefined;

export async function program(client: Drawbridge, error: unknown): Promise<void> {
  const { workspace } = await client.workspaces.create({ name: 'Acme', slug: 'acme' });
  exactly<string>()(workspace.id);
  exactly<string | null>()(workspace.suspendedAt);
  const { connection } = await client.connections.create({
    integrationName: 'github',
    type: 'SECRET_TEXT',
    secretText: 'ghp_…',
    externalId: 'github',
    displayName: 'GitHub',
    scope: 'WORKSPACE',
    workspaceId: workspace.id,
  });
  exactly<'ACTIVE' | 'ERROR'>()(connection.status);
  await client.workspaceIntegrations.create(workspace.id, { integrationName: 'github', connectionId: connection.id });

  const result = await client.actions.execute({ integrationName: 'hash-encode', actionName: 'hash', input: {} });
  if (result.success) exactly<number>()(result.duration);
  else exactly<string>()(result.approval.retry.idempotencyKey);

  for await (const { email } of client.endUsers.list({ workspaceId: workspace.id })) exactly<string | null>()(email);
  const { total } = await client.workspaces.list({ includeSuspended: true });
  exactly<number>()(total);
  const { registered } = await client.integrations.list();
  exactly<string[]>()(registered);
  const { integration } = await client.integrations.get('github');
  exactly<string>()(integration.name);
  for await (const { event } of client.executions.streamEvents('id', { signal: AbortSignal.timeout(1) })) event.trim();
  await client.approvals.approve('apr_…');
  await client.mcpServers.removeTool('server', 'tool');

  if (error instanceof NotFoundError) exactly<'NOT_FOUND'>()(error.code);

  // @ts-expect-error A required field is missing.
  await client.workspaces.create({ name: 'Acme' });
  // @ts-expect-error The API has no such field.
  await client.workspaces.update(workspace.id, { colour: 'red' });
  // @ts-expect-error The value is not one of the set.
  await client.mcpServers.create({ name: 'Agent', workspaceId: workspace.id, mode: 'tools' });
  // @ts-expect-error The workspace is required.
  await client.endUsers.list();
  // @ts-expect-error Each tool is one of a server.
  await client.mcpServers.removeTool('tool');
  // @ts-expect-error The output is there only if the action ran.
  String(result.output);
}

export function details(quota: QuotaExceededError, unknown: ApiError): void {
  exactly<number | undefined>()(quota.details.limit);
  exactly<unknown>()(unknown.details['anything']);
}

holds<Equal<Exclude<keyof Resources, keyof Drawbridge>, never>>();
holds<
  Equal<
    ReturnType<Drawbridge['partials']['list']> extends List<infer Page, infer _Item> ? keyof Page : never,
    'partials' | 'total'
  >
>();

export const withoutOptions = (): Drawbridge => new Drawbridge();

/** Calls with an integration, an action and an input that the compiler checks against a catalog. */
export async function typedCalls(
  client: Drawbridge,
  own: Drawbridge<{ erp: { book: { amount: number } } }>,
): Promise<void> {
  await client.actions.execute({
    integration: 'github',
    action: 'create_issue',
    input: { repo: 'acme/app', title: 'Broken' },
  });
  await client.executeWithApproval({
    integration: 'hash-encode',
    action: 'hash',
    input: { text: 'a', algorithm: 'sha256' },
  });
  await own.actions.execute({ integration: 'erp', action: 'book', input: { amount: 1 }, endUserId: 'user-42' });

  // @ts-expect-error The integration is misspelt.
  await client.actions.execute({ integration: 'gihub', action: 'create_issue', input: { repo: 'a/b', title: 'T' } });
  // @ts-expect-error GitHub has no such action.
  await client.actions.execute({ integration: 'github', action: 'create_isue', input: { repo: 'a/b', title: 'T' } });
  // @ts-expect-error A required input is missing.
  await client.actions.execute({ integration: 'github', action: 'create_issue', input: { repo: 'a/b' } });
  // @ts-expect-error The input is of another type.
  await client.actions.execute({ integration: 'github', action: 'create_issue', input: { repo: 'a/b', title: 1 } });
  // @ts-expect-error The action has no such input.
  await client.actions.execute({ integration: 'github', action: 'create_issue', input: { repo: '', title: '', x: 1 } });
  // @ts-expect-error The value is not one of the set.
  await client.actions.explain({ integration: 'hash-encode', action: 'hash', input: { text: '', algorithm: 'rot13' } });
  // @ts-expect-error Only the integrations of the own catalog are there.
  await own.actions.execute({ integration: 'github', action: 'create_issue', input: { repo: 'a/b', title: 'T' } });
}
