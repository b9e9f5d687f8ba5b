const ID = '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37';

/** A body that works for each operation that takes one; an operation without an example does not get into the document. */
const REQUESTS = {
  CreateWorkspace: { name: 'Support', slug: 'support' },
  UpdateWorkspace: { name: 'Customer support' },
  CreateApiKey: { name: 'CI' },
  CreateConnection: {
    type: 'SECRET_TEXT',
    secretText: 'ghp_0123456789',
    integrationName: 'github',
    externalId: 'github-of-acme',
    displayName: "Acme's GitHub",
  },
  ResolveConnection: { integrationName: 'github', workspaceId: ID },
  CreateWorkspaceIntegration: { integrationName: 'github', alias: 'github', displayName: 'GitHub' },
  UpdateWorkspaceIntegration: { enabledActions: ['create_issue'] },
  ExecuteAction: {
    integrationName: 'hash-encode',
    actionName: 'hash',
    workspaceId: ID,
    input: { text: 'hello', algorithm: 'sha256' },
  },
};

const KEY_MEANING =
  'Runs the action once, however often it is sent within 24 h. The same as `idempotencyKey` in the body.';

/** Headers that an operation reads beside its body, each the same as a key of the body. */
const HEADERS = {
  ExecuteAction: [
    { name: 'Idempotency-Key', key: 'idempotencyKey', description: KEY_MEANING },
    { name: 'X-Idempotency-Key', key: 'idempotencyKey', description: 'The same.' },
  ],
};

/** Adds them in place. */
export function addExamples(operation, schemas) {
  const { operationId, requestBody } = operation;
  if (requestBody) {
    if (!REQUESTS[operationId]) throw new Error(`${operationId} needs an example in document/examples.mjs`);
    requestBody.content['application/json'].example = REQUESTS[operationId];
  }
  for (const parameter of operation.parameters ?? []) if (parameter.in === 'path') parameter.example = ID;
  operation.parameters = [...(operation.parameters ?? []), ...headersOf(operation, schemas)];
}

function headersOf({ operationId, requestBody }, schemas) {
  return (HEADERS[operationId] ?? []).map(({ name, key, description }) => {
    const body = requestBody.content['application/json'].schema.$ref.split('/').at(-1);
    const { description: _ofBody, ...schema } = schemas[body].properties[key];
    return { name, in: 'header', required: false, description, schema };
  });
}
