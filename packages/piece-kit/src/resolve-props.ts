import { cutText } from '@drawbridge/contracts';
import { type CatalogProperty, describeProps } from './describe.js';
import { type OperationName, requireProperty } from './find-property.js';
import type { Piece } from './piece.js';
import type { Property, Props } from './property.js';
import { PropertyError } from './property-error.js';
import { type ResolveContext, toPropertyContext } from './resolve-context.js';
import { MAX_LABEL, MAX_OPTIONS } from './resolve-options.js';

/** Of one dynamic property: a form of more is none. */
export const MAX_DYNAMIC_PROPS = 500;
const MAX_KEY = 1_000;
const MAX_DESCRIPTION = 4_000;

/**
 * What a dynamic property consists of now, as the catalog shows properties. Throws PropertyError, whatever the property's code throws
 * (ProviderError, InputError), and Error for a property that is not there.
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

/** Of what is not dynamic, or can not be loaded. */
export function dynamicProblem({ type, displayName, loadProps }: Property): PropertyError | undefined {
  if (type !== 'DYNAMIC') return new PropertyError('NOT_DYNAMIC', `${displayName} is ${type}: what it takes is known`);
  if (loadProps) return undefined;
  return new PropertyError('NO_PROPS_FN', `${displayName} takes any object: nothing says what its properties are`);
}

/** Of code that no compiler may have seen. A form that lacks some of them could not be filled in: too many are refused. */
function requireProps(answer: unknown): Props {
  const entries = Object.entries((answer ?? {}) as Record<string, unknown>);
  if (entries.length > MAX_DYNAMIC_PROPS) {
    const message = `There are ${entries.length} properties, and a form may have ${MAX_DYNAMIC_PROPS}`;
    throw new PropertyError('RESOLVE_FAILED', message);
  }
  // No body may have this key: a column of this name can't be filled in.
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

/** Labels are the third party's, and so are the options of a static select among them. */
function cut({ displayName, description, options, ...rest }: CatalogProperty): CatalogProperty {
  return {
    ...rest,
    displayName: cutText(displayName, MAX_LABEL),
    description: cutText(description, MAX_DESCRIPTION),
    options: options.slice(0, MAX_OPTIONS).map(({ label, value }) => ({ label: cutText(label, MAX_LABEL), value })),
  };
}
