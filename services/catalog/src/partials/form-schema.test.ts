import { type JsonSchema } from '@drawbridge/piece-kit';
import { formSchema } from './form-schema.js';
import { type PartialInput } from './merge-input.js';

const text = { type: 'string' } as const;
const SCHEMA: JsonSchema = {
  type: 'object',
  properties: { repo: text, title: text, body: text },
  required: ['repo', 'title'],
  additionalProperties: false,
};

/** Returns the properties that are left, and those that are required. */
function left(...partials: PartialInput[]): { may: string[]; must: readonly string[] } {
  const { properties = {}, required = [], ...rest } = formSchema(SCHEMA, partials);
  expect(rest).toEqual({ type: 'object', additionalProperties: false });
  return { may: Object.keys(properties), must: required };
}

const partial = (values: PartialInput['values'], ...enforcedKeys: string[]): PartialInput => ({ values, enforcedKeys });

describe('the schema given to people', () => {
  it.each<[string, PartialInput[], string[], string[]]>([
    ["is the action's where no partial applies", [], ['repo', 'title', 'body'], ['repo', 'title']],
    ['makes optional what has a default', [partial({ repo: 'a/b' })], ['repo', 'title', 'body'], ['title']],
    ['omits what is enforced', [partial({ repo: 'a/b', body: 'x' }, 'repo', 'body')], ['title'], ['title']],
    ['omits what is kept out', [partial({ body: null }, 'body')], ['repo', 'title'], ['repo', 'title']],
    [
      'asks for what a later partial takes back',
      [partial({ repo: 'a/b' }), partial({ repo: null })],
      ['repo', 'title', 'body'],
      ['repo', 'title'],
    ],
  ])('%s', (_what, partials, may, must) => {
    expect(left(...partials)).toEqual({ may, must });
  });
});
