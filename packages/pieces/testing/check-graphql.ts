import { getVariableValues, Kind, parse, validate, type GraphQLSchema } from 'graphql';
import type { Recorded } from './third-party.js';

const KEYS = ['query', 'variables', 'operationName'];

/** Returns the problems of a GraphQL request according to the provider's schema: problems in the document, and in every key of the variables. */
export function checkGraphql(
  schema: GraphQLSchema,
  { method, url, headers, body }: Recorded,
  path = '/graphql',
): string[] {
  if (method !== 'POST' || url !== path) return [`${method} ${url} is no operation`];
  if (headers['content-type'] !== 'application/json') return ['body is not sent as application/json'];

  const sent = JSON.parse(body) as { query: string; variables?: Record<string, unknown> };
  const unknown = Object.keys(sent).filter((key) => !KEYS.includes(key));
  if (unknown.length > 0) return unknown.map((key) => `body has the unknown key ${key}`);
  return checkDocument(schema, sent.query, sent.variables ?? {});
}

function checkDocument(schema: GraphQLSchema, query: string, variables: Record<string, unknown>): string[] {
  const document = parse(query);
  const problems = validate(schema, document).map(({ message }) => message);
  const [operation] = document.definitions;
  if (problems.length > 0 || operation?.kind !== Kind.OPERATION_DEFINITION) return [...problems, ...none(operation)];

  const declared = operation.variableDefinitions ?? [];
  const names = declared.map(({ variable }) => variable.name.value);
  const undeclared = Object.keys(variables).filter((name) => !names.includes(name));
  const { errors = [] } = getVariableValues(schema, declared, variables);
  return [...undeclared.map((name) => `the variable ${name} is not declared`), ...errors.map(({ message }) => message)];
}

const none = (operation: unknown): string[] => (operation ? [] : ['the document has no operation']);
