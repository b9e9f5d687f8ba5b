/** The subset of JSON Schema (draft 2020-12) that describes the input of actions. */
export interface JsonSchema {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean)[];
  readonly anyOf?: readonly JsonSchema[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: { readonly [key: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: boolean | JsonSchema;
}

/** An action as the catalog of an instance shows it. */
export interface CatalogAction {
  description: string;
  /** Describes the input, which is an object. */
  schema: JsonSchema;
}

/** The actions of each integration. */
export type CatalogSchemas = Record<string, { displayName: string; actions: Record<string, CatalogAction> }>;
