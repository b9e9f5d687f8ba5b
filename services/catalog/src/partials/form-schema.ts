import { type JsonSchema } from '@drawbridge/piece-kit';
import { mergeInput, type PartialInput } from './merge-input.js';

/**
 * What is left for a person or an agent to fill in where these partials apply: without the keys that they enforce, and those for which they
 * have a value are optional.
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
