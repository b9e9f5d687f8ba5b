import { checkbox, file, json, longText, number, shortText, staticDropdown } from '@drawbridge/piece-kit';

// Header names (RFC 9110, section 5.6.2), and values that cannot inject another header.
export const NAME = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$";
const VALUE = '^[\\t\\x20-\\x7e\\x80-\\xff]*$';

const scalar = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] } as const;
const scalars = { anyOf: [...scalar.anyOf, { type: 'array', items: scalar }] } as const;

export const properties = {
  method: staticDropdown('Method', ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'], { required: true }),
  url: shortText('URL', { required: true, pattern: '^[Hh][Tt][Tt][Pp][Ss]?://', maxLength: 8192 }),
  headers: json('Headers', {
    description: 'An object of names and values. What the connection adds wins.',
    schema: {
      type: 'object',
      propertyNames: { type: 'string', pattern: NAME },
      additionalProperties: { type: 'string', pattern: VALUE },
    },
  }),
  query: json('Query', {
    description: 'An object of names and values, added to those of the URL. A list repeats its name.',
    schema: { type: 'object', additionalProperties: scalars },
  }),
  json: json('JSON body', { description: 'Any JSON value. A request has one body at most.' }),
  form: json('Form body', {
    description: 'An object of names and values, sent as application/x-www-form-urlencoded.',
    schema: { type: 'object', additionalProperties: scalars },
  }),
  text: longText('Text body', { description: 'Sent as text/plain unless the headers say otherwise.' }),
  file: file('Binary body', { description: 'Sent as its own type unless the headers say otherwise.' }),
  timeoutSeconds: number('Timeout', { description: 'In seconds; 30 if absent.', minimum: 0.1, maximum: 60 }),
  failOnError: checkbox('Fail on error', {
    description: 'Whether an answer outside 2xx fails the action; true if absent.',
  }),
};
