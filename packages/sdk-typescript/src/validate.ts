import { checkValue } from './check-value.js';
import { SCHEMAS } from './gen/schemas.js';
import { type CatalogSchemas } from './json-schema.js';

export interface ValidateOptions {
  /** The schemas of your instance, by `readCatalog`. Defaults to those of the built-in integrations. */
  schemas?: CatalogSchemas;
  /** Accepts an input without its required fields, because input partials provide them. */
  isPartial?: boolean;
}

/** The problems of an input by their paths, as in `details.fields` of a VALIDATION_ERROR. Empty: the input is valid. */
export type Problems = Record<string, { message: string }>;

/** Checks the input of an action without a request. Throws TypeError for an action that the schemas do not have. */
export function validateInput(
  { integration, action }: { integration: string; action: string },
  input: unknown,
  { schemas = SCHEMAS, isPartial = false }: ValidateOptions = {},
): Problems {
  const actions = Object.hasOwn(schemas, integration) ? schemas[integration]!.actions : {};
  if (!Object.hasOwn(actions, action)) throw new TypeError(`The catalog has no action ${integration}.${action}`);
  const { schema } = actions[action]!;
  const problems: Problems = {};
  checkValue(isPartial ? { ...schema, required: [] } : schema, input, 'input', (path, message) => {
    const before = problems[path]?.message;
    problems[path] = { message: before === undefined ? message : `${before} and ${message}` };
  });
  return problems;
}
