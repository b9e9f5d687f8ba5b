// Cuts a vendor's GraphQL schema down to what the documents of a piece are checked against. The fixture says which types and fields
// are kept; what they are is taken from the vendor's schema, which is no dependency: arguments, types, what must be there.
//
//   node cut-schema.mjs <fixture.graphql> <schema.graphql> "<where it is from, version>"
//
// A new field is written into the fixture with any type, and cut at the next run.
import { readFileSync, writeFileSync } from 'node:fs';
import { Kind, parse, print, specifiedScalarTypes } from 'graphql';

const [fixtureFile, schemaFile, source] = process.argv.slice(2);
if (!source) end('Usage: node cut-schema.mjs <fixture.graphql> <schema.graphql> "<where it is from, version>"');

const wanted = parse(readFileSync(fixtureFile, 'utf8')).definitions;
const vendors = new Map(parse(readFileSync(schemaFile, 'utf8')).definitions.map((one) => [one.name?.value, one]));
const known = new Set([...specifiedScalarTypes.map(({ name }) => name), ...wanted.map(({ name }) => name.value)]);

const definitions = wanted.map(cut);
writeFileSync(fixtureFile, `# ${source}\n\n${print({ kind: Kind.DOCUMENT, definitions })}\n`);

function cut({ name, fields = [] }) {
  const definition = vendors.get(name.value) ?? end(`The schema has no ${name.value}`);
  const bare = { ...definition, description: undefined, directives: [], interfaces: [] };
  if (!definition.fields) return bare;
  const all = new Map(definition.fields.map((field) => [field.name.value, field]));
  const missing = fields.find((field) => !all.has(field.name.value));
  if (missing) end(`${name.value} has no ${missing.name.value}`);

  const kept = new Set(fields.map((field) => field.name.value));
  const isKept = (field) => kept.has(field.name.value) || isRequiredInput(definition, field);
  return { ...bare, fields: definition.fields.filter(isKept).map(cutField) };
}

/** Whoever leaves it out is refused, listed or not. */
function isRequiredInput({ kind }, { type, defaultValue }) {
  return kind === Kind.INPUT_OBJECT_TYPE_DEFINITION && type.kind === Kind.NON_NULL_TYPE && !defaultValue;
}

function cutField(field) {
  const bare = { ...field, description: undefined, directives: [] };
  return field.arguments ? { ...bare, arguments: field.arguments.filter(isKnown).map(cutField) } : bare;
}

function isKnown({ type }) {
  return known.has(namedType(type).name.value);
}

function namedType(type) {
  return type.type ? namedType(type.type) : type;
}

function end(message) {
  console.error(message);
  process.exit(1);
}
