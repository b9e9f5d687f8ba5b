import { action, dropdown, json } from '@drawbridge/piece-kit';
import { envelope, RECIPIENTS, send, toMail } from '../mail.js';
import { templates } from '../options.js';

/** Sends an email with a dynamic template: https://www.twilio.com/docs/sendgrid/ui/sending-email/how-to-send-an-email-with-dynamic-templates */
export const sendTemplate = action({
  displayName: 'Send template',
  description:
    'Sends an email with the subject and content of a dynamic template. Returns its "message_id", with which the "sg_message_id" of its events begins.',
  category: 'send',
  recipients: RECIPIENTS,
  props: {
    ...envelope,
    template: dropdown('Template', {
      required: true,
      description: 'The id of a dynamic template (d-…).',
      pattern: '^d-[A-Za-z0-9]+$',
      maxLength: 64,
      options: templates,
    }),
    data: json('Data', {
      description: 'Values of the template: {"name": "Ann"}.',
      schema: { type: 'object' },
    }),
  },
  run: async ({ http, input }) => {
    const personal = input.data && { dynamic_template_data: input.data };
    return send(http, { ...toMail(input, personal), template_id: input.template });
  },
});
