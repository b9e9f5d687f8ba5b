// Shapes: local, processes
import { type Api, apiOf } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';

let nobody: Api;
let document: any;

beforeAll(async () => {
  nobody = apiOf((await drawbridge()).baseUrl);
  document = (await nobody.get('/api/v1/openapi.json')).body;
});

const operations = (): any[] => Object.values<object>(document.paths).flatMap((path) => Object.values(path));

describe('health', () => {
  it('says that the process lives, without a key', async () => {
    expect(await nobody.get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('says that everything behind the gateway can work, without a key', async () => {
    await eventually(async () =>
      expect(await nobody.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ok', unready: [] } }),
    );
  });
});

describe('the OpenAPI document', () => {
  it('is served as JSON, version 3.1, without a key', async () => {
    const { status, headers } = await nobody.get('/api/v1/openapi.json');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(JSON.stringify(document)).not.toContain('"nullable"');
  });

  it('describes every operation with an id of its own and a failure', async () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { responses } of operations()) {
      expect(responses.default.content['application/json'].schema.$ref).toBe('#/components/schemas/Error');
    }
  });

  it('asks for a key everywhere but where the contract says public', async () => {
    expect(document.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' });
    const open = operations().filter(({ security }) => JSON.stringify(security) !== '[{"apiKey":[]}]');
    expect(open.map(({ operationId, security }) => [operationId, security])).toEqual([['ListIntegrations', []]]);
  });

  it('carries the limits that are declared beside the fields', async () => {
    const { CreateWorkspaceRequest, CreateApiKeyRequest, Workspace } = document.components.schemas;
    expect(CreateWorkspaceRequest.properties.name).toMatchObject({ type: 'string', minLength: 1, maxLength: 100 });
    expect(CreateWorkspaceRequest.properties.slug).toMatchObject({ maxLength: 50, pattern: '^[a-z0-9][a-z0-9-]*$' });
    expect(CreateWorkspaceRequest.required.sort()).toEqual(['name', 'slug']);
    expect(CreateWorkspaceRequest.additionalProperties).toBe(false);
    expect(CreateApiKeyRequest.properties.name).toMatchObject({ maxLength: 100 });
    expect(Workspace.properties.createdAt).toMatchObject({ type: 'string', format: 'date-time' });
    expect(Workspace.properties.suspendedAt.type).toEqual(['string', 'null']);
  });

  it('carries the bounds and the defaults of a page', async () => {
    const parameters: any[] = document.paths['/api/v1/workspaces'].get.parameters;
    const schemaOf = (name: string): any => parameters.find((one) => one.name === name).schema;
    expect(schemaOf('limit')).toMatchObject({ minimum: 1, maximum: 100, default: 50 });
    expect(schemaOf('offset')).toMatchObject({ minimum: 0, default: 0 });
    expect(schemaOf('includeSuspended')).toMatchObject({ type: 'boolean', default: false });
  });
});

describe('the API page', () => {
  it('is HTML that a browser may load from here alone', async () => {
    const { status, body, headers } = await nobody.get('/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(body).not.toMatch(/https?:\/\//);
  });

  it('loads every script and style sheet from here', async () => {
    const { body } = await nobody.get('/docs');
    const files = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]);
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      const { status, headers } = await nobody.get(file);
      expect({ file, status }).toEqual({ file, status: 200 });
      expect(headers.get('content-type')).toMatch(/javascript|css/);
    }
  });
});
