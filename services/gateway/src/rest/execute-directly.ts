import { type RequestHandler } from 'express';
import { type OpenApi } from '../http/route-table.js';
import { type ActionsController } from './actions.controller.js';

/** Executes an action if its body is valid. Passes any other body to the generated route, which reports the problems. */
export function executeDirectly(document: OpenApi, controller: ActionsController): RequestHandler {
  const isValid = validBody(document, 'ExecuteActionRequest');
  return async (request, _response, next) => {
    if (!isValid(request.body)) return next();
    await controller.executeAction(request.body, request);
  };
}

type IsValid = (value: unknown) => boolean;

/** The keywords of a schema that affect which values are valid. */
interface Schema {
  type?: unknown;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | object;
}

const KEYWORDS = new Set('type minLength maxLength pattern items properties required additionalProperties'.split(' '));
/** Keywords that do not affect which values are valid. A schema with a `format` also has its `pattern`. */
const ANNOTATIONS = new Set(['description', 'examples', 'format', 'title', 'deprecated']);

/**
 * Compiles the schema of a request body. The generated routes accept every body that passes, and leave it unchanged. A body that does not pass may
 * still be valid (null for an optional field, a text at its length limit with characters beyond the basic plane): the generated routes then decide,
 * and report the problems. Throws for a schema with other keywords.
 */
export function validBody({ components }: OpenApi, name: string): IsValid {
  return compile(components.schemas[name] as Schema);
}

function compile(schema: Schema): IsValid {
  const unknown = Object.keys(schema).find((key) => !KEYWORDS.has(key) && !ANNOTATIONS.has(key));
  if (unknown !== undefined) throw new Error(`A schema with ${unknown} cannot be compiled`);
  switch (schema.type) {
    case 'string':
      return isText(schema);
    case 'array': {
      const isItem = compile(schema.items!);
      return (value) => Array.isArray(value) && value.every(isItem);
    }
    case 'object':
      return isRecord(schema);
    default:
      throw new Error(`A schema of type ${schema.type} cannot be compiled`);
  }
}

/**
 * Returns whether a value is a string within the limits of the schema. Accepts only lengths that are valid in code points, too: the length in UTF-16
 * units is between one and two times the length in code points.
 */
function isText({ minLength = 0, maxLength = Infinity, pattern }: Schema): IsValid {
  const least = minLength <= 1 ? minLength : minLength * 2;
  const format = pattern === undefined ? undefined : new RegExp(pattern);
  return (value) =>
    typeof value === 'string' &&
    value.length >= least &&
    value.length <= maxLength &&
    (format === undefined || format.test(value));
}

function isRecord({ properties = {}, required = [], additionalProperties = true }: Schema): IsValid {
  const isFree = additionalProperties !== false;
  if (isFree && Object.keys(properties).length > 0) throw new Error('A schema with other keys cannot be compiled');
  if (isFree) return isPlainObject;
  const known = new Map(Object.entries(properties).map(([key, schema]) => [key, compile(schema)]));
  return (value) => {
    if (!isPlainObject(value)) return false;
    for (const key of Object.keys(value)) if (known.get(key)?.(value[key]) !== true) return false;
    return required.every((key) => Object.hasOwn(value, key));
  };
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
