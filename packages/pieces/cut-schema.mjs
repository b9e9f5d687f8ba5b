// Reduces a provider's GraphQL schema to the parts that test the documents of a piece. The fixture lists the types and fields to keep.
// Their definitions (arguments, types, required fields) come from the provider's schema, which is not a dependency.
//
//   node cut-schema.mjs <fixture.graphql> <schema.graphql> "<source, version>"
//
// To add a field, write it into the fixture with any type and run this again.
import { readFileSync, writeFileSync } from 'node:fs';
import { Kind, parse, print, specifiedScalarTypes } from 'graphql';

const [fixtureFile, schemaFile, source] = process.argv.slice(2);
if (!source) end('Usage: node cut-schema.mjs <fixture.graphql> <schema.graphql> "<source, version>"');

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

/** Keeps required input fields even if the fixture does not contain them, because requests without them fail. */
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
