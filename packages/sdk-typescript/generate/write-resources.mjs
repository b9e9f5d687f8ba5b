// Writes the interface of each resource, with the words of the API reference, and the table of requests that the client sends for its methods.
import { RESOURCES } from './resources.mjs';

const HEAD = `// Generated from the OpenAPI document: change services/gateway or generate/resources.mjs.
import { type List } from '../list.js';
import { type RequestOptions } from '../request.js';
import { type Event } from '../streams.js';
import type * as Models from './models.js';
import { type operations } from './openapi.js';

type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;
type Content<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;
type Reply<Id extends keyof operations> = Content<
  operations[Id]['responses'][keyof operations[Id]['responses'] & (200 | 201 | 202)]
>;
`;

/** Codes that every operation can return. The others are explained with their operation. */
const EVERYWHERE = [
  'VALIDATION_ERROR',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'SCOPE_DENIED',
  'RATE_LIMITED',
  'INTERNAL',
  'UNAVAILABLE',
  'TIMEOUT',
];

/** Returns the text of src/gen/resources.ts. Throws if an operation has no method, or a method no operation. */
export function writeResources(operations, document) {
  const methods = methodsOf(operations, document);
  requireAll(operations, methods);
  const interfaces = methods.map(([resource, list]) => interfaceOf(resource, list, document));
  return [HEAD, ...interfaces, allOf(methods), requestsOf(methods)].join('\n');
}

/** Returns the methods of each resource, each with its operation. */
export function methodsOf(operations, document) {
  return Object.entries(RESOURCES).map(([resource, named]) => [
    resource,
    Object.entries(named).map(([name, entry]) => toMethod(operations, document, name, entry)),
  ]);
}

function requireAll(operations, methods) {
  const named = new Set(methods.flatMap(([, list]) => list.map(({ operation }) => operation.id)));
  const missing = Object.keys(operations).filter((id) => !named.has(id));
  if (missing.length > 0) throw new Error(`Name these operations in generate/resources.mjs: ${missing.join(', ')}`);
}

function toMethod(operations, document, name, entry) {
  const { operation: id, by, fixed, reply } = typeof entry === 'string' ? { operation: entry } : entry;
  const operation = operations[id];
  if (!operation) throw new Error(`generate/resources.mjs names ${id}, which the document does not have`);
  const schema = document.components.schemas[reply] && { $ref: `#/components/schemas/${reply}` };
  return { name, operation, by, fixed, reply, listed: by ? undefined : operation.listed(schema) };
}

function interfaceOf(resource, methods, { tags }) {
  const lines = methods.flatMap((method) => [commentOf(method.operation), `  ${signatureOf(method)}`, '']);
  const title = tags.find(({ name }) => toWord(name) === resource.toLowerCase())?.description;
  return [
    title ? `/** ${title} */` : '',
    `export interface ${toTypeName(resource)} {`,
    ...lines.slice(0, -1),
    '}',
    '',
  ].join('\n');
}

const toTypeName = (resource) => resource[0].toUpperCase() + resource.slice(1);
const TAG_WORDS = {
  connectflow: 'connect',
  integrationcatalog: 'integrations',
  inputpartials: 'partials',
  piececatalog: 'pieces',
};
function toWord(tag) {
  const word = tag.replaceAll(' ', '').toLowerCase();
  return TAG_WORDS[word] ?? word;
}

function commentOf({ method, path, summary, description, codes }) {
  const own = codes.filter((code) => !EVERYWHERE.includes(code));
  const text = [
    `${summary}: \`${method} ${path}\`.`,
    ...(description ? ['', ...description.split('\n')] : []),
    ...(own.length > 0 ? ['', `Fails with ${own.map((code) => `\`${code}\``).join(', ')}.`] : []),
  ];
  return ['  /**', ...text.map((line) => `   * ${line.replaceAll('*/', '*\\/')}`.trimEnd()), '   */'].join('\n');
}

function signatureOf({ name, operation, by, fixed, reply, listed }) {
  const { id, pathNames, queryNames, isQueryRequired, body, isBodyRequired, type } = operation;
  const parameters = [...pathNames, ...(by ? [by] : [])].map((parameter) => `${parameter}: string`);
  const query = fixed
    ? `Omit<Query<'${id}'>, 'name' | 'summary'>`
    : reply && !by
      ? `Omit<Query<'${id}'>, 'id'>`
      : `Query<'${id}'>`;
  if (body) parameters.push(`body${isBodyRequired ? '' : '?'}: Models.${body}`);
  else if (!by && !fixed && queryNames.length > 0) parameters.push(`query${isQueryRequired ? '' : '?'}: ${query}`);
  const response = typeOf({ id, reply, listed, type });
  return `${name}(${[...parameters, 'options?: RequestOptions'].join(', ')}): ${response};`;
}

function typeOf({ id, reply, listed, type }) {
  if (type === 'text/event-stream') return 'AsyncIterable<Event>';
  if (type === 'application/x-ndjson') return 'AsyncIterable<Models.AuditEntry>';
  const whole = reply ? (reply.startsWith('{') ? reply : `Models.${reply}`) : `Reply<'${id}'>`;
  return listed ? `List<${whole}, Models.${listed.item}>` : `Promise<${whole}>`;
}

function allOf(methods) {
  const lines = methods.map(([resource]) => `  ${resource}: ${toTypeName(resource)};`);
  return ['/** All resources of the API. */', 'export interface Resources {', ...lines, '}', ''].join('\n');
}

function requestsOf(methods) {
  const resources = methods.map(([resource, list]) => {
    const lines = list.map((method) => `    ${method.name}: ${JSON.stringify(toRequest(method))},`);
    return [`  ${resource}: {`, ...lines, '  },'].join('\n');
  });
  return `/** The request of each method: \`METHOD /path\`, and what is special about it. */\nexport const REQUESTS = {\n${resources.join('\n')}\n} as const;\n`;
}

function toRequest({ operation, by, fixed, listed }) {
  const { method, path, queryNames, body, type, takesLong } = operation;
  const hasQuery = !body && !by && !fixed && queryNames.length > 0;
  return [
    `${method} ${path}`,
    {
      ...(body && { takes: 'body' }),
      ...(hasQuery && { takes: 'query' }),
      ...(by && { by }),
      ...(fixed && Object.keys(fixed).length > 0 && { fixed }),
      ...(listed && { items: listed.key }),
      ...(type === 'text/event-stream' && { stream: 'events' }),
      ...(type === 'application/x-ndjson' && { stream: 'lines' }),
      ...(takesLong && { takesLong }),
    },
  ];
}
