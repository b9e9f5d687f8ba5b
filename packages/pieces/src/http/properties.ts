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
    description: 'Such as {"X-Request-Id": "7"}. Headers of the connection override these.',
    schema: {
      type: 'object',
      propertyNames: { type: 'string', pattern: NAME },
      additionalProperties: { type: 'string', pattern: VALUE },
    },
  }),
  query: json('Query', {
    description: 'Added to the URL: {"page": 2, "tag": ["a", "b"]}. A list repeats its name.',
    schema: { type: 'object', additionalProperties: scalars },
  }),
  json: json('JSON body', { description: 'Any JSON value. Send at most one kind of body.' }),
  form: json('Form body', {
    description: 'Sent as application/x-www-form-urlencoded: {"name": "Ann"}.',
    schema: { type: 'object', additionalProperties: scalars },
  }),
  text: longText('Text body', { description: 'Sent as text/plain unless a header sets another Content-Type.' }),
  file: file('Binary body', {
    description: 'Sent with its own type unless a header sets Content-Type.',
  }),
  timeoutSeconds: number('Timeout', { description: 'Timeout in seconds. Defaults to 30.', minimum: 0.1, maximum: 60 }),
  failOnError: checkbox('Fail on error', {
    description: 'Fails for a status other than 2xx. Defaults to true.',
  }),
};
