import { checkbox, json, longText, number, shortText, staticDropdown } from '@drawbridge/piece-kit';

export const chat = shortText('Chat', {
  required: true,
  description:
    'The id of a chat, such as 123456789 or -1001234567890, or the name of a public channel, such as @example.',
  pattern: '^(-?\\d{1,20}|@[A-Za-z]\\w{3,31})$',
});

export const message = number('Message', {
  required: true,
  description: 'The id of the message in the chat.',
  integer: true,
  minimum: 1,
});

export const parseMode = staticDropdown(
  'Format',
  [
    { label: 'HTML', value: 'HTML' },
    { label: 'Markdown', value: 'MarkdownV2' },
  ],
  {
    description:
      'The markup of the text. Defaults to plain text. https://core.telegram.org/bots/api#formatting-options',
  },
);

export const text = longText('Text', {
  required: true,
  description: 'The text of the message.',
  minLength: 1,
  maxLength: 4_096,
});
export const caption = longText('Caption', { description: 'The text below the file.', maxLength: 1_024 });

export const silent = checkbox('Silent', { description: 'Sends the message without a sound.' });

/** The properties of every new message. */
export const delivery = {
  reply_to_message_id: number('Reply to', {
    description: 'The id of a message in the chat to which the new one is a reply.',
    integer: true,
    minimum: 1,
  }),
  disable_notification: silent,
};

export const keyboard = json('Buttons', {
  description: 'An inline keyboard: {"inline_keyboard": [[{"text": "Yes", "callback_data": "yes"}]]}.',
  schema: { type: 'object' },
});

/** The fields of `delivery` in a request. */
export const DELIVERY = ['reply_to_message_id', 'disable_notification'] as const;
