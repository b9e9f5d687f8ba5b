// Type tests of properties that the provider fills: the compiler reports an error if a marked line becomes valid.
import { action, dropdown, dynamic, multiSelect, shortText, staticDropdown } from './index.js';
import type { InputOf, JsonObject, Options, Property } from './index.js';

const about = { displayName: 'Do', description: 'Does it.', category: 'read' } as const;
const run = async () => ({});
const repo = shortText('Repository', { required: true });
const labels = multiSelect('Labels', { refreshers: ['repo'], options: async () => [{ label: 'Bug', value: 'bug' }] });

action({ ...about, props: { repo, labels }, run });
// @ts-expect-error -- `labels` is refreshed by a property that the action does not have
action({ ...about, props: { repository: repo, labels }, run });
// @ts-expect-error -- the same check applies to an inline property
action({ ...about, props: { repo, branch: dropdown('Branch', { refreshers: ['repos'] }) }, run });
// @ts-expect-error -- the check also applies to a static select
action({ ...about, props: { state: staticDropdown('State', ['open'], { refreshers: ['repo'] }) }, run });

export const inside = action({
  ...about,
  props: {
    repo,
    branch: dropdown('Branch', {
      required: true,
      refreshers: ['repo'],
      options: async ({ http, input, search, auth, signal }): Promise<Options> => {
        // @ts-expect-error -- the form's values can have any type, because they are not validated
        const typed: string = input.repo;
        const found = await http.json({ method: 'GET', path: '/branches', query: { search } });
        return { options: [{ label: typed, value: String(found) }], disabled: !auth || signal === undefined };
      },
    }),
    fields: dynamic('Fields', {
      refreshers: ['repo', 'branch'],
      props: async ({ input }) => ({ name: shortText(`Name of ${input.repo}`), kind: staticDropdown('Kind', ['a']) }),
    }),
  },
  run: async ({ input }) => {
    const branch: string = input.branch;
    // @ts-expect-error -- an optional property may be absent
    const fields: JsonObject = input.fields;
    // @ts-expect-error -- an unknown key
    const absent: unknown = input.fieldz;
    return { branch, fields, absent: String(absent) };
  },
});

// @ts-expect-error -- a select has string values, so a numeric option cannot be selected
dropdown('Number', { options: async () => [{ label: 'One', value: 1 }] });
// @ts-expect-error -- an option has a label
multiSelect('Unnamed', { options: async () => [{ value: 'a' }] });
// @ts-expect-error -- a dynamic property consists of properties
dynamic('Fields', { props: async () => ({ name: 'Name' }) });
// @ts-expect-error -- only a select has options
shortText('Text', { options: async () => [] });
// @ts-expect-error -- a misspelt key of a property
dropdown('Branch', { refresher: ['repo'] });

export const declared = { state: staticDropdown('State', ['open', 'closed'], { required: true }), repo, labels };
export const least: InputOf<typeof declared> = { state: 'open', repo: 'o/r' };
// @ts-expect-error -- a wrong option literal
export const wrong: InputOf<typeof declared> = { state: 'merged', repo: 'o/r' };
// @ts-expect-error -- a missing required key
export const missing: InputOf<typeof declared> = { state: 'open' };
// @ts-expect-error -- an unknown key
export const unknown: InputOf<typeof declared> = { ...least, label: ['bug'] };
export const anywhere: Property = labels;
