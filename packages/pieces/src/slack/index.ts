import { authorizationHeader, piece } from '@drawbridge/piece-kit';
import { addReaction } from './actions/add-reaction.js';
import { createChannel } from './actions/create-channel.js';
import { findUserByEmail } from './actions/find-user-by-email.js';
import { listMessages } from './actions/list-messages.js';
import { search } from './actions/search.js';
import { sendMessage } from './actions/send-message.js';
import { updateMessage } from './actions/update-message.js';
import { uploadFile } from './actions/upload-file.js';
import { failedWhen } from './failed-when.js';
import { FILES_ORIGIN } from './origins.js';
import { newMessage } from './triggers/new-message.js';
import { reactionAdded } from './triggers/reaction-added.js';

/** https://docs.slack.dev/reference/methods: errors that mean the token itself is invalid. */
const REFUSED = ['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked', 'token_expired'];

export const slack = piece({
  name: 'slack',
  displayName: 'Slack',
  description: 'Manages messages, channels and files, and finds users.',
  categories: ['COMMUNICATION', 'PRODUCTIVITY'],
  origin: 'https://slack.com',
  origins: [FILES_ORIGIN],
  auth: {
    types: ['OAUTH2', 'SECRET_TEXT'],
    required: true,
    description:
      'Acts as the bot of a Slack app (xoxb-…) or as a user (xoxp-…). A bot must be a member of a channel to read it.',
    test: '/api/auth.test',
    refusedWhen: [{ status: 401 }, ...REFUSED.map((code) => ({ code }))],
    oauth2: {
      authUrl: 'https://slack.com/oauth/v2/authorize',
      tokenUrl: 'https://slack.com/api/oauth.v2.access',
      scopes: [
        ...['chat:write', 'channels:read', 'channels:history', 'channels:manage', 'users:read', 'users:read.email'],
        ...['reactions:read', 'reactions:write', 'files:write'],
      ],
      scopeSeparator: ',',
      failedWhen: { key: 'ok', value: false },
      keep: { teamId: 'team.id', teamName: 'team.name', botUserId: 'bot_user_id' },
      // Only tokens of apps that opted in expire. There is no `revoke`, because all connections to a workspace share its bot's token.
      refresh: 'rotating',
      grantRefusedWhen: ['invalid_refresh_token', 'token_revoked', 'account_inactive'],
    },
  },
  http: { authorize: authorizationHeader, failedWhen },
  actions: {
    send_message: sendMessage,
    update_message: updateMessage,
    add_reaction: addReaction,
    list_messages: listMessages,
    find_user_by_email: findUserByEmail,
    create_channel: createChannel,
    upload_file: uploadFile,
    search,
  },
  triggers: { new_message: newMessage, reaction_added: reactionAdded },
});
