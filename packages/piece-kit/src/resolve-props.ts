import { cutText } from '@drawbridge/contracts';
import { type CatalogProperty, describeProps } from './describe.js';
import { type OperationName, requireProperty } from './find-property.js';
import type { Piece } from './piece.js';
import type { Property, Props } from './property.js';
import { PropertyError } from './property-error.js';
import { type ResolveContext, toPropertyContext } from './resolve-context.js';
import { MAX_LABEL, MAX_OPTIONS } from './resolve-options.js';

/** Limit of one dynamic property: a larger form is unusable. */
export const MAX_DYNAMIC_PROPS = 500;
const MAX_KEY = 1_000;
const MAX_DESCRIPTION = 4_000;

/**
 * Returns the current properties of a dynamic property in catalog form. Throws PropertyError, the errors of the property's code
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

/** Returns the error for a property that is not dynamic, or that has no code to load its properties. */
export function dynamicProblem({ type, displayName, loadProps }: Property): PropertyError | undefined {
  if (type !== 'DYNAMIC') return new PropertyError('NOT_DYNAMIC', `${displayName} is ${type}: what it takes is known`);
  if (loadProps) return undefined;
  return new PropertyError('NO_PROPS_FN', `${displayName} takes any object: nothing says what its properties are`);
}

/** Validates the result of code that may not be type-checked. Refuses too many properties: an incomplete form could not be filled in. */
function requireProps(answer: unknown): Props {
  const entries = Object.entries((answer ?? {}) as Record<string, unknown>);
  if (entries.length > MAX_DYNAMIC_PROPS) {
    const message = `There are ${entries.length} properties, and a form may have ${MAX_DYNAMIC_PROPS}`;
    throw new PropertyError('RESOLVE_FAILED', message);
  }
  // A request body cannot contain this key, so a column of this name cannot be filled in.
  const usable = entries.filter(([key]) => key !== '__proto__');
  if (usable.every(([key, one]) => key.length <= MAX_KEY && isProperty(one))) {
    return Object.fromEntries(usable) as Props;
  }
  throw new PropertyError('RESOLVE_FAILED', `A property is none of the kit, or its key is longer than ${MAX_KEY}`);
}

function isProperty(value: unknown): boolean {
  const { type, displayName, refreshers, options } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof type === 'string' && typeof displayName === 'string' && Array.isArray(refreshers) && Array.isArray(options)
  );
}

/** Cuts labels, which come from the provider, including those of a static select's options. */
function cut({ displayName, description, options, ...rest }: CatalogProperty): CatalogProperty {
  return {
    ...rest,
    displayName: cutText(displayName, MAX_LABEL),
    description: cutText(description, MAX_DESCRIPTION),
    options: options.slice(0, MAX_OPTIONS).map(({ label, value }) => ({ label: cutText(label, MAX_LABEL), value })),
  };
}
