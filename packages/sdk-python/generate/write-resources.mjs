// Writes the resources of both clients: a class with methods, and the same class with coroutines.
import { docstring, snake, toTypeName } from './names.mjs';

const HEAD = `# Generated from the OpenAPI document: change services/gateway or packages/sdk-typescript/generate/resources.mjs.
from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, Literal

from . import models
from ._pages import AsyncPages, Pages
from ._request import OMIT, Omit, Request, RequestOptions, to_path
from ._streams import Event
from ._transport import AsyncTransport, SyncTransport

`;

/** Codes that every operation can return. */
const EVERYWHERE = new Set(
  'VALIDATION_ERROR UNAUTHENTICATED FORBIDDEN SCOPE_DENIED RATE_LIMITED INTERNAL UNAVAILABLE TIMEOUT'.split(' '),
);

/** Returns the text of src/drawbridge/_resources.py. */
export function writeResources({ methods, schemas, replyOf }) {
  const classes = methods.flatMap(([resource, list]) =>
    [false, true].map((isAsync) => classOf(resource, list, { schemas, replyOf, isAsync })),
  );
  return HEAD + classes.join('\n');
}

function classOf(resource, methods, how) {
  const { isAsync } = how;
  const name = `${isAsync ? 'Async' : ''}${toTypeName(resource)}`;
  const transport = isAsync ? 'AsyncTransport' : 'SyncTransport';
  const texts = methods.map((method) => methodOf(method, how));
  return `
class ${name}:
    def __init__(self, transport: ${transport}) -> None:
        self._transport = transport

${texts.join('\n')}`;
}

const STREAMED = { 'text/event-stream': 'Event', 'application/x-ndjson': 'models.AuditEntry' };

function methodOf(method, { isAsync, schemas, replyOf }) {
  const { name, operation, by, listed } = method;
  const replies = replyOf(method);
  const whole = [...new Set(Object.values(replies))].map((schema) => `models.${schema}`).join(' | ') || 'None';
  const stream = STREAMED[operation.type];
  const fields = fieldsOf(method, schemas);
  const ids = [...operation.pathNames, ...(by ? [by] : [])].map((id) => `${snake(id)}: str`);
  const parameters = ['self', ...ids, '*', ...fields.map(parameterOf), 'options: RequestOptions | None = None'];
  const { call, returns, more } = stream
    ? { call: 'stream', returns: `${isAsync ? 'Async' : ''}Iterator[${stream}]`, more: `, ${stream}` }
    : listed
      ? {
          call: 'pages',
          returns: `${isAsync ? 'Async' : ''}Pages[${whole}, models.${listed.item}]`,
          more: `, models.${listed.item}, "${listed.key}"`,
        }
      : { call: 'send', returns: whole, more: '' };
  const waits = isAsync && !stream;
  return `    ${waits ? 'async ' : ''}def ${snake(name)}(
        ${parameters.join(',\n        ')},
    ) -> ${returns}:
${docOf(operation, fields)}
        request: Request[${stream ?? whole}] = ${requestOf(method, { fields, replies, stream })}
        return ${waits ? 'await ' : ''}self._transport.${call}(request, options${more})
`;
}

/** Returns the expression of a request, from the arguments of its method. */
function requestOf({ operation, by, fixed }, { fields, replies, stream }) {
  const { method, path, pathNames, body, takesLong } = operation;
  const filled = pathNames.length > 0 ? `to_path("${path}", ${pathNames.map(snake).join(', ')})` : `"${path}"`;
  const values = [
    ...fields.map(({ key }) => [key, snake(key)]),
    ...(by ? [[by, snake(by)]] : []),
    ...Object.entries(fixed ?? {}).map(([key, value]) => [key, value === true ? 'True' : JSON.stringify(value)]),
  ];
  const given = `{${values.map(([key, value]) => `"${key}": ${value}`).join(', ')}}`;
  const returned = Object.entries(replies).map(([status, schema]) => `${status}: models.${schema}`);
  const parts = [
    `"${method}"`,
    filled,
    ...(body ? [`body=${given}`] : values.length > 0 ? [`query=${given}`] : []),
    ...(stream ? [] : [`returns={${returned.join(', ')}}`]),
    ...(takesLong ? ['takes_long=True'] : []),
  ];
  return `Request(${parts.join(', ')})`;
}

/** The fields of the body or of the query, as keyword arguments: required ones first. */
export function fieldsOf({ operation, by, fixed, reply }, schemas) {
  const { body, query } = operation;
  if (body) {
    const { properties = {}, required = [] } = schemas[body];
    return sorted(
      Object.entries(properties).map(([key, schema]) => ({
        key,
        schema,
        isRequired: operation.isBodyRequired && required.includes(key),
      })),
    );
  }
  if (by || fixed) return [];
  // The query parameter `id` selects the form of another method.
  return sorted(
    query
      .filter(({ name }) => !(reply && name === 'id'))
      .map(({ name, schema, description, required = false }) => ({
        key: name,
        schema: { ...schema, description },
        isRequired: required,
      })),
  );
}

const sorted = (fields) => [
  ...fields.filter(({ isRequired }) => isRequired),
  ...fields.filter(({ isRequired }) => !isRequired),
];

function parameterOf({ key, schema, isRequired }) {
  const type = typeOf(schema);
  return `${snake(key)}: ${isRequired ? type : `${type} | Omit = OMIT`}`;
}

function typeOf(schema) {
  const { $ref, type, anyOf, oneOf, items, enum: values } = schema;
  if ($ref) return refType($ref.split('/').at(-1));
  if (anyOf ?? oneOf) return [...new Set((anyOf ?? oneOf).map(typeOf))].join(' | ');
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(' | ');
  if (schema.allOf) return typeOf(schema.allOf[0]);
  if (values)
    return values.every((one) => typeof one === 'string')
      ? `Literal[${values.map((one) => JSON.stringify(one)).join(', ')}]`
      : 'Any';
  const simple = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }[type];
  if (simple) return simple;
  if (type === 'array') return `Sequence[${typeOf(items ?? {})}]`;
  return type === 'object' ? 'Mapping[str, Any]' : 'Any';
}

/** Schemas that are texts. All others are objects, as a model or as a mapping. */
const TEXTS = new Set([
  'Uuid',
  'IntegrationName',
  'ApprovalId',
  'InvitedRole',
  'ConnectionStrategy',
  'Role',
  'ConnectionScope',
  'ConnectionType',
  'Grant',
]);
const refType = (name) => (TEXTS.has(name) ? 'str' : `models.${name} | Mapping[str, Any]`);

function docOf({ method, path, summary, description, codes }, fields) {
  const own = codes.filter((code) => !EVERYWHERE.has(code));
  const described = fields.filter(({ schema }) => schema.description);
  return docstring([
    `${summary}: \`${method} ${path}\`.`,
    ...(description ? ['', ...description.split('\n')] : []),
    ...(described.length > 0
      ? ['', ...described.map(({ key, schema }) => `:param ${snake(key)}: ${schema.description.replaceAll('\n', ' ')}`)]
      : []),
    ...(own.length > 0 ? ['', `Fails with ${own.map((code) => `\`${code}\``).join(', ')}.`] : []),
  ]);
}
