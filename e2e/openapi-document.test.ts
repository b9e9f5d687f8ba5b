// Shapes: local; in full: processes
import { type Api, apiOf } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';

let anonymous: Api;
let document: any;

beforeAll(async () => {
  anonymous = apiOf((await drawbridge()).baseUrl);
  document = (await anonymous.get('/api/v1/openapi.json')).body;
});

const operations = (): any[] => Object.values<object>(document.paths).flatMap((path) => Object.values(path));

const responseOf = ({ $ref }: { $ref: string }): any => document.components.responses[$ref.split('/').at(-1)!];

/** A public operation that requires the session's token in the body. */
const POLL = 'PollConnectSession';

describe('the OpenAPI document', () => {
  it('is served as JSON, version 3.1, without a key', async () => {
    const { status, headers } = await anonymous.get('/api/v1/openapi.json');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(JSON.stringify(document)).not.toContain('"nullable"');
  });

  it('describes every operation with a unique id and an error response', async () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { responses } of operations()) {
      expect(responseOf(responses.default).content['application/json'].schema.$ref).toBe('#/components/schemas/Error');
    }
  });

  it('names its server', () => {
    expect(document.servers).toEqual([expect.objectContaining({ url: expect.any(String) })]);
  });

  it('describes every parameter and field, and has an example response for every operation', () => {
    const fields = Object.values<any>(document.components.schemas).flatMap(({ properties = {} }) =>
      Object.values<any>(properties),
    );
    const parameters = operations().flatMap((operation) => operation.parameters ?? []);
    for (const one of [...fields, ...parameters, ...operations()]) expect(one.description).toMatch(/\S/);
    for (const { operationId, responses } of operations()) {
      const answers = Object.values<any>(responses).flatMap(({ content }) => Object.values<any>(content ?? {}));
      expect({ operationId, answers: answers.length }).not.toMatchObject({ answers: 0 });
      for (const { example } of answers)
        expect({ operationId, example }).toEqual({ operationId, example: expect.anything() });
    }
  });

  it('marks exactly the fields as required that the product requires', async () => {
    const { schemas } = document.components;
    expect(schemas.DisableTriggerRequest.required).toEqual(['triggerSourceId']);
    expect(schemas.TestTriggerRequest.required).toEqual(['integrationName', 'triggerName']);
    expect(schemas.PollConnectSessionRequest.required).toEqual(['token']);
    expect(schemas.AmountThreshold.required).toEqual(['path', 'gt']);
    const settings = schemas.CreateMcpServerRequest.properties.settings.$ref.split('/').at(-1);
    expect([schemas[settings], schemas.McpServerSettings].map(({ required = [] }) => required)).toEqual([
      [],
      ['codeMode', 'tools'],
    ]);
    const bodies = operations().filter(({ requestBody }) => requestBody && !requestBody.required);
    expect(bodies.map(({ operationId }) => operationId).sort()).toEqual([
      ...['ApproveApproval', 'CancelApproval', 'CreatePortalToken', 'RejectApproval'],
    ]);
  });

  it('types counts as integers, and lists the values of closed sets', async () => {
    const { ApiKeyList, Connection, CreateMcpServerRequest, PlanUsage, WorkspaceIntegration } =
      document.components.schemas;
    expect(ApiKeyList.properties.total.type).toBe('integer');
    for (const { type } of Object.values<any>(PlanUsage.properties)) expect(type).toBe('integer');
    expect(Connection.properties.status.enum).toEqual(['ACTIVE', 'ERROR']);
    expect(WorkspaceIntegration.properties.connectionStatus.enum).toEqual(['ACTIVE', 'ERROR', null]);
    expect(CreateMcpServerRequest.properties.mode).toMatchObject({ enum: ['TOOLS', 'CODE'], default: 'TOOLS' });
    expect(JSON.stringify(document)).not.toMatch(/"pattern":"\^\(\w+\|/);
  });

  it('marks a response field as nullable only where it can be null', async () => {
    const { ApprovalPolicy, EndUser, TriggerSample, ShownApproval } = document.components.schemas;
    expect(ApprovalPolicy.properties.rules.type).toBe('object');
    expect(ApprovalPolicy.properties.approvers.type).toBe('array');
    expect(ApprovalPolicy.properties.metadata.type).toEqual(['object', 'null']);
    expect(EndUser.properties.metadata.type).toBe('object');
    expect(TriggerSample.properties.sampleData.type).toBe('object');
    expect(ShownApproval.properties.inputPreview.type).toBe('object');
  });

  it('has an example of NDJSON where an operation returns it', async () => {
    const lines = document.paths['/api/v1/audit-log/export'].get.responses['200'].content['application/x-ndjson'];
    expect(lines.schema).not.toHaveProperty('contentEncoding');
    expect(JSON.parse(lines.example)).toHaveProperty('outcome');
  });

  it('types an approver by its `type`', () => {
    const { oneOf, discriminator } = document.components.schemas.ApprovalApprover;
    expect(discriminator.propertyName).toBe('type');
    expect(Object.keys(discriminator.mapping)).toEqual(['org_role', 'dashboard_user', 'end_user', 'webhook']);
    expect(oneOf).toHaveLength(4);
  });

  it('lists the error codes of each operation by status', async () => {
    const codesOf = ({ responses }: any, status: string): string[] =>
      responseOf(responses[status]).content['application/json'].schema.allOf[1].properties.code.enum;
    for (const operation of operations()) {
      expect(codesOf(operation, '400')).toContain('VALIDATION_ERROR');
      for (const status of ['429', '500', '503', '504']) expect(codesOf(operation, status)).toHaveLength(1);
      const asks = operation.security.length > 0 || operation.operationId === POLL;
      expect('401' in operation.responses).toBe(asks);
      expect('413' in operation.responses).toBe(operation.requestBody !== undefined);
    }
    const execute = document.paths['/api/v1/actions/execute'].post;
    const own = ['ACTION_FAILED', 'CONNECTION_NOT_FOUND', 'CONNECTION_REQUIRED', 'INTEGRATION_NOT_FOUND'];
    expect(codesOf(execute, '400').sort()).toEqual([...own, 'VALIDATION_ERROR']);
  });

  it('has an example body that each operation accepts', async () => {
    const { api } = await drawbridge();
    for (const [path, methods] of Object.entries<any>(document.paths)) {
      for (const [method, { requestBody, operationId, parameters = [] }] of Object.entries<any>(methods)) {
        if (!requestBody) continue;
        const { example } = requestBody.content['application/json'];
        const whole = path.replace(
          /\{(\w+)\}/g,
          (_: string, name: string) => parameters.find((one: any) => one.name === name).example,
        );
        const { status, body } = await api.send(method.toUpperCase(), whole, { body: example });
        expect({ path, status, body }).not.toMatchObject({ status: 400 });
        // The ids in an example do not exist.
        expect(operationId === POLL ? [401] : [200, 201, 404]).toContain(status);
      }
    }
  });

  it('documents operations that accept null for each optional field', async () => {
    const { api } = await drawbridge();
    expect(document.info.description).toContain('null');
    for (const [path, { post }] of Object.entries<any>(document.paths)) {
      if (!post?.requestBody || post.operationId === POLL) continue;
      const { example, schema } = post.requestBody.content['application/json'];
      const { properties, required = [] } = document.components.schemas[schema.$ref.split('/').at(-1)];
      const optional = Object.keys(properties).filter((name) => !(name in example) && !required.includes(name));
      const nulls = Object.fromEntries(optional.map((name) => [name, null]));
      const whole = path.replace(
        /\{(\w+)\}/g,
        (_: string, name: string) => post.parameters.find((one: any) => one.name === name).example,
      );
      const answer = await api.post(whole, { ...example, ...nulls });
      expect({ path, body: answer.body, isTaken: answer.status !== 400 }).toMatchObject({ isTaken: true });
    }
  });

  it('names the headers for an idempotency key', () => {
    const headers = document.paths['/api/v1/actions/execute'].post.parameters.filter((one: any) => one.in === 'header');
    expect(headers.map(({ name }: any) => name)).toEqual(['Idempotency-Key', 'X-Idempotency-Key']);
  });

  it('gives every schema a readable name', () => {
    for (const name of Object.keys(document.components.schemas)) expect(name).toMatch(/^[A-Z][A-Za-z0-9]+$/);
    expect(Object.keys(document.components.schemas).join()).not.toMatch(/Pick|Omit|Exclude|Record/);
  });

  it('requires a key except for public operations', async () => {
    expect(document.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' });
    const open = operations().filter(({ security }) => JSON.stringify(security) !== '[{"apiKey":[]}]');
    expect(open.map(({ operationId, security }) => [operationId, security])).toEqual([
      ['ListIntegrations', []],
      [POLL, []],
    ]);
  });

  it('contains the limits that are declared with the fields', async () => {
    const { CreateWorkspaceRequest, CreateApiKeyBody, Workspace } = document.components.schemas;
    expect(CreateWorkspaceRequest.properties.name).toMatchObject({ type: 'string', minLength: 1, maxLength: 100 });
    expect(CreateWorkspaceRequest.properties.slug).toMatchObject({ maxLength: 50, pattern: '^[a-z0-9][a-z0-9-]*$' });
    expect(CreateWorkspaceRequest.required.sort()).toEqual(['name', 'slug']);
    expect(CreateWorkspaceRequest.additionalProperties).toBe(false);
    expect(CreateApiKeyBody.properties.name).toMatchObject({ maxLength: 100 });
    expect(Workspace.properties.createdAt).toMatchObject({ type: 'string', format: 'date-time' });
    expect(Workspace.properties.suspendedAt.type).toEqual(['string', 'null']);
  });

  it('contains the bounds and the defaults of pages', async () => {
    const parameters: any[] = document.paths['/api/v1/workspaces'].get.parameters;
    const schemaOf = (name: string): any => parameters.find((one) => one.name === name).schema;
    expect(schemaOf('limit')).toMatchObject({ minimum: 1, maximum: 100, default: 50 });
    expect(schemaOf('offset')).toMatchObject({ minimum: 0, default: 0 });
    expect(schemaOf('includeSuspended')).toMatchObject({ type: 'boolean', default: false });
  });
});
