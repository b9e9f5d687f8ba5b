// Describes requests by the types of a provider's own client, for an API without a published description in the version that a piece uses. The
// fixture has the format of cut-description.mjs, and contains the name of a type for each operation:
//
//   {"operations": {"POST /v1/customers": {"params": "CustomerCreateParams", "only": ["email"], "returns": "Customer", "reads": ["id"]}}}
//
//   node cut-types.mjs <fixture.json> <package> "<package, version>"
//
// `only` keeps parts of the parameters, and `reads` the parts of the response. It also checks that the client sends a request to each path.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// Uses the compiler of the repository, because that of this package has no API for programs.
const ts = createRequire(new URL('../../package.json', import.meta.url))('typescript');

const [fixtureFile, packageName, source] = process.argv.slice(2);
if (!source) end('Usage: node cut-types.mjs <fixture.json> <package> "<package, version>"');
const { operations: wanted } = JSON.parse(readFileSync(fixtureFile, 'utf8'));
const names = Object.entries(wanted)
  .flatMap(([, { params, returns }]) => [params, returns])
  .filter(Boolean);
const { checker, types } = load([...new Set(names)]);
const sent = pathsOf(dirname(createRequire(new URL('./package.json', import.meta.url)).resolve(packageName)));

const operations = Object.fromEntries(
  Object.keys(wanted)
    .sort()
    .map((name) => [name, cut(name, wanted[name])]),
);
writeFileSync(fixtureFile, `${JSON.stringify({ source, operations }, null, 2)}\n`);

function cut(name, { params, only, returns, reads }) {
  if (!sent.has(name.replace(/\{\w+\}/g, '{}'))) end(`The client has no request ${name}`);
  const [method, path] = name.split(' ');
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, key]) => parameter(key, 'path', true, { type: 'string' }));
  const schema = params
    ? toSchema(types.get(params), only)
    : { type: 'object', properties: {}, additionalProperties: false };
  const kept = { ...(params && { params }), ...(only && { only }), ...(returns && { returns, reads }) };
  const response = returns && { response: relaxed(toSchema(types.get(returns), reads, true)) };
  if (method !== 'POST') return { ...kept, parameters: [...inPath, ...inQuery(schema)], ...response };
  const body = { required: (schema.required ?? []).length > 0, type: 'application/x-www-form-urlencoded', schema };
  return { ...kept, parameters: inPath, body, ...response };
}

/** In a query, the fields of an object are written as `created[gte]`. */
function inQuery({ properties = {}, required = [] }) {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const range = [schema, ...(schema.anyOf ?? [])].find((one) => one.properties);
    const fields = Object.entries(range?.properties ?? {}).map(([key, one]) =>
      parameter(`${name}[${key}]`, 'query', false, one),
    );
    return [parameter(name, 'query', required.includes(name), schema), ...fields];
  });
}

function parameter(name, place, required, schema) {
  return { name, in: place, required, schema };
}

/**
 * Converts a TypeScript type to JSON Schema. In a response, an object at the end of a path in `only` may have any content, because the objects of a
 * response contain each other without end.
 */
function toSchema(type, only, isResponse = false) {
  if (type.isUnion()) return toUnion(type.types, only, isResponse);
  if (type.isStringLiteral() || type.isNumberLiteral()) return { enum: [type.value] };
  if (type.flags & ts.TypeFlags.BooleanLike) return { type: 'boolean' };
  if (type.flags & ts.TypeFlags.Number) return { type: 'number' };
  if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
  // In a request, a decimal number is a string.
  if (type.flags & ts.TypeFlags.StringLike || isDecimal(type)) return { type: 'string' };
  if (checker.isArrayType(type))
    return { type: 'array', items: toSchema(checker.getTypeArguments(type)[0], only, isResponse) };
  return toObject(type, only, isResponse);
}

function toUnion(members, only, isResponse) {
  // The client adds "any other string" to each set of values, which would accept a misspelt value.
  const known = members.filter((one) => !isAnyText(one) && !(one.flags & ts.TypeFlags.Undefined));
  const values = known.filter((one) => one.isStringLiteral()).map(({ value }) => value);
  const isBoolean = known.some((one) => one.flags & ts.TypeFlags.BooleanLiteral);
  const others = known.filter((one) => !one.isStringLiteral() && !(one.flags & ts.TypeFlags.BooleanLiteral));
  const schemas = others.map((one) => toSchema(one, only, isResponse));
  if (isBoolean) schemas.push({ type: 'boolean' });
  if (values.length > 0) schemas.push({ enum: values.sort() });
  return schemas.length === 1 ? schemas[0] : { anyOf: schemas };
}

function isDecimal(type) {
  return type.isIntersection() && type.types.some(({ symbol }) => symbol?.name === 'DecimalImpl');
}

function isAnyText(type) {
  return type.isIntersection() && type.types.some(({ flags }) => flags & ts.TypeFlags.String);
}

function toObject(type, only, isResponse) {
  if (isResponse && !only) return { type: 'object' };
  const index = type.getStringIndexType();
  if (index) return { type: 'object', additionalProperties: toSchema(index, undefined, isResponse) };
  const kept = type.getProperties().filter(({ name }) => !only || only.some((path) => path.split('.')[0] === name));
  const missing = (only ?? []).find((path) => !kept.some(({ name }) => name === path.split('.')[0]));
  if (missing && type.symbol) console.error(`${type.symbol.name} has no ${missing}`);
  const entries = kept.map((one) => [
    one.name,
    toSchema(checker.getTypeOfSymbol(one), below(one.name, only), isResponse),
  ]);
  const required = kept.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional)).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function below(key, only = []) {
  const paths = only.filter((path) => path.startsWith(`${key}.`)).map((path) => path.slice(key.length + 1));
  return paths.length > 0 ? paths : undefined;
}

/** Removes required fields, because a test responds with only some of the fields. */
function relaxed(schema) {
  if (Array.isArray(schema)) return schema.map(relaxed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { required: _required, ...rest } = schema;
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, relaxed(value)]));
}

/** Compiles the types as `Client.<name>`, where `Client` is the default export of the package. */
function load(typeNames) {
  const file = join(import.meta.dirname, 'types-of-the-client.ts');
  const text = [
    `import Client from '${packageName}';`,
    ...typeNames.map((name, at) => `export type T${at} = Client.${name};`),
  ].join('\n');
  const options = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    types: ['node'],
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...more) =>
    name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.ESNext) : read(name, ...more);
  const exists = host.fileExists.bind(host);
  host.fileExists = (name) => name === file || exists(name);
  const program = ts.createProgram([file], options, host);
  const typeChecker = program.getTypeChecker();
  const [problem] = program.getSemanticDiagnostics(program.getSourceFile(file));
  if (problem) end(ts.flattenDiagnosticMessageText(problem.messageText, '\n'));
  const found = typeChecker.getExportsOfModule(typeChecker.getSymbolAtLocation(program.getSourceFile(file)));
  return {
    checker: typeChecker,
    types: new Map(
      found.map((one) => [typeNames[Number(one.name.slice(1))], typeChecker.getDeclaredTypeOfSymbol(one)]),
    ),
  };
}

/** Returns the requests of the client's resources in the form `POST /v1/customers/{}`. */
function pathsOf(folder) {
  const files = readdirSync(join(folder, 'resources'), { recursive: true }).filter((file) => file.endsWith('.js'));
  const requests = files.flatMap((file) =>
    [...readFileSync(join(folder, 'resources', file), 'utf8').matchAll(/_makeRequest\('(\w+)', ['`]([^'`]+)['`]/g)].map(
      ([, method, path]) => `${method} ${path.replace(/\$\{[^}]*\}/g, '{}')}`,
    ),
  );
  return new Set(requests);
}

function end(message) {
  console.error(message);
  process.exit(1);
}
