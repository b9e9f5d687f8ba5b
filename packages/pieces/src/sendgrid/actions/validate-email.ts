import { action, shortText } from '@drawbridge/piece-kit';
import { email } from '../properties.js';

/** Checks an email address without sending to it: https://www.twilio.com/docs/sendgrid/api-reference/e-mail-address-validation/validate-an-email */
export const validateEmail = action({
  displayName: 'Validate email',
  description:
    'Checks an email address without sending to it. Returns a "verdict" (Valid, Risky or Invalid) and a "score". Requires a key for email validation.',
  category: 'read',
  props: {
    email,
    source: shortText('Source', {
      description: 'One word for the origin of the address, such as signup.',
      maxLength: 100,
    }),
  },
  call: { method: 'POST', path: '/v3/validations/email', body: ['email', 'source'], result: 'result' },
});
