const ID = '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37';

const KEY_MEANING =
  'Runs the action once, however often it is sent within 24 h. The same as `idempotencyKey` in the body.';

/** Integration names in example paths. `acme` is a custom integration, because the GitHub integration does not support these operations. */
const NAMES = { ResolveProperties: 'acme', ResolvePieceProperties: 'acme' };

/** Headers of operations that read a value either from a header or from `key` of the body. */
const HEADERS = {
  ExecuteAction: [
    { name: 'Idempotency-Key', key: 'idempotencyKey', description: KEY_MEANING },
    { name: 'X-Idempotency-Key', key: 'idempotencyKey', description: 'The same.' },
  ],
};

/** Adds examples and headers to an operation, in place. */
export function addExamples(operation, schemas) {
  const { operationId, requestBody, 'x-example': example } = operation;
  if (requestBody) {
    if (!example) throw new Error(`${operationId} has a request body: add an example with @Extension('x-example', …)`);
    requestBody.content['application/json'].example = example;
  }
  for (const parameter of operation.parameters ?? []) {
    if (parameter.in === 'path') parameter.example = exampleOf(parameter, operationId);
  }
  operation.parameters = [...(operation.parameters ?? []), ...headersOf(operation, schemas)];
}

function exampleOf({ schema: { $ref = '' } }, operationId) {
  if ($ref.endsWith('/IntegrationName')) return NAMES[operationId] ?? 'github';
  return $ref.endsWith('/ApprovalId') ? `apr_${ID}` : ID;
}

function headersOf({ operationId, requestBody }, schemas) {
  return (HEADERS[operationId] ?? []).map(({ name, key, description }) => {
    const body = requestBody.content['application/json'].schema.$ref.split('/').at(-1);
    const { description: _ofBody, ...schema } = schemas[body].properties[key];
    return { name, in: 'header', required: false, description, schema };
  });
}
