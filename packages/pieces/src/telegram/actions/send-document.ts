import { action, file } from '@drawbridge/piece-kit';
import { caption, chat, delivery, parseMode } from '../properties.js';
import { upload } from '../upload.js';

/** Sends a file of any type to a user, group or channel: https://core.telegram.org/bots/api#senddocument */
export const sendDocument = action({
  displayName: 'Send document',
  description: 'Sends a file of any type to a user, group or channel, and returns the message.',
  category: 'send',
  recipients: ['chat_id'],
  props: {
    chat_id: chat,
    document: file('File', { required: true, description: 'The file to send.' }),
    caption,
    parse_mode: parseMode,
    ...delivery,
  },
  run: ({ http, input: { document, ...fields } }) =>
    upload(http, '/sendDocument', { name: 'document', file: document, fields }),
});
