import { piece } from '@drawbridge/piece-kit';
import { answerCallback } from './actions/answer-callback.js';
import { deleteMessage } from './actions/delete-message.js';
import { editMessage } from './actions/edit-message.js';
import { getChat } from './actions/get-chat.js';
import { getFile } from './actions/get-file.js';
import { pinMessage } from './actions/pin-message.js';
import { sendDocument } from './actions/send-document.js';
import { sendMessage } from './actions/send-message.js';
import { sendPhoto } from './actions/send-photo.js';
import { sendPoll } from './actions/send-poll.js';
import { callbackQuery } from './triggers/callback-query.js';
import { channelPost } from './triggers/channel-post.js';
import { newMessage } from './triggers/new-message.js';
import { failedWhen } from './failed-when.js';
import { API } from './origins.js';

export const telegram = piece({
  name: 'telegram',
  displayName: 'Telegram',
  description: 'Sends and edits messages, files and polls as a bot.',
  categories: ['COMMUNICATION'],
  // The token is part of the path: https://core.telegram.org/bots/api#making-requests
  origin: `${API}/bot{secretText}`,
  origins: [API],
  auth: {
    types: ['SECRET_TEXT'],
    required: true,
    description:
      'The token of a bot, from @BotFather. The bot reaches only users who started it, and chats that it was added to.',
    test: '/getMe',
    // Telegram responds to an unknown token with 401 and to a malformed token with 404: https://core.telegram.org/bots/api#making-requests
    refusedWhen: [{ status: 401 }, { status: 404 }],
  },
  http: { failedWhen },
  // Telegram also accepts every method by GET.
  isGetSafe: false,
  actions: {
    send_message: sendMessage,
    send_photo: sendPhoto,
    send_document: sendDocument,
    edit_message: editMessage,
    delete_message: deleteMessage,
    answer_callback: answerCallback,
    get_chat: getChat,
    get_file: getFile,
    pin_message: pinMessage,
    send_poll: sendPoll,
  },
  triggers: { new_message: newMessage, callback_query: callbackQuery, channel_post: channelPost },
});
