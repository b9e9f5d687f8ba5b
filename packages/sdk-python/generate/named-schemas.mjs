// Gives names to the schemas that the OpenAPI document declares inline, because each of them becomes a Python class.

/**
 * Keywords that limit values. They are removed from the models: the server checks its limits, and a model with limits would refuse the responses of a
 * newer server with wider limits.
 */
const LIMITS = new Set([
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'maxProperties',
  'default',
  'examples',
  'example',
]);
const FORMATS = new Set(['date-time']);

/**
 * Returns all named schemas, including a new one for each inline response, and the function `replyOf`, which maps each successful HTTP status of a
 * method to the name of its schema.
 */
export function namedSchemas({ paths, components }, methods) {
  const schemas = structuredClone(components.schemas);
  delete schemas.Error;
  const all = Object.values(paths).flatMap((operations) => Object.values(operations));
  const responsesOf = Object.fromEntries(all.map(({ operationId, responses }) => [operationId, responses]));

  const replies = new Map();
  for (const [resource, list] of methods)
    for (const method of list) replies.set(method, named(`${resource}.${method.name}`, method));
  return {
    schemas: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plain(schema)])),
    replyOf: (method) => replies.get(method),
  };

  function named(path, { operation, reply }) {
    if (reply && schemas[reply]) return { 200: reply };
    if (reply) return { 200: add(path, inline(reply)) };
    const successes = Object.entries(responsesOf[operation.id]).filter(([status]) => status.startsWith('2'));
    const found = successes.map(([status, { content }]) => [status, content?.['application/json']?.schema]);
    return Object.fromEntries(
      found
        .filter(([, schema]) => schema)
        .map(([status, schema]) => [status, schema.$ref?.split('/').at(-1) ?? add(path, schema)]),
    );
  }

  function add(path, schema) {
    const [resource, method] = path.split('.').map((word) => word[0].toUpperCase() + word.slice(1));
    const name = `${resource}${method}Response`;
    schemas[name] = schema;
    return name;
  }
}

/** Returns the schema of a response that is written as a TypeScript type, such as `{ connection: Models.Connection }`. */
function inline(text) {
  const fields = [...text.matchAll(/(\w+): Models\.(\w+)/g)];
  const properties = fields.map(([, key, name]) => [key, { $ref: `#/components/schemas/${name}` }]);
  return { type: 'object', properties: Object.fromEntries(properties), required: fields.map(([, key]) => key) };
}

function plain(schema) {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== 'object' || schema === null) return schema;
  // A newer server may send fields that this version does not know.
  const kept = Object.entries(schema).filter(
    ([key, value]) =>
      !(key === 'additionalProperties' && value === false) &&
      key !== 'discriminator' &&
      !(LIMITS.has(key) && typeof value !== 'object') &&
      !(key === 'examples' && Array.isArray(value)) &&
      !(key === 'format' && typeof value === 'string' && !FORMATS.has(value)),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, plain(value)]));
}
