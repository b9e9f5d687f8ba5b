import { cutText } from '@drawbridge/contracts';
import { type OperationName, requireProperty } from './find-property.js';
import type { Piece } from './piece.js';
import type { Property, PropertyOption, PropertyType } from './property.js';
import { PropertyError } from './property-error.js';
import { type ResolveContext, toPropertyContext } from './resolve-context.js';

/** The most options that a form shows. A search finds the others. */
export const MAX_OPTIONS = 1_000;
export const MAX_LABEL = 500;
/** The longest text that a request may contain. */
const MAX_VALUE = 4_000;

const SELECTS: readonly PropertyType[] = ['STATIC_DROPDOWN', 'STATIC_MULTI_SELECT', 'DROPDOWN', 'MULTI_SELECT'];

export interface ResolvedOptions {
  options: PropertyOption[];
  /** Whether nothing can be selected now. */
  disabled: boolean;
}

/**
 * Returns at most `MAX_OPTIONS` options of a select whose label or value contains each word of `search`. Throws PropertyError, the errors
 * of the property's code (ProviderError, InputError), and Error for an unknown property.
 */
export async function resolveOptions(
  piece: Piece,
  operation: OperationName,
  propertyName: string,
  context: ResolveContext,
): Promise<ResolvedOptions> {
  const property = requireProperty(piece, operation, propertyName);
  const problem = selectProblem(property);
  if (problem) throw problem;
  const { loadOptions, options } = property;
  const isStatic = loadOptions === undefined;
  const all = isStatic ? { options, disabled: false } : toLoaded(await loadOptions(toPropertyContext(piece, context)));
  return { ...all, options: found(all.options, context.search).slice(0, MAX_OPTIONS) };
}

/** Returns the error for a property without options, or without code to load them. */
export function selectProblem({ type, displayName, loadOptions }: Property): PropertyError | undefined {
  if (!SELECTS.includes(type)) return new PropertyError('NOT_DROPDOWN', `${displayName} is ${type}: it has no options`);
  if (type.startsWith('STATIC_') || loadOptions) return undefined;
  return new PropertyError('NO_OPTIONS_FN', `${displayName} takes any text: nothing says what its options are`);
}

/** Validates the result of code that may not be type-checked. No result means no options: a refresher is still missing. */
function toLoaded(answer: unknown): ResolvedOptions {
  const given: { options?: unknown; disabled?: unknown } = Array.isArray(answer)
    ? { options: answer }
    : (answer ?? { options: [] });
  if (!Array.isArray(given.options)) throw new PropertyError('OPTIONS_FAILED', 'The options are no list');
  return { options: given.options.map(toOption), disabled: given.disabled === true };
}

/** Cuts a long label but never a value: a cut value would be another option's. */
function toOption(option: unknown): PropertyOption {
  const { label, value } = (option ?? {}) as { label?: unknown; value?: unknown };
  if (typeof label !== 'string') throw new PropertyError('OPTIONS_FAILED', 'An option has no label');
  if (typeof value === 'string' && value.length <= MAX_VALUE) return { label: cutText(label, MAX_LABEL), value };
  throw new PropertyError('OPTIONS_FAILED', `The value of an option is no text of at most ${MAX_VALUE} characters`);
}

/** Filters the options again, even if the provider did: its idea of a match may differ from the text that the user sees. */
function found(options: readonly PropertyOption[], search = ''): PropertyOption[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isMatch = ({ label, value }: PropertyOption): boolean => {
    const text = `${label}\n${value}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return options.filter(isMatch);
}
