import { listOptions, member, textAt, urlPaging, type JsonValue, type LoadOptions } from '@drawbridge/piece-kit';
import { accountPath, paging } from './account.js';
import { VERIFY_ORIGIN } from './origins.js';

/** Lists the numbers of the account that can send messages, or make calls. */
export function numbers(capability: 'sms' | 'voice'): LoadOptions {
  return ({ http, auth }) =>
    listOptions(
      http,
      { method: 'GET', path: accountPath(auth, 'IncomingPhoneNumbers.json'), query: { PageSize: 300 } },
      {
        value: 'phone_number',
        label: (number) => (member(number, 'capabilities', capability) === true ? labelOf(number) : undefined),
        paging: paging('incoming_phone_numbers'),
      },
    );
}

export const verifyServices: LoadOptions = ({ http }) =>
  listOptions(
    http,
    { method: 'GET', path: `${VERIFY_ORIGIN}/v2/Services`, query: { PageSize: 300 } },
    {
      value: 'sid',
      label: (service) => textAt(service, 'friendly_name'),
      paging: urlPaging({ items: 'services', next: 'meta.next_page_url' }),
    },
  );

function labelOf(number: JsonValue): string | undefined {
  const [name, phone] = [textAt(number, 'friendly_name'), textAt(number, 'phone_number')];
  return name && phone ? `${name}, ${phone}` : phone;
}
