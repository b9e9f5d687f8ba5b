import { type JsonSchema } from '../json-schema.js';
import { UsageError } from './command.js';
import { type FlagSpec, readFlags } from './flags.js';
import { fieldFlags, readInput, toValue } from './input-flags.js';

const SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    dueAt: { type: 'string' },
    issue_number: { type: 'integer' },
    is_draft: { type: 'boolean' },
    labels: { type: 'array', items: { type: 'string' } },
    state: { enum: ['open', 'closed', 2] },
    config: { type: 'object' },
    raw: {},
    workspace: { type: 'string' },
    input: {},
  },
  required: ['title'],
};
const OWN: FlagSpec[] = [
  { name: 'workspace', value: 'ID', text: '' },
  { name: 'input', value: 'JSON', text: '' },
];

async function inputOf(...args: string[]): Promise<Record<string, unknown>> {
  const fields = fieldFlags(SCHEMA, OWN);
  return readInput(SCHEMA, fields, readFlags(args, [...OWN, ...fields]).flags);
}

describe('the flags of an input', () => {
  it.each<[string[], object]>([
    [['--title', 'a'], { title: 'a' }],
    [['--due-at', 'a'], { dueAt: 'a' }],
    [['--dueAt=a'], { dueAt: 'a' }],
    [['--due_at', 'a'], { dueAt: 'a' }],
    [['--issue-number', '7'], { issue_number: 7 }],
    [['--issue_number', '-7'], { issue_number: -7 }],
    [['--is-draft'], { is_draft: true }],
    [['--no-is-draft'], { is_draft: false }],
    [['--is-draft=false'], { is_draft: false }],
    [['--labels', 'a', '--labels', 'b'], { labels: ['a', 'b'] }],
    [['--labels', '["a", "b"]', '--labels', '[c'], { labels: ['a', 'b', '[c'] }],
    [['--state', 'open'], { state: 'open' }],
    [['--state', '2'], { state: 2 }],
    [['--config', '{"a": {"b": 1}}'], { config: { a: { b: 1 } } }],
    [['--raw', '{"a": [1]}'], { raw: { a: [1] } }],
    [['--raw', 'text'], { raw: 'text' }],
    [['--raw', 'null'], { raw: null }],
    [['--raw', '1', '--raw', 'b'], { raw: [1, 'b'] }],
    [['--workspace', 'w', '--title', 'a'], { title: 'a' }],
    [['--input.workspace', 'w'], { workspace: 'w' }],
    [['--input.input', '1'], { input: 1 }],
    [['--input', '{"title": "a", "more": 1}', '--title', 'b'], { title: 'b', more: 1 }],
  ])('read %j', async (args, expected) => expect(await inputOf(...args)).toEqual(expected));

  it.each([
    [['--issue-number', 'x'], '--issue-number must be an integer (got x)'],
    [['--issue-number', '1.5'], '--issue-number must be an integer (got 1.5)'],
    [['--issue-number', ''], '--issue-number must be an integer (got )'],
    [['--state', 'opn'], '--state must be one of open, closed, 2 (got opn). Did you mean open?'],
    [['--config', '[]'], '--config must be a JSON object (got [])'],
    [['--input', '{'], '--input must be a JSON object'],
    [['--input', 'null'], '--input must be a JSON object'],
    [['--titel', 'x'], 'Unknown flag --titel. Did you mean --title?'],
  ])('refuse %j', async (args, message) => {
    const error = await inputOf(...args).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toContain(message);
  });

  it('read a value by the first alternative that it fits', () => {
    const schema: JsonSchema = {
      anyOf: [
        { type: 'number', maximum: 9 },
        { type: 'array', items: { type: 'string' } },
      ],
    };
    expect(['1', '10', 'a'].map((text) => toValue(schema, [text], '--x'))).toEqual([1, ['10'], ['a']]);
  });
});
