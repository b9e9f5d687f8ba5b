import {
  listAt,
  listOptions,
  member,
  textAt,
  type JsonValue,
  type LoadOptions,
  type Paging,
} from '@drawbridge/piece-kit';

/** Lists addresses that are verified individually. Addresses of an authenticated domain are not listed, but can be entered. */
export const senders: LoadOptions = ({ http }) =>
  listOptions(
    http,
    { method: 'GET', path: '/v3/verified_senders' },
    { value: 'from_email', label: senderLabel, paging: onePage('results') },
  );

/** Lists dynamic templates. Legacy templates do not accept data. */
export const templates: LoadOptions = ({ http }) =>
  listOptions(http, { method: 'GET', path: '/v3/templates', query: { generations: 'dynamic', page_size: 200 } });

export const lists: LoadOptions = ({ http }) =>
  listOptions(http, { method: 'GET', path: '/v3/marketing/lists', query: { page_size: 300 } });

export const groups: LoadOptions = ({ http }) =>
  listOptions(http, { method: 'GET', path: '/v3/asm/groups' }, { paging: onePage() });

/** Describes a list that has no pages. */
const onePage = (...path: string[]): Paging => ({ items: (body) => listAt(body, ...path), next: () => undefined });

function senderLabel(sender: JsonValue): string | undefined {
  if (member(sender, 'verified') !== true) return undefined;
  const [name, address] = [textAt(sender, 'from_name'), textAt(sender, 'from_email')];
  return name ? `${name} <${address}>` : address;
}
