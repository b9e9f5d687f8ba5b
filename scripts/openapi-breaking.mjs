// Finds the differences between two versions of an OpenAPI 3.1 document that break a client.
import { ANSWER, REQUEST } from './breaking-rules.mjs';
import { mismatches } from './schema-mismatches.mjs';

/**
 * Returns one line for each change that breaks a client of the previous version. These additions are safe: operations, optional keys of a request,
 * keys of a response, values of an enum. Responses other than 2xx share one schema, `default`.
 */
export function breakingChanges(before, after) {
  const operations = new Map(operationsOf(after));
  return operationsOf(before).flatMap(([name, was]) => {
    const is = operations.get(name);
    return is
      ? breakingOperation(name, { document: before, ...was }, { document: after, ...is })
      : [`${name}: removed`];
  });
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete', 'head', 'options'];

/** Returns each operation by its method and path. The names of path parameters are removed, because clients do not depend on them. */
function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => [
      `${method.toUpperCase()} ${path.replace(/\{[^}]+\}/g, '{}')}`,
      { operation: item[method], path },
    ]),
  );
}

function breakingOperation(name, before, after) {
  return [
    ...(isPublic(before) && !isPublic(after) ? [`${name}: asks for a key now`] : []),
    ...breakingParameters(name, before, after),
    ...breakingBody(`${name} body`, before, after),
    ...breakingAnswers(name, before, after),
  ];
}

const isPublic = ({ operation }) => operation.security?.length === 0;

function breakingParameters(name, before, after) {
  const [were, are] = [parametersOf(before), parametersOf(after)];
  const asked = [...are].filter(([key, { required }]) => required && !were.get(key)?.required);
  const kept = [...were].flatMap(([key, was]) => {
    const is = are.get(key);
    if (!is) return [`${name} ${key}: no longer accepted`];
    const [from, to] = [part(before, was.schema), part(after, is.schema)];
    return mismatches({ from, to, rules: REQUEST, at: `${name} ${key}` });
  });
  return [...asked.map(([key]) => `${name} ${key}: required now`), ...kept];
}

/** Returns the parameters by location and name. Path parameters are identified by position, because clients do not depend on their names. */
function parametersOf({ operation, path }) {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]);
  return new Map(
    (operation.parameters ?? []).map((parameter) => {
      const name = parameter.in === 'path' ? names.indexOf(parameter.name) + 1 : parameter.name.toLowerCase();
      return [`${parameter.in} parameter ${name}`, parameter];
    }),
  );
}

function breakingBody(at, before, after) {
  const [was, is] = [before.operation.requestBody, after.operation.requestBody];
  if (!was) return is?.required ? [`${at}: required now`] : [];
  if (!is) return [`${at}: no longer accepted`];
  const asked = is.required && !was.required ? [`${at}: required now`] : [];
  return [...asked, ...breakingContent(at, part(before, was), part(after, is), REQUEST)];
}

function breakingAnswers(name, before, after) {
  return Object.entries(before.operation.responses).flatMap(([status, was]) => {
    const at = `${name} ${status}`;
    const is = after.operation.responses[status];
    if (!is) return [`${at}: removed`];
    return breakingContent(at, part(before, answerOf(before, was)), part(after, answerOf(after, is)), ANSWER);
  });
}

/** Resolves a response that several operations share through a $ref. */
function answerOf({ document }, { $ref, ...answer }) {
  return $ref ? document.components.responses[$ref.split('/').at(-1)] : answer;
}

function breakingContent(at, was, is, rules) {
  return Object.entries(was.schema.content ?? {}).flatMap(([type, content]) => {
    const other = is.schema.content?.[type];
    if (!other) return [`${at}: ${type} removed`];
    const [before, after] = [part(was, content.schema ?? {}), part(is, other.schema ?? {})];
    const ends = rules === REQUEST ? { from: before, to: after } : { from: after, to: before };
    return mismatches({ ...ends, rules, at });
  });
}

const part = ({ document }, schema) => ({ document, schema });
