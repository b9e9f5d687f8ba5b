// The two sets of rules for schema-mismatches.mjs: schema changes that break a client.

/** Compares the request that clients send (old document) with the request that the server accepts (new document). */
export const REQUEST = {
  type: (was, is) => `was ${was}, is ${is}`,
  judge: (was, is) => [...narrowed(was, is), ...refused(was, is)],
};

/** Compares the response that the server sends (new document) with the response that clients expect (old document). */
export const ANSWER = {
  type: (is, was) => `was ${was}, is ${is}`,
  judge: (is, was) =>
    Object.keys(was.properties ?? {}).flatMap((name) => {
      if (!is.properties?.[name]) return [[`.${name}`, 'removed']];
      return was.required?.includes(name) && !is.required?.includes(name) ? [[`.${name}`, 'may be absent now']] : [];
    }),
};

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const EQUAL = ['pattern', 'format', 'const', 'uniqueItems'];

function narrowed(was, is) {
  const raised = LOWER.filter((limit) => is[limit] > (was[limit] ?? -Infinity));
  const lowered = UPPER.filter((limit) => is[limit] < (was[limit] ?? Infinity));
  const other = EQUAL.filter((limit) => is[limit] !== undefined && is[limit] !== was[limit]);
  const values = is.enum && !was.enum?.every((value) => is.enum.includes(value)) ? ['enum'] : [];
  return [...raised, ...lowered, ...other, ...values].map((limit) => ['', `${limit} is narrower`]);
}

function refused(was, is) {
  const closed = is.additionalProperties === false;
  const gone = Object.keys(was.properties ?? {}).filter((name) => closed && !is.properties?.[name]);
  const asked = (is.required ?? []).filter((name) => !was.required?.includes(name));
  return [
    ...gone.map((name) => [`.${name}`, 'no longer accepted']),
    ...asked.map((name) => [`.${name}`, 'required now']),
    ...(closed && was.additionalProperties !== false ? [['', 'other keys are refused now']] : []),
  ];
}
