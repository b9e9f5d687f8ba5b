import { action, file } from '@drawbridge/piece-kit';
import { caption, chat, delivery, parseMode } from '../properties.js';
import { upload } from '../upload.js';

/** Sends an image of at most 10 MB: https://core.telegram.org/bots/api#sendphoto */
export const sendPhoto = action({
  displayName: 'Send photo',
  description: 'Sends an image of at most 10 MB, which the chat shows as a photo, and returns the message.',
  category: 'send',
  recipients: ['chat_id'],
  props: {
    chat_id: chat,
    photo: file('Photo', { required: true, description: 'A JPEG, PNG or WebP image.' }),
    caption,
    parse_mode: parseMode,
    ...delivery,
  },
  run: ({ http, input: { photo, ...fields } }) => upload(http, '/sendPhoto', { name: 'photo', file: photo, fields }),
});
