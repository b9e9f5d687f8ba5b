import { summaryOf } from './summary.js';

const row = {
  integrationName: 'slack',
  actionName: 'send_message',
  inputPreview: { channel: '#general', text: 'Hello' } as Record<string, unknown>,
  redactedPaths: [] as string[],
  truncatedFields: [] as string[],
};
const ofChannel = (channel: unknown) => summaryOf({ ...row, inputPreview: { channel } });

it('says what a call does, with values of its input', () => {
  expect(summaryOf(row)).toBe('Send a message to “#general”');
});

it.each([
  ['is one line', '#a\r\nand\tmore', '“#a and more”'],
  ['cannot end its quotes', '#a” to “b', '“#a" to "b”'],
  ['shows characters that turn the direction of text', '#a\u202Eb', '“#a⟨U+202E⟩b”'],
  ['is cut', 'x'.repeat(100), `“${'x'.repeat(60)}…”`],
  ['can be a number', 7, '“7”'],
  ['can be a list', ['#a', '#b'], '“#a, #b”'],
])('a value %s', (_what, channel, shown) => expect(ofChannel(channel)).toBe(`Send a message to ${shown}`));

it.each([
  ['is absent', {}],
  ['is no text', { inputPreview: { channel: { id: 1 } } }],
  ['is empty', { inputPreview: { channel: ' ' } }],
  ['is hidden', { redactedPaths: ['channel'] }],
  ['has a hidden part', { redactedPaths: ['channel.0'] }],
  ['is cut', { truncatedFields: ['channel'] }],
])('there is no sentence if a value %s', (what, changes) => {
  const inputPreview = what === 'is absent' ? {} : row.inputPreview;
  expect(summaryOf({ ...row, inputPreview, ...changes })).toBeUndefined();
});

it.each([{ integrationName: 'gone' }, { actionName: 'constructor' }, { actionName: 'list_channels' }])(
  'there is no sentence for %j',
  (changes) => expect(summaryOf({ ...row, ...changes })).toBeUndefined(),
);
