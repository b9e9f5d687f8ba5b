import { findProblems, type Problems } from './check-value.js';
import { SCHEMAS } from './gen/schemas.js';
import { type CatalogSchemas } from './json-schema.js';

export { type Problems } from './check-value.js';

export interface ValidateOptions {
  /** The schemas of your instance, by `readCatalog`. Defaults to those of the built-in integrations. */
  schemas?: CatalogSchemas;
  /** Accepts an input without its required fields, because input partials provide them. */
  isPartial?: boolean;
}

/**
 * Checks the input of an action without a request. Paths and messages are those of `details.fields` of a VALIDATION_ERROR, except that the server
 * names at most 100 problems, only the first of a very large input, and suggests the name of an unknown key. Throws TypeError for an action that the
 * schemas do not have.
 */
export function validateInput(
  { integration, action }: { integration: string; action: string },
  input: unknown,
  { schemas = SCHEMAS, isPartial = false }: ValidateOptions = {},
): Problems {
  const actions = Object.hasOwn(schemas, integration) ? schemas[integration]!.actions : {};
  if (!Object.hasOwn(actions, action)) throw new TypeError(`The catalog has no action ${integration}.${action}`);
  const { schema } = actions[action]!;
  return findProblems(isPartial ? { ...schema, required: [] } : schema, input, 'input');
}
