import { cutText } from '@drawbridge/contracts';
import { type CatalogProperty, describeProps } from './describe.js';
import { type OpenOptions, openPiece, type OperationName, type Piece, requireProperty } from './piece.js';
import { type JsonObject } from './json.js';
import { type Property, type PropertyContext, type PropertyOption, type PropertyType, type Props } from './property.js';

/** The context in which a form loads the options of a select, or the properties of a dynamic property. */
export interface ResolveContext extends Omit<OpenOptions, 'isIdempotent'> {
  /** The current values of the form. */
  input: JsonObject;
  search?: string;
}

/** Converts the context for the code of a property. Look-ups change nothing, so a request that a busy provider rejected is repeated. */
function toPropertyContext(piece: Piece, context: ResolveContext): PropertyContext {
  const { input, search, credential: auth, signal } = context;
  return {
    http: openPiece(piece, { ...context, isIdempotent: true }),
    input,
    search: search || undefined,
    auth,
    signal,
  };
}

/** Maximum number of options that a form shows. A user can search for the others. */
export const MAX_OPTIONS = 1_000;
const MAX_LABEL = 500;
/** Maximum length of a string in a request. */
const MAX_VALUE = 4_000;

const SELECTS: readonly PropertyType[] = ['STATIC_DROPDOWN', 'STATIC_MULTI_SELECT', 'DROPDOWN', 'MULTI_SELECT'];

export interface ResolvedOptions {
  options: PropertyOption[];
  /** Set if nothing can be selected now. */
  disabled: boolean;
}

/**
 * Returns at most `MAX_OPTIONS` options of a select that contain each word of `search` in their label or value. Throws PropertyError, the errors of
 * the property's code (ProviderError, InputError), and Error for an unknown property.
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

/** Returns the error for a property that has no options, or no code to load them, or undefined. */
export function selectProblem({ type, displayName, loadOptions }: Property): PropertyError | undefined {
  if (!SELECTS.includes(type))
    return new PropertyError('NOT_DROPDOWN', `${displayName} is a ${type} property and has no options`);
  if (type.startsWith('STATIC_') || loadOptions) return undefined;
  return new PropertyError('NO_OPTIONS_FN', `${displayName} accepts any text and has no options`);
}

/** Validates the result of code that may not be type-checked. No result means no options, for example because a refresher is still missing. */
function toLoaded(answer: unknown): ResolvedOptions {
  const given: { options?: unknown; disabled?: unknown } = Array.isArray(answer)
    ? { options: answer }
    : (answer ?? { options: [] });
  if (!Array.isArray(given.options)) throw new PropertyError('OPTIONS_FAILED', 'The options must be a list');
  return { options: given.options.map(toOption), disabled: given.disabled === true };
}

/** Shortens a long label but never a value, because a shortened value could equal that of another option. */
function toOption(option: unknown): PropertyOption {
  const { label, value } = (option ?? {}) as { label?: unknown; value?: unknown };
  if (typeof label !== 'string') throw new PropertyError('OPTIONS_FAILED', 'Each option needs a label');
  if (typeof value === 'string' && value.length <= MAX_VALUE) return { label: cutText(label, MAX_LABEL), value };
  throw new PropertyError(
    'OPTIONS_FAILED',
    `The value of an option must be a string of at most ${MAX_VALUE} characters`,
  );
}

/** Filters the options again, even if the provider has filtered them, because the provider may match other text than the user sees. */
function found(options: readonly PropertyOption[], search = ''): PropertyOption[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isMatch = ({ label, value }: PropertyOption): boolean => {
    const text = `${label}\n${value}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return options.filter(isMatch);
}

/** Maximum number of properties of one dynamic property. A larger form is unusable. */
export const MAX_DYNAMIC_PROPS = 500;
const MAX_KEY = 1_000;
const MAX_DESCRIPTION = 4_000;

/**
 * Returns the current properties of a dynamic property in the form of the catalog. Throws PropertyError, the errors of the property's code
 * (ProviderError, InputError), and Error for an unknown property.
 */
export async function resolveProps(
  piece: Piece,
  operation: OperationName,
  propertyName: string,
  context: ResolveContext,
): Promise<Record<string, CatalogProperty>> {
  const property = requireProperty(piece, operation, propertyName);
  const problem = dynamicProblem(property);
  if (problem) throw problem;
  const described = describeProps(requireProps(await property.loadProps?.(toPropertyContext(piece, context))));
  return Object.fromEntries(Object.entries(described).map(([key, property]) => [key, cut(property)]));
}

/** Returns the error for a property that is not dynamic, or that has no code to load its properties, or undefined. */
export function dynamicProblem({ type, displayName, loadProps }: Property): PropertyError | undefined {
  if (type !== 'DYNAMIC')
    return new PropertyError('NOT_DYNAMIC', `${displayName} is a ${type} property and has no dynamic properties`);
  if (loadProps) return undefined;
  return new PropertyError('NO_PROPS_FN', `${displayName} accepts any object and has no dynamic properties`);
}

/**
 * Validates the result of code that may not be type-checked. Rejects too many properties: if some were omitted, a user could not complete the form.
 */
function requireProps(answer: unknown): Props {
  const entries = Object.entries((answer ?? {}) as Record<string, unknown>);
  if (entries.length > MAX_DYNAMIC_PROPS) {
    const message = `There are ${entries.length} properties, and a form may have ${MAX_DYNAMIC_PROPS}`;
    throw new PropertyError('RESOLVE_FAILED', message);
  }
  // A request body cannot contain this key, so a property with this name is omitted.
  const usable = entries.filter(([key]) => key !== '__proto__');
  if (usable.every(([key, one]) => key.length <= MAX_KEY && isProperty(one))) {
    return Object.fromEntries(usable) as Props;
  }
  throw new PropertyError(
    'RESOLVE_FAILED',
    `A property was not created with the piece kit, or its key is longer than ${MAX_KEY} characters`,
  );
}

function isProperty(value: unknown): boolean {
  const { type, displayName, refreshers, options } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof type === 'string' && typeof displayName === 'string' && Array.isArray(refreshers) && Array.isArray(options)
  );
}

/** Shortens labels, which come from the provider, including the labels of a static select's options. */
function cut({ displayName, description, options, ...rest }: CatalogProperty): CatalogProperty {
  return {
    ...rest,
    displayName: cutText(displayName, MAX_LABEL),
    description: cutText(description, MAX_DESCRIPTION),
    options: options.slice(0, MAX_OPTIONS).map(({ label, value }) => ({ label: cutText(label, MAX_LABEL), value })),
  };
}

export type PropertyFailure =
  'NOT_DROPDOWN' | 'NO_OPTIONS_FN' | 'OPTIONS_FAILED' | 'NOT_DYNAMIC' | 'NO_PROPS_FN' | 'RESOLVE_FAILED';

/**
 * Thrown if a property cannot be resolved because of its declaration or the result of its code. The message is for the caller and does not quote the
 * provider.
 */
export class PropertyError extends Error {
  override readonly name = 'PropertyError';

  constructor(
    readonly code: PropertyFailure,
    message: string,
  ) {
    super(message);
  }
}
