import { action, json, longText, shortText } from '@drawbridge/piece-kit';
import { create } from '../account.js';
import { isMessagingService, MAX_BODY, mediaUrls, sender, to } from '../properties.js';

/** Sends a WhatsApp message with a text, media or a template: https://www.twilio.com/docs/whatsapp/api */
export const sendWhatsapp = action({
  displayName: 'Send WhatsApp message',
  description:
    'Sends a WhatsApp message with a text, media or a template, and returns it. More than 24 hours after the last message of the recipient, WhatsApp accepts only a template.',
  category: 'send',
  recipients: ['to'],
  props: {
    to,
    from: sender,
    body: longText('Text', {
      description: 'Required without media and without a template.',
      minLength: 1,
      maxLength: MAX_BODY,
    }),
    media_urls: mediaUrls,
    template: shortText('Template', {
      description: 'The SID of a content template (HX…).',
      pattern: '^HX[0-9a-fA-F]{32}$',
    }),
    variables: json('Variables', {
      description: 'Values of the template: {"1": "Ann", "2": "Monday"}.',
      schema: { type: 'object', additionalProperties: { type: 'string' } },
    }),
  },
  run: async (context) => {
    const { to: number, from, body: Body, media_urls: MediaUrl, template: ContentSid, variables } = context.input;
    const From = isMessagingService(from) ? { MessagingServiceSid: from } : { From: address(from) };
    const ContentVariables = variables && JSON.stringify(variables);
    return create(context, 'Messages.json', {
      To: address(number),
      ...From,
      Body,
      MediaUrl,
      ContentSid,
      ContentVariables,
    });
  },
});

const address = (number: string): string => (number.startsWith('whatsapp:') ? number : `whatsapp:${number}`);
