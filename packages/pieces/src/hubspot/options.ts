import {
  type JsonValue,
  listAt,
  listOptions,
  type LoadOptions,
  offsetPaging,
  scalarAt,
  textAt,
} from '@drawbridge/piece-kit';

const PAGE = 100;

/** Lists the users that records can be assigned to: https://developers.hubspot.com/docs/api-reference/crm-crm-owners-v3/guide */
export const owners: LoadOptions = ({ http }) =>
  listOptions(http, { method: 'GET', path: '/crm/v3/owners/', query: { limit: PAGE, archived: false } }, { label });

function label(owner: JsonValue): string | undefined {
  const [name, email] = [
    `${textAt(owner, 'firstName') ?? ''} ${textAt(owner, 'lastName') ?? ''}`.trim(),
    textAt(owner, 'email'),
  ];
  return name && email ? `${name} (${email})` : name || email;
}

/** The request that lists the pipelines of deals: https://developers.hubspot.com/docs/api-reference/crm-pipelines-v3/guide */
const PIPELINES = { method: 'GET', path: '/crm/v3/pipelines/deals' } as const;
const byLabel = (item: JsonValue) => textAt(item, 'label');

export const pipelines: LoadOptions = ({ http }) => listOptions(http, PIPELINES, { label: byLabel });

/** Lists the stages of the selected pipeline, or of all pipelines. */
export const stages: LoadOptions = async ({ http, input: { pipeline } }) => {
  const found = listAt(await http.json(PIPELINES), 'results');
  return found
    .filter((one) => pipeline === undefined || scalarAt(one, 'id') === pipeline)
    .flatMap((one) => listAt(one, 'stages').map((stage) => toStage(stage, textAt(one, 'label') ?? '')));
};

const toStage = (stage: JsonValue, pipeline: string) => ({
  label: `${pipeline}: ${textAt(stage, 'label') ?? ''}`,
  value: scalarAt(stage, 'id') ?? '',
});

/** Lists the lists to which records can be added by hand: https://developers.hubspot.com/docs/api-reference/crm-lists-v3/guide */
export const staticLists: LoadOptions = ({ http }) => {
  const json = { query: '', processingTypes: ['MANUAL', 'SNAPSHOT'], count: PAGE, offset: 0 };
  const paging = offsetPaging({ items: 'lists', size: PAGE, param: 'offset', in: 'json' });
  return listOptions(http, { method: 'POST', path: '/crm/v3/lists/search', json }, { value: 'listId', paging });
};

/** Lists marketing forms: https://developers.hubspot.com/docs/api-reference/marketing-forms-v3/guide */
export const forms: LoadOptions = ({ http }) =>
  listOptions(http, { method: 'GET', path: '/marketing/v3/forms/', query: { limit: PAGE } });

/** The objects of every account. A custom object has an id such as 2-3456789. */
export const objects: LoadOptions = async () =>
  Object.entries({
    ...{ contacts: 'Contacts', companies: 'Companies', deals: 'Deals', tickets: 'Tickets', notes: 'Notes' },
    ...{ tasks: 'Tasks', calls: 'Calls', emails: 'Emails', meetings: 'Meetings', products: 'Products' },
    ...{ line_items: 'Line items', quotes: 'Quotes' },
  }).map(([value, name]) => ({ label: name, value }));
