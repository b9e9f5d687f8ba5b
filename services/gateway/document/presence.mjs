/** Fields that an answer leaves out when they have no value. */
const MAY_BE_ABSENT = ['CreatedMcpServer.bearerToken', 'StoredMcpToken.authMethod', 'StoredMcpToken.tokenType'];

/** Messages inside answers, which the protos cannot require and which every answer has. */
const NEVER_NULL = [
  'ApiKey.permissions',
  'AuditEntry.actor',
  'AuditEntry.resource',
  'CreatedApiKey.apiKey',
  'EnabledTrigger.triggerSource',
  'McpServer.auth',
  'McpServer.settings',
  'OrganizationSummary.limits',
  'OrganizationSummary.organization',
];

/** Rewrites `nodes`, the schemas of answers, in place: an optional field of an answer is always there and may be null. */
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
  const properties = paths.map((path) => {
    const [schema, name] = path.split('.');
    if (!schemas[schema]?.properties[name])
      throw new Error(`document/presence.mjs names ${path}, which does not exist`);
    return schemas[schema].properties[name];
  });
  return new Set(properties);
}

function orNull({ description, ...property }) {
  const type = property.type && [property.type, 'null'].flat();
  const nullable = property.$ref ? { anyOf: [property, { type: 'null' }] } : { ...property, ...(type && { type }) };
  return { ...nullable, ...(description && { description }) };
}
