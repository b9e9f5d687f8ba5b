import { createHash } from 'node:crypto';
import {
  dropdown,
  expandPath,
  type JsonObject,
  type JsonValue,
  listAt,
  newSince,
  scalarAt,
  textAt,
  tokenPaging,
  trigger,
} from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { forms } from '../options.js';

/** The most submissions that one poll reads. */
const MAX_SUBMISSIONS = 1_000;

/** https://developers.hubspot.com/docs/reference/api/marketing/forms/v1#get-submissions-for-a-form */
export const formSubmitted = trigger({
  kind: 'polling',
  displayName: 'Form submitted',
  description: 'Runs when a form is submitted, with its values by their names.',
  props: {
    form_id: dropdown('Form', {
      required: true,
      description: 'The id of a form.',
      pattern: '^[0-9a-fA-F-]{36}$',
      options: forms,
    }),
  },
  sample: {
    submittedAt: 1769850000000,
    pageUrl: 'https://example.com/contact',
    values: { email: 'ada@example.com', message: 'Hello' },
  },
  poll: newSince<{ form_id: string }>({
    list: ({ http, input }) => {
      const path = expandPath('/form-integrations/v1/submissions/forms/{form_id}', input);
      const paging = tokenPaging({ items: 'results', next: 'paging.next.after', param: 'after' });
      return http.pages({ method: 'GET', path, query: { limit: 50 } }, MAX_SUBMISSIONS, paging);
    },
    time: (submission) => Number(scalarAt(submission, 'submittedAt')),
    // Submissions of some forms have no id.
    id: (submission) => textAt(submission, 'conversionId') ?? hashOf(submission),
    data: toSubmission,
  }),
});

const hashOf = (submission: JsonValue): string => createHash('sha256').update(JSON.stringify(submission)).digest('hex');

function toSubmission(submission: JsonValue): JsonObject {
  const values = listAt(submission, 'values').flatMap((field): [string, JsonValue][] => {
    const name = textAt(field, 'name');
    return name ? [[name, scalarAt(field, 'value') ?? null]] : [];
  });
  return {
    ...pickFields(submission, same('conversionId', 'submittedAt', 'pageUrl')),
    values: Object.fromEntries(values),
  };
}
