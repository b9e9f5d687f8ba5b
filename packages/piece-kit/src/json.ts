export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** The subset of JSON Schema (draft 2020-12, valid in ajv 8 strict mode) that pieces use. */
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
  readonly contentEncoding?: 'base64';
  readonly writeOnly?: boolean;
}

/** The TypeScript type of the values that a schema accepts. It is `JsonValue` if the schema does not restrict them. */
export type FromSchema<S> = S extends { enum: readonly (infer Value)[] }
  ? Value
  : S extends { anyOf: readonly (infer Alternative)[] }
    ? FromSchema<Alternative>
    : S extends { type: 'string' }
      ? string
      : S extends { type: 'number' | 'integer' }
        ? number
        : S extends { type: 'boolean' }
          ? boolean
          : S extends { type: 'array'; items: infer Item }
            ? FromSchema<Item>[]
            : S extends { type: 'object'; additionalProperties: infer Value }
              ? { [key: string]: FromSchema<Value> }
              : S extends { type: 'object' }
                ? JsonObject
                : JsonValue;
