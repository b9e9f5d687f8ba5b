// Type tests: the compiler reports an error if a marked line becomes valid.
import { action, statefulAction } from './action.js';
import type { FileValue } from './property-types.js';
import {
  checkbox,
  dateTime,
  file,
  files,
  json,
  multiSelect,
  number,
  shortText,
  staticDropdown,
  staticMultiSelect,
} from './index.js';
import type { InputOf } from './property.js';

const props = {
  title: shortText('Title', { required: true }),
  body: shortText('Body'),
  state: staticDropdown('State', ['open', { label: 'Closed', value: 'closed' }], { required: true }),
  sizes: staticMultiSelect('Sizes', [1, 2]),
  labels: multiSelect('Labels', { required: true }),
  count: number('Count', { integer: true }),
  draft: checkbox('Draft', { required: false }),
  since: dateTime('Since'),
  upload: file('Upload'),
  uploads: files('Uploads'),
  headers: json('Headers', { schema: { type: 'object', additionalProperties: { type: 'string' } } }),
  anything: json('Anything', { required: true }),
};
type Input = InputOf<typeof props>;

const least: Input = { title: 't', state: 'open', labels: [], anything: null };
export const most: Required<Input> = {
  ...least,
  body: 'b',
  sizes: [2],
  count: 1,
  draft: true,
  since: '2026-01-01T00:00:00Z',
  upload: { filename: 'a', mimeType: 'text/plain', base64: '' } satisfies FileValue,
  uploads: [{ filename: 'a', mimeType: 'text/plain', base64: '' }] satisfies FileValue[],
  headers: { accept: '*/*' },
};

// @ts-expect-error a required key is missing
export const missing: Input = { state: 'open', labels: [], anything: null };
// @ts-expect-error a value outside the options
export const outside: Input = { ...least, state: 'merged' };
// @ts-expect-error a number outside the options
export const size: Input = { ...least, sizes: [3] };
// @ts-expect-error a string is not a number
export const text: Input = { ...least, count: '1' };
// @ts-expect-error the schema of the headers requires texts
export const header: Input = { ...least, headers: { retries: 3 } };
// @ts-expect-error an unknown key
export const unknown: Input = { ...least, tittle: 't' };

const declared = { displayName: 'Do', description: 'Does it.', category: 'read', props } as const;

export const called = action({ ...declared, call: { method: 'POST', path: '/x/{title}', body: ['body', 'labels'] } });
// @ts-expect-error a call can only name properties
export const misspelt = action({ ...declared, call: { method: 'POST', path: '/x', body: ['boddy'] } });
// @ts-expect-error a form can only name properties
export const misspeltForm = action({ ...declared, call: { method: 'POST', path: '/x', form: ['boddy'] } });

export const sent = action({ ...declared, recipients: ['title'], call: { method: 'POST', path: '/x' } });
// @ts-expect-error recipients are properties
export const unknownRecipient = action({ ...declared, recipients: ['too'], call: { method: 'POST', path: '/x' } });
// @ts-expect-error an action needs a call or code
export const idle = action({ ...declared });

export const coded = action({
  ...declared,
  run: async ({ input }) => {
    const state: 'open' | 'closed' = input.state;
    // @ts-expect-error an optional property may be absent
    const body: string = input.body;
    return { state, body };
  },
});

/** Properties declared inline in `action()` keep their types, although inference also considers the expected type there. */
export const inline = action({
  displayName: 'Do',
  description: 'Does it.',
  category: 'read',
  props: {
    title: shortText('Title', { required: true, description: 'Which.' }),
    state: staticDropdown('State', ['open', 'closed'], { required: true }),
    headers: json('Headers', { schema: { type: 'object', additionalProperties: { type: 'string' } } }),
    note: shortText('Note'),
  },
  run: async ({ input }) => {
    const title: string = input.title;
    const state: 'open' | 'closed' = input.state;
    const headers: Record<string, string> | undefined = input.headers;
    // @ts-expect-error an optional property may be absent
    const note: string = input.note;
    return { title, state, headers: headers ?? {}, note };
  },
});

const about = { displayName: 'Keep', description: 'Keeps it.', category: 'write' } as const;
const key = shortText('Key', { required: true });

statefulAction({
  ...about,
  props: { key, note: shortText('Note') },
  run: async ({ input, state }) => {
    const { value } = await state.update(input.key, (old) => ({ value: old?.value ?? null, expires: 'keep' }));
    // @ts-expect-error an optional property may be absent
    const note: string = input.note;
    return { value: value ?? null, note };
  },
});
// @ts-expect-error an action without state gets none
action({ ...about, props: { key }, run: async ({ state }) => ({ kept: state !== undefined }) });
