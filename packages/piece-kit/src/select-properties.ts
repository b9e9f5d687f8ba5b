import { property, type PropertyDetails, type PropertyOption } from './property.js';
import type { LoadOptions } from './property-context.js';
import { type TextDetails, textSchema } from './text-properties.js';

/** A value that is also its label, or a label and a value. */
type Choice<Value> = Value | { readonly label: string; readonly value: Value };

export interface SelectDetails extends TextDetails {
  /** Loads the options from the provider. Without it a form accepts any text. */
  options?: LoadOptions;
}

/** A selection from a fixed set of values. The code receives their literal union. */
export function staticDropdown<const Value extends string | number, const D extends PropertyDetails = {}>(
  displayName: string,
  choices: readonly Choice<Value>[],
  details?: D,
) {
  const options = choices.map(toOption);
  return property<Value, D>(displayName, details, { type: 'STATIC_DROPDOWN', schema: oneOf(options), options });
}

/** Any number of a fixed set of values, each once. */
export function staticMultiSelect<const Value extends string | number, const D extends PropertyDetails = {}>(
  displayName: string,
  choices: readonly Choice<Value>[],
  details?: D,
) {
  const options = choices.map(toOption);
  const schema = { type: 'array', items: oneOf(options), uniqueItems: true } as const;
  return property<Value[], D>(displayName, details, { type: 'STATIC_MULTI_SELECT', schema, options });
}

/**
 * A value selected from the provider's options. Any other text that fits the details is accepted too. `& SelectDetails` types the
 * function's parameter if the property is inline in `action()`.
 */
export function dropdown<const D extends SelectDetails = {}>(displayName: string, details?: D & SelectDetails) {
  const loadOptions = details?.options;
  return property<string, D>(displayName, details, { type: 'DROPDOWN', schema: textSchema(details), loadOptions });
}

/** Values selected from the provider's options, each once. The details apply to each value. */
export function multiSelect<const D extends SelectDetails = {}>(displayName: string, details?: D & SelectDetails) {
  const schema = { type: 'array', items: textSchema(details), uniqueItems: true } as const;
  const loadOptions = details?.options;
  return property<string[], D>(displayName, details, { type: 'MULTI_SELECT', schema, loadOptions });
}

function oneOf(options: readonly PropertyOption[]) {
  const values = options.map(({ value }) => value);
  return { type: typeof values[0] === 'number' ? 'number' : 'string', enum: values } as const;
}

function toOption(choice: Choice<string | number>): PropertyOption {
  return typeof choice === 'object' ? choice : { label: String(choice), value: choice };
}
