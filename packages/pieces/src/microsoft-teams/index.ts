import { piece } from '@drawbridge/piece-kit';
import { GRAPH_ORIGIN, graphHttp, microsoftOauth2 } from '../microsoft.js';
import { createChannel } from './actions/create-channel.js';
import { createChat } from './actions/create-chat.js';
import { createMeeting } from './actions/create-meeting.js';
import { listChannels } from './actions/list-channels.js';
import { listChats } from './actions/list-chats.js';
import { listMembers } from './actions/list-members.js';
import { listMessages } from './actions/list-messages.js';
import { listTeams } from './actions/list-teams.js';
import { replyToMessage } from './actions/reply-to-message.js';
import { sendChannelMessage } from './actions/send-channel-message.js';
import { sendChatMessage } from './actions/send-chat-message.js';
import { newChannelMessage } from './triggers/new-channel-message.js';
import { newChatMessage } from './triggers/new-chat-message.js';
import { newMember } from './triggers/new-member.js';

export const microsoftTeams = piece({
  name: 'microsoft-teams',
  displayName: 'Microsoft Teams',
  description: 'Sends and reads messages of channels and chats, and manages channels and meetings.',
  categories: ['COMMUNICATION', 'PRODUCTIVITY'],
  origin: GRAPH_ORIGIN,
  auth: {
    types: ['OAUTH2'],
    required: true,
    description:
      'An administrator of the organization must consent to some permissions. Personal accounts cannot be used.',
    test: '/v1.0/me',
    oauth2: microsoftOauth2([
      'User.Read',
      'Team.ReadBasic.All',
      'TeamMember.Read.All',
      'Channel.ReadBasic.All',
      'Channel.Create',
      'ChannelMessage.Read.All',
      'ChannelMessage.Send',
      'Chat.ReadWrite',
      'OnlineMeetings.ReadWrite',
    ]),
  },
  http: graphHttp,
  actions: {
    send_channel_message: sendChannelMessage,
    reply_to_message: replyToMessage,
    send_chat_message: sendChatMessage,
    create_chat: createChat,
    list_teams: listTeams,
    list_channels: listChannels,
    create_channel: createChannel,
    list_messages: listMessages,
    list_members: listMembers,
    create_meeting: createMeeting,
    list_chats: listChats,
  },
  triggers: { new_channel_message: newChannelMessage, new_chat_message: newChatMessage, new_member: newMember },
});
