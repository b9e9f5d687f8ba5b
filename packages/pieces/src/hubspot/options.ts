import { type JsonValue, listAt, listOptions, type LoadOptions, textAt, tokenPaging } from '@drawbridge/piece-kit';

const ownerPages = tokenPaging({ items: 'results', next: 'paging.next.after', param: 'after' });

/** https://developers.hubspot.com/docs/reference/api/crm/owners */
export const owners: LoadOptions = ({ http }) => {
  const label = (owner: JsonValue) => textAt(owner, 'email');
  return listOptions(
    http,
    { method: 'GET', path: '/crm/v3/owners', query: { limit: 100 } },
    { label, paging: ownerPages },
  );
};

/** https://developers.hubspot.com/docs/reference/api/crm/pipelines */
const dealPipelines = { method: 'GET', path: '/crm/v3/pipelines/deals' } as const;

export const pipelines: LoadOptions = async ({ http }) =>
  listAt(await http.json(dealPipelines), 'results').flatMap(toOption);

export const stages: LoadOptions = async ({ http, input: { pipeline } }) => {
  const found = listAt(await http.json(dealPipelines), 'results');
  const wanted = found.filter((one) => pipeline === undefined || textAt(one, 'id') === pipeline);
  return wanted.flatMap((one) => listAt(one, 'stages').flatMap(toOption));
};

/** https://developers.hubspot.com/docs/reference/api/marketing/forms */
export const forms: LoadOptions = ({ http }) =>
  listOptions(http, { method: 'GET', path: '/marketing/v3/forms', query: { limit: 100 } }, { paging: ownerPages });

function toOption(one: JsonValue) {
  const [value, label] = [textAt(one, 'id'), textAt(one, 'label')];
  return value && label ? [{ label, value }] : [];
}
