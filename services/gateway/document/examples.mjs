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

const KEY = { type: 'string', minLength: 1, maxLength: 255 };
const KEY_MEANING =
  'Runs the action once, however often it is sent within 24 h. The same as `idempotencyKey` in the body.';

/** Headers that an operation reads beside its body. */
const HEADERS = {
  ExecuteAction: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: KEY_MEANING,
      schema: KEY,
    },
    {
      name: 'X-Idempotency-Key',
      in: 'header',
      required: false,
      description: 'The same.',
      schema: KEY,
    },
  ],
};

/** Adds them in place. */
export function addExamples(operation) {
  const { operationId, requestBody } = operation;
  if (requestBody) {
    if (!REQUESTS[operationId]) throw new Error(`${operationId} needs an example in document/examples.mjs`);
    requestBody.content['application/json'].example = REQUESTS[operationId];
  }
  for (const parameter of operation.parameters ?? []) if (parameter.in === 'path') parameter.example = ID;
  operation.parameters = [...(operation.parameters ?? []), ...(HEADERS[operationId] ?? [])];
}
