// Compares two JSON Schemas of OpenAPI 3.1 documents recursively.

/**
 * Returns one line for each place where a value that `from` allows does not match `to`. A union matches when each of its members does.
 * @param from {document, schema}: the schema, and the document that its references point into; `to` has the same shape
 * @param rules `type(from, to)` describes a type mismatch; `judge(from, to)` returns the other mismatches as [place, description]
 * @param at the name of the value in the result
 */
export function mismatches({ from, to, rules, at }, seen = new Set()) {
  const pair = `${from.schema.$ref} ${to.schema.$ref}`;
  if (from.schema.$ref && seen.has(pair)) return [];
  const within = new Set(seen).add(pair);
  const walk = (ends, place) => mismatches({ ...ends, rules, at: at + place }, within);

  const expected = variants(to);
  return variants(from).flatMap((variant) => {
    const judged = expected.map((candidate) => compare(variant, candidate, { rules, at, walk }));
    return judged.reduce((best, found) => (found.length < best.length ? found : best));
  });
}

/** Returns all alternatives of a schema: each type and each member of a union, with references resolved. */
function variants({ document, schema }) {
  if (schema.$ref) return variants({ document, schema: resolve(document, schema.$ref) });
  if (schema.allOf) return variants({ document, schema: merged(document, schema.allOf) });
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return union.flatMap((member) => variants({ document, schema: member }));
  return [schema.type].flat().map((type) => ({ document, schema: { ...schema, type } }));
}

/** Merges the members of an `allOf`. In generated documents they are always objects. */
function merged(document, members) {
  const objects = members.map((member) => (member.$ref ? resolve(document, member.$ref) : member));
  const properties = Object.assign({}, ...objects.map((object) => object.properties));
  const required = objects.flatMap((object) => object.required ?? []);
  const closed = objects.some(({ additionalProperties }) => additionalProperties === false);
  return { type: 'object', properties, required, ...(closed && { additionalProperties: false }) };
}

function resolve(document, reference) {
  const keys = reference.replace('#/', '').split('/');
  return keys.reduce((node, key) => node[key], document);
}

function compare(from, to, { rules, at, walk }) {
  const [have, want] = [from.schema, to.schema];
  if (want.type === undefined) return [];
  if (have.type !== want.type && !(have.type === 'integer' && want.type === 'number')) {
    return [`${at}: ${rules.type(have.type ?? 'anything', want.type)}`];
  }
  const own = rules.judge(have, want).map(([place, what]) => `${at}${place}: ${what}`);
  const inner = children(have, want).flatMap(([one, other, place]) =>
    walk({ from: { ...from, schema: one }, to: { ...to, schema: other } }, place),
  );
  return [...own, ...inner];
}

/** Returns the properties and items that both schemas describe. */
function children(have, want) {
  const shared = Object.keys(have.properties ?? {}).filter((name) => want.properties?.[name]);
  const pairs = shared.map((name) => [have.properties[name], want.properties[name], `.${name}`]);
  if (have.items && want.items) pairs.push([have.items, want.items, '[]']);
  const [map, other] = [have.additionalProperties, want.additionalProperties];
  if (typeof map === 'object' && typeof other === 'object') pairs.push([map, other, '.*']);
  return pairs;
}
