import { action } from '@drawbridge/piece-kit';
import { message, RECIPIENTS, send, toMessage } from '../mail.js';

/** Sends an email: https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send */
export const sendEmail = action({
  displayName: 'Send email',
  description: 'Sends an email. Returns its "message_id", with which the "sg_message_id" of its events begins.',
  category: 'send',
  recipients: RECIPIENTS,
  props: message,
  run: async ({ http, input }) => send(http, toMessage(input)),
});
