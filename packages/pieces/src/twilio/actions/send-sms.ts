import { action, dateTime, InputError, longText, number } from '@drawbridge/piece-kit';
import { create } from '../account.js';
import { isMessagingService, MAX_BODY, mediaUrls, sender, to, toTime } from '../properties.js';

/** Sends an SMS, or an MMS if it has media: https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource */
export const sendSms = action({
  displayName: 'Send SMS',
  description: 'Sends an SMS, or an MMS if it has media. Returns the message with its "sid" and "status".',
  summary: 'Send a text message to {to}',
  category: 'send',
  recipients: ['to'],
  props: {
    to,
    from: sender,
    body: longText('Text', {
      required: true,
      description: 'Up to 1,600 characters.',
      minLength: 1,
      maxLength: MAX_BODY,
    }),
    media_urls: mediaUrls,
    send_at: dateTime('Send at', { description: 'Schedules the message. Only for a messaging service.' }),
    validity_period: number('Validity', {
      description: 'Seconds that it may wait to be sent. Defaults to 36,000.',
      integer: true,
      minimum: 1,
      maximum: 36_000,
    }),
  },
  run: async (context) => {
    const { to: To, from, body: Body, media_urls: MediaUrl, send_at, validity_period: ValidityPeriod } = context.input;
    const isService = isMessagingService(from);
    if (send_at && !isService) throw new InputError('send_at', 'requires the SID of a messaging service in "from"');
    const From = isService ? { MessagingServiceSid: from } : { From: from };
    const schedule = send_at && { SendAt: toTime(send_at), ScheduleType: 'fixed' };
    return create(context, 'Messages.json', { To, ...From, Body, MediaUrl, ...schedule, ValidityPeriod });
  },
});
