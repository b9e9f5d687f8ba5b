import { type Credential, piece } from '@drawbridge/piece-kit';
import { addReaction } from './actions/add-reaction.js';
import { addRole } from './actions/add-role.js';
import { createChannel } from './actions/create-channel.js';
import { createThread } from './actions/create-thread.js';
import { deleteMessage } from './actions/delete-message.js';
import { editMessage } from './actions/edit-message.js';
import { getMember } from './actions/get-member.js';
import { listMessages } from './actions/list-messages.js';
import { removeRole } from './actions/remove-role.js';
import { sendDirectMessage } from './actions/send-direct-message.js';
import { sendMessage } from './actions/send-message.js';
import { failedWhen } from './failed-when.js';
import { newMember } from './triggers/new-member.js';
import { newMessage } from './triggers/new-message.js';

export const discord = piece({
  name: 'discord',
  displayName: 'Discord',
  description: 'Sends and reads messages, and manages channels, threads and roles of servers.',
  categories: ['COMMUNICATION'],
  origin: 'https://discord.com',
  auth: {
    types: ['SECRET_TEXT'],
    required: true,
    description:
      'The token of a bot, from "Bot" in the settings of its app. The bot sees only the servers and channels that it was added to.',
    keysUrl: 'https://discord.com/developers/applications',
    test: '/api/v10/users/@me',
  },
  http: {
    // Requests with another format of this header may be blocked: https://docs.discord.com/developers/reference#user-agent
    headers: { 'user-agent': 'DiscordBot (https://drawbridge.example, 1)' },
    authorize,
    failedWhen,
    // Every response contains the headers of its limit, so a 403 can look like a limit: https://docs.discord.com/developers/topics/rate-limits
    rateLimit: { wait: [{ body: 'retry_after' }, { header: 'x-ratelimit-reset-after' }], except: [{ status: 403 }] },
  },
  actions: {
    send_message: sendMessage,
    edit_message: editMessage,
    delete_message: deleteMessage,
    add_reaction: addReaction,
    list_messages: listMessages,
    create_channel: createChannel,
    create_thread: createThread,
    add_role: addRole,
    remove_role: removeRole,
    send_direct_message: sendDirectMessage,
    get_member: getMember,
  },
  triggers: { new_message: newMessage, new_member: newMember },
});

function authorize(credential: Credential): Record<string, string> {
  return credential.type === 'SECRET_TEXT' ? { authorization: `Bot ${credential.secretText}` } : {};
}
