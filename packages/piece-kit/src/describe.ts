import type { Action } from './action.js';
import type { Piece } from './piece.js';
import type { Property, PropertyOption, PropertyType } from './property.js';

/** A piece as the catalog shows it: plain JSON. */
export interface CatalogEntry {
  name: string;
  displayName: string;
  description: string;
  logoUrl: string;
  categories: string[];
  auth: CatalogAuth;
  actions: Record<string, CatalogOperation>;
  triggers: Record<string, CatalogOperation>;
}

export interface CatalogAuth {
  /** The first of `types`, or NONE. */
  type: string;
  types: string[];
  required: boolean;
  oauth2?: { authUrl: string };
}

export interface CatalogOperation {
  name: string;
  displayName: string;
  description: string;
  props: Record<string, CatalogProperty>;
}

export interface CatalogProperty {
  type: PropertyType;
  displayName: string;
  required: boolean;
  description: string;
  refreshers: string[];
  options: PropertyOption[];
}

export function describe(piece: Piece): CatalogEntry {
  const { name, displayName, description, logoUrl = '', categories } = piece;
  return {
    name,
    displayName,
    description,
    logoUrl,
    categories: [...categories],
    auth: describeAuth(piece),
    actions: mapValues(piece.actions, describeAction),
    triggers: {},
  };
}

function describeAuth({ auth }: Piece): CatalogAuth {
  if (!auth) return { type: 'NONE', types: [], required: false };

  const { types, required, oauth2 } = auth;
  return {
    type: types[0] ?? 'NONE',
    types: [...types],
    required,
    ...(oauth2 && { oauth2: { authUrl: oauth2.authUrl } }),
  };
}

function describeAction({ displayName, description, props }: Action, name: string): CatalogOperation {
  return { name, displayName, description, props: mapValues(props, describeProperty) };
}

function describeProperty({
  type,
  displayName,
  required,
  description,
  refreshers,
  options,
}: Property): CatalogProperty {
  return { type, displayName, required, description, refreshers: [...refreshers], options: [...options] };
}

function mapValues<In, Out>(record: Readonly<Record<string, In>>, convert: (value: In, key: string) => Out) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, convert(value, key)]));
}
