import { checkbox, json, longText, number, shortText, staticDropdown } from '@drawbridge/piece-kit';

export const chat = shortText('Chat', {
  required: true,
  description: 'The id of a chat, such as -1001234567890, or the name of a public channel: @example.',
  pattern: '^(-?\\d{1,20}|@[A-Za-z]\\w{3,31})$',
});

export const message = number('Message', {
  required: true,
  description: 'A message of the chat.',
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
    description: 'Defaults to plain text.',
  },
);

export const text = longText('Text', {
  required: true,
  description: 'The text of the message.',
  minLength: 1,
  maxLength: 4_096,
});
export const caption = longText('Caption', { description: 'The text below the file.', maxLength: 1_024 });

export const silent = checkbox('Silent', { description: 'Sends without a sound.' });

/** The properties of every new message. */
export const delivery = {
  reply_to_message_id: number('Reply to', {
    description: 'The message of the chat to reply to.',
    integer: true,
    minimum: 1,
  }),
  disable_notification: silent,
};

export const keyboard = json('Buttons', {
  description: 'Such as {"inline_keyboard": [[{"text": "Yes", "callback_data": "yes"}]]}.',
  schema: { type: 'object' },
});

/** The fields of `delivery` in a request. */
export const DELIVERY = ['reply_to_message_id', 'disable_notification'] as const;
