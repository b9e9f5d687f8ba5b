import { action, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { VERIFY_ORIGIN } from '../origins.js';
import { service, verified } from '../properties.js';

/** Sends a verification code to a phone number or an email address: https://www.twilio.com/docs/verify/api/verification#start-new-verification */
export const sendVerification = action({
  displayName: 'Send verification',
  description:
    'Sends a code to a phone number or an email address and returns the verification. "Check verification" then checks the code that the person entered.',
  category: 'send',
  recipients: ['to'],
  props: {
    service,
    to: verified,
    channel: staticDropdown('Channel', ['sms', 'whatsapp', 'call', 'email'], {
      required: true,
      description: 'How to send the code.',
    }),
    locale: shortText('Language', {
      description: 'Such as de. Defaults to the language of the country.',
      maxLength: 10,
    }),
    name: shortText('Name', { description: 'The name in the message. Defaults to that of the service.', minLength: 1 }),
  },
  call: {
    method: 'POST',
    path: `${VERIFY_ORIGIN}/v2/Services/{service}/Verifications`,
    form: { To: 'to', Channel: 'channel', Locale: 'locale', CustomFriendlyName: 'name' },
  },
});
