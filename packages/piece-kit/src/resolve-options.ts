import { cutText } from '@drawbridge/contracts';
import { type OperationName, requireProperty } from './find-property.js';
import type { Piece } from './piece.js';
import type { Property, PropertyOption, PropertyType } from './property.js';
import { PropertyError } from './property-error.js';
import { type ResolveContext, toPropertyContext } from './resolve-context.js';

/** What a form can show; the rest is found by searching for it. */
export const MAX_OPTIONS = 1_000;
export const MAX_LABEL = 500;
/** As long as a text of a request may be. */
const MAX_VALUE = 4_000;

const SELECTS: readonly PropertyType[] = ['STATIC_DROPDOWN', 'STATIC_MULTI_SELECT', 'DROPDOWN', 'MULTI_SELECT'];

export interface ResolvedOptions {
  options: PropertyOption[];
  /** Nothing can be chosen now. */
  disabled: boolean;
}

/**
 * What can be chosen of a select, at most `MAX_OPTIONS` of those that `search` finds: in label or value each of its words. Throws
 * PropertyError, whatever the property's code throws (ProviderError, InputError), and Error for a property that is not there.
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

/** Of what has no options, or has some that nobody can load. */
export function selectProblem({ type, displayName, loadOptions }: Property): PropertyError | undefined {
  if (!SELECTS.includes(type)) return new PropertyError('NOT_DROPDOWN', `${displayName} is ${type}: it has no options`);
  if (type.startsWith('STATIC_') || loadOptions) return undefined;
  return new PropertyError('NO_OPTIONS_FN', `${displayName} takes any text: nothing says what its options are`);
}

/** Of code that no compiler may have seen. Nothing is no options: a refresher is not there yet. */
function toLoaded(answer: unknown): ResolvedOptions {
  const given: { options?: unknown; disabled?: unknown } = Array.isArray(answer)
    ? { options: answer }
    : (answer ?? { options: [] });
  if (!Array.isArray(given.options)) throw new PropertyError('OPTIONS_FAILED', 'The options are no list');
  return { options: given.options.map(toOption), disabled: given.disabled === true };
}

/** A label is cut, a value never: half of it is the value of something else. */
function toOption(option: unknown): PropertyOption {
  const { label, value } = (option ?? {}) as { label?: unknown; value?: unknown };
  if (typeof label !== 'string') throw new PropertyError('OPTIONS_FAILED', 'An option has no label');
  if (typeof value === 'string' && value.length <= MAX_VALUE) return { label: cutText(label, MAX_LABEL), value };
  throw new PropertyError('OPTIONS_FAILED', `The value of an option is no text of at most ${MAX_VALUE} characters`);
}

/** Also where the third party was asked for it: what that one calls a match need not be what a person sees. */
function found(options: readonly PropertyOption[], search = ''): PropertyOption[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isMatch = ({ label, value }: PropertyOption): boolean => {
    const text = `${label}\n${value}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return options.filter(isMatch);
}
