import { createHash } from 'node:crypto';
import {
  dropdown,
  expandPath,
  type JsonValue,
  listAt,
  newSince,
  scalarAt,
  textAt,
  trigger,
} from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { forms } from '../options.js';

const PAGE = 50;
const LIMIT = 5_000;

/** Runs when a form is submitted: https://developers.hubspot.com/docs/api-reference/legacy/forms-v3-legacy/submissions */
export const formSubmitted = trigger({
  kind: 'polling',
  displayName: 'Form submitted',
  description: 'Runs when a form is submitted. The event has the answers by field as "answers".',
  props: {
    form_id: dropdown('Form', {
      required: true,
      description: 'The id (GUID) of a form.',
      pattern: '^[0-9a-fA-F-]{36}$',
      options: forms,
    }),
  },
  sample: {
    submittedAt: 1_769_850_000_000,
    pageUrl: 'https://acme.example/contact',
    answers: { email: 'ann@acme.example', firstname: 'Ann' },
  },
  poll: newSince<{ form_id: string }>({
    list: ({ http, input: { form_id } }) =>
      http.pages(
        {
          method: 'GET',
          path: expandPath('/form-integrations/v1/submissions/forms/{form_id}', { form_id }),
          query: { limit: PAGE },
        },
        LIMIT,
      ),
    time: (submission) => Number(scalarAt(submission, 'submittedAt') ?? NaN),
    id,
    data: (submission) => ({
      ...pickFields(submission, same('submittedAt', 'pageUrl')),
      answers: answersOf(submission),
    }),
  }),
});

/** A submission has no id, so its time and its values identify it. */
function id(submission: JsonValue): string {
  const answers = createHash('sha256')
    .update(JSON.stringify(listAt(submission, 'values')))
    .digest('base64url');
  return `${scalarAt(submission, 'submittedAt')} ${answers}`;
}

function answersOf(submission: JsonValue) {
  return Object.fromEntries(
    listAt(submission, 'values').flatMap((answer) => {
      const [name, value] = [textAt(answer, 'name'), scalarAt(answer, 'value')];
      return name ? [[name, value ?? null]] : [];
    }),
  );
}
