import { type JsonSchema } from '@drawbridge/piece-kit';
import { mergeInput, type PartialInput } from './merge-input.js';

/**
 * Returns the schema of the fields that a user or an agent still fills in under these partials: without the keys that they enforce. Keys for which
 * they have a value are optional.
 */
export function formSchema(schema: JsonSchema, partials: readonly PartialInput[]): JsonSchema {
  const enforced = new Set(partials.flatMap(({ enforcedKeys }) => enforcedKeys));
  const defaults = mergeInput(partials, {});
  const { properties = {}, required = [] } = schema;
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([key]) => !enforced.has(key))),
    required: required.filter((key) => !enforced.has(key) && !Object.hasOwn(defaults, key)),
  };
}
