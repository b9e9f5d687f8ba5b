import { action, shortText } from '@drawbridge/piece-kit';
import { accountPath, readList } from '../account.js';
import { DEFAULT_LIMIT, limit } from '../properties.js';

/**
 * Lists the phone numbers of the account:
 * https://www.twilio.com/docs/phone-numbers/api/incomingphonenumber-resource#read-multiple-incomingphonenumber-resources
 */
export const listNumbers = action({
  displayName: 'List numbers',
  description: 'Lists the phone numbers of the account, with their names and what they can do (sms, mms, voice, fax).',
  category: 'read',
  props: {
    number: shortText('Number', {
      description: 'Only numbers that contain these digits. "*" is any digit.',
      maxLength: 20,
    }),
    name: shortText('Name', { description: 'Only numbers with this name.', maxLength: 64 }),
    limit,
  },
  run: async ({ http, auth, input: { number, name, limit: most = DEFAULT_LIMIT } }) => {
    const request = {
      path: accountPath(auth, 'IncomingPhoneNumbers.json'),
      query: { PhoneNumber: number, FriendlyName: name },
    };
    const keep = ['sid', 'phone_number', 'friendly_name', 'capabilities'];
    return readList(http, request, { items: 'incoming_phone_numbers', limit: most, keep });
  },
});
