import { action, dateTime, ProviderError, textAt } from '@drawbridge/piece-kit';
import { message, RECIPIENTS, send, toMessage } from '../mail.js';

/** Schedules an email within the next 72 hours: https://www.twilio.com/docs/sendgrid/for-developers/sending-email/stopping-a-scheduled-send */
export const scheduleEmail = action({
  displayName: 'Schedule email',
  description:
    'Schedules an email for the next 72 hours. Returns its "message_id", and the "batch_id" that cancels it.',
  category: 'send',
  recipients: RECIPIENTS,
  props: {
    ...message,
    send_at: dateTime('Send at', { required: true, description: 'At most 72 hours from now.' }),
  },
  run: async ({ http, input }) => {
    const mail = toMessage(input);
    // SendGrid can cancel only an email that belongs to a batch.
    const batch_id = textAt(await http.json({ method: 'POST', path: '/v3/mail/batch' }), 'batch_id');
    if (!batch_id) throw new ProviderError('SendGrid returned a batch without an id');
    const send_at = Math.floor(Date.parse(input.send_at) / 1_000);
    return { ...(await send(http, { ...mail, send_at, batch_id })), batch_id };
  },
});
