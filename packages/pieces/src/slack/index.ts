import { authorizationHeader, piece } from '@drawbridge/piece-kit';
import { addReaction } from './actions/add-reaction.js';
import { createChannel } from './actions/create-channel.js';
import { deleteMessage } from './actions/delete-message.js';
import { findUserByEmail } from './actions/find-user-by-email.js';
import { getThread } from './actions/get-thread.js';
import { getUser } from './actions/get-user.js';
import { inviteToChannel } from './actions/invite-to-channel.js';
import { listChannels } from './actions/list-channels.js';
import { listMessages } from './actions/list-messages.js';
import { listUsers } from './actions/list-users.js';
import { scheduleMessage } from './actions/schedule-message.js';
import { search } from './actions/search.js';
import { sendDirectMessage } from './actions/send-direct-message.js';
import { sendMessage } from './actions/send-message.js';
import { setTopic } from './actions/set-topic.js';
import { updateMessage } from './actions/update-message.js';
import { uploadFile } from './actions/upload-file.js';
import { failedWhen } from './failed-when.js';
import { FILES_ORIGIN } from './origins.js';
import { appMention } from './triggers/app-mention.js';
import { channelCreated } from './triggers/channel-created.js';
import { directMessage } from './triggers/direct-message.js';
import { memberJoined } from './triggers/member-joined.js';
import { newMessage } from './triggers/new-message.js';
import { reactionAdded } from './triggers/reaction-added.js';

/** Error codes which mean that the token itself is invalid: https://docs.slack.dev/reference/methods */
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
      'Acts as the bot of a Slack app (xoxb-…) or as a user (xoxp-…). A bot must be a member of a channel to read it, and only users can search.',
    test: '/api/auth.test',
    refusedWhen: [{ status: 401 }, ...REFUSED.map((code) => ({ code }))],
    shares: [
      'Send, change and delete messages, and upload files',
      'Read channels, direct messages and reactions',
      'See the names and email addresses of members',
      'Create channels and invite members',
    ],
    keysUrl: 'https://api.slack.com/apps',
    oauth2: {
      authUrl: 'https://slack.com/oauth/v2/authorize',
      tokenUrl: 'https://slack.com/api/oauth.v2.access',
      scopes: [
        ...['chat:write', 'channels:read', 'channels:history', 'channels:manage', 'users:read', 'users:read.email'],
        ...['reactions:read', 'reactions:write', 'files:write', 'app_mentions:read'],
        ...['groups:read', 'groups:history', 'groups:write'],
        ...['im:read', 'im:history', 'im:write', 'mpim:read', 'mpim:history', 'mpim:write'],
      ],
      scopeSeparator: ',',
      failedWhen: { key: 'ok', value: false },
      keep: { teamId: 'team.id', teamName: 'team.name', botUserId: 'bot_user_id' },
      // Only tokens of apps that enabled token rotation expire. There is no `revoke`, because all connections to a workspace share the token of its
      // bot.
      refresh: 'rotating',
      grantRefusedWhen: ['invalid_refresh_token', 'token_revoked', 'account_inactive'],
    },
  },
  http: { authorize: authorizationHeader, failedWhen },
  // Slack also accepts every method by GET.
  isGetSafe: false,
  actions: {
    send_message: sendMessage,
    update_message: updateMessage,
    add_reaction: addReaction,
    list_messages: listMessages,
    find_user_by_email: findUserByEmail,
    create_channel: createChannel,
    upload_file: uploadFile,
    search,
    get_thread: getThread,
    list_channels: listChannels,
    get_user: getUser,
    list_users: listUsers,
    send_direct_message: sendDirectMessage,
    delete_message: deleteMessage,
    schedule_message: scheduleMessage,
    invite_to_channel: inviteToChannel,
    set_topic: setTopic,
  },
  triggers: {
    new_message: newMessage,
    reaction_added: reactionAdded,
    app_mention: appMention,
    direct_message: directMessage,
    channel_created: channelCreated,
    member_joined: memberJoined,
  },
});
