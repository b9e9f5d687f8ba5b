/** Response fields that are absent when they have no value. `*` stands for all fields of a schema. */
const MAY_BE_ABSENT = [
  'CodeResult.structuredContent',
  'CodeRunDetails.*',
  'CreatedMcpServer.bearerToken',
  'StoredMcpToken.authMethod',
  'StoredMcpToken.tokenType',
];

/** Objects and lists that every response contains, although the protos cannot require them. */
const NEVER_NULL = [
  'ActionExplanation.lost',
  'ApiKey.permissions',
  'Approval.inputPreview',
  'ApprovalPolicy.approvers',
  'ApprovalPolicy.rules',
  'AuditEntry.actor',
  'AuditEntry.resource',
  'CreatedApiKey.apiKey',
  'EnabledTrigger.triggerSource',
  'EndUser.metadata',
  'McpCodeModeSettings.approvalWaitSeconds',
  'McpServer.auth',
  'McpServer.settings',
  'McpServerSettings.codeMode',
  'McpServerSettings.tools',
  'McpToolSettings.discovery',
  'OrganizationSummary.limits',
  'OrganizationSummary.organization',
  'Refusal.details',
  'ShownApproval.inputPreview',
  'TriggerDeliveryDetails.delivery',
  'TriggerSample.sampleData',
];

/** Fields that a request must contain. tsoa's validator treats them as optional, because their absence has a code other than VALIDATION_ERROR. */
const REQUIRED = {
  AmountThreshold: ['path', 'gt'],
  DisableTriggerRequest: ['triggerSourceId'],
  PollConnectSessionRequest: ['token'],
  TestTriggerRequest: ['integrationName', 'triggerName'],
};

/** Marks as required, in place, the fields that a request must contain, and the body of requests that must have a body. */
export function requireInRequests(operations, schemas) {
  for (const [name, fields] of Object.entries(REQUIRED)) schemas[name].required = fields;
  for (const { operationId, requestBody } of operations.filter((operation) => operation.requestBody)) {
    const { $ref } = requestBody.content['application/json'].schema;
    const { required = [] } = schemas[$ref.split('/').at(-1)];
    // An absent body is read as {}, which these operations reject: an update needs a field, and `execute-code` a program or an approval.
    const isNeeded = operationId.startsWith('Update') || operationId === 'ExecuteMcpCode';
    requestBody.required = required.length > 0 || isNeeded;
  }
}

/**
 * Creates separate schemas for objects that occur in requests and in responses: a request may omit an optional field, but every response contains it.
 */
export function separateRequests(bodies, answered, schemas) {
  const nameOf = ($ref) => $ref.split('/').at(-1);
  const visit = (node) => {
    if (typeof node !== 'object' || node === null) return;
    if (node.$ref && isShared(nameOf(node.$ref))) node.$ref = `#/components/schemas/${copyOf(nameOf(node.$ref))}`;
    else if (node.$ref) visitOnce(nameOf(node.$ref));
    else Object.values(node).forEach(visit);
  };
  const seen = new Set();
  const visitOnce = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    visit(schemas[name]);
  };
  const isShared = (name) => answered.has(schemas[name]) && hasOptional(schemas[name]);
  const copyOf = (name) => {
    const copy = `Given${name}`;
    schemas[copy] ??= structuredClone(schemas[name]);
    visitOnce(copy);
    return copy;
  };
  bodies.forEach(visit);
}

const hasOptional = ({ type, properties = {}, required = [] }) =>
  type === 'object' && Object.keys(properties).length > required.length;

/** Rewrites `nodes`, the schemas of responses, in place: an optional field of a response is always present and may be null. */
export function nullOptionals(nodes, schemas) {
  const absent = propertiesOf(MAY_BE_ABSENT, schemas);
  const present = propertiesOf(NEVER_NULL, schemas);
  for (const schema of nodes) {
    if (schema.type !== 'object' || !schema.properties) continue;
    const required = new Set(schema.required);
    for (const [name, property] of Object.entries(schema.properties)) {
      if (!required.has(name) && !absent.has(property) && !present.has(property))
        schema.properties[name] = orNull(property);
    }
    schema.required = Object.keys(schema.properties).filter((name) => !absent.has(schema.properties[name]));
  }
}

function propertiesOf(paths, schemas) {
  const properties = paths.flatMap((path) => {
    const [schema, name] = path.split('.');
    const found = name === '*' ? Object.values(schemas[schema]?.properties ?? {}) : schemas[schema]?.properties[name];
    if (!found || found.length === 0) throw new Error(`document/presence.mjs names ${path}, which does not exist`);
    return found;
  });
  return new Set(properties);
}

function orNull({ description, ...property }) {
  const type = property.type && [property.type, 'null'].flat();
  const nullable = property.$ref ? { anyOf: [property, { type: 'null' }] } : { ...property, ...(type && { type }) };
  return { ...nullable, ...(description && { description }) };
}
