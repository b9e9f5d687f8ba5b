import { action, secretText } from '@drawbridge/piece-kit';
import { VERIFY_ORIGIN } from '../origins.js';
import { service, verified } from '../properties.js';

/** Checks the verification code that a person entered: https://www.twilio.com/docs/verify/api/verification-check */
export const checkVerification = action({
  displayName: 'Check verification',
  description: 'Checks the code that a person entered. The "status" is approved if it is right, otherwise pending.',
  category: 'write',
  props: {
    service,
    to: verified,
    code: secretText('Code', {
      required: true,
      description: 'The code that the person entered.',
      minLength: 4,
      maxLength: 10,
    }),
  },
  call: {
    method: 'POST',
    path: `${VERIFY_ORIGIN}/v2/Services/{service}/VerificationCheck`,
    form: { To: 'to', Code: 'code' },
  },
});
