import { type Action } from './action.js';
import { type JsonSchema } from './json.js';
import { type AuthProp, type Piece } from './piece.js';
import { type Property, type PropertyOption, type PropertyType, type Props } from './property.js';
import { type Trigger } from './trigger.js';

/** A piece in the form in which the catalog returns it, as plain JSON. */
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
  /** The purpose of a connection, or the meaning of its props. May be empty. */
  description: string;
  /** The props of a CUSTOM_AUTH connection. Empty if the description explains them. */
  props: Record<string, CatalogProperty>;
  /** The values of the account that the piece's addresses contain. For OAuth, `data` must contain them. */
  account: Record<string, CatalogProperty>;
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
    actions: mapValues(piece.actions, describeOperation),
    triggers: mapValues(piece.triggers ?? {}, describeOperation),
  };
}

function describeAuth({ auth }: Piece): CatalogAuth {
  if (!auth) return { type: 'NONE', types: [], required: false, description: '', props: {}, account: {} };

  const { types, required, description = '', props = {}, account = {}, oauth2 } = auth;
  return {
    type: types[0] ?? 'NONE',
    types: [...types],
    required,
    description,
    props: mapValues(props, describeAuthProp),
    account: mapValues(account, (field) => describeAuthProp({ ...field, required: true, secret: false })),
    ...(oauth2 && { oauth2: { authUrl: oauth2.authUrl } }),
  };
}

/** Returns a prop in the form of a catalog property. Forms mask a secret prop. */
function describeAuthProp({ secret, multiline, displayName, required, description = '' }: AuthProp): CatalogProperty {
  const type = secret ? 'SECRET_TEXT' : multiline ? 'LONG_TEXT' : 'SHORT_TEXT';
  return { type, displayName, required, description, refreshers: [], options: [] };
}

function describeOperation({ displayName, description, props }: Action | Trigger, name: string): CatalogOperation {
  return { name, displayName, description, props: describeProps(props) };
}

/** Returns the properties without their code, for forms. */
export function describeProps(props: Props): Record<string, CatalogProperty> {
  return mapValues(props, describeProperty);
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

/** Returns the JSON Schema of an action's input. It rejects unknown keys, and contains titles and descriptions for forms and agents. */
export function inputSchema(props: Props): JsonSchema {
  const entries = Object.entries(props);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([key, property]) => [key, toSchema(property)])),
    required: entries.filter(([, property]) => property.required).map(([key]) => key),
    additionalProperties: false,
  };
}

function toSchema({ displayName, description, schema }: Property): JsonSchema {
  return { title: displayName, ...(description && { description }), ...schema };
}
