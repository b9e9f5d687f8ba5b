// Reduces a provider's OpenAPI 3 description to the parts that test the requests of a piece: names, types, required parameters,
// limits and enums of the operations in the fixture, without prose. The description itself is not a dependency.
//
//   node cut-description.mjs <fixture.json> <description.json or .yaml> "<package or address, version>"
//
// To add an operation, write "METHOD /path": {} into the fixture and run this again; {"only": ["address.city"]} keeps only that part of a
// large body, {"type": "multipart/form-data"} selects one of several content types, and {"content": "message/rfc822"} takes the JSON schema
// from that content type, as Google's descriptions require. {"reads": ["data.id"]} keeps the parts of the response that the piece reads.
// {"answer": ["items.*.id"]} lists fields that a piece reads in the response: the cut fails if the description lacks one.
// "credential": "token" in the fixture is the name of a parameter that contains the credential, which a piece sends in a header instead.
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { hasField } from './testing/has-field.mjs';

const TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
const NULL = { type: 'null' };
const LISTS = new Set(['oneOf', 'anyOf', 'allOf']);
const LIMITS = new Set(
  'type enum const required pattern minimum maximum minLength maxLength minItems maxItems uniqueItems'.split(' '),
);

const USAGE = `Usage: node cut-description.mjs <fixture.json> <description.json or .yaml> "<package or address, version>"
The fixture lists operations as {"operations": {"GET /repos/{owner}/{repo}": {}}}: paths as the description writes them.`;
const [SHOWN, METHOD] = [10, /^(get|put|post|patch|delete|head)$/];
/** The named schemas that enclose the current schema. */
const within = [];

const [fixtureFile, descriptionFile, source] = process.argv.slice(2);
if (!source) end(USAGE);
const description = read(descriptionFile);
const fixture = read(fixtureFile);
const wanted = Object.keys(fixture.operations ?? end(USAGE));
const { credential } = fixture;
const base = new URL(description.servers?.[0]?.url ?? '/', 'http://server').pathname.replace(/\/$/, '');

const operations = Object.fromEntries(wanted.sort().map((name) => [name, cutOperation(name)]));
const left = { source, ...(base && { base }), ...(credential && { credential }), operations };
writeFileSync(fixtureFile, `${JSON.stringify(left, null, 2)}\n`);

/** Uses JSON.parse if possible, because the YAML parser, which also parses JSON, takes a minute for a large file. */
function read(file) {
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.json') ? JSON.parse(text) : parse(text);
}

function cutOperation(name) {
  const [method, path] = name.split(' ');
  const item = description.paths[path];
  const operation = item?.[method.toLowerCase()];
  if (!operation) end(`The description has no ${name}. ${nearest(path)}\n${USAGE}`);

  const declared = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve);
  const parameters = declared.filter(({ name: own }) => own !== credential).map((one) => cutParameter(one));
  const { only, type, content, reads, answer } = fixture.operations[name];
  const missing = (answer ?? []).filter((path) => !hasField(schemaOfAnswer(operation), path.split('.'), resolve));
  if (missing.length > 0) end(`The response of ${name} has no ${missing.join(', ')}.`);
  const body = cutBody(resolve(operation.requestBody ?? {}), { only, type, jsonType: content });
  const response = reads && cutResponse(operation, reads);
  const { parameters: _parameters, body: _body, response: _response, ...kept } = fixture.operations[name];
  return { ...kept, parameters, ...(body && { body }), ...(response && { response }) };
}

/** Keeps the parts of a JSON response without its required fields, because tests respond with these parts only. */
function cutResponse({ responses = {} }, reads) {
  const { content = {} } = resolve(responses[200] ?? responses[201] ?? {});
  const schema = content[TYPES[0]]?.schema ?? end(`An operation has "reads" but no JSON response\n${USAGE}`);
  return relaxed(cutSchema(schema, reads));
}

/**
 * Removes required fields, and replaces `oneOf` by `anyOf`: without the required fields that distinguish alternatives, several of them match at the
 * same time, which `oneOf` rejects.
 */
function relaxed(schema) {
  if (Array.isArray(schema)) return schema.map(relaxed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { required: _required, oneOf, ...rest } = schema;
  return mapValues({ ...rest, ...(oneOf && { anyOf: oneOf }) }, relaxed);
}

function schemaOfAnswer({ responses }) {
  const [, success = {}] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return resolve(success).content?.[TYPES[0]]?.schema ?? {};
}

/** Prefers a JSON body to a form. */
function cutBody({ content = {}, required = false }, { only, type: wanted, jsonType }) {
  if (jsonType) return { required, schema: cutSchema(content[jsonType].schema, only) };
  const type = wanted ?? TYPES.find((one) => content[one]?.schema);
  if (wanted && !content[wanted]?.schema) end(`An operation has no body of the type ${wanted}\n${USAGE}`);
  return type && { required, ...(type !== TYPES[0] && { type }), schema: cutSchema(content[type].schema, only) };
}

function cutParameter(parameter) {
  const { name, in: place, required = false, schema, explode } = parameter;
  const multiSegment = parameter['x-multi-segment'];
  const kept = { ...(multiSegment && { multiSegment }), ...(explode === false && { explode }) };
  return { name, in: place, required, ...kept, schema: cutSchema(schema) };
}

/**
 * Converts an OpenAPI 3.0 schema to JSON Schema 2020-12 with only the keywords that restrict values. A recursive schema is cut below its second
 * level.
 */
function cutSchema(given, only) {
  const { $ref } = given;
  if ($ref && within.filter((ref) => ref === $ref).length > 1) return {};
  within.push($ref);
  const cut = cutResolved(given, only);
  within.pop();
  return cut;
}

function cutResolved(given, only) {
  const schema = merged(resolve(given));
  const cut = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'required') Object.assign(cut, cutRequired(value));
    else if (LIMITS.has(keyword)) cut[keyword] = value;
    else if (LISTS.has(keyword))
      cut[keyword] = value.map((one) => (isNull(resolve(one)) ? NULL : cutSchema(one, only)));
    else if (keyword === 'properties') cut.properties = cutProperties(value, only);
    else if (keyword === 'items') cut.items = cutSchema(value, only);
    else if (keyword === 'additionalProperties') cut[keyword] = typeof value === 'object' ? cutSchema(value) : value;
  }
  return schema.nullable ? { anyOf: [cut, NULL] } : cut;
}

/** Microsoft describes a nullable value as `anyOf: [value, {type: object, nullable: true}]`. Taken literally, that schema accepts any object. */
function isNull({ type, nullable, properties }) {
  return type === 'object' && nullable === true && !properties;
}

function cutRequired(names) {
  const required = names.filter((name) => !isAnnotation(name));
  return required.length > 0 ? { required } : {};
}

/** Microsoft requires `@odata.type` in every object, but the service does not. */
function isAnnotation(name) {
  return name.startsWith('@odata.');
}

/** Merges the parts of an object, because the checks reject keys that a part does not contain. */
function merged(schema) {
  const parts = (schema.allOf ?? []).map((part) => merged(resolve(part)));
  if (parts.length === 0 || parts.some(({ properties }) => !properties)) return schema;
  const { allOf: _allOf, ...own } = schema;
  const all = [...parts, own];
  const required = [...new Set(all.flatMap((part) => part.required ?? []))];
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map((part) => part.properties)),
    required,
  };
}

/** Keeps only the properties on the paths in `only`, completely where a path ends. Keeps all properties without `only`. */
function cutProperties(properties, only) {
  const kept = Object.keys(properties).filter(
    (key) => !isAnnotation(key) && (!only || only.some((path) => path.split('.')[0] === key)),
  );
  return Object.fromEntries(kept.map((key) => [key, cutSchema(properties[key], below(key, only))]));
}

function below(key, only = []) {
  const paths = only.filter((path) => path.startsWith(`${key}.`)).map((path) => path.slice(key.length + 1));
  return paths.length > 0 ? paths : undefined;
}

function resolve(value) {
  if (!value.$ref) return value;
  const path = value.$ref.split('/').slice(1);
  return resolve(path.reduce((node, key) => node[key.replaceAll('~1', '/').replaceAll('~0', '~')], description));
}

function mapValues(record, convert) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, convert(value)]));
}

/** Suggests paths that differ only in parameters or methods, otherwise paths with the same first segment. */
function nearest(path = '') {
  const shape = (one) => one.replace(/\{[^}]*\}/g, '{}').replace(/\/$/, '');
  const paths = Object.keys(description.paths);
  const alike = paths.filter((one) => shape(one) === shape(path));
  const near = alike.length > 0 ? alike : paths.filter((one) => one.split('/')[1] === path.split('/')[1]);
  const names = (near.length > 0 ? near : paths).slice(0, SHOWN).flatMap(namesAt);
  return `It has, among ${paths.length} paths: ${names.join(', ')}`;
}

function namesAt(path) {
  return Object.keys(description.paths[path]).flatMap((key) =>
    METHOD.test(key) ? [`${key.toUpperCase()} ${path}`] : [],
  );
}

function end(message) {
  console.error(message);
  process.exit(1);
}
