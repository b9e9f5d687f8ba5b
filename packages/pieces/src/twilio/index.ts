import { authorizationHeader, piece } from '@drawbridge/piece-kit';
import { checkVerification } from './actions/check-verification.js';
import { getMessage } from './actions/get-message.js';
import { listCalls } from './actions/list-calls.js';
import { listMessages } from './actions/list-messages.js';
import { listNumbers } from './actions/list-numbers.js';
import { lookupNumber } from './actions/lookup-number.js';
import { makeCall } from './actions/make-call.js';
import { sendSms } from './actions/send-sms.js';
import { sendVerification } from './actions/send-verification.js';
import { sendWhatsapp } from './actions/send-whatsapp.js';
import { failedWhen } from './failed-when.js';
import { LOOKUPS_ORIGIN, VERIFY_ORIGIN } from './origins.js';

export const twilio = piece({
  name: 'twilio',
  displayName: 'Twilio',
  description: 'Sends SMS and WhatsApp messages, makes calls, and verifies phone numbers.',
  categories: ['COMMUNICATION'],
  origin: 'https://api.twilio.com',
  origins: [LOOKUPS_ORIGIN, VERIFY_ORIGIN],
  auth: {
    types: ['BASIC_AUTH'],
    required: true,
    description:
      'The user name is the Account SID (AC…) and the password is its Auth Token. Both are in the Twilio Console. An API key (SK…) does not work.',
    // Standard keys cannot list accounts, so this also rejects a key in place of the Account SID: https://www.twilio.com/docs/iam/api-keys
    test: '/2010-04-01/Accounts.json?PageSize=1',
  },
  http: {
    authorize: authorizationHeader,
    failedWhen,
    // The response does not state how long to wait: https://www.twilio.com/docs/api/errors/20429
    rateLimit: { seconds: 1 },
  },
  actions: {
    send_sms: sendSms,
    send_whatsapp: sendWhatsapp,
    make_call: makeCall,
    list_messages: listMessages,
    get_message: getMessage,
    list_calls: listCalls,
    lookup_number: lookupNumber,
    send_verification: sendVerification,
    check_verification: checkVerification,
    list_numbers: listNumbers,
  },
});
