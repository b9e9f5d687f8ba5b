import {
  dropdown,
  file,
  json,
  longText,
  shortText,
  staticDropdown,
  InputError,
  type Http,
  type InputOf,
  type JsonObject,
} from '@drawbridge/piece-kit';
import { groups, senders } from './options.js';
import { ADDRESSES, EMAIL, GROUP_ID } from './properties.js';

/** The properties of every email: https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send */
export const envelope = {
  from: dropdown('From', {
    required: true,
    description: 'A verified sender, or an address of an authenticated domain.',
    options: senders,
    ...EMAIL,
  }),
  from_name: shortText('Sender name', { description: 'Shown beside the address.', maxLength: 200 }),
  to: json('To', {
    required: true,
    description: 'Recipients see each other: ["ann@acme.example"].',
    schema: ADDRESSES,
  }),
  cc: json('Cc', { description: 'Email addresses that receive a copy.', schema: ADDRESSES }),
  bcc: json('Bcc', { description: 'Hidden copies.', schema: ADDRESSES }),
  reply_to: shortText('Reply to', { description: 'Defaults to the sender.', ...EMAIL }),
  attachment: file('Attachment', { description: 'A file to attach.' }),
  categories: json('Categories', {
    description: 'Groups statistics: ["invoices"]. Not for personal data.',
    schema: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 255 }, uniqueItems: true, maxItems: 10 },
  }),
  custom_args: json('Custom arguments', {
    description: 'Text values that events of the email repeat: {"order": "6735"}. Not for personal data.',
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  }),
  unsubscribe_group: dropdown('Unsubscribe group', {
    description: 'The members of this group do not receive the email.',
    options: groups,
    ...GROUP_ID,
  }),
};

export const RECIPIENTS = ['to', 'cc', 'bcc'] as const;

/** The properties of an email without a template. */
export const message = {
  ...envelope,
  subject: shortText('Subject', { required: true, minLength: 1, maxLength: 998 }),
  body: longText('Body', { required: true, description: 'Plain text, or HTML with the format HTML.', minLength: 1 }),
  format: staticDropdown(
    'Format',
    [
      { label: 'Plain text', value: 'text/plain' },
      { label: 'HTML', value: 'text/html' },
    ],
    { description: 'Format of the body. Defaults to plain text.' },
  ),
  plain_text: longText('Plain text version', {
    description: 'For mail programs without HTML. Only for the format HTML.',
    minLength: 1,
  }),
};

type Envelope = InputOf<typeof envelope>;

/** Returns the email without its content. `personal` contains fields of the recipients, such as the data of a template. */
export function toMail(input: Envelope, personal: JsonObject = {}): JsonObject {
  const { from, from_name: name, to, cc, bcc, reply_to, attachment, categories, unsubscribe_group: group } = input;
  const copies = { ...(cc && { cc: cc.map(toAddress) }), ...(bcc && { bcc: bcc.map(toAddress) }) };
  const args = input.custom_args && { custom_args: input.custom_args };
  return {
    personalizations: [{ to: to.map(toAddress), ...copies, ...args, ...personal }],
    from: { email: from, ...(name && { name }) },
    ...(reply_to && { reply_to: toAddress(reply_to) }),
    ...(attachment && { attachments: [toAttachment(attachment)] }),
    ...(categories && { categories }),
    ...(group && { asm: { group_id: Number(group) } }),
  };
}

/** Returns the email with its content. SendGrid requires the plain text before the HTML. */
export function toMessage(input: InputOf<typeof message>): JsonObject {
  const { subject, body, format = 'text/plain', plain_text } = input;
  if (plain_text && format !== 'text/html') throw new InputError('plain_text', 'is only for the format text/html');
  const plain = plain_text ? [{ type: 'text/plain', value: plain_text }] : [];
  return { ...toMail(input), subject, content: [...plain, { type: format, value: body }] };
}

/** Sends an email. The response has no body. One of its headers contains the start of `sg_message_id` in events. */
export async function send(http: Http, mail: JsonObject): Promise<{ message_id: string | null }> {
  const { headers } = await http.request({ method: 'POST', path: '/v3/mail/send', json: mail });
  return { message_id: headers['x-message-id'] ?? null };
}

const toAddress = (email: string): JsonObject => ({ email });

function toAttachment({ filename, mimeType, base64 }: NonNullable<Envelope['attachment']>): JsonObject {
  return { content: base64, filename, type: mimeType, disposition: 'attachment' };
}
